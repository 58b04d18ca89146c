"""The one argument parser, used by both doors: ``scenewright …`` and ``blender --command scenewright …``."""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from . import __version__
from .executor.model.errors import ScenewrightError
from .executor.model.result import EditResult
from .terminal import (
    Streams,
    interruptible,
    own_streams,
    run_to_end,
    tell_error,
    tell_result,
    timed,
    write_text,
)

EXIT_SATISFIED, EXIT_PARTIAL = 0, 1


def main(argv: list[str]) -> int:
    """Run one command and return its exit code (contract, section 1).

    Args:
        argv: arguments without the program's name.
    """
    flags = argv[: argv.index("--")] if "--" in argv else argv
    wants_json, verbose = "--json" in flags, "--verbose" in flags
    with own_streams(verbose) as streams, interruptible():
        try:
            options = _parser(streams).parse_args(argv)
            run: Callable[[argparse.Namespace, Streams], int] = options.run
            return run(options, streams)
        except ScenewrightError as error:
            tell_error(error, wants_json, streams)
            return error.exit_code
        except KeyboardInterrupt:
            cancelled = ScenewrightError("cancelled", "Cancelled; nothing was written.")
            tell_error(cancelled, wants_json, streams)
            return cancelled.exit_code
        except SystemExit as done:  # --help and --version
            return int(done.code or 0)
        except Exception as fault:  # noqa: BLE001 - a door: nothing of ours may end in a traceback
            if verbose:
                traceback.print_exc(file=streams.err)
            internal = ScenewrightError(
                "internal",
                f"Scenewright failed with {type(fault).__name__}: {fault}.",
                "Nothing was written; --verbose tells where, for a report.",
            )
            tell_error(internal, wants_json, streams)
            return internal.exit_code


def console_main() -> NoReturn:
    """Entry point of the ``scenewright`` console script."""
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # bpy's own clean-up at interpreter exit may crash (4.2) and has nothing left to do for us.
    os._exit(code)


# --- commands -------------------------------------------------------------------------------------------------


def _edit(options: argparse.Namespace, streams: Streams) -> int:
    from .agent.loop import Options, run
    from .agent.report import write_report
    from .executor.blender import files, session
    from .executor.blender.stage import Stage

    source = _scene_path(options.scene)
    if not options.dry_run:
        if options.output is None:
            raise ScenewrightError("bad_input", "No output is given.", "Add -o OUT.blend, or --dry-run.")
        files.check_output(options.output, source, options.force)
    if options.report:
        session.make_folder(options.report)
    opened = session.open_for(source)
    stage = Stage(session.context(), options.scale_factor)
    pictures = session.Pictures(options.report) if options.report else None
    if pictures:
        pictures.take("before")
    how = Options(options.frame, options.allow_collision, tuple(options.protect), _answers(options.answer))
    refusal: ScenewrightError | None = None
    try:
        result = run_to_end(run(options.request, stage, how), options.quiet, streams.err)
        refusal = result.refusal()
    except ScenewrightError as error:
        refusal, result = error, EditResult.refused(options.request, error)
    result.warnings = [*(opened.warnings if opened else []), *result.warnings]
    if refusal is None and not options.dry_run:
        result.seconds["save"] = timed(lambda: files.save_blend(options.output, opened, options.force))
        result.output = str(options.output)
    if pictures:
        if refusal is None:
            pictures.take("after")
        write_report(options.report, result, pictures.taken)
    if refusal is not None and not options.json:
        raise refusal
    tell_result(result, options.json, streams.out)
    if refusal is not None:
        return refusal.exit_code
    return EXIT_SATISFIED if result.status == "satisfied" else EXIT_PARTIAL


def _graph(options: argparse.Namespace, streams: Streams) -> int:
    from .executor.blender import session
    from .executor.blender.read import SceneReader

    opened = session.open_for(_scene_path(options.scene))
    graph = SceneReader().read(session.context(), options.scale_factor).graph
    if opened and opened.warnings:
        graph = graph.model_copy(update={"warnings": [*opened.warnings, *graph.warnings]})
    text = graph.model_dump_json(by_alias=True, indent=1)
    if options.output is not None:
        write_text(options.output, text)
        streams.out.write(
            f"{len(graph.objects)} things in {len(graph.rooms)} rooms → {options.output}\n" * (not options.json)
        )
    if options.output is None or options.json:
        streams.out.write(text + "\n")
    if not options.quiet:
        for warning in graph.warnings:
            streams.err.write(f"Warning: {warning}\n")
    return EXIT_SATISFIED


