"""What Blender shows of Scenewright: each module registers its own classes and callbacks."""

from . import command, operators

# In this order at start, in reverse at the end: a later module may use what an earlier one registered.
MODULES = (command, operators)


def register() -> None:
    """Register every module."""
    for module in MODULES:
        module.register()


def unregister() -> None:
    """Take back what `register` did."""
    for module in reversed(MODULES):
        module.unregister()
