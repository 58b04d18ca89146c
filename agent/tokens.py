"""A request as tokens that remember where they stood, so that a refusal can quote the words."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST_QUOTE = 80
_TOKEN = re.compile(
    r"""(?P<quoted>(?<!\d)["“][^"”]+["”])   # "Floor Lamp"
      | (?P<file>[^\s"“”,;]+\.(?i:blend|glb|gltf|usd[acz]?|obj|fbx)\b)   # props/chair.glb
      | (?P<number>[+-]?\d+(?:[.,]\d+)?)   # 20  1.5  1,5
      | (?P<word>[+-]?[^\W\d_](?:[\w'’-]*\w)?(?:\.\d{3,})?)   # chair  Chair.003  let's  counter-clockwise
      | (?P<sign>[%°"'])
      | (?P<stop>[.,;!?])
      | (?P<other>\S)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or sign.

    Attributes:
        text: as written.
        key: folded to lower case, for lookups.
        kind: ``number``, ``word``, ``sign``, ``stop``, or ``other`` for a character that means nothing here.
        start: index of its first character in the request.
        end: index behind its last.
    """

    text: str
    key: str
    kind: str
    start: int
    end: int


def tokenise(request: str) -> list[Token]:
    """Tokens of a request in order. A full stop inside a number or an object's name is part of it."""
    found = []
    for match in _TOKEN.finditer(request):
        text = match.group()
        kind = match.lastgroup or ""
        if kind == "quoted":
            text, kind = text[1:-1].strip(), "word"
        elif kind == "file":
            kind = "word"
        found.append(Token(text, text.casefold().replace("’", "'"), kind, match.start(), match.end()))
    return found


def quote(request: str, tokens: list[Token]) -> str:
    """The stretch of the request that these tokens cover."""
    return request[tokens[0].start : tokens[-1].end] if tokens else ""


def shortened(text: str) -> str:
    """A text fit for one line of a message: printable, and cut in the middle if it is long."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    if len(printable) <= _LONGEST_QUOTE:
        return printable
    half = _LONGEST_QUOTE // 2
    return f"{printable[:half]} … {printable[-half:]}"
