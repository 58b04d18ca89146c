"""Pure geometry on numpy, scipy and shapely: no Blender, no scene semantics."""
