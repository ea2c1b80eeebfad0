"""Reader of a table's rows. The error of an unreadable row gives the reason; the reader of the file adds its line."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

import attrs

from rollbook.adapters.imports.foundry.values import name, words
from rollbook.adapters.imports.tables.columns import NEEDED, Columns
from rollbook.domain.base.records import Record
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.physical import TypedDice
from rollbook.domain.dice.record import IMPORTED, Die, Flat, Source
from rollbook.domain.events import DiceRolled

LARGEST = 10**12
_YES, _NO = frozenset(("yes", "y", "true", "1", "x", "gm", "secret")), frozenset(("", "no", "n", "false", "0"))
_FACE = re.compile(r"[0-9]{1,7}")
_WITH_DICE = re.compile(
    r"(?P<roll>[^()|]*[0-9d]|.*\))\s*[(\[](?P<dice>[0-9]{1,7}(?:[\s,+]+[0-9]{1,7})*)[)\]]\s*(?:=\s*(?P<total>-?[0-9]{1,12}))?"
)
"""A roll followed by the faces of its dice."""
_FIRST_DIE = re.compile(r"(?<![0-9])1?d([0-9]{1,7})")
_MILLISECONDS = 10**11
"""Bound between seconds and milliseconds since 1970: seconds reach it in three thousand years, milliseconds in 1973."""


class Unreadable(Exception):
    """A fault in a row; the message names it."""


@attrs.frozen(kw_only=True)
class Row(Record):
    """The values of one row. ``at`` is microseconds since 1970 (UTC), 0 if not given; amounts are 0 if not given."""

    id: str = ""
    at: int = 0
    session: str = ""
    seat: str = ""
    character: str = ""
    target: str = ""
    rolls: tuple[DiceRolled, ...] = ()
    difficulty: int | None = None
    damage: int = 0
    healing: int = 0
    experience: int = 0
    note: str = ""
    is_secret: bool = False


def read_row(cells: Mapping[str, str], columns: Columns) -> Row:
    """Read a row from its cells by meaning. Raises Unreadable."""
    bare = {meaning: text.strip() for meaning, text in cells.items()}
    said = {meaning: "" if text.casefold() in columns.unknown else text for meaning, text in bare.items()}
    if (face := columns.naturals.get(said.get("total", "").casefold())) is not None:
        said |= {"total": "", "natural": said.get("natural") or str(face)}
    row = Row(
        id=said.get("id", ""),
        at=_moment(said.get("when", ""), columns),
        session=name(said.get("session")),
        seat=name(said.get("seat")),
        character=name(said.get("character")),
        target=name(said.get("target")),
        rolls=_rolls(said),
        difficulty=_number(said, "difficulty"),
        damage=_number(said, "damage", least=0) or 0,
        healing=_number(said, "healing", least=0) or 0,
        experience=_number(said, "experience") or 0,
        note=words(said.get("note")),
        is_secret=_is_secret(said.get("secret", "")),
    )
    if not any(said.get(meaning) for meaning in NEEDED):
        raise Unreadable(f"none of {', '.join(m for m in NEEDED if m in columns.headings)} is filled in")
    if (row.damage or row.healing or row.experience) and not (row.character or row.target):
        raise Unreadable("it does not say to whom that happened")
    return row


def _number(said: Mapping[str, str], meaning: str, least: int = -LARGEST) -> int | None:
    """A whole number, perhaps with a sign or separators between thousands; None for an empty cell."""
    text = said.get(meaning, "")
    if not text:
        return None
    plain = re.sub(r"(?<=[0-9])[, \u00a0\u202f'](?=[0-9]{3}(?![0-9]))", "", text.replace("−", "-"))
    found = re.fullmatch(r"([+-]?[0-9]{1,13})(?:\.0+)?", plain)
    if found is None or not least <= int(found[1]) < LARGEST:
        raise Unreadable(f"{meaning} is {text[:40]!r}, and not a whole number" + (" from 0" if least == 0 else ""))
    return int(found[1])


def _is_secret(text: str) -> bool:
    if text.casefold() in _YES:
        return True
    if text.casefold() not in _NO:
        raise Unreadable(f"secret is {text[:40]!r}, and neither yes nor no")
    return False


def _moment(text: str, columns: Columns) -> int:
    """Microseconds since 1970. A time without a zone is taken as UTC."""
    if not text:
        return 0
    try:
        if not columns.time and re.fullmatch(r"[0-9]{9,14}(\.[0-9]+)?", text):
            seconds = float(text) / (1_000 if float(text) >= _MILLISECONDS else 1)
            return math.floor(seconds * 1_000_000)
        read = datetime.strptime if columns.time else None
        when = read(text, columns.time) if read else datetime.fromisoformat(text)
        moment = math.floor((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        form = f"written as {columns.time}" if columns.time else "such as 2024-03-01 20:15"
        raise Unreadable(f"when is {text[:40]!r}, and not a time {form}") from None
    if moment <= 0:
        raise Unreadable(f"when is {text[:40]!r}, before 1970")
    return moment


def _rolls(said: Mapping[str, str]) -> tuple[DiceRolled, ...]:
    """The rolls of a row. A cell may hold each with its dice, as ``1d20 (18)``, and several with a ``|`` between them."""
    asked = said.get("roll", "")
    parts = [_WITH_DICE.fullmatch(part.strip()) for part in asked.split("|")]
    if not said.get("dice") and all(parts):
        total = said.get("total", "") if len(parts) == 1 else ""
        found = [{**said, **part.groupdict(), "total": part["total"] or total} for part in parts if part is not None]
        return tuple(roll for one in found if (roll := _roll(one)) is not None)
    roll = _roll(said)
    return () if roll is None else (roll,)


def _roll(said: Mapping[str, str]) -> DiceRolled | None:
    """The roll of a row: with its dice where they give the total that is recorded, else with the total alone."""
    asked, total, shown = " ".join(words(said.get("roll")).split())[:300], _number(said, "total"), said.get("dice", "")
    natural = _number(said, "natural", least=1)
    if not asked and total is None and natural is None:
        if shown:
            raise Unreadable("it has dice and neither a roll nor a total")
        return None
    try:
        expression = parse(asked).text if asked else ""
    except DiceError:
        expression = ""
    faces = tuple(map(int, _FACE.findall(shown)))
    dice, flat, sum_ = fallen(expression, faces)
    if natural is not None and (sum_ is None or sum_ != (sum_ if total is None else total)):
        expression, dice, flat, sum_ = _beside(expression, natural, total)
    if total is None:
        total = sum_
    if total is None:
        raise Unreadable(f"the roll {asked[:40]!r} has no total, and its dice do not give one")
    if total != sum_:
        dice, flat = (), (Flat(total, "as recorded"),)
    return DiceRolled(
        roller="",
        purpose=name(said.get("purpose")).casefold() or "roll",
        expression=expression or asked or "?",
        typed="" if expression == asked else asked,
        total=total,
        dice=dice,
        flat=flat,
        natural=next((die.face for die in dice if die.kept and die.sides == 20), 0),
        sources=(Source(IMPORTED, len(dice)),),
    )


def _beside(expression: str, natural: int, total: int | None) -> tuple[str, tuple[Die, ...], tuple[Flat, ...], int]:
    """One die that shows ``natural``, and the modifier that leads to the total; without a total the die alone.

    It has as many sides as the first die of the expression, twenty without one. Raises Unreadable for an impossible
    face.
    """
    asked = _FIRST_DIE.search(expression)
    sides = int(asked[1]) if asked is not None else 20
    if natural > sides:
        raise Unreadable(f"natural is {natural}, and a d{sides} has no such face")
    modifier = 0 if total is None else total - natural
    flat = (Flat(modifier),) if modifier else ()
    sign = "+" if modifier > 0 else "-"
    text = f"1d{sides}" + (f" {sign} {abs(modifier)}" if modifier else "")
    return text, (Die(sides, natural),), flat, natural + modifier


def fallen(expression: str, faces: tuple[int, ...]) -> tuple[tuple[Die, ...], tuple[Flat, ...], int | None]:
    """The dice of an expression with these faces, the numbers beside them, and the total; None if they do not fit."""
    if not expression or not faces:
        return (), (), None
    try:
        typed = TypedDice(faces)
        found = evaluate(expression, typed.draw)
        typed.finish()
    except DiceError:
        return (), (), None
    return found.dice, found.flat, found.total
