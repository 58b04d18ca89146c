"""What each command does, given its parsed arguments and where to tell what came of it; each returns its exit code."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pydantic import BaseModel

from .executor.model.errors import ScenewrightError
from .executor.model.result import EditResult
from .terminal import Streams, difference_lines, history_lines, hold_interrupts, result_lines, run_to_end

if TYPE_CHECKING:
    from .agent.loop import Progress
    from .executor.blender.files import OpenedFile
    from .executor.blender.stage import Stage

    Steps: TypeAlias = Generator[Progress, None, EditResult]

EXIT_SATISFIED, EXIT_PARTIAL = 0, 1


def edit(options: argparse.Namespace, streams: Streams) -> int:
    """Author one request on a scene."""
    from .agent.loop import Options, run
    from .executor.blender import session

    source = session.file_of(options.scene)
    folders = [*options.library, *([source.parent] if source is not None else []), Path()]
    how = Options(options.frame, options.allow_collision, tuple(options.protect), answers(options.answer), folders)
    return _author(options, streams, options.request, lambda stage: run(options.request, stage, how))


def history(options: argparse.Namespace, streams: Streams) -> int:
    """List the versions of a scene, or compare two."""
    from .agent import versions
    from .executor.blender import session

    session.open_for(options.scene)
    known = session.history()
    if options.action == "diff":
        differences = versions.compared(known, options.turn_a, options.turn_b)
        streams.tell(_json_array(differences) if options.json else difference_lines(differences))
    else:
        found = versions.listed(known)
        streams.tell(_json_array(found) if options.json else history_lines(found))
    return EXIT_SATISFIED


def restore(options: argparse.Namespace, streams: Streams) -> int:
    """Bring a scene, or one thing of it, back into the state of a turn."""
    from .agent import versions

    said = f"restore {options.turn}" + (f" only {options.only}" if options.only else "")
    return _author(options, streams, said, lambda stage: versions.restore(options.turn, options.only, stage))


def purge(options: argparse.Namespace, streams: Streams) -> int:
    """Forget the versions of a scene, and delete what only they keep in the file."""
    from .executor.blender import files, outputs, session

    outputs.check_output(options.output, ".blend", session.file_of(options.scene), options.force)
    opened = session.open_for(options.scene)
    outputs.check_libraries(options.output, opened.libraries)
    deleted = session.purge_history()
    files.save_blend(options.output, opened, options.force)
    told = {"output": _shown(options.output), "deleted": deleted}
    done = f"{told['output']} is written."
    streams.tell(
        [json.dumps(told)] if options.json else [f"The history is forgotten, {deleted} datablocks with it."], done
    )
    return EXIT_SATISFIED


def _author(options: argparse.Namespace, streams: Streams, said: str, work: Callable[[Stage], Steps]) -> int:
    """Do some work on a scene, and put the scene and the report in place.

    Args:
        options: of the command.
        streams: where the result is told.
        said: what was asked for.
        work: the steps of it.
    """
    from .agent import report
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
    try:
        result = run_to_end(work(stage), options.quiet, streams.err)
    except ScenewrightError as error:
        result = EditResult.refused(said, error)
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


def graph(options: argparse.Namespace, streams: Streams) -> int:
    """Tell the graph of a scene."""
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


def render(options: argparse.Namespace, streams: Streams) -> int:
    """Take a picture of a scene."""
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


def _json_array(items: Sequence[BaseModel]) -> list[str]:
    return _json_lines(json.dumps([item.model_dump() for item in items], ensure_ascii=False, indent=1))


def _json_lines(document: str) -> list[str]:
    return document.split("\n")


def _shown(path: Path) -> str:
    """A path as text; a file's name may hold bytes that are none."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")


def answers(given: Sequence[str]) -> dict[str, str]:
    """Which id answers which question, from texts such as ``which_chair=armchair``.

    Raises:
        ScenewrightError: ``bad_input`` if one is no such text.
    """
    found = {}
    for text in given:
        question, _, answer = text.partition("=")
        if not question or not answer:
            raise ScenewrightError("bad_input", f"--answer {text} answers nothing.", "Write --answer QUESTION=ID.")
        found[question] = answer
    return found
