"""Who surprises whom, and how strangers take it."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.delve.lighting import Light, Place
from rollbook.rulesets.russell.delve.meeting import React, Surprise
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndTurn
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.russell import has_gear, in_condition, party

MEET = Surprise(foes=("goblin",))


def surprised(name: str):
    return like(events.ConditionBegan, character=name, condition="surprised")


@rule("R3.64", "R3.66", "R3.71")
@pytest.mark.parametrize("light", ["dark", "dim"])
def test_without_good_light_both_sides_surprise_on_two_in_six(light) -> None:
    game = party().given(Place(light=light))
    game.when(MEET).rolling(2, 3).then(surprised("goblin")).never(surprised("ida"))
    game.when(MEET).rolling(3, 2).then(surprised("ida"), surprised("bram"), surprised("wat"))
    game.when(MEET).rolling(3, 3).never(events.ConditionBegan)


@rule("R3.71", "Q3.21")
def test_if_both_surprise_everybody_stands_and_stares() -> None:
    game = party().given(Place(light="dark"))
    game.when(MEET).rolling(1, 1).then(events.NoteWritten).never(events.ConditionBegan)


@rule("R3.67", "Q3.21")
def test_in_good_light_the_party_surprises_through_a_door_only_and_on_one_in_six() -> None:
    game = party()
    game.when(MEET).rolling(3).never(like(events.CheckResolved, character="ida"), events.ConditionBegan)
    door = Surprise(foes=("goblin",), door=True)
    game.when(door).rolling(1, 3).then(like(events.CheckResolved, character="ida", target=1), surprised("goblin"))
    game.when(door).rolling(2, 3).never(events.ConditionBegan)


@rule("Q3.21")
def test_in_good_light_foes_still_surprise_the_party_on_two_in_six() -> None:
    party().when(MEET).rolling(2).then(like(events.CheckResolved, character="goblin", target=2), surprised("ida"))


@rule("Q3.21", "R3.71")
def test_or_light_does_not_matter_to_surprise() -> None:
    game = party(surprise="general")
    game.when(MEET).rolling(2, 3).then(like(events.CheckResolved, character="ida", target=2), surprised("goblin"))


@rule("R3.67")
def test_a_party_is_seen_by_the_best_lit_of_its_people() -> None:
    game = party().given(Place(light="dark"), has_gear("ida", "torch"), Light(who="ida", item="torch"))
    game.when(MEET).rolling(3).never(like(events.CheckResolved, character="ida"))
    game.when(Surprise(foes=("goblin",), light="dark")).rolling(2, 3).then(surprised("goblin"))


@rule("R3.71")
def test_concealment_and_stealthy_creatures_change_the_odds() -> None:
    game = party().given(Place(light="dim"), events.StatChanged(character="goblin", stat="surprise", amount=4))
    hidden = Surprise(foes=("goblin",), bonus=1)
    party().when(hidden).refused("through a door", "--door")
    game.when(hidden).rolling(3, 5).then(
        like(events.CheckResolved, target=3, success=True), like(events.CheckResolved, target=4)
    )
    game.when(Surprise(foes=("goblin",), foe_bonus=-6)).rolling(3).never(like(events.CheckResolved, character="goblin"))


@rule("R3.72")
def test_who_is_surprised_loses_the_first_round() -> None:
    game = party().given(Place(light="dark"), with_dice(MEET, 1, 6))
    fight = game.when(BeginEncounter(participants=("ida", "goblin"))).rolling(4, 2)
    fight.then(events.TurnBegan(character="ida")).never(like(events.DiceRolled, roller="goblin"))
    after = fight.go_on().when(EndTurn()).rolling(4, 2, 6).then(like(events.ConditionEnded, condition="surprised"))
    after.then(events.RoundBegan, events.TurnBegan(character="goblin"))


def test_it_takes_two_groups_to_meet() -> None:
    party().when(Surprise(foes=())).refused("It takes two groups")
    party().given(in_condition("goblin", "dead")).when(MEET).refused("Goblin is dead")


@rule("R3.73")
@pytest.mark.parametrize(
    ("dice", "word", "good"),
    [
        ((1, 1), "Violent", False),
        ((1, 2), "Angry", False),
        ((2, 2), "Angry", False),
        ((2, 3), "Guarded", False),
        ((3, 3), "Guarded", False),
        ((3, 4), "Neutral", True),
        ((4, 4), "Neutral", True),
        ((4, 5), "Helpful", True),
        ((5, 5), "Helpful", True),
        ((5, 6), "Friendly", True),
        ((6, 6), "Friendly", True),
    ],
)
def test_the_reaction_table(dice, word, good) -> None:
    reacted = party().when(React(who=("goblin",))).rolling(*dice)
    reacted.then(
        like(events.CheckResolved, check="reaction", total=sum(dice), outcome=word, success=good),
        events.TraitGained(character="goblin", trait=word, kind="reaction"),
    )
    assert dict(reacted.sheet("goblin").words)["Reaction"] == word


@rule("R3.73", "R3.8", "Q3.22")
def test_charisma_counts_only_for_a_spokesman_who_gets_to_speak() -> None:
    spoken = React(who=("goblin",), spokesman="ida")
    party().when(spoken).rolling(3, 4).then(like(events.CheckResolved, total=9, outcome="Helpful", against="ida"))
    party().when(React(who=("goblin",))).rolling(3, 4).then(like(events.CheckResolved, total=7, outcome="Neutral"))
    bribed = React(who=("goblin",), bonus=("+3 a bribe", "-1 blood on your hands"))
    party().when(bribed).rolling(3, 4).then(like(events.CheckResolved, total=9))
    far = React(who=("goblin",), bonus=("-9 their dead",))
    party().when(far).rolling(3, 4).then(like(events.CheckResolved, total=-2, outcome="Violent"))


@rule("R3.73", "Q3.22")
def test_a_reaction_is_tested_again_for_decisions_that_matter() -> None:
    met = party().when(React(who=("goblin",))).rolling(3, 4).go_on()
    met.when(React(who=("goblin",))).refused("Goblin is Neutral already", "--again")
    met.when(React(who=("goblin",), again=True, bonus=("+2 good arguments",))).rolling(4, 5).then(
        events.TraitLost(character="goblin", trait="Neutral", kind="reaction"),
        events.TraitGained(character="goblin", trait="Friendly", kind="reaction"),
    )
    met.when(React(who=("goblin",), again=True)).rolling(3, 4).never(events.TraitLost, events.TraitGained)
    met.when(React(who=())).refused("Name those who react")
