"""Write what of the documentation is generated: docs/commands.md and docs/schemas/, from the code itself."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scenewright import cli
from scenewright.executor.model.graph import SceneGraph
from scenewright.executor.model.result import EditResult

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = {"scene_graph": SceneGraph, "edit_result": EditResult}

EXIT_CODES = """## Exit codes

| code | means |
|---|---|
| 0 | every requirement is satisfied |
| 1 | understood and written, but some requirement is not satisfied: the output says which, and why |
| 2 | refused, nothing written |
| 3 | Scenewright, a model endpoint or a side process failed; nothing written |
| 74 | the result could not be printed; the line on stderr says what is written all the same |
| 130 | cancelled; nothing written |

A refusal has one of these codes: `bad_input`, `not_understood`, `ambiguous`, `contradiction`,
`unknown_object`, `blocked`, `infeasible`, `protected`, `unsupported`.
"""


def documents() -> dict[Path, str]:
    """Content of every generated file, by path relative to the repository's root."""
    found = {Path("docs/commands.md"): commands()}
    for name, model in SCHEMAS.items():
        schema = model.model_json_schema(by_alias=True, mode="serialization")
        found[Path(f"docs/schemas/{name}.json")] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return found


def commands() -> str:
    """The command reference, from the parser."""
    parser = cli.build_parser(print)
    text = [
        "# Commands",
        "",
        "Written by `make docs` from the parser; not to be edited.",
        "",
        f"{parser.description} {parser.epilog}",
        "",
    ]
    for group in parser._actions:
        if isinstance(group, argparse._SubParsersAction):  # argparse has no public way to list what a parser takes
            about = {choice.dest: choice.help for choice in group._choices_actions}
            for name, command in group.choices.items():
                text += [*section(name, about[name] or "", command), ""]
    return "\n".join(text) + "\n" + EXIT_CODES


def section(name: str, about: str, command: argparse.ArgumentParser) -> Iterator[str]:
    """Lines on one command."""
    places = [a for a in command._actions if not a.option_strings]
    options = [a for a in command._actions if a.option_strings and not isinstance(a, argparse._HelpAction)]
    required = [f"{a.option_strings[0]} {values(a)}" for a in options if a.required]
    usage = " ".join(["scenewright", name, *(str(a.metavar) for a in places), *required])
    yield from (
        f"## {name}",
        "",
        f"{about[:1].upper()}{about[1:]}.",
        "",
        "```",
        f"{usage} [options]",
        "```",
        "",
    )
    yield from ("| argument | meaning | default |", "|---|---|---|")
    for action in (*places, *options):
        spelled = action.option_strings[0] if action.option_strings else ""
        call = f"{spelled} {values(action)}".strip().replace("|", "\\|")
        yield f"| `{call}` | {action.help or ''} | {default(action)} |"


def values(action: argparse.Action) -> str:
    """How the values of an argument are written."""
    if action.nargs == 0:
        return ""
    if action.choices:
        return "|".join(map(str, action.choices))
    metavar = action.metavar or action.dest.upper()
    return " ".join(metavar) if isinstance(metavar, tuple) else metavar


def default(action: argparse.Action) -> str:
    """The default of an argument, if there is one that says something."""
    if action.default is None or action.default is False or action.default in ([], argparse.SUPPRESS):
        return ""
    value = action.default
    return f"`{' '.join(map(str, value)) if isinstance(value, tuple) else value}`"


def main() -> int:
    """Write all files."""
    for path, text in documents().items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
