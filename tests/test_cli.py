"""The command line as a person and a script see it: streams, exit codes, interruption, the report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import bpy
import pytest

from scenewright.executor.model.result import EditResult

from .executor.rooms import (
    block,
    digest,
    edit,
    furnished,
    new_file,
    open_blend,
    save,
    scenewright,
    shell,
    worlds_in,
)

REQUEST = "move the table 20 cm left"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    furnished()
    return save(tmp_path_factory.mktemp("room") / "room.blend")


def python(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60)


# --- streams and exit codes -----------------------------------------------------------------------------------------


def test_as_a_program_of_its_own_stdout_is_the_json_and_nothing_else(room: Path, tmp_path: Path):
    done = python("-m", "scenewright", "edit", room, REQUEST, "-o", "out.blend", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert EditResult.model_validate_json(done.stdout).status == "satisfied"
    refused = python("-m", "scenewright", "edit", "nowhere.blend", REQUEST, "-o", "o.blend", "--json", cwd=tmp_path)
    assert refused.returncode == 2
    assert json.loads(refused.stdout)["error"]["code"] == "bad_input"
    assert sorted(os.listdir(tmp_path)) == ["out.blend"]


def test_within_a_process_that_lives_on_blenders_prints_do_not_reach_stdout_later(room: Path, tmp_path: Path):
    """As in `blender --command`, whose C buffers are flushed when it ends."""
    script = "import sys; from scenewright.cli import main; sys.exit(main(sys.argv[1:]))"
    done = python("-c", script, "edit", room, REQUEST, "-o", "out.blend", "--json", cwd=tmp_path)
    EditResult.model_validate_json(done.stdout)


def test_help_can_be_piped(tmp_path: Path):
    done = python("-m", "scenewright", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "usage:" in done.stdout and done.stderr == ""


def test_the_json_has_the_contracts_fields(room: Path, tmp_path: Path):
    document = edit(room, REQUEST, tmp_path / "out.blend").json
    assert document.keys() >= {
        "status", "output", "turn", "request", "requirements", "changes", "preservation", "physical", "attempts",
        "degradations", "questions", "warnings", "model", "seconds",
    }  # fmt: skip
    (requirement,) = document["requirements"]
    assert requirement.keys() >= {
        "id", "type", "text", "priority", "depends_on", "predicate", "status", "source", "matched_ids", "failure_mode",
        "repair_hint", "measured",
    }  # fmt: skip
    assert requirement["predicate"].keys() == {"name", "subject", "object", "qualifiers"}
    for change in document["changes"]:
        assert change.keys() >= {"id", "name", "kind", "carried_by", "before", "after"}
    faults = {"out_of_bounds", "collisions", "floating", "blocked_openings"}
    assert document["physical"].keys() == faults | {"introduced"}
    assert document["physical"]["introduced"].keys() == faults
    for attempt in document["attempts"]:
        assert attempt.keys() >= {"step", "card", "args", "candidates", "outcome", "reason"}
    assert document["model"].keys() == {"calls", "input_tokens", "output_tokens"}
    assert document["seconds"].keys() == {"load", "plan", "execute", "verify", "save"}
    assert document["turn"] == 1 and document["request"] == REQUEST
    assert document["output"] == str(tmp_path / "out.blend")


@pytest.mark.parametrize(
    ("request_", "code", "status"),
    [
        (REQUEST, 0, "satisfied"),
        ("move the table 20 cm left and move the chair 3 m right", 1, "partial"),
        ("move the chair 3 m right", 2, "refused"),
        ("move the chair 3 m right and move the crate 3 m left", 2, "refused"),
        ("dance", 2, "refused"),
        ("remove the unicorn", 2, "refused"),
    ],
)
def test_exit_codes_and_what_is_written(request_: str, code: int, status: str, room: Path, tmp_path: Path):
    done = edit(room, request_, tmp_path / "out.blend")
    assert (done.code, done.json["status"]) == (code, status)
    assert (tmp_path / "out.blend").exists() == (code < 2)
    assert done.json.get("output") == (str(tmp_path / "out.blend") if code < 2 else None)


@pytest.mark.parametrize("request_", ["move the chair 3 m right", "dance", "remove the unicorn"])
def test_a_refusal_is_one_line_on_stderr_for_a_person(request_: str, room: Path, tmp_path: Path):
    done = scenewright("edit", room, request_, "-o", tmp_path / "out.blend")
    assert done.code == 2
    assert done.error_line
    assert not (tmp_path / "out.blend").exists()


def test_a_person_reads_what_was_done_and_with_what_result(room: Path, tmp_path: Path):
    done = scenewright("edit", room, REQUEST, "-o", tmp_path / "out.blend")
    assert done.code == 0
    for words in (
        "✓ move the table 20 cm left",
        "Table",
        "Mug",
        "carried by",
        "unchanged",
        str(tmp_path / "out.blend"),
    ):
        assert words in done.out


def test_the_same_job_twice_gives_the_same_json(room: Path, tmp_path: Path):
    first, second = (
        edit(room, "put the mug on the sofa and paint the chair blue", tmp_path / f"{k}.blend").json for k in "ab"
    )
    for document in (first, second):
        del document["seconds"], document["output"]
    assert first == second


def test_a_dry_run_does_everything_but_writing(room: Path, tmp_path: Path):
    before = digest(room)
    dry = scenewright("edit", room, REQUEST, "--dry-run", "--json")
    assert dry.code == 0
    assert dry.result.status == "satisfied" and dry.result.output is None
    assert sorted(c.name for c in dry.result.changes) == ["Book", "Mug", "Table"]
    assert scenewright("edit", room, REQUEST, "-o", tmp_path / "out.blend", "--dry-run", "--json").code == 0
    assert os.listdir(tmp_path) == [] and os.listdir(room.parent) == ["room.blend"]
    assert digest(room) == before
    assert scenewright("edit", room, "move the chair 3 m right", "--dry-run", "--json").code == 2


def test_a_graph_is_written_to_a_file_or_to_stdout(room: Path, tmp_path: Path):
    shown = scenewright("graph", room, "--json")
    written = scenewright("graph", room, "-o", tmp_path / "graph.json")
    assert shown.code == written.code == 0
    assert json.loads((tmp_path / "graph.json").read_text()) == shown.json
    assert os.listdir(tmp_path) == ["graph.json"]


def test_what_was_edited_can_be_edited_again_and_turns_count_up(room: Path, tmp_path: Path):
    first = edit(room, REQUEST, tmp_path / "1.blend")
    second = edit(tmp_path / "1.blend", REQUEST, tmp_path / "2.blend")
    assert (first.result.turn, second.result.turn) == (1, 2)
    moved = worlds_in(tmp_path / "2.blend")["Table"][:3, 3] - worlds_in(room)["Table"][:3, 3]
    assert moved == pytest.approx([-0.4, 0, 0], abs=1e-5)


def test_ids_survive_a_rename_between_two_edits(room: Path, tmp_path: Path):
    edit(room, REQUEST, tmp_path / "1.blend")
    open_blend(tmp_path / "1.blend")
    bpy.data.objects["Table"].name = "Xyzzy"
    save(tmp_path / "renamed.blend")
    names = {o["id"]: o["name"] for o in scenewright("graph", tmp_path / "renamed.blend", "--json").json["objects"]}
    assert names["table"] == "Xyzzy"


# --- protection, collisions, answers ------------------------------------------------------------------------------


def test_what_is_protected_is_not_touched_not_even_by_carrying(room: Path, tmp_path: Path):
    for request, protected in (
        (REQUEST, "the table"),
        (REQUEST, "mug"),
        ("remove the mug", "Mug"),
        ("paint the chair blue", "the red chair"),
        ("put the mug on the sofa", "the mug"),
        ("scale the table by 1.1", "the mug"),
    ):
        done = edit(room, request, tmp_path / "out.blend", "--protect", protected)
        assert (done.code, done.json["error"]["code"]) == (2, "protected"), request
        assert not (tmp_path / "out.blend").exists()


def test_protecting_something_else_changes_nothing(room: Path, tmp_path: Path):
    done = edit(room, REQUEST, tmp_path / "out.blend", "--protect", "the sofa", "--protect", "the chair")
    assert done.code == 0


def test_the_users_mark_in_the_file_protects_too(tmp_path: Path):
    furnished()
    bpy.data.objects["Mug"]["scenewright_protected"] = True
    source = save(tmp_path / "room.blend")
    assert edit(source, REQUEST, tmp_path / "out.blend").json["error"]["code"] == "protected"


def test_a_question_is_answered_with_the_option_that_its_hint_names(tmp_path: Path):
    new_file()
    shell()
    block("Stool.001", (0.3, 0.3, 0.45), (1, 0, 0))
    block("Stool.002", (0.3, 0.3, 0.45), (-1, 0, 0))
    source = save(tmp_path / "room.blend")
    asked = edit(source, "move the stool 10 cm left", tmp_path / "out.blend")
    assert (asked.code, asked.json["error"]["code"]) == (2, "ambiguous")
    question = asked.json["error"]["hint"].split("--answer ")[1].split("=")[0]
    chosen = asked.json["error"]["candidates"][1]
    done = edit(source, "move the stool 10 cm left", tmp_path / "out.blend", "--answer", f"{question}={chosen}")
    assert done.code == 0
    assert [c.id for c in done.result.changes] == [chosen]


# --- interruption -----------------------------------------------------------------------------------------------------

# Counts the calls within the package and, from the one that was asked for on, sends its own process signals.
INTERRUPTED = """
import os, signal, sys
at, number, times = (int(x) for x in sys.argv[1].split(","))
count = 0
import scenewright
package = os.path.dirname(scenewright.__file__) + os.sep
def profile(frame, event, arg):
    global count
    name = frame.f_code.co_filename
    if event == "call" and name.startswith(package) and "site-packages" not in name:
        count += 1
        if at <= count < at + times:
            os.kill(os.getpid(), number)
        if count == at + times:
            sys.setprofile(None)
