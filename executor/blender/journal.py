"""Transactions: every write is recorded with the old value, so that taking it back is exact.

Old values, not inverse operations: in float32 ``x + d - d`` differs from ``x`` in a third of all cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Journal:
    """What was written, newest last."""

    def __init__(self) -> None:
        self._restores: list[Callable[[], None]] = []

    def record(self, restore: Callable[[], None]) -> None:
        """Note how to take back a write that is about to happen."""
        self._restores.append(restore)

    def assign(self, owner: object, attribute: str, value: object) -> None:
        """Set an attribute of a datablock, remembering its old value."""
        old = _copied(getattr(owner, attribute))
        self.record(lambda: setattr(owner, attribute, old))
        setattr(owner, attribute, value)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A block whose writes are all taken back if it raises; transactions nest."""
        mark = self.mark()
        try:
            yield
        except BaseException:
            self.roll_back(mark)
            raise

    def mark(self) -> int:
        """A point to roll back to."""
        return len(self._restores)

    def roll_back(self, mark: int) -> None:
        """Take back everything written since a mark, newest first."""
        while len(self._restores) > mark:
            self._restores.pop()()


def _copied(value: object) -> object:
    """A plain copy of a value that Blender would otherwise keep changing under us."""
    if isinstance(value, (str, int, float, bool)) or value is None or hasattr(value, "bl_rna"):
        return value
    if hasattr(value, "__len__"):
        return tuple(value)  # type: ignore[arg-type]
    return value
