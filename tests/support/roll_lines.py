"""Reader of lines of rolls that knows arithmetic and the three signs of the log, and uses no line of rollbook."""

from __future__ import annotations

import re

_FACES = re.compile(r"[0-9]+d[0-9]+[a-z0-9<>=]*\[([^\]]*)\]")
_FACE = re.compile(r"(?:[0-9]+→)?(-?[0-9]+)")
_MARKS = re.compile(r" ✎| \(overridden\)")
_BRACKETED = re.compile(r" \[[^\]]*\]")
_WORD = r"[^\s0-9*/^=()<>,→\[\]+-](?:[^\s0-9*/^=()<>,→\[\]]*[^\s0-9*/^=()<>,→\[\]+-])?(?![^\s)*,])"
_WORDS = re.compile(rf" {_WORD}(?: {_WORD})*")


class _Whole:
    """A whole number; ``@`` divides and rounds up."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __neg__(self) -> _Whole:
        return _Whole(-self.value)

    def __add__(self, other: _Whole) -> _Whole:
        return _Whole(self.value + other.value)

    def __sub__(self, other: _Whole) -> _Whole:
        return _Whole(self.value - other.value)

    def __mul__(self, other: _Whole) -> _Whole:
        return _Whole(self.value * other.value)

    def __floordiv__(self, other: _Whole) -> _Whole:
        return _Whole(self.value // other.value)

    def __matmul__(self, other: _Whole) -> _Whole:
        return _Whole(-(-self.value // other.value))

    def __lt__(self, other: _Whole) -> bool:
        return self.value < other.value


def added_up(line: str) -> tuple[int, int]:
    """The total of a roll's line by its own faces and numbers, and the total at its end."""
    shown, _, total = line.rpartition(" = ")
    dice = _FACES.sub(lambda found: str(_sum(found[1])), _MARKS.sub("", shown))
    bare = _WORDS.sub("", _BRACKETED.sub("", dice)).replace("/^", "@")
    assert re.fullmatch(r"(?:[0-9]+|max|min|//|[-+*@(),]| )+", bare), (line, bare)
    found = eval(
        re.sub(r"([0-9]+)", r"N(\1)", bare), {"__builtins__": {}, "N": lambda n: _Whole(n), "max": _most, "min": _least}
    )
    return found.value, int(total)


def _sum(faces: str) -> int:
    """Sum of the faces that count of ``17 (4) 3→10``."""
    found = [_FACE.fullmatch(face) for face in faces.split() if not face.startswith("(")]
    return sum(int(face[1]) for face in found if face)


def _most(*values: _Whole) -> _Whole:
    return max(values, key=lambda each: each.value)


def _least(*values: _Whole) -> _Whole:
    return min(values, key=lambda each: each.value)
