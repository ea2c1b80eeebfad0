"""The six abilities as games share them: names, summands, and the dice that a character begins with."""

from __future__ import annotations

import pytest

from ruleset_plugins import ABILITIES, Refused, Term
from ruleset_plugins.kit import ability_scores, levels
from tests.support.bare_table import joined_events, table_after


def test_every_ability_has_a_name() -> None:
    assert tuple(ability_scores.NAMES) == ABILITIES


def test_a_modifier_and_a_score_say_where_they_come_from() -> None:
    assert ability_scores.modifier_term("dex", -1, "R9.1") == Term(-1, "DEX", "R9.1", "stat.dex")
    line = ability_scores.score_value("dex", 7, -1, "R9.1", group="Abilities")
    assert (line.label, str(line), line.amount) == ("DEX", "7 (-1)", 7)
    assert line.terms == (Term(7, "Dexterity", "R9.1", "stat.dex"),)


def test_scores_are_rolled_one_by_one_in_the_order_that_was_chosen() -> None:
    table = table_after(joined_events("robin"), dice=(3, 4, 5, 6, 6, 6))
    assert ability_scores.roll_scores(table, "robin", "3d6", ("dex", "str"), what="ability") == {"dex": 12, "str": 18}
    rolled = table.finish().events
    assert [event.purpose for event in rolled] == ["ability 1", "ability 2"]  # type: ignore[attr-defined]


def test_hit_dice_that_were_rolled_before_are_as_many_as_the_level_has() -> None:
    assert levels.parse_hit_dice(table_after(), ("6", "1"), 2, level=2) == (6, 1)


@pytest.mark.parametrize("typed", [(), ("3",), ("3", "4", "5"), ("3", "7"), ("3", "0"), ("3", "x"), ("3", "+4")])
def test_other_hit_dice_are_refused(typed: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="Level 2 has 2 hit dice, each 1 to 6, as in --hit-dice 4,4"):
        levels.parse_hit_dice(table_after(), typed, 2, level=2)
