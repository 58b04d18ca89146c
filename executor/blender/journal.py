"""Transactions: every write is recorded with the old value, so that taking it back is exact.

Old values, not inverse operations: in float32 ``x + d - d`` differs from ``x`` in a third of all cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Journal:
    """What was written since a change was last accepted, newest last."""

    def __init__(self) -> None:
        self._restores: list[Callable[[], None]] = []
        self._accepted = 0

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
        """A point to roll back to; it stays good when earlier writes are accepted."""
        return self._accepted + len(self._restores)

    def roll_back(self, mark: int = 0) -> None:
        """Take back everything written since a mark, newest first, but nothing that was accepted since.

        Args:
            mark: from `mark`; without one, everything since the last `accept` goes, whoever wrote it.
        """
        while self.mark() > mark and self._restores:
            self._restores.pop()()

    def accept(self) -> None:
        """Keep everything written so far for good: it can no longer be taken back, nor is it held on to."""
        self._accepted = self.mark()
        self._restores.clear()


def _copied(value: object) -> object:
    """A plain copy of a value that Blender would otherwise keep changing under us."""
    if isinstance(value, (str, int, float, bool)) or value is None or hasattr(value, "bl_rna"):
        return value
    if hasattr(value, "__len__"):
        return tuple(value)  # type: ignore[arg-type]
    return value
