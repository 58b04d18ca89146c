"""The one argument parser, used by both doors: ``scenewright …`` and ``blender --command scenewright …``."""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from . import __version__, commands
from .executor.model.errors import ScenewrightError
from .terminal import Streams, allow_interrupts, hold_interrupts, interrupts_held, own_streams, tell_error

_COMMON = {
    "--json": "print JSON and nothing else to stdout",
    "--verbose": "show what Blender prints, on stderr",
    "--quiet": "no progress on stderr",
}
_OUTPUT = "where the result goes"
_FORCE = "allow -o to be the scene, and a save that harms it"
_SCENE = ".blend .glb .gltf .usd* .obj .fbx, or - for the open file"


def main(argv: list[str]) -> int:
    """Run one command and return its exit code (contract, section 1).

    Args:
        argv: arguments without the program's name.
    """
    flags = argv[: argv.index("--")] if "--" in argv else argv
    with interrupts_held(), own_streams(verbose="--verbose" in flags) as streams:
        try:
            allow_interrupts()
            outcome = _run(argv, streams, verbose="--verbose" in flags)
            hold_interrupts()
        except KeyboardInterrupt:
            outcome = ScenewrightError("cancelled", "Cancelled; nothing was written.")
        return outcome if isinstance(outcome, int) else tell_error(outcome, "--json" in flags, streams)


def _run(argv: list[str], streams: Streams, verbose: bool) -> int | ScenewrightError:
    """Run one command; returns its exit code, or what went wrong."""
    try:
        options = build_parser(streams.tell).parse_args(argv)
        run: Callable[[argparse.Namespace, Streams], int] = options.run
        return run(options, streams)
    except ScenewrightError as error:
        return error
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    except Exception as fault:  # noqa: BLE001 - a door: nothing of ours may end in a traceback
        if verbose:
            traceback.print_exc(file=streams.err)
        return ScenewrightError.internal(fault, "Nothing was written; --verbose tells where, for a report.")


