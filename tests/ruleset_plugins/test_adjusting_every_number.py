"""`adjust` counts from the number on the sheet: each either becomes as much more, or the answer says what it follows from."""

from __future__ import annotations

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.actions.characters import Adjust
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.rules.sheet import Value
from rollbook.domain.rules.sheet_rulings import ADJUST, Adjustment
from rollbook.plugin import events
from rollbook.testing.scenarios import Scenario, rule
from tests.support.games import INSTALLED_RULESETS
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, imported_book

RULESETS = discover().rulesets
ENTERED = {
    "storytoken": {"str", "dex", "con", "int", "wis", "cha", "ac", "max_hp", "speed", "initiative", "hp"},
    "luckpoint": {"str", "dex", "con", "awareness", "maneuvers", "ac", "max_hp", "speed", "initiative", "hp", "luck"},
    "powers": {"ac", "max_hp", "initiative", "hp"},
    "russell": {"str", "dex", "con", "ac", "max_hp", "initiative", "movement", "weapon_skill", "hp"},
    "grid": {"str", "dex", "con", "ac", "max_hp", "initiative", "speed", "to_hit", "save:fort", "hp"},
    "srd5": {"str", "dex", "con", "int", "wis", "cha", "ac", "max_hp", "speed", "initiative", "save:dex", "hp"},
}
"""Numbers that can be entered in each game, of anybody."""


@pytest.fixture(scope="module")
def people(tmp_path_factory) -> dict[str, Scenario]:
    """Everybody of the golden campaign of each game, as they stood at its end."""
    found = {}
    for path in GOLDEN_CAMPAIGNS:
        book = imported_book(path, tmp_path_factory.mktemp("golden"))
        state = book.campaign(book.campaigns()[0]).state
        if state.ruleset in INSTALLED_RULESETS:
            found[state.ruleset] = Scenario(RULESETS[state.ruleset], state)
    return found


def adjusted(game: Scenario, who: str, value: Value, by: int) -> int | str:
    """By how much a number on the sheet is more after an adjustment, or why it cannot be."""
    try:
        after = game.go_on().when(Adjust(who=who, what=value.key, by=by, reason="a slip")).sheet(who)
    except (Refused, NotFound) as refusal:
        return str(refusal)
    return after.amount(value.key) - value.amount


@rule("QG.8")
@pytest.mark.parametrize("by", [3, -2])
@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_every_number_of_every_sheet_becomes_as_much_more_or_says_why_not(people, game: str, by: int) -> None:
    table = people[game]
    for who in table.before.characters:
        if {"dead", "critical"}.intersection(table.before.characters[who].conditions):
            continue
        for value in table.sheet(who).values:
            came_of_it = adjusted(table, who, value, by)
            entered = value.key in ENTERED[game]
            capped = value.key in ("hp", "luck", "level", "xp", "next_level", "tokens", "tired")
            if isinstance(came_of_it, str):
                assert not entered or "level" in came_of_it, (who, value.key, came_of_it)
            elif not capped:
                assert came_of_it == by, (who, value.key)


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_a_number_that_no_sheet_has_is_refused_with_what_comes_near(people, game: str) -> None:
    who = next(iter(people[game].before.characters))
    if game != "powers":  # where any name is a stat (Q2.12)
        people[game].go_on().when(Adjust(who=who, what="inititive", by=1, reason="x")).refused("initiative")


def test_a_number_is_known_by_its_label_and_in_any_case_of_letters(people) -> None:
    game = people["luckpoint"]
    before = game.sheet("nell").amount("ac")
    for name in ("AC", "Armour class", "ac"):
        assert (
            game.go_on().when(Adjust(who="nell", what=name, by=2, reason="x")).sheet("nell").amount("ac") == before + 2
        )
    assert game.go_on().when(Adjust(who="nell", what="HP", by=-1, reason="x")).character("nell").lost == (
        game.before.characters["nell"].lost + 1
    )


@rule("QG.7", "QG.8")
def test_a_level_is_granted_with_its_experience_and_all_that_it_brings(people) -> None:
    game = people["luckpoint"]
    before = game.sheet("nell")
    after = game.go_on().when(Adjust(who="nell", what="level", by=2, reason="years at sea"))
    after.then(events.LevelGained(character="nell", levels=1), events.LevelGained(character="nell", levels=1))
    assert after.sheet("nell").amount("level") == before.amount("level") + 2
    assert after.sheet("nell").amount("xp") >= before.amount("next_level")
    game.go_on().when(Adjust(who="nell", what="level", by=-1, reason="x")).refused("A level is granted")
    people["powers"].go_on().when(Adjust(who="pim", what="level", by=1, reason="x")).refused("no level that could rise")


@rule("QG.8")
def test_experience_by_ruling_brings_the_levels_that_are_due(people) -> None:
    game = people["luckpoint"]
    due = game.sheet("nell").amount("next_level") - game.sheet("nell").amount("xp")
    game.go_on().when(Adjust(who="nell", what="xp", by=due, reason="a forgotten award")).then(events.LevelGained)
    game.go_on().when(Adjust(who="nell", what="xp", by=-1, reason="counted twice")).never(events.LevelGained)


def test_an_adjustment_within_an_action_counts_in_the_same_way(people) -> None:
    game = people["grid"]
    who = next(iter(game.before.characters))
    thought = Adjustment(who=who, what="speed", by=5, why="long legs").thought()
    assert thought.kind == ADJUST
    noted = Adjust(who=who, what="initiative", by=1, reason="quick")
    after = game.go_on().when(noted, thought).sheet(who)
    assert after.amount("speed") == game.sheet(who).amount("speed") + 5
    assert after.amount("initiative") == game.sheet(who).amount("initiative") + 1