sys.argv[1:] = sys.argv[2:]
from scenewright.__main__ import console_main
leave = os._exit
def told(code):
    sys.setprofile(None)
    os.write(2, b"\\ncalls %d\\n" % count)
    leave(code)
os._exit = told
signal.signal(signal.SIGINT, signal.SIG_IGN)
import scenewright.cli
sys.setprofile(profile)
console_main()
"""


def interrupted(
    at: int, number: int, *arguments: object, cwd: Path, times: int = 1
) -> subprocess.CompletedProcess[str]:
    return python("-c", INTERRUPTED, f"{at},{int(number)},{times}", *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def calls(room: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls an edit of the room takes."""
    folder = tmp_path_factory.mktemp("count")
    done = interrupted(0, 0, "edit", room, REQUEST, "-o", "out.blend", cwd=folder, times=0)
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split("calls ")[1])


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97])
def test_ctrl_c_leaves_nothing_behind(share: float, calls: int, room: Path, tmp_path: Path):
    before = digest(room)
    at = int(share * calls)
    done = interrupted(at, signal.SIGINT, "edit", room, REQUEST, "-o", "out.blend", "--json", cwd=tmp_path)
    assert done.returncode == 130, done.stderr
    assert json.loads(done.stdout)["error"]["code"] == "cancelled"
    assert "Traceback" not in done.stderr
    assert os.listdir(tmp_path) == []
    assert digest(room) == before and os.listdir(room.parent) == ["room.blend"]


