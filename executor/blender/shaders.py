"""Which shaders of a material show: those that reach what the render engines put out, through mixes and groups.

Nodes are found by type, and sockets by identifier, so that any UI language works.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import bpy

COLORED = (
    *("BSDF_PRINCIPLED", "BSDF_DIFFUSE", "BSDF_GLOSSY", "BSDF_METALLIC", "BSDF_SHEEN", "BSDF_TOON", "BSDF_TRANSLUCENT"),
    *("BSDF_GLASS", "BSDF_HAIR", "BSDF_REFRACTION", "SUBSURFACE_SCATTERING", "EEVEE_SPECULAR", "EMISSION"),
)
"""Types of shader nodes whose first input is the colour."""

CLEAR = "BSDF_TRANSPARENT"
"""The type of what shows what is behind it, and no colour of its own."""

_UNKNOWN_SHARE = 1e-3
"""Share of a mix's second shader where nodes decide, often by the angle of view: the first one is the base."""

Groups: TypeAlias = tuple[bpy.types.Node, ...]
"""The group nodes that something is in, outermost first."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A shader that shows.

    Attributes:
        node: it has a colour, or is transparent.
        groups: that it is in.
        share: how much of it shows, relative to others; known from the factors of mixes.
    """

    node: bpy.types.Node
    groups: Groups
    share: float

    @property
    def color(self) -> bpy.types.NodeSocket:
        """The input that carries its colour."""
        return self.node.inputs[0]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the value of an input comes from.

    Attributes:
        socket: the last input on the way to it, whose own value counts if no node gives it.
        node: that gives it, or None.
        groups: that these are in.
    """

    socket: bpy.types.NodeSocket
    node: bpy.types.Node | None
    groups: Groups


def shown_shaders(material: bpy.types.Material) -> list[Shown]:
    """The shaders of a material that show in any engine; none if it uses no nodes."""
    if not has_nodes(material):
        return []
    seen: set[tuple[int, ...]] = set()
    outputs = {material.node_tree.get_output_node(engine): None for engine in ("CYCLES", "EEVEE")}
    return [shown for node in outputs if node is not None for shown in _reaching(node.inputs[0], (), 1.0, seen)]


def colored_shaders(material: bpy.types.Material) -> list[Shown]:
    """Those of them that have a colour."""
    return [shown for shown in shown_shaders(material) if shown.node.type in COLORED]


def origin(socket: bpy.types.NodeSocket, groups: Groups) -> Origin | None:
    """Where the value of an input comes from, into groups and out of them; None if they lead to nothing."""
    while True:
        link = next((link for link in socket.links if not link.is_muted), None)
        if link is None:
            return Origin(socket, None, groups)
        node, output = link.from_node, link.from_socket
        before: bpy.types.NodeSocket | None
        if node.mute:
            before = next((link.from_socket for link in node.internal_links if link.to_socket == output), None)
        elif node.type == "REROUTE":
            before = node.inputs[0]
        elif node.type == "GROUP":
            before, groups = _put_out(node, output.identifier), (*groups, node)
        elif node.type == "GROUP_INPUT" and groups:
            before, groups = shader_inputs(groups[-1]).get(output.identifier), groups[:-1]
        else:
            return Origin(socket, node, groups)
        if before is None:
            return None
        socket = before


def shader_inputs(shader: bpy.types.Node) -> dict[str, bpy.types.NodeSocket]:
    """Inputs of a node by identifier."""
    return {socket.identifier: socket for socket in shader.inputs}


def has_nodes(material: bpy.types.Material) -> bool:
    """Whether a material's nodes decide how it looks; since 5.0 they always do."""
    return material.node_tree is not None and (bpy.app.version >= (5, 0) or material.use_nodes)


def _reaching(
    socket: bpy.types.NodeSocket, groups: Groups, share: float, seen: set[tuple[int, ...]]
) -> Iterator[Shown]:
    """The shaders that reach an input; each is met once."""
    at = origin(socket, groups)
    if at is None or at.node is None:
        return
    key = tuple(node.as_pointer() for node in (at.node, *at.groups))
    if key in seen:
        return
    seen.add(key)
    if at.node.type in (*COLORED, CLEAR):
        yield Shown(at.node, at.groups, share)
        return
    branches = [s for s in at.node.inputs if s.type == "SHADER"]
    shares = _shares(at.node, share) if at.node.type == "MIX_SHADER" else [share] * len(branches)
    for branch, its_share in zip(branches, shares, strict=True):
        if its_share > 0:
            yield from _reaching(branch, at.groups, its_share, seen)


def _shares(mix: bpy.types.Node, share: float) -> list[float]:
    factor = mix.inputs[0]
    if factor.is_linked:
        return [share, share * _UNKNOWN_SHARE]
    second = min(max(factor.default_value, 0.0), 1.0)
    return [share * (1 - second), share * second]


def _put_out(group: bpy.types.Node, identifier: str) -> bpy.types.NodeSocket | None:
    """The input, within a group, that an output of it shows."""
    nodes = group.node_tree.nodes if group.node_tree is not None else ()
    put_out = next((n for n in nodes if n.type == "GROUP_OUTPUT" and n.is_active_output), None)
    return shader_inputs(put_out).get(identifier) if put_out is not None else None
