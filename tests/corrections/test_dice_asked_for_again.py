"""A request that was undone meets every die that has fallen for it before any other: nobody fishes by correcting."""

from __future__ import annotations

from random import Random

import pytest

from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Amend
from rollbook.domain.dice.ledger import dice_by_place
from rollbook.domain.events import DiceRolled
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, close_and_reveal, grant_dice


def faces(rolled: DiceRolled) -> list[int]:
    return [die.face for die in rolled.dice]


def amended_and_undone(seat: str, *, back: bool) -> tuple[ToyTable, int, list[int]]:
    """A roll of one die, amended to two, and undone: at once, or after the amendment. Last are the dice that were seen."""
    table = ToyTable()
    for number in range(3):
        table.roll("1d6", seat=seat, purpose=f"look {number}")
    action = table.do("roll", seat=seat, expression="1d20", who="robin").action
    table.apply(table.preview_drawing({action: Amend({"expression": "2d20"})}))
    seen = faces(rolls(table.history.latest_outcome(action))[0])
    if back:
        table.redo(action, 1)
    table.undo(action)
    return table, action, seen


AMENDED = pytest.mark.parametrize(
    ("seat", "back"), [(seat, back) for seat in ("Ana", "mira") for back in (True, False)]
)


@AMENDED
def test_a_request_meets_the_die_that_fell_for_it_first_and_not_one_drawn_for_a_correction(
    seat: str, *, back: bool
) -> None:
    table, _, seen = amended_and_undone(seat, back=back)
    assert faces(table.roll("1d20", seat=seat)) == seen[:1]
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


@AMENDED
def test_a_request_for_more_dice_meets_all_that_fell_for_it_in_their_order_before_new_ones(
    seat: str, *, back: bool
) -> None:
    table, _, seen = amended_and_undone(seat, back=back)
    assert faces(table.roll("2d20", seat=seat)) == seen
    table.undo(table.history.actions)
    more = faces(table.roll("4d20", seat=seat))
    assert more[:2] == seen
    for count in (1, 2, 3, 4, 2):
        table.undo(table.history.actions)
        assert faces(table.roll(f"{count}d20", seat=seat)) == more[:count]
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


@AMENDED
def test_a_grant_frees_the_dice_that_were_drawn_for_a_correction_too(seat: str, *, back: bool) -> None:
    table, action, _ = amended_and_undone(seat, back=back)
    known = set(table.history.ledger.undone_rolls)
    assert len(known) == 2
    grant_dice(table, action)
    assert known.isdisjoint(drawn.place for drawn in dice_by_place(table.roll("2d20", seat=seat)))
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


def test_a_die_of_other_sides_that_was_drawn_for_a_correction_waits_for_its_own() -> None:
    table = ToyTable()
    action = table.do("roll", seat="mira", expression="1d20", who="robin").action
    table.apply(table.preview_drawing({action: Amend({"expression": "1d6 + 1d20"})}))
    six, twenty = faces(rolls(table.history.latest_outcome(action))[0])
    table.undo(action)
    longer = faces(table.roll("2d20", seat="mira"))
    assert longer[0] == twenty
    table.undo(table.history.actions)
    assert faces(table.roll("1d20 + 1d6 + 1d20", seat="mira")) == [twenty, six, longer[1]]
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


def test_a_shorter_roll_in_between_makes_no_die_forgotten() -> None:
    table = ToyTable()
    action = table.do("roll", seat="mira", expression="2d20", who="robin").action
    table.apply(table.preview_drawing({action: Amend({"expression": "3d20"})}))
    seen = faces(rolls(table.history.latest_outcome(action))[0])
    table.undo(action)
    for count in (1, 3, 2, 1, 2):
        assert faces(table.roll(f"{count}d20", seat="mira")) == seen[:count]
        table.undo(table.history.actions)
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


def test_a_die_that_fell_second_is_not_met_again_as_the_first() -> None:
    table = ToyTable()
    action = table.do("roll", expression="1d20 + 1d6", who="robin").action
    table.amend(action, expression="1d6")
    table.undo(action)
    with pytest.raises(Refused, match="undone with a d20 on the table, and now wants a d6"):
        table.roll("1d6")
    assert faces(table.roll("1d20 + 1d6")) == faces(rolls(table.history.revision(action, 1))[0])
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("seed", range(24))
def test_however_often_a_request_grows_and_is_undone_its_dice_are_the_beginning_of_one_sequence(seed: int) -> None:
    chance, table = Random(seed), ToyTable()
    seen: list[int] = []
    for _ in range(8):
        seat, count = chance.choice(("Ana", "mira")), max(1, len(seen) + chance.randint(0, 1))
        action = table.do("roll", seat=seat, expression=f"{count}d20", who="robin").action
        check_beginning(table, action, seen)
        for _ in range(chance.randint(0, 2)):
            more = Amend({"expression": f"{len(seen) + chance.randint(0, 2)}d20"})
            table.apply(table.preview_drawing({action: more}))
            check_beginning(table, action, seen)
            if chance.random() < 0.5:
                table.redo(action, 1)
                check_beginning(table, action, seen)
        table.undo(action)
        table.roll("1d6", seat=seat, purpose="something else")
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


def check_beginning(table: ToyTable, action: int, seen: list[int]) -> None:
    """The dice of an action begin as all that were seen for its request, and are seen from here on."""
    found = faces(rolls(table.history.latest_outcome(action))[0])
    both = min(len(found), len(seen))
    assert found[:both] == seen[:both]
    seen += found[both:]