REPORTED = (REQUEST, "-o", "out.blend", "--report", "report")


@pytest.fixture(scope="module")
def reported_calls(room: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls an edit of the room with a report takes."""
    done = interrupted(0, 0, "edit", room, *REPORTED, cwd=tmp_path_factory.mktemp("count"), times=0)
    return int(done.stderr.split("calls ")[1])


@pytest.mark.parametrize("back", [600, 300, 255, 250, 245, 150, 40, 1])
def test_late_ctrl_c_cancels_all_or_comes_too_late_and_says_which(
    back: int, reported_calls: int, room: Path, tmp_path: Path
):
    """Pressed five times: what cleans up or tells is not interrupted either."""
    done = interrupted(reported_calls - back, signal.SIGINT, "edit", room, *REPORTED, cwd=tmp_path, times=5)
    cancelled = (130, "", ["scenewright: Cancelled; nothing was written."], [])
    finished = (0, "satisfied: out.blend", [], ["out.blend", "report"])
    last = done.stdout.splitlines()[-1] if done.stdout else ""
    said = [line for line in done.stderr.splitlines() if line and not line.startswith("calls ")]
    came_to = (done.returncode, last, said, sorted(os.listdir(tmp_path)))
    assert came_to == (cancelled if done.returncode else finished)


def test_ctrl_c_at_the_very_end_comes_too_late(calls: int, room: Path, tmp_path: Path):
    done = interrupted(calls, signal.SIGINT, "edit", room, REQUEST, "-o", "out.blend", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("satisfied: out.blend\n")


def test_ctrl_c_during_a_picture_leaves_neither_it_nor_a_half_of_it(room: Path, tmp_path: Path):
    arguments = ("render", room, "-o", "view.png", "--view", "top", "--resolution", "60", "40")
    whole = interrupted(0, 0, *arguments, cwd=tmp_path, times=0)
    assert os.listdir(tmp_path) == ["view.png"]
    (tmp_path / "view.png").unlink()
    at = int(whole.stderr.split("calls ")[1]) - 12
    done = interrupted(at, signal.SIGINT, *arguments, cwd=tmp_path)
    assert done.returncode == 130
    assert os.listdir(tmp_path) == []


def test_ctrl_c_tells_a_person_in_one_line(calls: int, room: Path, tmp_path: Path):
    done = interrupted(calls // 2, signal.SIGINT, "edit", room, REQUEST, "-o", "out.blend", cwd=tmp_path)
    assert done.returncode == 130
    assert done.stdout == ""
    assert [x for x in done.stderr.splitlines() if x.startswith("scenewright: ")] == [
        "scenewright: Cancelled; nothing was written."
    ]


def test_after_a_command_ctrl_c_means_what_it_meant_before(room: Path):
    before = signal.getsignal(signal.SIGINT)
    assert scenewright("graph", room).code == 0
    assert scenewright("graph", "nowhere.blend").code == 2
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("back", [2000, 5, 3, 2, 1, 0])
def test_a_kill_leaves_the_old_output_or_the_new_one(back: int, calls: int, room: Path, tmp_path: Path):
    before = digest(room)
    (tmp_path / "out.blend").write_bytes(b"the old one")
    arguments = ("edit", room, REQUEST, "-o", "out.blend", "--json")
    done = interrupted(calls - back, signal.SIGKILL, *arguments, cwd=tmp_path)
    assert done.returncode in (-signal.SIGKILL, 0)
    if (tmp_path / "out.blend").read_bytes() != b"the old one":
        assert worlds_in(tmp_path / "out.blend")["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)
    assert digest(room) == before
    assert scenewright("edit", room, REQUEST, "-o", tmp_path / "out.blend").code == 0
    assert os.listdir(tmp_path) == ["out.blend"]  # what was half written is swept away


# --- the report ---------------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """Text and tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [v for k, v in attrs if k == "src" and v]

    def handle_data(self, data: str) -> None:
        self.text += data


def page(folder: Path) -> _Page:
    parsed = _Page()
    parsed.feed((folder / "index.html").read_text(encoding="utf-8"))
    return parsed


def test_the_report_mentions_every_requirement_and_shows_before_and_after(room: Path, tmp_path: Path):
    request = "move the table 20 cm left, move the chair 3 m right and paint the sofa red"
    done = edit(room, request, tmp_path / "out.blend", "--report", tmp_path / "report")
    assert done.code == 1
    report = page(tmp_path / "report")
    for requirement in done.result.requirements:
        assert requirement.text in report.text
    for change in done.result.changes:
        assert change.name in report.text
    assert "partial" in report.text
    (blocked,) = [r for r in done.result.requirements if r.status == "unsatisfied"]
    assert blocked.measured["reason"] and str(blocked.measured["reason"]) in report.text
    assert len(report.sources) == 2
    for picture in report.sources:
        assert (tmp_path / "report" / picture).read_bytes().startswith(b"\x89PNG")


def test_object_names_and_requests_are_text_in_the_report_whatever_they_hold(tmp_path: Path):
    new_file()
    shell()
    evil = block("<script>alert(1)</script>", (0.5, 0.5, 0.5), (0, 0, 0))
    evil["scenewright_category"] = "chair"
    block('<img src=x onerror="alert(2)">', (0.1, 0.1, 0.1), (0, 0, 0.5))
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the chair 20 cm left", tmp_path / "out.blend", "--report", tmp_path / "report")
    assert done.code == 0
    report = page(tmp_path / "report")
    assert "script" not in report.tags and report.tags.count("img") == 2
    assert "<script>alert(1)</script>" in report.text
    assert "http" not in "".join(report.sources)


def test_taking_pictures_leaves_no_trace_in_the_output(room: Path, tmp_path: Path):
    edit(room, REQUEST, tmp_path / "out.blend", "--report", tmp_path / "report")
    open_blend(room)
    kept = (
        len(bpy.data.cameras),
        len(bpy.data.objects),
        bpy.context.scene.render.engine,
        bpy.context.scene.camera,
    )
    open_blend(tmp_path / "out.blend")
    scene = bpy.context.scene
    assert (len(bpy.data.cameras), len(bpy.data.objects), scene.render.engine, scene.camera) == kept


def test_a_refused_request_is_reported_too(room: Path, tmp_path: Path):
    done = edit(room, "move the chair 3 m right", tmp_path / "out.blend", "--report", tmp_path / "report")
    assert done.code == 2
    assert done.json["error"]["message"] in page(tmp_path / "report").text