def _render(options: argparse.Namespace, streams: Streams) -> int:
    from .executor.blender import files, render, session
    from .executor.blender.read import SceneReader

    files.check_output(options.output, None, force=False, suffix=".png")
    session.open_for(_scene_path(options.scene))
    scene = SceneReader().read(session.context(), options.scale_factor)
    render.render_view(
        session.context(), scene, options.view, options.output, tuple(options.resolution), options.scale_factor
    )
    streams.out.write(json.dumps({"output": str(options.output), "view": options.view}) + "\n" if options.json else "")
    return EXIT_SATISFIED


# --- the parser -----------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    streams: Streams | None = None

    def _print_message(self, message: str, file: object = None) -> None:
        if message and _Parser.streams is not None:
            _Parser.streams.out.write(message)

    def error(self, message: str) -> NoReturn:
        raise ScenewrightError("bad_input", f"{message[:1].upper()}{message[1:]}.", f"See `{self.prog} --help`.")


def _parser(streams: Streams) -> argparse.ArgumentParser:
    _Parser.streams = streams
    parser = _Parser(
        prog="scenewright",
        description="Say what should be true of a scene, and have it made true in your own .blend.",
        epilog="In Blender the same arguments follow --command scenewright, and - as SCENE means the open file.",
    )
    parser.add_argument("--version", action="version", version=f"scenewright {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)

    edit = commands.add_parser("edit", help="author one request on an existing scene")
    edit.add_argument("scene", metavar="SCENE", help=".blend .glb .gltf .usd* .obj .fbx, or - for the open file")
    edit.add_argument("request", metavar="REQUEST", help="what should be true, in plain English")
    edit.add_argument("-o", dest="output", metavar="OUT.blend", type=Path, help="where the result goes")
    edit.add_argument("--force", action="store_true", help="allow -o to be the scene itself")
    edit.add_argument("--dry-run", action="store_true", help="everything but writing")
    edit.add_argument("--report", metavar="DIR", type=Path, help="write an HTML report with pictures")
    edit.add_argument("--frame", choices=("viewer", "object", "world"), default="viewer", help="whose left and right")
    edit.add_argument("--protect", metavar="QUERY", action="append", default=[], help="leave this alone; repeatable")
    edit.add_argument(
        "--answer", metavar="QUESTION=ID", action="append", default=[], help="answer a former run's question"
    )
    edit.add_argument("--allow-collision", action="store_true", help="let explicit moves end in collisions")
    edit.add_argument("--offline", action="store_true", help="never call a model")
    edit.add_argument("--seed", metavar="N", type=int, default=0, help="seed of anything left to chance")
    edit.set_defaults(run=_edit)

    graph = commands.add_parser("graph", help="the scene graph as JSON")
    graph.add_argument("scene", metavar="SCENE")
    graph.add_argument("-o", dest="output", metavar="FILE.json", type=Path)
    graph.set_defaults(run=_graph)

    render = commands.add_parser("render", help="a picture of the scene")
    render.add_argument("scene", metavar="SCENE")
    render.add_argument("-o", dest="output", metavar="FILE.png", type=Path, required=True)
    render.add_argument("--view", default="camera", help="camera, top, corner1 … corner4, or close:ID")
    render.add_argument("--resolution", metavar=("W", "H"), nargs=2, type=_pixels, default=(960, 640))
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


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _pixels(text: str) -> int:
    value = int(text)
    if not 4 <= value <= 16384:
        raise argparse.ArgumentTypeError(f"{text} is no number of pixels from 4 to 16384")
    return value


def _scene_path(scene: str) -> Path | None:
    return None if scene == "-" else Path(scene)


def _answers(given: list[str]) -> dict[str, str]:
    answers = {}
    for text in given:
        question, _, answer = text.partition("=")
        if not question or not answer:
            raise ScenewrightError("bad_input", f"--answer {text} answers nothing.", "Write --answer QUESTION=ID.")
        answers[question] = answer
    return answers
