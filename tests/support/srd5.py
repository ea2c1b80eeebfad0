"""Steps that the srd5 tests repeat: a fighter, a target that stands still, monsters, fights, and what a sheet shows."""

from __future__ import annotations

from typing import Any

from rollbook.domain.dice.physical import DiceMissing
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.plugin import Action, events
from rollbook.rulesets.srd5 import RULESET
from rollbook.rulesets.srd5.character.joining import Join
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight.attack import Attack
from rollbook.rulesets.srd5.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.rulesets.srd5.monsters.stat_blocks import key_of
from rollbook.testing.scenarios import Given, Scenario, scenario, with_dice


def fighter(**more: Any) -> Join:
    """Kara, a fighter of level 1 with 12 hit points: STR 16, DEX 14, CON 14, a longsword and a longbow, armour class 12."""
    given = {
        "name": "Kara",
        "class_name": "fighter",
        "scores": ("16", "14", "14", "10", "12", "8"),
        "weapons": ("longsword", "longbow"),
    }
    return Join(**{**given, **more})


def post(**more: Any) -> Join:
    """A post with 100 hit points and armour class 15, which stands still, whatever is done to it."""
    return Join(**{"name": "Post", "kind": "monster", "hp": 100, "ac": 15, **more})


def monster(name: str, **more: Any) -> Join:
    """A monster with the stat block of this name."""
    return Join(**{"name": name, "kind": "monster", "block": key_of(name), **more})


def table(*people: Given, **settings: bool | int | str) -> Scenario:
    """A campaign with these people; Kara and the post if none are given."""
    who = people or (fighter(), post())
    said = repr((who, settings))
    if said not in _AT_THE_TABLE:
        _AT_THE_TABLE[said] = scenario(RULESET, **settings).given(*who).before
    return Scenario(RULESET, _AT_THE_TABLE[said])


_AT_THE_TABLE: dict[str, CampaignState] = {}
"""The campaigns that tests began with, by who came to them and its settings: a state is never changed."""


def fight(scene: Scenario, *names: str, dice: tuple[int, ...] = ()) -> Scenario:
    """The scene in a fight of these (Kara and the post), in the order in which they are named unless dice are given."""
    who = names or ("kara", "post")
    faces = dice or tuple(
        20 - 4 * place for place, name in enumerate(who) for _ in range(2 if is_quick(scene, name) else 1)
    )
    return scene.given(with_dice(BeginEncounter(participants=who), *faces))


def again(scene: Scenario) -> Scenario:
    """Another scene that begins where this one is, so that each may go on by itself."""
    return Scenario(scene.ruleset, scene.before)


def is_quick(scene: Scenario, name: str) -> bool:
    """True for somebody with advantage on initiative, who rolls twice."""
    return any("initiative" in held.effect.on for held in effects_on(scene.before.characters[name], "edge"))


def swing(target: str = "post", attacker: str = "kara", **more: Any) -> Attack:
    """An attack of Kara's on the post."""
    return Attack(attacker=attacker, target=target, **more)


def end_turn(scene: Scenario, *dice: int) -> Scenario:
    """The scene after the present turn."""
    return scene.given(with_dice(EndTurn(), *dice))


def condition(who: str, name: str, **data: Any) -> events.ConditionBegan:
    """A condition that has begun."""
    source = data.pop("source", "")
    return events.ConditionBegan(character=who, condition=name, source=source, data=data)


def hp(scene: Scenario, who: str) -> int:
    """The hit points on the sheet."""
    return scene.sheet(who).amount("hp")


def status(scene: Scenario, who: str) -> str:
    """The state of health on the sheet."""
    return dict(scene.sheet(who).words)["Status"]


def rolled(scene: Scenario) -> tuple[str, ...]:
    """The rolls, as they are written on record."""
    return tuple(roll.expression for roll in scene.events(events.DiceRolled))


def caster(class_name: str = "wizard", level: int = 20, **more: Any) -> Join:
    """Mira, who casts: 18 in each mental ability, so that every class casts with 4 and the proficiency bonus."""
    given = {"name": "Mira", "class_name": class_name, "level": level, "scores": ("8", "14", "14", "18", "18", "18")}
    return Join(**{**given, **more})


def cast(spell: str, *targets: str, **more: Any) -> Cast:
    """A spell of Mira's."""
    return Cast(**{"caster": "mira", "spell": spell, "targets": targets, **more})


def with_any_dice(scene: Scenario, action: Action, face: int) -> Scenario:
    """The scene with this action, all dice showing this face, or their highest where they have fewer."""
    faces: list[int] = []
    while True:
        scene.when(action).rolling(*faces)
        try:
            scene.played  # noqa: B018 - plays it
        except DiceMissing as missing:
            faces.append(min(face, int(str(missing).partition("another d")[2].partition(" ")[0])))
        else:
            return scene
