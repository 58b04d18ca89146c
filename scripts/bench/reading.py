"""Score the scene reader against hand labels: precision and recall per kind, and what it gets wrong.

    python scripts/bench/reading.py [--verbose] [LABELS.json ...]

The labelled files are found under SCENEWRIGHT_FIELD_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

import bpy

from scenewright.executor.blender.files import open_scene
from scenewright.executor.blender.read import SceneReader
from scenewright.executor.model.graph import Entity, SceneGraph
from scenewright.executor.reading.lexicon import UNKNOWN, lexicon

HERE = Path(__file__).resolve().parents[2]
LABELS = HERE / "tests" / "labels"
KINDS = ("things", "categories", "nameless", "roles", "supports")


def field_data() -> Path:
    """Where the labelled files lie."""
    return Path(os.environ.get("SCENEWRIGHT_FIELD_DATA", HERE.parent / "shared" / "data"))


class Score:
    """Right answers out of those asked, per kind, with the wrong ones listed."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.wrong: list[str] = []

    def add(self, kind: str, right: bool, told: str) -> None:
        self.asked[kind] += 1
        self.right[kind] += right
        if not right:
            self.wrong.append(f"{kind:10} {told}")

    def __iadd__(self, other: Score) -> Score:
        self.right += other.right
        self.asked += other.asked
        return self

    def share(self, kind: str) -> float:
        return self.right[kind] / self.asked[kind] if self.asked[kind] else float("nan")


def score_file(labels: dict) -> Score:
    """Read the labelled file and compare."""
    path = field_data() / labels["file"]
    open_scene(path)
    return compare(SceneReader().read(bpy.context).graph, labels)


def compare(graph: SceneGraph, labels: dict) -> Score:
    """A thing is exactly right if its objects are the labelled ones, ignored objects left out of both."""
    score = Score()
    ignored = set(labels.get("hidden_or_ignored", []))
    found = {frozenset(set(e.entity_of) - ignored): e for e in graph.objects}
    host_label = {frozenset(entry["objects"]): entry["label"] for entry in labels["entities"]}
    label_of_id = {e.id: host_label.get(objects, e.id) for objects, e in found.items()}
    wall_names = {w.id for w in graph.walls}
    structure_ids = {e.id for e in graph.objects if e.role == "structure"}
    for entry in labels["entities"]:
        objects = frozenset(entry["objects"])
        entity = next((found[o] for o in map(frozenset, [objects, *entry.get("objects_ok", [])]) if o in found), None)
        holder = next((e for o, e in found.items() if objects & o), None)
        held = set(holder.entity_of) - ignored if holder else set()
        told = f"{entry['label']}: without {sorted(objects - held)}, with {sorted(held - objects)}"
        score.add("things", entity is not None, told)
        if entity is None:
            continue
        _compare_category(score, entry, entity)
        roles = [entry["role"], *entry.get("roles_ok", [])]
        score.add("roles", entity.role in roles, f"{entry['label']}: {entity.role}, is {'/'.join(roles)}")
        if entry.get("support") is None:
            continue
        accepted = {entry["support"], *entry.get("supports_ok", [])}
        on = entity.support.on
        got = "wall" if on in wall_names else label_of_id.get(on, on)
        right = got in accepted or ("wall" in accepted and on in structure_ids)
        score.add("supports", right, f"{entry['label']}: on {got}, is {'/'.join(sorted(accepted))}")
    return score


def _compare_category(score: Score, entry: dict, entity: Entity) -> None:
    lex = lexicon()
    accepted = {w for w in [entry["category"], *entry.get("categories_ok", [])] if w}
    canonical = {lex.lookup(w) or w for w in accepted} | accepted
    right = entity.category in canonical or any(lex.is_a(entity.category, c) for c in canonical)
    told = f"{entry['label']} {entry['objects'][0]!r}: {entity.category}, is {'/'.join(sorted(accepted))}"
    if entry.get("named"):
        score.add("categories", right, told)
    else:
        score.add("nameless", right or entity.category == UNKNOWN, told)


def main(argv: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verbose", action="store_true", help="list every wrong answer")
    parser.add_argument("labels", nargs="*", type=Path)
    options = parser.parse_args(argv)
    total = Score()
    rows = []
    for path in options.labels or sorted(LABELS.glob("*.json")):
        labels = json.loads(path.read_text(encoding="utf-8"))
        for entry in labels if isinstance(labels, list) else [labels]:
            score = score_file(entry)
            rows.append((entry["file"], score))
            total += score
    print(f"{'file':44}" + "".join(f"{k:>18}" for k in KINDS))
    for name, score in [*rows, ("all", total)]:
        cells = (f"{score.right[k]}/{score.asked[k]} {score.share(k):.3f}" for k in KINDS)
        print(f"{name[-44:]:44}" + "".join(f"{c:>18}" for c in cells))
    if options.verbose:
        for name, score in rows:
            print(f"\n{name}")
            print("\n".join(f"  {w}" for w in score.wrong))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
