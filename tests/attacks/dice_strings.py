"""Dice that are typed: every string is a roll, with the same canonical text when that is read again, or is refused."""

from __future__ import annotations

from functools import partial
from random import Random

from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.notation import parse, show
from rollbook.domain.dice.odds import distribution
from rollbook.domain.dice.physical import TypedDice, parse_faces
from rollbook.domain.events import DiceRolled
from rollbook.projections.roll_lines import roll_text
from tests.attacks.attempts import Attempts
from tests.attacks.hostile import NUMBERS, mutated, text
from tests.support.roll_lines import added_up

EVERY = 500
"""The exact odds of every so many rolls are counted out."""

SIDES = ("2", "4", "6", "8", "10", "12", "20", "100", "%", "F", "3", "1000", "0", "1", "1001")
CHANGES = (
    *(
        "kh1",
        "kl1",
        "kh3",
        "dl1",
        "dh2",
        "ro=1",
        "ro<=2",
        "rr=1",
        "rr>=6",
        "x",
        "x6",
        "x>=5",
        "x>=1",
        "mi2",
        "ma5",
        "adv",
        "dis",
    ),
    *("cs>=3", "cs=1", "kh", "kl0", "rr<=6", "!", "!!", "r<2", "k2", "e6", "ra1", "p", "x<", "KH1", "cs>=99999999999"),
)
LABELS = (" STR", " [fire]", " # note", " DEX Expert", " [a b]", "[", " 火", " luck")


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Type so many strings, each a pure consequence of the seed."""
    chance = Random(f"dice {seed}")
    for number in range(rounds):
        typed = string(chance)
        if attempts.attempt(typed, partial(roll, typed, Random(number))):
            if number % EVERY == 0:
                attempts.attempt(f"odds of {typed}", partial(odds, typed))
        else:
            attempts.attempt(f"faces {typed}", partial(faces, typed))


def roll(typed: str, chance: Random) -> None:
    """Read it, read it again as it is written, and roll it."""
    expression = parse(typed)
    again = parse(expression.text)
    assert again.text == expression.text == show(again.root), "it is another roll when it is read again"
    rolled = evaluate(expression, lambda sides: chance.randint(1, sides))
    assert abs(rolled.total) < 2**53, "the total cannot be stored"
    line = roll_text(
        DiceRolled(roller="", purpose="", expression=rolled.expression, total=rolled.total, dice=rolled.dice)
    )
    assert not line or added_up(line) == (rolled.total, rolled.total), "its line does not add up"


def odds(typed: str) -> None:
    """Count it out; the chances are one altogether."""
    assert sum(distribution(parse(typed)).values()) == 1


def faces(typed: str) -> None:
    """The same text where faces of real dice are typed."""
    TypedDice(parse_faces(typed)).draw(6)


def string(chance: Random) -> str:
    """A roll by the grammar, one that is nearly so, or nonsense."""
    how = chance.random()
    if how < 0.05:
        return text(chance)
    found = terms(chance, chance.choice((1, 1, 2, 3, 6)))
    return found if how < 0.4 else mutated(chance, found)


def terms(chance: Random, depth: int) -> str:
    """A sum of terms, some of them nested."""
    return "".join(
        chance.choice(("+", "-", " + ", "*", "//", "/^", "/", " - ") if at else ("", "", "-")) + term(chance, depth - 1)
        for at in range(chance.choice((1, 1, 2, 3)))
    )


def term(chance: Random, depth: int) -> str:
    """Dice with what is done to them, a number, or something in parentheses."""
    how = chance.random()
    if depth > 0 and how < 0.2:
        return f"({terms(chance, depth)})"
    if depth > 0 and how < 0.3:
        return f"{chance.choice(('max', 'min', 'MAX'))}({terms(chance, depth)}, {terms(chance, depth)})"
    if how < 0.45:
        return chance.choice(NUMBERS) if chance.random() < 0.2 else str(chance.randint(0, 40))
    count = chance.choice(("", "1", "2", "3", "4", "10", "99", "1000", "1001", "0"))
    changes = "".join(chance.choice(CHANGES) for _ in range(chance.choice((0, 0, 1, 1, 2))))
    return f"{count}d{chance.choice(SIDES)}{changes}{chance.choice(LABELS) if chance.random() < 0.15 else ''}"
