"""The one argument parser, used by both doors: ``scenewright …`` and ``blender --command scenewright …``."""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from . import __version__
from .executor.model.errors import ScenewrightError
from .executor.model.result import EditResult
from .terminal import (
    Streams,
    allow_interrupts,
    hold_interrupts,
    interrupts_held,
    own_streams,
    result_lines,
    run_to_end,
    tell_error,
)

if TYPE_CHECKING:
    from .executor.blender.files import OpenedFile

EXIT_SATISFIED, EXIT_PARTIAL = 0, 1
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
        return ScenewrightError(
            "internal",
            f"Scenewright failed with {type(fault).__name__}: {fault}.",
            "Nothing was written; --verbose tells where, for a report.",
        )


# --- commands -------------------------------------------------------------------------------------------------


def _edit(options: argparse.Namespace, streams: Streams) -> int:
    from .agent import report
    from .agent.loop import Options, run
    from .executor.blender import outputs, session
    from .executor.blender.stage import Stage

    source = session.file_of(options.scene)
    if not options.dry_run:
        if options.output is None:
            raise ScenewrightError("bad_input", "No output is given.", "Add -o OUT.blend, or --dry-run.")
        outputs.check_output(options.output, ".blend", source, options.force)
    if options.report:
        outputs.check_folder(options.report, report.FILES, source, None if options.dry_run else options.output)
    opened = session.open_for(options.scene)
    if not options.dry_run:
        outputs.check_libraries(options.output, opened.libraries)
    stage = Stage(session.context(), options.scale_factor)
    pictures = {"before": session.picture()} if options.report else {}
    how = Options(options.frame, options.allow_collision, tuple(options.protect), _answers(options.answer))
    try:
        result = run_to_end(run(options.request, stage, how), options.quiet, streams.err)
    except ScenewrightError as error:
        result = EditResult.refused(options.request, error)
    result.warnings = [*opened.warnings, *result.warnings]
    refusal = result.refusal()
    if options.report and refusal is None:
        pictures["after"] = session.picture()
    _put_in_place(options, opened, result, pictures)
    if refusal is not None and not options.json:
        raise refusal
    done = f"{result.output} is written." if result.output else "No scene was written."
    streams.tell(_json_lines(result.model_dump_json(indent=1)) if options.json else result_lines(result), done)
    if refusal is not None:
        return refusal.exit_code
    return EXIT_SATISFIED if result.status == "satisfied" else EXIT_PARTIAL


def _put_in_place(
    options: argparse.Namespace, opened: OpenedFile, result: EditResult, pictures: Mapping[str, bytes]
) -> None:
    """Write the scene and the report: all is made first, then put in place, the scene last."""
    from .agent.report import write_report
    from .executor.blender.files import saved_blend

    with ExitStack() as written:
        if result.error is None and not options.dry_run:
            began = time.perf_counter()
            written.enter_context(saved_blend(options.output, opened, options.force))
            result.output = _shown(options.output)
            result.seconds["save"] = round(time.perf_counter() - began, 3)
        hold_interrupts()
        if options.report:
            write_report(options.report, result, pictures)


def _graph(options: argparse.Namespace, streams: Streams) -> int:
    from .executor.blender import outputs, session
    from .executor.blender.read import SceneReader

    if options.output is not None:
        outputs.check_output(options.output, ".json", session.file_of(options.scene))
    opened = session.open_for(options.scene)
    graph = SceneReader().read(session.context(), options.scale_factor).graph
    graph = graph.model_copy(update={"warnings": [*opened.warnings, *graph.warnings]})
    text = graph.model_dump_json(by_alias=True, indent=1)
    hold_interrupts()
    done = "Nothing was written."
    if options.output is not None:
        outputs.write_text(options.output, text)
        done = f"{_shown(options.output)} is written."
    if options.output is None or options.json:
        streams.tell(_json_lines(text), done)
    else:
        streams.tell([f"{len(graph.objects)} things in {len(graph.rooms)} rooms → {_shown(options.output)}"], done)
    if not options.quiet:
        for warning in graph.warnings:
            streams.say(f"Warning: {warning}")
    return EXIT_SATISFIED


