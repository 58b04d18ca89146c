"""The Blender side: the one floor, besides the add-on, that imports bpy."""
