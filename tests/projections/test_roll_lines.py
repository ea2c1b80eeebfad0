"""A table adds the line of a roll up and comes to its total: for every notation there is, on paper and on a page."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rollbook.adapters.exports
from rollbook.adapters.imports.avrae import rolls as avrae
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.physical import TypedDice
from rollbook.domain.dice.record import IMPORTED, OVERRIDE, PHYSICAL, STREAM, Die, Source
from rollbook.domain.events import DiceRolled
from rollbook.projections.roll_lines import line_of, roll_text
from tests.support.needs import needed
from tests.support.notations import EXPRESSIONS, TYPED
from tests.support.roll_lines import added_up

LINES = [
    ("1d20+5", "2", "1d20[2] +5 = 7"),
    ("1d20adv + 5 DEX - 1 luck", "17 4", "2d20kh1[17 (4)] +5 DEX -1 luck = 21"),
    ("10-1d6", "4", "10 - 1d6[4] = 6"),
    ("1d6-1d4", "2 4", "1d6[2] - 1d4[4] = -2"),
    ("1d8[fire]+1d6[cold]", "8 1", "1d8[8] fire + 1d6[1] cold = 9"),
    ("(1d6+2)*3", "4", "(1d6[4] + 2) * 3 = 18"),
    ("max(1d8,1d10)", "3 7", "max(1d8[3], 1d10[7]) = 7"),
    ("2+3*4-10//3", "", "2 + 3 * 4 - 10 // 3 = 11"),
    ("7*3", "", "7 * 3 = 21"),
    ("-2*-3", "", "-2 * -3 = 6"),
    ("0d6", "", "0d6[] = 0"),
    ("1d6/^2+1 DEX", "2", "1d6[2] /^ 2 +1 DEX = 2"),
    ("1d100x>=96-1d100x<=5", "70 17", "1d100x>=96[70] - 1d100x<=5[17] = 53"),
    ("1d6x+1", "6 2", "1d6x=6[6 2] +1 = 9"),
    ("2d6ro=1", "1 5 3", "2d6ro=1[(1) 5 3] = 8"),
    ("1d20mi10", "3", "1d20mi10[3→10] = 10"),
    ("3d6cs>=5", "5 2 6", "3d6cs>=5[5→1 (2) 6→1] = 2"),
    ("(1d6+2[a])[cold fire]-3", "4", "(1d6[4] + 2 a) cold fire -3 = 3"),
    ("1d20+2[+1 sword]-1[1d4 + 2]", "9", "1d20[9] +2 [+1 sword] -1 [1d4 + 2] = 10"),
    ("1d20[half-elf]", "9", "1d20[9] half-elf = 9"),
    ("5", "", ""),
    ("-5[STR]", "", ""),
]


def rolled(typed: str, faces: str, sources: tuple[Source, ...] = ()) -> DiceRolled:
    """The event of a roll in which these faces fell."""
    roll = evaluate(typed, TypedDice(faces).draw)
    return DiceRolled(
        roller="ana",
        purpose="roll",
        expression=roll.expression,
        total=roll.total,
        dice=roll.dice,
        flat=roll.flat,
        sources=sources,
    )


def by_chance(typed: str, chance: Random) -> DiceRolled | None:
    """The event of a roll; None for what is no roll, or rolls on too long."""
    try:
        roll = evaluate(typed, lambda sides: chance.randint(1, sides))
    except DiceError:
        return None
    return DiceRolled(
        roller="ana", purpose="roll", expression=roll.expression, total=roll.total, dice=roll.dice, flat=roll.flat
    )


@pytest.mark.parametrize(("typed", "faces", "line"), LINES)
def test_a_roll_is_printed_as_it_was_written_with_each_die_at_its_place(typed: str, faces: str, line: str) -> None:
    assert roll_text(rolled(typed, faces)) == line
    assert not line or len(set(added_up(line))) == 1


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS | TYPED, st.integers(0, 2**32))
@example("1[a - 1d6[4]]", 0)
@example("2d6[= 3] - 1[✎] + 1[(overridden)]", 0)
@example("1d4[max (2, 3)]", 0)
@example("max(1d4[x], 2 y)*-(3 - 1[z - 1])//2", 0)
def test_what_is_printed_and_added_up_gives_the_total(typed: str, seed: int) -> None:
    roll = by_chance(typed, Random(seed))
    assume(roll is not None)
    assert roll is not None
    line = roll_text(roll)
    if line:
        assert added_up(line) == (roll.total, roll.total)
    else:
        assert not roll.dice
        assert roll.expression.lstrip("-").partition("[")[0] == str(abs(roll.total))


def test_typed_and_overridden_dice_are_marked_where_they_lie() -> None:
    sources = (Source(PHYSICAL, 1), Source(STREAM, 1), Source(OVERRIDE, 1))
    line = roll_text(rolled("1d20[a] + 1d8 + 1d6 + 1", "9 8 6", sources))
    assert line == "1d20[9] ✎ a + 1d8[8] + 1d6[6] (overridden) +1 = 24"
    assert added_up(line) == (24, 24)


RECORDED = [
    (
        "{1d6, 1d8}kh + 5",
        (Die(6, 3, kept=False, why="dropped"), Die(8, 7, term=1)),
        12,
        "{1d6, 1d8}kh + 5 from d6[(3)] d8[7] = 12",
    ),
    ("(2d12", (Die(12, 11), Die(12, 8)), 27, "(2d12 from d12[11 8] = 27"),
    ("2d6 + 3", (Die(6, 4), Die(6, 5)), 13, "2d6 + 3 from d6[4 5] = 13"),
    ("2d6 + 3", (Die(6, 4),), 7, "2d6 + 3 from d6[4] = 7"),
    ("2d6", (Die(6, 4), Die(8, 5)), 9, "2d6 from d6[4] d8[5] = 9"),
    ("1d6", (Die(6, 4), Die(6, 5, term=1)), 9, "1d6 from d6[4] d6[5] = 9"),
    ("6 // (1d6 - 9)", (Die(6, 9),), 0, "6 // (1d6 - 9) from d6[9] = 0"),
    ("1d20 + 5 [slashing]", (Die(20, 9),), 14, "1d20[9] +5 slashing = 14"),
    ("1d20 + 5", (), 14, "1d20 + 5 = 14"),
    ("14", (), 14, "14 = 14"),
    ("?", (), 3, "? = 3"),
]


@pytest.mark.parametrize(("expression", "dice", "total", "line"), RECORDED)
def test_a_roll_of_another_program_that_cannot_be_added_up_lists_its_dice_behind_it(
    expression: str, dice: tuple[Die, ...], total: int, line: str
) -> None:
    assert roll_text(imported(expression, dice, total)) == line


def imported(expression: str, dice: tuple[Die, ...], total: int) -> DiceRolled:
    """The event of a roll that another program recorded."""
    sources = (Source(IMPORTED, len(dice)),)
    return DiceRolled(roller="ana", purpose="roll", expression=expression, total=total, dice=dice, sources=sources)


@settings(max_examples=100, deadline=None)
@given(EXPRESSIONS, st.integers(0, 2**32))
def test_no_bracket_holds_dice_of_two_sizes_or_terms(typed: str, seed: int) -> None:
    roll = by_chance(typed, Random(seed))
    for each in (roll, *(imported(*one[:3]) for one in RECORDED)):
        if each is not None:
            held = [places for _, places in line_of(each).terms]
            assert all(len({each.dice[place][::5] for place in places}) <= 1 for places in held)
            assert sorted(place for places in held for place in places) == [*range(len(each.dice))]


def test_a_roll_of_avrae_is_added_up_where_its_notation_is_ours() -> None:
    found = avrae.read_roll("2d20kh1 (**17**, ~~4~~) + 5 [slashing] = `22`")
    assert found is not None
    assert roll_text(imported(found.expression, found.dice, found.total)) == "2d20kh1[17 (4)] +5 slashing = 22"


SCRIPT = Path(rollbook.adapters.exports.__file__).with_name("pages") / "roll_lines.js"
READ = ("expression", "typed", "dice", "total")
ASK = """
const fs = require("fs"), rolls = JSON.parse(fs.readFileSync(0, "utf8"));
const lines = require("vm").runInThisContext(`${fs.readFileSync(process.argv[1], "utf8")}; rollbookRollLines`);
console.log(JSON.stringify(rolls.map(lines.lineOf)));
"""


@settings(max_examples=15, deadline=None)
@given(st.lists(EXPRESSIONS, max_size=60), st.integers(0, 2**32))
def test_a_page_has_the_terms_of_every_roll_that_the_log_has(texts: list[str], seed: int) -> None:
    chance = Random(seed)
    rolls = [rolled(typed, faces) for typed, faces, _ in LINES] + [imported(*each[:3]) for each in RECORDED]
    rolls += [roll for typed in texts if (roll := by_chance(typed, chance)) is not None]
    asked = json.dumps([{name: getattr(roll, name) for name in READ} for roll in rolls])
    node = [needed("node"), "-e", ASK, str(SCRIPT)]
    done = subprocess.run(node, input=asked, capture_output=True, encoding="utf-8", check=True, timeout=60)
    for roll, found in zip(rolls, json.loads(done.stdout), strict=True):
        line = line_of(roll)
        here = {"terms": [{"before": before, "dice": [*places]} for before, places in line.terms], "after": line.after}
        assert found == here, roll.expression
