"""Rolls of a chat log: a formula in another program's dialect, the faces that are shown beside it, and a total.

The dice count as they lie. Where rollbook's own notation gives the recorded total with these faces, the numbers beside
the dice are kept too. Otherwise the total is as recorded, and the reason is counted.
"""

import re
from collections.abc import Iterator, Sequence

import attrs

from rollbook.adapters.imports.course import ImportedRoll
from rollbook.adapters.imports.foundry.values import words
from rollbook.adapters.imports.tables.rows import fallen
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.record import Die, Flat

LONGEST = 300
"""Most characters of a formula that are kept."""
MOST_DICE = 1_000
NO_DICE, UNKNOWN_DICE = "its dice are not shown, and the total alone came in", "its dice could not be told apart"
OTHER_SUM = "its formula is not one of rollbook's, or gives another total"
ASKS = re.compile(r"(?<![a-zA-Z])[0-9]{0,4}(?:d[0-9%F{(]|t\[)")
"""A formula that asks for dice, or for a table's."""
HANDFUL = re.compile(r"([0-9]{0,4})d([0-9]{1,7}|%)", re.IGNORECASE)
LONE = re.compile(r"1d[0-9]{1,7}(?:\[[^\]]*\])?")
"""A die alone: its face is the total."""
_BELOW = re.compile(r"(?<=r[or])<(?=[0-9])")
_DIALECTS = (
    (re.compile(r"c[sf][<>=]*[0-9]+"), ""),  # marks criticals, counts nothing
    (re.compile(r"(?<=[0-9%])k(?=[0-9])"), "kh"),
    (re.compile(r"(d[0-9]{1,7})d(?=[0-9])"), r"\1dl"),
    (re.compile(r"(?<=[0-9])!(?![!p<>=0-9])"), "x"),
    (re.compile(r"(?<!/)/(?!/)"), "//"),
    (re.compile(r"\s+(?=\[)"), ""),
)
_PURPOSES = (
    ("initiative", re.compile(r"\binit", re.IGNORECASE)),
    ("attack", re.compile(r"to hit|\battacks?\b", re.IGNORECASE)),
    ("damage", re.compile(r"damage|\bdmg\b", re.IGNORECASE)),
    ("healing", re.compile(r"\bheal", re.IGNORECASE)),
    ("save", re.compile(r"\bsav(e|es|ing)\b", re.IGNORECASE)),
    ("check", re.compile(r"\b(check|skill|ability)\b", re.IGNORECASE)),
)


@attrs.frozen
class ChatRoll(ImportedRoll):
    """A roll in a chat: who rolled, if not the one who acts, and what it had to meet, if the log says so.

    ``formula`` is the roll as the log has it, ``reason`` why its dice or numbers are not kept.
    """

    purpose: str = "roll"
    by: str = ""
    difficulty: int | None = None
    success: bool | None = None
    reason: str = ""


def chat_roll(
    formula: str, total: int, faces: Sequence[int] = (), lost: Sequence[int] = (), *, shows_dice: bool = True
) -> ChatRoll:
    """The roll of a formula. ``lost`` are the places of faces that do not count; ``shows_dice``: the log shows faces."""
    said = " ".join(words(formula).split())[:LONGEST] or "?"
    expression = _expression(said)
    if not faces and LONE.fullmatch(expression):
        faces = (total,)
    for own in (expression, *map(_expression, _exclusive(said))):
        dice, flat, sum_ = fallen(own, tuple(faces[:MOST_DICE]))
        if sum_ == total:
            return ChatRoll(own, total, dice, flat, formula=said)
    asks = ASKS.search(said) is not None
    kept = _as_they_lie(said, faces, lost) if asks else ()
    reason = (NO_DICE if not faces else OTHER_SUM if kept else UNKNOWN_DICE) if asks and shows_dice else ""
    alone = () if kept else (Flat(total, "as recorded"),)
    return ChatRoll(expression or said, total, kept, alone, formula=said, reason=reason)


def purpose_of(said: str) -> str:
    """The kind of roll that words name, "" if none."""
    return next((purpose for purpose, named in _PURPOSES if named.search(said)), "")


def _expression(formula: str) -> str:
    """A formula in rollbook's own notation, "" if it has none."""
    plain = formula.replace("−", "-")
    for dialect, own in _DIALECTS:
        plain = dialect.sub(own, plain)
    try:
        return parse(plain).text
    except (DiceError, RecursionError):
        return ""


def _exclusive(formula: str) -> Iterator[str]:
    """The same formula where ``<`` behind rerolled dice is meant as rollbook writes it, with the number or without."""
    if "<" in formula:
        yield _BELOW.sub("<=", formula)
        yield re.sub(r"(?<=r[or])<([0-9]{1,7})", lambda found: f"<={int(found[1]) - 1}", formula)


def _as_they_lie(formula: str, faces: Sequence[int], lost: Sequence[int]) -> tuple[Die, ...]:
    """The dice of a formula that is not evaluated; none if its faces cannot be told apart."""
    sides = [*_sides(formula, len(faces))]
    if len(sides) != len(faces) or not all(1 <= face <= of for face, (of, _) in zip(faces, sides, strict=True)):
        return ()
    return tuple(
        Die(of, face, kept=place not in lost, why="dropped" if place in lost else "", term=term)
        for place, (face, (of, term)) in enumerate(zip(faces, sides, strict=True))
    )


def _sides(formula: str, many: int) -> Iterator[tuple[int, int]]:
    """The sides and the term of each die. A single handful may have more dice than it asks for: some exploded."""
    handfuls = [(int(count or 1), 100 if of == "%" else int(of)) for count, of in HANDFUL.findall(formula)]
    if len(handfuls) == 1 and handfuls[0][0] < many <= MOST_DICE:
        handfuls = [(many, handfuls[0][1])]
    if sum(count for count, _ in handfuls) == many <= MOST_DICE:
        for term, (count, of) in enumerate(handfuls):
            yield from ((of, term) for _ in range(count if of >= 2 else 0))
