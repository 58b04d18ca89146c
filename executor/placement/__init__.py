"""Where things can go: candidate poses from the geometry of what they stand on and stand among."""
