"""The six abilities as games share them: names, summands, and the dice that a character begins with."""

from __future__ import annotations

import pytest

from rollbook.kit import ability_scores, levels
from rollbook.plugin import ABILITIES, Refused, Table, Term
from tests.support.bare_table import joined_events, table_after


def scores_of(table: Table, typed: tuple[str, ...], order: tuple[str, ...] = ()) -> dict[str, int]:
    names = ("str", "dex")
    return ability_scores.given_or_rolled(table, "robin", typed, names, order=order, dice="3d6", what="ability")


def test_every_ability_has_a_name() -> None:
    assert tuple(ability_scores.NAMES) == ABILITIES


def test_a_modifier_and_a_score_say_where_they_come_from() -> None:
    assert ability_scores.modifier_term("dex", -1, "R9.1") == Term(-1, "DEX", "R9.1", "stat.dex")
    line = ability_scores.score_value("dex", 7, -1, "R9.1", group="Abilities")
    assert (line.label, str(line), line.amount) == ("DEX", "7 (-1)", 7)
    assert line.terms == (Term(7, "Dexterity", "R9.1", "stat.dex"),)


def test_scores_are_rolled_one_by_one_in_the_order_that_was_chosen() -> None:
    table = table_after(joined_events("robin"), dice=(3, 4, 5, 6, 6, 6))
    scores = scores_of(table, (), order=("dex", "str"))
    assert list(scores.items()) == [("str", 18), ("dex", 12)]
    rolled = table.finish().events
    assert [event.purpose for event in rolled] == ["ability 1", "ability 2"]  # type: ignore[attr-defined]


def test_scores_that_were_typed_are_not_rolled_unless_roll_was_typed() -> None:
    assert scores_of(table_after(joined_events("robin")), ("9", "12")) == {"str": 9, "dex": 12}
    rolled = table_after(joined_events("robin"), dice=(1, 1, 1, 2, 2, 2))
    assert scores_of(rolled, ("roll",)) == {"str": 3, "dex": 6}
    with pytest.raises(Refused, match=r"Scores are 2 numbers \(STR, DEX\)"):
        scores_of(table_after(joined_events("robin")), ("9",))


def test_hit_dice_that_were_rolled_before_are_as_many_as_the_level_has() -> None:
    assert levels.parse_hit_dice(table_after(), ("6", "1"), 2, level=2) == (6, 1)


@pytest.mark.parametrize("typed", [(), ("3",), ("3", "4", "5"), ("3", "7"), ("3", "0"), ("3", "x"), ("3", "+4")])
def test_other_hit_dice_are_refused(typed: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="Level 2 has 2 hit dice, each 1 to 6, as in --hit-dice 4,4"):
        levels.parse_hit_dice(table_after(), typed, 2, level=2)
