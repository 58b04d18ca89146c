"""Transactions: every write is an edit with its old state, so that taking it back is exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..model.edit import Block, CreationEdit, Edit, KeysEdit, Membership, MembershipEdit, State, ValueEdit
from ..model.errors import ScenewrightError
from .blocks import all_blocks, own_uid, reference, resolve, whole
from .edits import encoded_keys, membership_of, put, read_keys, read_value, state_of, value_at, write_value
from .marks import BLOCK_UID, is_note
from .scenes import is_fixed


class Journal:
    """What was written, newest last.

    Args:
        lasting: give datablocks that are written ids of their own, by which they are found after any renaming.
    """

    def __init__(self, lasting: bool = False) -> None:
        self._lasting = lasting
        self._edits: list[Edit] = []

    # --- writing ------------------------------------------------------------------------------------------

    def assign(self, block: bpy.types.ID, path: str, value: Any) -> None:
        """Set a property of a datablock: ``location``, ``location[2]``, ``material_slots[0].link``, ``["my_own"]``."""
        if not is_note(path):
            self._identify(block, value_at(block, path), value)
        old = read_value(block, path)
        edit = ValueEdit(do="value", block=reference(block), path=path, old=old, new=old)
        self._edits.append(edit)
        write_value(block, path, value)
        self._edits[-1] = edit.model_copy(update={"new": read_value(block, path)})

    def assign_keys(self, curve: bpy.types.FCurve, slot: int, values: Mapping[str, NDArray[np.float32]]) -> None:
        """Set fields of all keys of a curve.

        Args:
            curve: of an action.
            slot: handle of the action's slot that it belongs to, or 0.
            values: ``(2 n,)`` for n keys, by field: ``co``, ``handle_left``, ``handle_right``.
        """
        self._identify(curve.id_data)
        edit = KeysEdit(
            do="keys",
            block=reference(curve.id_data),
            slot=slot,
            path=curve.data_path,
            index=curve.array_index,
            old=read_keys(curve),
            new=encoded_keys(values),
        )
        self._edits.append(edit)
        put(edit, edit.new)

    def relink(self, obj: bpy.types.Object, collections: Sequence[bpy.types.Collection]) -> None:
        """Put an object into collections, at the end of those that it is not in yet, and out of all others.

        Raises:
            ScenewrightError: ``unsupported`` if a library decides what one of them holds.
        """
        fixed = next((c for c in {*collections} ^ {*obj.users_collection} if is_fixed(c)), None)
        if fixed is not None:
            raise ScenewrightError(
                "unsupported",
                f"{obj.name} cannot be put into the collection “{fixed.name}” or taken out of it: a library decides "
                "what it holds.",
                "Make the collection local, or edit the library.",
            )
        self._identify(obj, *obj.users_collection, *collections)
        old = membership_of(obj)
        index_in = dict(old.places)
        places = [(reference(c), len(c.objects)) for c in collections]
        self._place(obj, old.model_copy(update={"places": tuple((c, index_in.get(c, end)) for c, end in places)}))

    def hide(self, obj: bpy.types.Object, layer: bpy.types.ViewLayer, hidden: bool) -> None:
        """Close an object's eye in a view layer, or open it."""
        self._identify(obj, *obj.users_collection)
        old = membership_of(obj)
        shown = [s.model_copy(update={"hidden": hidden}) if s.layer == layer.name else s for s in old.shown]
        self._place(obj, old.model_copy(update={"shown": tuple(shown)}))

    def _place(self, obj: bpy.types.Object, wanted: Membership) -> None:
        edit = MembershipEdit(do="membership", block=reference(obj), old=membership_of(obj), new=wanted)
        self._edits.append(edit)
        put(edit, wanted)
        self._edits[-1] = edit.model_copy(update={"new": membership_of(obj)})

    @contextmanager
    def creating(self) -> Iterator[None]:
        """A block in which datablocks are made: taken back, they are deleted again."""
        before = {(kind, block.session_uid) for kind, block in all_blocks()}
        try:
            yield
        finally:
            made = [block for kind, block in all_blocks() if (kind, block.session_uid) not in before]
            made.sort(key=lambda block: isinstance(block, bpy.types.Object))  # when taken back, objects go first
            for block in made:
                if self._lasting and (uid := own_uid(block)) is not None:
                    block[BLOCK_UID] = uid
                self._edits.append(CreationEdit(do="creation", block=reference(block)))

    def put(self, edit: Edit, state: State) -> None:
        """Bring what an edit is about into a state of it.

        Raises:
            GoneError: it is not in the file.
        """
        now = edit.model_copy(update={"old": state_of(edit), "new": state})
        self._edits.append(now)
        put(now, state)

    def identified(self, block: bpy.types.ID) -> Block:
        """What leads back to a datablock, by an id of its own if ids are given."""
        self._identify(block)
        return reference(block)

    # --- taking back --------------------------------------------------------------------------------------

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
        return len(self._edits)

    def since(self, mark: int) -> list[Edit]:
        """What was written since a mark, oldest first."""
        return self._edits[mark:]

    def roll_back(self, mark: int) -> None:
        """Take back everything written since a mark, newest first."""
        while len(self._edits) > mark:
            edit = self._edits.pop()
            if isinstance(edit, CreationEdit):
                block = resolve(edit.block)
                if block is not None:
                    bpy.data.batch_remove([block])  # shape keys and cache files can be removed in no other way
            else:
                put(edit, edit.old)
        bpy.context.view_layer.update()  # else world matrices are still those of what was taken back

    def _identify(self, *values: Any) -> None:
        """Give the datablocks among some values ids of their own."""
        for block in values if self._lasting else ():
            if isinstance(block, (list, tuple)):
                self._identify(*block)
            elif isinstance(block, bpy.types.ID):
                owner = whole(block)
                if (uid := own_uid(owner)) not in (None, owner.get(BLOCK_UID)):
                    self.assign(owner, f'["{BLOCK_UID}"]', uid)
