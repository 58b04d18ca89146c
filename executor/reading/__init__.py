"""Understanding: from a raw snapshot of a scene to the scene graph. Pure: no Blender, no files but our own data."""
