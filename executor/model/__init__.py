"""Plain data that every floor shares: scene graph, snapshot, requirements, changes, results, errors."""
