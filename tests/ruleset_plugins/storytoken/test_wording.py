"""Details, labels and reasons are only shown: a game in which every one of them is reworded goes on in the same way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import attrs

from rollbook.domain.actions.characters import ChangeTrait
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import CampaignState, Character, OpenChoice
from rollbook.plugin import Action, events
from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.body.afflictions import Afflict, Escape, Relieve
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import BringIn, Join
from rollbook.rulesets.storytoken.character.heritage_powers import ChangeForm, Manifest, Promise
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.rulesets.storytoken.character.role_powers import Inspire, Manoeuvre
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndEncounter, EndTurn
from rollbook.rulesets.storytoken.story.spending import OwnSetback
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import Scenario, scenario

WORDING = ("detail", "reason", "label")


def _reworded(who: Character) -> Character:
    choices: Mapping[str, OpenChoice] = {
        key: attrs.evolve(
            choice,
            options=tuple(attrs.evolve(option, label=f"Number {each}") for each, option in enumerate(choice.options)),
        )
        for key, choice in who.choices.items()
    }
    conditions = {
        key: attrs.evolve(each, detail=f"17 geese; {each.detail[::-1]}") for key, each in who.conditions.items()
    }
    return attrs.evolve(who, choices=choices, conditions=conditions)


def reworded(campaign: CampaignState) -> CampaignState:
    people = {key: _reworded(who) for key, who in campaign.characters.items()}
    return attrs.evolve(campaign, characters=MappingProxyType(people))


def without_words(event: Event) -> Event:
    return attrs.evolve(event, **{name: "" for name in WORDING if hasattr(event, name)})


def born(name: str, **how: object) -> Join:
    return Join(name=name.title(), id=name, kind="npc", hp=30, level=8, **how)  # type: ignore[arg-type]


CAST = (
    BringIn(who="robin-hood", id="robin"),
    born("captain", roles=("leadership", "starship"), scores=("10",) * 6),
    born("puck", heritage="faerie"),
    born("wolf", heritage="werebeast"),
    born("ghost", heritage="spirit"),
    Join(name="Falcon", id="falcon", kind="thing", hp=40, ac=15),
    ChangeTrait(who="falcon", trait="ship"),
)


def story() -> Iterator[tuple[Action, tuple[int, ...]]]:
    yield OwnSetback(who="captain", complication="a scandal", disadvantage="cha"), ()
    yield Inspire(who="captain", how="rally", allies=("robin",)), ()
    yield Harm(who="robin", amount="1"), ()
    yield Check(who="robin", ability="str"), (9,)
    yield ChangeForm(who="wolf", form="hybrid"), ()
    yield Attack(attacker="wolf", target="robin", weapon="unarmed"), (18, 12, 2)
    yield Promise(who="puck", what="to keep silence"), ()
    yield Promise(who="puck", what="to guard the spring"), ()
    yield Promise(who="puck", what="to guard the spring", how="broken"), ()
    yield Relieve(who="puck", condition="promised-2"), ()
    yield Manifest(who="ghost", shape="body", anchor="the well"), ()
    yield Harm(who="ghost", amount="30"), (2,)
    yield Afflict(who="puck", condition="starving"), ()
    yield Afflict(who="wolf", condition="immobilised", severity=7), ()
    yield Escape(who="wolf"), (5, 4)
    yield Afflict(who="robin", condition="confused"), ()
    yield BeginEncounter(participants=("robin", "captain", "falcon")), (20, 10, 5, 1)
    yield Attack(attacker="robin", target="captain", weapon="light"), (2, 1)
    yield EndTurn(next="captain"), ()
    yield Manoeuvre(who="captain", ship="falcon", how="strike"), ()
    yield EndTurn(), ()
    yield Attack(attacker="falcon", target="captain", weapon="unarmed"), (15, 3)
    yield EndTurn(), (20, 10, 5, 5)
    yield EndEncounter(), ()
    for choice, picked in (("pick-4", "con+2"), ("pick-8", "noble")):
        yield Choose(who="captain", choice=choice, picked=picked), ()
    yield PassTime(amount=8, unit="hours", rest=True), ()
    yield PassTime(amount=12, unit="days"), ()


def played(*, rewords: bool) -> tuple[list[Event], Scenario]:
    game, events = scenario(RULESET).given(*CAST), []
    for action, dice in story():
        if rewords:
            game.before = reworded(game.before)
        events += game.when(action).rolling(*dice).played.events
        game = game.go_on()
    return [without_words(each) for each in events], game


def test_rewording_every_detail_label_and_reason_changes_no_outcome() -> None:
    as_written, _ = played(rewords=False)
    other_words, game = played(rewords=True)
    assert other_words == as_written
    assert game.before.clock > 0


def test_the_story_reaches_every_rule_that_reads_a_condition_or_a_choice() -> None:
    began = [each for each in played(rewords=True)[0] if isinstance(each, events.ConditionBegan)]
    fields = {field for each in began for field in each.data}
    assert {"strength", "rounds", "severity", "stage", "form", "anchor", "does", "ship", "pilot", "ends"} <= fields
    assert {each.condition for each in began} >= {"rallied", "forsworn-2", "dormant", "dead", "on-attack-course"}