def _render(options: argparse.Namespace, streams: Streams) -> int:
    from .executor.blender import outputs, render, session
    from .executor.blender.read import SceneReader

    outputs.check_output(options.output, ".png", session.file_of(options.scene))
    session.open_for(options.scene)
    scene = SceneReader().read(session.context(), options.scale_factor)
    with outputs.atomically(options.output) as temporary:
        render.render_view(
            session.context(), scene, options.view, temporary, tuple(options.resolution), options.scale_factor
        )
        hold_interrupts()
    if options.json:
        document = json.dumps({"output": _shown(options.output), "view": options.view})
        streams.tell([document], f"{_shown(options.output)} is written.")
    return EXIT_SATISFIED


def _json_lines(document: str) -> list[str]:
    return document.split("\n")


def _shown(path: Path) -> str:
    """A path as text; a file's name may hold bytes that are none."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")


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
    commands = parser.add_subparsers(
        title="commands",
        metavar="COMMAND",
        required=True,
        parser_class=partial(_Parser, tell),  # type: ignore[call-overload]  # any callable will do
    )

    edit = commands.add_parser("edit", help="author one request on an existing scene")
    edit.add_argument("scene", metavar="SCENE", help=_SCENE)
    edit.add_argument("request", metavar="REQUEST", type=_text, help="what should be true, in plain English")
    edit.add_argument("-o", dest="output", metavar="OUT.blend", type=Path, help="where the result goes")
    edit.add_argument("--force", action="store_true", help="allow -o to be the scene, and a save that harms it")
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
    edit.add_argument("--allow-collision", action="store_true", help="let explicit moves end in collisions")
    edit.add_argument("--offline", action="store_true", help="never call a model (none is called today)")
    edit.add_argument(
        "--seed", metavar="N", type=_whole, default=0, help="seed of what is left to chance (nothing is today)"
    )
    edit.set_defaults(run=_edit)

    graph = commands.add_parser("graph", help="the scene graph as JSON")
    graph.add_argument("scene", metavar="SCENE", help=_SCENE)
    graph.add_argument("-o", dest="output", metavar="FILE.json", type=Path, help="where it goes; without, to stdout")
    graph.set_defaults(run=_graph)

    render = commands.add_parser("render", help="a picture of the scene")
    render.add_argument("scene", metavar="SCENE", help=_SCENE)
    render.add_argument("-o", dest="output", metavar="FILE.png", type=Path, required=True, help="where it goes")
    render.add_argument("--view", default="camera", help="camera, top, corner1 … corner4, or close:ID")
    render.add_argument("--resolution", metavar=("W", "H"), nargs=2, type=_pixels, default=(960, 640), help="in pixels")
    render.set_defaults(run=_render)

    for command in (edit, graph, render):
        command.add_argument("--json", action="store_true", help="print JSON and nothing else to stdout")
        command.add_argument("--verbose", action="store_true", help="show what Blender prints, on stderr")
        command.add_argument("--quiet", action="store_true", help="no progress on stderr")
        command.add_argument(
            "--scale-factor",
            metavar="F",
            type=_positive,
            default=1.0,
            help="metres per scene unit, as a multiple of what the file claims",
        )
    return parser


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


def _pixels(text: str) -> int:
    with suppress(ValueError):
        if 4 <= int(text) <= 16384:
            return int(text)
    raise argparse.ArgumentTypeError(f"“{text}” is no number of pixels from 4 to 16384")


def _answers(given: list[str]) -> dict[str, str]:
    answers = {}
    for text in given:
        question, _, answer = text.partition("=")
        if not question or not answer:
            raise ScenewrightError("bad_input", f"--answer {text} answers nothing.", "Write --answer QUESTION=ID.")
        answers[question] = answer
    return answers
