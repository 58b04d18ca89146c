"""The hands and eyes: scene model, geometry, predicates, placement, and the Blender side."""
