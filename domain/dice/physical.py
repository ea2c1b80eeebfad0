"""Real dice, typed in: as good as any, but counted, checked against their sides and marked as typed.

A list that is too short, too long or impossible is refused as a whole, so that nobody's die is silently left out.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.errors import DiceError

MOST_FACES: Final = 1000

_SEPARATORS = r"[ \t]*[,;][ \t]*|[ \t]+"
_FACE = re.compile(r"[0-9]{1,7}")
_SUFFIXES: Final = {1: "st", 2: "nd", 3: "rd"}
_WORDS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def parse_faces(typed: str | Iterable[int]) -> tuple[int, ...]:
    """The faces in ``"14, 4"`` (commas, semicolons or blanks between them) or in a sequence of numbers.

    Raises DiceError for anything that is not a whole number from 1; whether a die has such a face is seen when it is drawn.
    """
    faces = tuple(_faces_in(typed) if isinstance(typed, str) else typed)
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, int) or face < 1:
            raise DiceError(f"{face!r} is not the face of a die. Give whole numbers from 1.")
    if len(faces) > MOST_FACES:
        raise DiceError(f"{len(faces)} dice were typed; a roll has at most {MOST_FACES}. Type those of one roll.")
    return faces


def _faces_in(text: str) -> Iterator[int]:
    stripped = text.strip(" \t")
    at = len(text) - len(text.lstrip(" \t"))
    for piece in re.split(_SEPARATORS, stripped) if stripped else ():
        if not _FACE.fullmatch(piece) or int(piece) < 1:
            place = max(text.find(piece, at), 0)
            raise DiceError("This is not the face of a die. Type whole numbers from 1, as in 14, 4.", text, place)
        at = text.find(piece, at) + len(piece)
        yield int(piece)


class DiceMissing(DiceError):
    """Fewer dice were typed than a roll takes."""


class FacesLeft(DiceError):
    """More dice were typed than a roll takes: ``used`` says how many it took."""

    def __init__(self, sentence: str, used: int) -> None:
        super().__init__(sentence)
        self.used = used


@attrs.define
class TypedDice(Changeable):
    """Faces that were typed in, given out one by one as dice are drawn."""

    faces: tuple[int, ...] = attrs.field(converter=parse_faces)
    used: int = attrs.field(default=0, init=False)

    def draw(self, sides: int, what: str = "") -> int:
        """The next face, of a die for ``what``. Raises DiceError if none is left or a die of ``sides`` sides has no such face."""
        if self.used == len(self.faces):
            raise DiceMissing(
                f"The roll needs another d{sides}{f' for {what}' if what else ''}: {_dice_were(len(self.faces))} typed, "
                f"this is the {ordinal(self.used + 1)}. Roll it and type all faces."
            )
        face = self.faces[self.used]
        if not 1 <= face <= sides:
            raise DiceError(
                f"{face} is not a face of a d{sides}. The {ordinal(self.used + 1)} die must show 1 to {sides}."
            )
        self.used += 1
        return face

    def finish(self) -> None:
        """Raises FacesLeft if faces are left that the roll had no use for."""
        left = self.faces[self.used :]
        if left:
            are = "is" if len(left) == 1 else "are"
            raise FacesLeft(
                f"{_dice_were(len(self.faces))} typed and the roll took {self.used}: "
                f"{', '.join(map(str, left))} {are} left over. Type only the dice that were rolled.",
                self.used,
            )


def ordinal(number: int) -> str:
    """``first`` to ``tenth`` in words, then ``11th``, ``21st``, ``102nd``."""
    if 1 <= number <= len(_WORDS):
        return _WORDS[number - 1]
    return f"{number}{'th' if number % 100 in {11, 12, 13} else _SUFFIXES.get(number % 10, 'th')}"


def _dice_were(count: int) -> str:
    return "1 die was" if count == 1 else f"{count} dice were"
