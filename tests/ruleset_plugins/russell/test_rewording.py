"""No rule reads a sentence: with every detail, label and reason reworded, and every condition renamed, all comes out the same.

Names of conditions that carry data are only shown, too, so those are reworded with the rest.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import pytest

from rollbook.domain.state.campaign_state import CampaignState, Character, Condition, OpenChoice
from rollbook.plugin import Action, Refused, events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.character.templates import OwnTemplate
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.delve.lanterns import Clip
from rollbook.rulesets.russell.delve.lighting import Douse, Light, Place, ShareLight
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.bleeding import Burn
from rollbook.rulesets.russell.fight.criticals import Choose
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndEncounter, EndTurn
from rollbook.rulesets.russell.fight.hit_points import Harm
from rollbook.rulesets.russell.fight.movement import Move
from rollbook.rulesets.russell.wealth.downtime import TakeDowntime
from rollbook.testing.scenarios import Scenario, with_dice

SAID = "quite other words"
NAMED_BY_DATA = ("alight", "free_attack_on", "range_to")
"""Fields of the conditions whose names are made for people: one for every light, foe or range."""


def reworded(state: CampaignState) -> CampaignState:
    """The same campaign with other words wherever words are only shown."""
    told = state.copy()
    told.characters = {name: _retold(who) for name, who in state.characters.items()}
    return told


def _retold(who: Character) -> Character:
    other = who.copy()
    renamed = (_renamed(condition, place) for place, condition in enumerate(who.conditions.values()))
    other.conditions = {condition.name: condition for condition in renamed}
    other.choices = {
        name: OpenChoice(options=tuple(attrs.evolve(each, label=SAID) for each in choice.options), data=choice.data)
        for name, choice in who.choices.items()
    }
    return other


def _renamed(condition: Condition, place: int) -> Condition:
    name = f"{SAID} {place}" if any(field in condition.data for field in NAMED_BY_DATA) else condition.name
    return attrs.evolve(
        condition, name=name, detail=SAID, source=SAID if "item" in condition.data else condition.source
    )


def _without_words(recorded: Iterable[events.Event]) -> list[dict[str, object]]:
    shown = ("detail", "reason", "label", "condition", "source")
    return [
        {
            "kind": type(event),
            **{name: value for name, value in attrs.asdict(event, recurse=False).items() if name not in shown},
        }
        for event in recorded
    ]


def lit(dungeon) -> Scenario:
    things = (("torch", 1), ("lantern", 1))
    gear = [events.GearGained(character="cora", item=item, count=count) for item, count in things]
    return dungeon().given(
        *gear, Place(light="dark"), Light(who="cora", item="lantern"), Clip(who="cora", item="lantern")
    )


def fighting(dungeon, *more) -> Scenario:
    fight = BeginEncounter(participants=("aldo", "ogre"), range="close")
    return dungeon().given(with_dice(fight, 6, 1), *more)


STRUCK = Attack(attacker="aldo", target="ogre", weapon="hand weapon")
CLOSE_BY = attrs.evolve(STRUCK, range="engaged")
STEPS = {
    "a shared light": (
        lambda dungeon: lit(dungeon).given(ShareLight(who="cora", item="lantern", lit=("aldo",))),
        Place(light="dim"),
        (),
    ),
    "a wanted darkness": (lambda dungeon: lit(dungeon).given(Douse(who="cora", hide=True)), Place(light="lit"), ()),
    "a light that is put out": (lit, Douse(who="cora"), ()),
    "a place apart": (lambda dungeon: lit(dungeon).given(Place(light="dim", who=("aldo",))), Douse(who="cora"), ()),
    "a clipped lantern": (lit, Attack(attacker="ogre", target="cora", weapon="natural"), (17, 1)),
    "a doubled hit": (
        lambda dungeon: dungeon().given(with_dice(attrs.evolve(STRUCK, tags=("fire",)), 20, 3)),
        Choose(who="aldo", choice="critical:ogre", picked="double"),
        (),
    ),
    "a turn after a natural 20": (lambda dungeon: fighting(dungeon, with_dice(CLOSE_BY, 20, 3)), EndTurn(), ()),
    "a free attack": (
        lambda dungeon: dungeon().given(with_dice(STRUCK, 1)),
        Attack(attacker="ogre", target="aldo", weapon="natural", free=True),
        (19, 1),
    ),
    "ranges": (lambda dungeon: fighting(dungeon, Move(who="aldo", to="engaged")), EndEncounter(), ()),
    "a template": (lambda dungeon: dungeon(), Choose(who="cora", choice="template-1", picked="delver"), ()),
    "a template of the table's own": (
        lambda dungeon: dungeon().given(OwnTemplate(who="cora", name="ranger", effects={"hp": 2})),
        Harm(who="cora", amount="8"),
        (),
    ),
    "a busy downtime": (
        lambda dungeon: dungeon().given(TakeDowntime(who=("cora",), busy=("cora",))),
        TakeDowntime(who=("cora",)),
        (),
    ),
    "oil and effects": (lit, Explore(), ()),
    "a burning foe": (
        lambda dungeon: dungeon().given(
            events.ConditionBegan(character="ogre", condition="on fire", detail="since", data={"round": 2})
        ),
        Burn(who="ogre"),
        (3,),
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_rewording_what_is_shown_changes_no_rule(dungeon, step: str) -> None:
    begin, action, dice = STEPS[step]
    before = begin(dungeon).before
    outcomes = [_outcome(state, action, dice) for state in (before, reworded(before))]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]


def _outcome(state: CampaignState, action: Action, dice: tuple[int, ...]) -> object:
    try:
        return _without_words(Scenario(RULESET, state).when(action).rolling(*dice).played.events)
    except Refused as refusal:
        return refusal.args
