"""One handful of dice and what is done to it: ``4d6ro=1kh3``.

What can be read and cannot be meant (a face that no die has, a keep of nothing, two rerolls on one die) is refused only where it
is asked for from now on. What is on record is rolled again as it was.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from rollbook.domain.dice.refused_notation import MODIFIER_WORDS, behind_dice, no_face
from rollbook.domain.dice.scanner import WORDS, Scanner
from rollbook.domain.dice.tree import DOWN, KEEPS, Dice, Modifier

MOST_SIDES: Final = 1_000_000

OPENING = re.compile(r"[dD](?=[0-9%])")
"""A ``d`` that begins dice, because sides follow."""

_PERCENT = re.compile(r"%")
_MODIFIER = re.compile(  # x may be followed by dh, dl or dis
    r"(?P<keep>kh|kl|dh|dl)(?P<few>[0-9]*)"
    r"|(?P<test>ro|rr|cs)(?P<by>>=|<=|=)(?P<than>[0-9]+)"
    r"|(?P<down>xd(?![hli]))(?:(?P<under>>=|<=|=)(?P<low>[0-9]+)|(?![0-9<>=]))"
    r"|(?P<explode>x(?!d(?![hli])))(?:(?P<over>>=|<=|=)?(?P<on>[0-9]+)|(?![<>=]))"
    r"|(?P<clamp>mi|ma)(?P<to>[0-9]+)"
    r"|(?P<ease>adv(?!antage)|dis(?!advantage))",
    re.IGNORECASE,
)
_EASE: Final = {"adv": "kh", "dis": "kl"}


def read_handful(scanner: Scanner, count: int) -> Dice:
    """The dice at whose ``d`` the ``scanner`` is; ``count`` was read before it. Blanks end them."""
    scanner.at += 1
    sides = _sides(scanner)
    modifiers: list[Modifier] = []
    starts: list[int] = []
    is_eased = False
    start = scanner.at
    while match := scanner.passes(_MODIFIER):
        if modifiers and modifiers[-1].kind == "cs":
            scanner.refuse("Successes are counted last. Write cs behind the other modifiers.", start)
        if modifiers and modifiers[-1].kind == DOWN:
            scanner.refuse("Dice that go down are written last. Write xd behind the other modifiers.", start)
        if match["ease"]:
            _check_ease(scanner, count, is_eased, start)
            is_eased, count = True, 2
        modifiers.append(_modifier(scanner, match, sides))
        if match["down"]:
            _check_down(scanner, modifiers, sides, start)
        starts.append(start)
        start = scanner.at
    _refuse_what_follows(scanner, count, sides)
    dice = Dice(count, sides, tuple(modifiers))
    if scanner.is_asked:
        for place, said in _faults(dice):
            scanner.refuse(said, starts[place])
    return dice


def _sides(scanner: Scanner) -> int:
    start = scanner.at
    sides = 100 if scanner.passes(_PERCENT) else scanner.integer() or 0
    if not 2 <= sides <= MOST_SIDES:
        scanner.refuse(f"A die has 2 to {MOST_SIDES} sides. Write a number between them.", start)
    return sides


def _check_ease(scanner: Scanner, count: int, is_eased: bool, at: int) -> None:
    if is_eased:
        scanner.refuse("Advantage and disadvantage are settled before the roll. Write adv or dis once, or neither.", at)
    if count != 1:
        scanner.refuse(f"Advantage and disadvantage are for one die, not {count}. Write kh or kl and how many.", at)


def _check_down(scanner: Scanner, modifiers: list[Modifier], sides: int, at: int) -> None:
    """Dice that go down may be rerolled first, and may explode upwards; what is kept or counted has no sense with them."""
    *before, down = modifiers
    rerolls = list(takewhile(lambda each: each.kind in {"ro", "rr"}, before))
    ups = before[len(rerolls) :]
    if any(each.kind != "x" for each in ups) or len(ups) > 1:
        scanner.refuse("xd goes with rerolls and then one x, and with nothing else, as in 1d100x>=96xd<=5.", at)
    if not down.faces(sides):
        scanner.refuse(no_face(sides, down.number), at)
    for up in ups:
        rising, falling = up.faces(sides), down.faces(sides)
        both = max(rising.start, falling.start)
        if both < min(rising.stop, falling.stop):
            scanner.refuse(f"A die that shows {both} cannot go up and down. Name faces for x and others for xd.", at)


def _modifier(scanner: Scanner, match: re.Match[str], sides: int) -> Modifier:
    start = match.start()
    if match["ease"]:
        return Modifier(_EASE[match["ease"].lower()], 1)
    if match["keep"]:
        return Modifier(match["keep"].lower(), scanner.number(match["few"] or "1", start))
    if match["clamp"]:
        clamp = Modifier(match["clamp"].lower(), scanner.number(match["to"], start))
        if not 1 <= clamp.number <= sides:
            scanner.refuse(no_face(sides, clamp.number), start)
        return clamp
    if match["down"]:
        return Modifier(DOWN, scanner.number(match["low"] or "1", start), match["under"] or "=")
    if match["explode"]:
        test = Modifier("x", scanner.number(match["on"] or str(sides), start), match["over"] or "=")
    else:
        test = Modifier(match["test"].lower(), scanner.number(match["than"], start), match["by"])
    if test.kind in {"rr", "x"} and test.matches(1) and test.matches(sides):
        scanner.refuse(f"This never ends: every face of a d{sides} asks for another die. Name fewer faces.", start)
    return test


def _refuse_what_follows(scanner: Scanner, count: int, sides: int) -> None:
    """Letters and comparisons behind dice come from other dialects, or are labels that would swallow an advantage."""
    if scanner.is_done:
        return
    if hint := behind_dice(scanner.text, scanner.at, count, sides):
        scanner.refuse(hint)
    scanner.blanks()
    words = WORDS.match(scanner.text, scanner.at)
    if not words:
        return
    word = words[0].split()[0]
    if word.lower().rstrip("0123456789") in MODIFIER_WORDS:
        scanner.refuse(
            f"{word!r} stands apart from the dice. Write it directly behind them, as in 1d20adv, or leave it."
        )
    scanner.refuse(f"Dice are not labelled {words[0]!r} like this. Write their label in brackets, as in 1d6[fire].")


_REROLLS = frozenset({"ro", "rr"})
_DROPS = frozenset({"dh", "dl"})


def _faults(dice: Dice) -> Iterator[tuple[int, str]]:
    """The reasons why nobody can mean a handful, each with the place of the modifier."""
    before: set[str] = set()
    left = dice.count
    for place, modifier in enumerate(dice.modifiers):
        kind, number = modifier.kind, modifier.number
        if kind in _REROLLS and before & _REROLLS:
            yield place, "A die is rerolled in one way. Write one ro or rr, as in ro<=2."
        if kind in KEEPS:
            if before & (_DROPS if kind not in _DROPS else KEEPS - _DROPS):
                yield place, "Keep and drop do not go together. Write one of them: kh or kl, or dh or dl."
            if said := _wrong_number(modifier, left, is_open="x" in before):
                yield place, said
            low, high = modifier.window(left)
            left = high - low
        elif not 1 <= number <= dice.sides:
            yield place, no_face(dice.sides, number)
        before.add(kind)


def _wrong_number(modifier: Modifier, left: int, *, is_open: bool) -> str:
    """The fault in how many dice of those ``left`` are kept or dropped; more may lie there if it ``is_open``."""
    most = left - 1 if modifier.kind in _DROPS else left
    if modifier.number == 0 or (modifier.number > most and not is_open):
        does = "drops" if modifier.kind in _DROPS else "keeps"
        said = f"{modifier.kind}{modifier.number} {does} {modifier.number} of {left} dice."
        return (
            f"{said} Write a number from 1{'' if is_open else f' to {most}'}." if most > 0 else f"{said} Leave it out."
        )
    return ""
