"""Colours and materials."""

from __future__ import annotations

import numpy as np

from ..geometry.colors import COLOR_TERMS, ciede2000, lab
from ..model.predicate import Predicate, Verdict
from ..world import World

COLOR_TOLERANCE = 20.0


def color(predicate: Predicate, world: World, before: World) -> Verdict:
    """The area-weighted base colour of each subject lies within CIEDE2000 20 of the named ``color``."""
    wanted = lab(COLOR_TERMS[str(predicate.qualifiers["color"])])
    differences: dict[str, float] = {}
    for thing in predicate.subject:
        colors, areas = world.base_colors(thing)
        if not areas.sum() > 0:
            return Verdict(status="unknown", failure_mode="no_colour", measured={"thing": thing})
        mean = areas @ colors / areas.sum()
        differences[thing] = round(float(ciede2000(lab(np.asarray(mean)), wanted)), 2)
    return Verdict.of(max(differences.values()) <= COLOR_TOLERANCE, "other_colour", ciede2000=differences)


def material(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject shows the ``material``."""
    wanted = predicate.qualifiers["material"]
    shown = {t: list(world.materials(t)) for t in predicate.subject}
    return Verdict.of(all(wanted in found for found in shown.values()), "other_material", materials=shown)
