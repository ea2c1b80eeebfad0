"""A Turn is ten minutes and one thing that matters, and in dangerous places it ends with the Exploration Die."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.delve.exploration import Explore, Ongoing, is_dangerous, roll_exploration
from rollbook.rulesets.russell.delve.lighting import Place
from rollbook.testing.scenarios import like, rule
from tests.support.russell import TURN, in_condition, party, table_after_scenario, tired_pips

DANGEROUS = Place(light="lit", dangerous=True)
SAFE = Place(light="lit")


@rule("R3.52")
def test_a_turn_is_ten_minutes_and_danger_has_its_die() -> None:
    calm = (
        party()
        .when(Explore(task="Ida picks the lock"))
        .then(events.NoteWritten(text="Ida picks the lock"), events.TimePassed(seconds=TURN), only=True)
    )
    assert calm.after.clock == TURN
    party().given(DANGEROUS).when(Explore()).rolling(2).then(
        events.TimePassed(seconds=TURN), like(events.DiceRolled, expression="1d6", purpose="Exploration Die")
    )
    party().given(DANGEROUS, SAFE).when(Explore()).never(events.DiceRolled)
    party(turn_minutes=5).when(Explore()).then(events.TimePassed(seconds=300))


@rule("R3.52")
def test_the_gm_says_whether_a_place_is_dangerous() -> None:
    assert is_dangerous(table_after_scenario(party().given(DANGEROUS)))
    assert not is_dangerous(table_after_scenario(party().given(DANGEROUS, SAFE)))
    party().given(DANGEROUS).when(DANGEROUS).never(events.PoolBecame)


@rule("R3.54", "R3.55")
@pytest.mark.parametrize(
    ("die", "words"),
    [(1, "random meeting"), (2, "surroundings"), (3, "torches"), (4, "lantern"), (5, "magic"), (6, "tires")],
)
def test_every_face_of_the_die_says_something_else(die, words) -> None:
    noted = party().given(DANGEROUS).when(Explore()).rolling(die).events(events.NoteWritten)
    assert len(noted) == 1 and noted[0].text.startswith(f"Exploration Die {die}: ") and words in noted[0].text


@rule("R3.53", "R3.10")
def test_the_party_explores_at_the_pace_of_its_slowest() -> None:
    game = party()
    assert game.sheet("ida").amount("turn_feet") == 120
    game.when(Explore(feet=120)).then(events.TimePassed)
    game.when(Explore(feet=121)).refused("cannot explore 121 feet in a Turn", "120 feet")
    game.given(in_condition("wat", "wearied"))
    game.when(Explore(feet=61)).refused("Wat is the slowest, with 60 feet")
    game.when(Explore(feet=61, who=("ida", "bram"))).then(events.TimePassed)


@rule("R3.58", "Q3.36")
def test_ongoing_magic_and_clocks_lose_a_level_at_a_five() -> None:
    game = party().given(
        DANGEROUS, Ongoing(effect="mage light", levels=2, who="ida"), Ongoing(effect="the water rises", levels=1)
    )
    faded = (
        game.when(Explore())
        .rolling(5)
        .then(
            like(events.PoolSpent, holder="", pool="ongoing:the water rises", amount=1, reason="is over"),
            like(events.PoolSpent, holder="ida", pool="ongoing:mage light", amount=1, reason="fades"),
        )
    )
    assert dict(faded.sheet("ida").words)["Ongoing"] == "mage light, 1 level"
    gone = faded.go_on().when(Explore()).rolling(5).then(like(events.PoolSpent, holder="ida", reason="is over"))
    assert "Ongoing" not in dict(gone.sheet("ida").words)
    gone.go_on().when(Explore()).rolling(5).never(events.PoolSpent)


@rule("R3.58")
def test_what_goes_on_can_be_ended() -> None:
    game = party().given(Ongoing(effect="mage light", levels=3, who="ida"))
    game.when(Ongoing(effect="mage light", levels=0, who="ida")).then(like(events.PoolSpent, amount=3), only=True)
    game.when(Ongoing(effect="bless", levels=0, who="ida")).refused("'bless' is not ongoing")


@rule("R3.37", "R3.54", "Q3.54")
def test_the_die_can_be_rolled_by_itself_as_after_a_fight() -> None:
    table = table_after_scenario(party().given(tired_pips("ida", 1)), 6)
    assert roll_exploration(table).effect == "tired"
    assert table.character("ida").pools["tired"] == 2
    assert table.clock == 0


def test_no_turn_passes_during_a_fight() -> None:
    fight = party().given(events.EncounterBegan())
    fight.when(Explore()).refused("An encounter is being fought", "end-encounter")