# --- the parser -----------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """A parser that tells help where it is told to, and refuses as everything of ours does.

    Args:
        tell: prints lines.
    """

    def __init__(self, tell: Callable[[Iterable[str]], object], **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)
        self._tell = tell

    def _print_message(self, message: str, file: object = None) -> None:
        self._tell(message.splitlines())

    def error(self, message: str) -> NoReturn:
        raise ScenewrightError("bad_input", f"{message[:1].upper()}{message[1:]}.", f"See `{self.prog} --help`.")


def build_parser(tell: Callable[[Iterable[str]], object]) -> argparse.ArgumentParser:
    """The parser of all commands.

    Args:
        tell: prints the lines of a help text.
    """
    parser = _Parser(
        tell,
        prog="scenewright",
        description="Say what should be true of a scene, and have it made true in your own .blend.",
        epilog="In Blender the same arguments follow --command scenewright, and - as SCENE means the open file.",
    )
    parser.add_argument("--version", action="version", version=f"scenewright {__version__}")
    commands_ = parser.add_subparsers(
        title="commands",
        metavar="COMMAND",
        required=True,
        parser_class=partial(_Parser, tell),  # type: ignore[call-overload]  # any callable will do
    )

    edit = commands_.add_parser("edit", help="author one request on an existing scene")
    edit.add_argument("scene", metavar="SCENE", help=_SCENE)
    edit.add_argument("request", metavar="REQUEST", type=_text, help="what should be true, in plain English")
    edit.add_argument("-o", dest="output", metavar="OUT.blend", type=Path, help=_OUTPUT)
    edit.add_argument("--force", action="store_true", help=_FORCE)
    edit.add_argument("--dry-run", action="store_true", help="everything but writing the scene")
    edit.add_argument("--report", metavar="DIR", type=Path, help="write an HTML report with pictures")
    edit.add_argument("--frame", choices=("viewer", "object", "world"), default="viewer", help="whose left and right")
    edit.add_argument(
        "--protect", metavar="QUERY", type=_text, action="append", default=[], help="leave this alone; repeatable"
    )
    edit.add_argument(
        "--answer",
        metavar="QUESTION=ID",
        type=_text,
        action="append",
        default=[],
        help="answer a former run's question",
    )
    edit.add_argument(
        "--library",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="where files that the request names are looked for, besides the scene's folder; repeatable",
    )
    edit.add_argument("--allow-collision", action="store_true", help="let explicit moves end in collisions")
    edit.add_argument("--offline", action="store_true", help="never call a model (none is called today)")
    edit.add_argument(
        "--seed", metavar="N", type=_whole, default=0, help="seed of what is left to chance (nothing is today)"
    )
    edit.set_defaults(run=commands.edit)

    graph = commands_.add_parser("graph", help="the scene graph as JSON")
    graph.add_argument("scene", metavar="SCENE", help=_SCENE)
    graph.add_argument("-o", dest="output", metavar="FILE.json", type=Path, help="where it goes; without, to stdout")
    graph.set_defaults(run=commands.graph)

    render = commands_.add_parser("render", help="a picture of the scene")
    render.add_argument("scene", metavar="SCENE", help=_SCENE)
    render.add_argument("-o", dest="output", metavar="FILE.png", type=Path, required=True, help="where it goes")
    render.add_argument("--view", default="camera", help="camera, top, corner1 … corner4, or close:ID")
    render.add_argument("--resolution", metavar=("W", "H"), nargs=2, type=_pixels, default=(960, 640), help="in pixels")
    render.set_defaults(run=commands.render)

    history = commands_.add_parser("history", help="the versions that a scene keeps of itself")
    versions = _add_history(history, tell)
    for command in (edit, graph, render, history, *versions):
        # What is given before the word for an action is not overwritten by that one's defaults.
        off = argparse.SUPPRESS if command in versions else False
        for name, told in _COMMON.items():
            command.add_argument(name, action="store_true", default=off, help=told)
        command.add_argument(
            "--scale-factor",
            metavar="F",
            type=_positive,
            default=argparse.SUPPRESS if command in versions else 1.0,
            help="metres per scene unit, as a multiple of what the file claims",
        )
    return parser


def _add_history(
    history: argparse.ArgumentParser, tell: Callable[[Iterable[str]], object]
) -> list[argparse.ArgumentParser]:
    """Fill in the parser of `history`; returns those of its actions."""
    history.add_argument("scene", metavar="SCENE", help=".blend, or - for the open file")
    history.set_defaults(run=commands.history, action="list")
    actions = history.add_subparsers(
        title="actions",
        metavar="ACTION",
        parser_class=partial(_Parser, tell),  # type: ignore[call-overload]  # any callable will do
    )
    list_ = actions.add_parser("list", help="what was done, turn by turn (so without an action, too)")
    diff = actions.add_parser("diff", help="what differs between two turns")
    diff.set_defaults(action="diff")
    for name in ("turn_a", "turn_b"):
        diff.add_argument(name, metavar=name[-1].upper(), type=_turn, help="number of a turn")
    restore = actions.add_parser("restore", help="bring the scene back as it was after a turn")
    restore.add_argument("turn", metavar="TURN", type=_turn, help="number of the turn; the first one is the source")
    restore.add_argument("--only", metavar="QUERY", help="bring back this thing only")
    restore.add_argument("--dry-run", action="store_true", help="everything but writing the scene")
    restore.add_argument("--report", metavar="DIR", type=Path, help="write an HTML report with pictures")
    restore.set_defaults(run=commands.restore)
    purge = actions.add_parser("purge", help="forget all turns, and delete what only they keep in the file")
    purge.set_defaults(run=commands.purge)
    for action in (restore, purge):
        required = action is purge
        action.add_argument("-o", dest="output", metavar="OUT.blend", type=Path, required=required, help=_OUTPUT)
        action.add_argument("--force", action="store_true", help=_FORCE)
    return [list_, diff, restore, purge]


def _text(text: str) -> str:
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise argparse.ArgumentTypeError("it is not valid UTF-8 text")
    return text


def _positive(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) < float("inf"):
            return float(text)
    raise argparse.ArgumentTypeError(f"“{text}” is not a positive number")


def _whole(text: str) -> int:
    with suppress(ValueError):
        return int(text)
    raise argparse.ArgumentTypeError(f"“{text}” is not a whole number")


def _turn(text: str) -> int:
    with suppress(ValueError):
        if int(text) >= 0:
            return int(text)
    raise argparse.ArgumentTypeError(f"“{text}” is not the number of a turn")


def _pixels(text: str) -> int:
    with suppress(ValueError):
        if 4 <= int(text) <= 16384:
            return int(text)
    raise argparse.ArgumentTypeError(f"“{text}” is no number of pixels from 4 to 16384")
