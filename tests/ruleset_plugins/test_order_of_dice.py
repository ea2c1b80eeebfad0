"""Dice fall in one order everywhere: d20s, then effects, then tables, and every verb says its own order (QG.5).

Every verb of our games that rolls is played here, by the moves with which its game's random play begins, at random, and
in the scenes below. What the verb says (``typed_dice``) is what a player reads in its ``--help``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.actions import SHARED
from rollbook.domain.dice.steps import DiceStep, out_of_order, said
from rollbook.domain.events import Event
from rollbook.domain.rules.action import Action
from rollbook.testing.conformance.random_play import fixed_playthrough
from rollbook.testing.scenarios import fault_in_order, rolls_in, rule
from tests.support.campaigns import memory_book
from tests.support.games import INSTALLED_RULESETS, random_play_of

RULESETS = discover().rulesets
ACTIONS = 40
PLAYTHROUGHS, MOST = 5, 40
"""So many random playthroughs at least; then further ones for verbs that have not rolled yet, but no more than so many."""

SCENES: dict[str, tuple[str, ...]] = {
    "grid": (
        "join Ann --class fighter --scores 3,2,0,0,0,0 --weapon sword --at 0,0",
        "join Ogre --kind monster --hp 30 --ac 12 --at 1,0",
        "give ann buckler --use shield:buckler",
        "sheathe ann buckler",
        "begin-encounter ann,ogre ! 18 2",
        "wear ann buckler ! 17 3",
        "end-turn",
        "end-turn ! 18 2",
        "join Rat --kind monster --hp 3 --ac 12 --at 5,5",
        "join-encounter rat ! 12",
        "give ogre club --use weapon:club:sheathed",
        "end-turn",
        "end-turn",
        "wield ogre club ! 3",
        "end-turn ! 18 2 1",
        "disarm ann ogre ! 3 18 9",
        "end-turn",
        "end-encounter",
        "trip ann ogre ! 18 3",
        "hamstring ann ogre ! 18 3",
        "check ann heal ! 12",
        "save ann will ! 9",
        "join Odo --class cleric --scores 1,0,1,0,3,1 --at 0,1",
        "harm odo 1d6+31 ! 1",
        "stabilise ann odo ! 18",
        "heal odo 1d4 ! 3",
        "harm odo 4",
        "pass-time 1 rounds ! 4",
        "begin-encounter ann,ogre ! 18 2",
        'act ann "pulls a lever" ! 3',
        "sheathe ann buckler --out-of-turn ! 3",
        "end-turn",
        "stand ogre ! 12 1",
        "move ogre --to 3,0 ! 12 1",
    ),
    "russell": (
        "join Aldo --scores 13,12,9,11,10,14 --templates sellsword --hit-dice 5 --armour leather --shield --weapon melee",
        "join Brenna --scores 9,10,16,14,13,8 --templates delver --hit-dice 4 --weapon ranged",
        "join Wolf --kind monster --profile 'HD 3 AC 9 Mrl 7' --hp 30",
        "place lit",
        "give aldo ration --count 3",
        "give aldo waterskin",
        "give aldo arrows --use usage:d8",
        "give aldo lantern",
        "give aldo oil",
        "harm aldo 1d4 ! 2",
        "heal aldo 1d4 ! 1",
        "harm aldo 2",
        "meal aldo ! 4",
        "harm aldo 2",
        "use-up aldo arrows ! 5",
        "sleep aldo --no-fire ! 3",
        "condition brenna stunned ! 3",
        "condition brenna stunned --ends",
        "condition brenna bleeding",
        "bleed brenna ! 7",
        "condition brenna bleeding --ends",
        "light aldo lantern",
        "throw-lantern aldo wolf ! 20 2",
        "choose aldo critical:wolf double",
        "burn wolf ! 4",
        "chase aldo,brenna wolf ! 12 9",
        "drop-behind aldo ration wolf --wanted ! 3 4",
        "rest aldo --alone ! 4",
        "begin-encounter aldo,brenna,wolf --range close ! 5 2 1",
        "move aldo --to engaged --foes wolf --athletic ! 4",
        "end-turn",
        "end-turn",
        "attack wolf brenna natural --range engaged ! 20 3",
        "choose wolf critical:brenna double ! 4 2",
        "smother wolf wolf --out-of-turn",
        "end-encounter",
        "surprise wolf ! 3",
        "place lit --dangerous",
        "explore ! 2",
    ),
    "srd5": (
        "join Kara --class-name fighter --level 5 --scores 16,14,14,10,12,8 --weapons longsword --at 0,0",
        "join Mira --class-name wizard --level 20 --scores 8,14,14,18,12,10 --at 1,1",
        "join Ogre --rolled --at 1,0 ! 4 5 4 4 4 4 4 4",
        "join Horse --block riding-horse --at 0,1",
        "mount kara horse",
        "keep-seat kara ! 4",
        "stand kara",
        "begin-encounter kara,ogre,mira ! 18 12 11 3",
        "grapple kara ogre ! 3",
        "end-turn",
        "escape ogre ! 17",
        "act ogre Javelin --targets kara --out-of-turn ! 16 3 4",
        "end-turn",
        "cast mira vampiric-touch --targets ogre ! 18 1 1 1",
        "end-turn",
        "end-turn",
        "end-turn",
        "use-spell mira vampiric-touch --targets ogre ! 18 1 1 1",
        "cast mira delayed-blast-fireball --targets ogre --cost free",
        "drop mira ! 2 1 1 1 1 1 1 1 1 1 1 1 1",
        "harm kara 60",
        "end-turn ! 3",
        "condition kara stable ! 2",
        "end-encounter",
        "rations mira --food little ! 9",
        "hazard assassins-blood mira ! 3 3",
        "give mira 'pipes of haunting'",
        "use mira play --targets ogre ! 3",
        "pass-time 17 hours",
        "long-rest mira ! 2",
        "harm kara 1d4 ! 2",
        "heal kara 1d4 ! 2",
        "influence kara ogre ! 9",
        "study mira ! 9",
        "shove kara ogre ! 3",
        "hide mira ! 12",
        "search kara ! 12",
        "stand kara",
        "jump kara 10 --over ! 9 9",
        "fall ogre 10 ! 3",
        "award kara 8000",
        "level-up kara --roll ! 4",
        "travel 9 --who kara ! 15",
        "stand ogre",
        "begin-encounter mira,ogre ! 18 2",
        "move mira --to 5,5",
        "opportunity ogre mira ! 3",
        "join-encounter kara ! 5 6",
        "end-encounter",
        "harm kara 9",
        "death-save kara ! 12",
    ),
    "storytoken": (
        "join Sam --heritage human --roles thieving,wilderness,noble ! 3,4,5,6,6,3,2,1,4,4,4,5,6,2,3,3,3,3,5",
        "give sam rope",
        "give sam lamp",
        'setback sam "the bridge breaks" --at-random ! 1',
        "join Ghost --kind npc --heritage spirit --level 3 --hp 9",
        "manifest ghost body",
        "relieve ghost embodied ! 3",
        "join Wolf --kind monster --hp 9 --ac 10",
        "begin-encounter sam,wolf ! 12 3",
        "end-turn --next wolf",
        "end-turn ! 3 12",
        "end-encounter",
        "harm sam 2",
        "heal sam 1d4 ! 2",
        "pass-time 6 hours",
        "manifest ghost body",
        "manifest ghost ghost ! 3",
        "pass-time 3 hours",
        "manifest ghost body",
        "take-time day 'a long walk' ! 2",
    ),
}
"""Lines with real dice for verbs that random play hardly ever gets to roll, played one after the other."""


def verbs_of(game: str) -> dict[str, type[Action]]:
    return {verb.verb: verb for verb in (*SHARED, *RULESETS[game].actions)}


@cache
def plays_of(game: str) -> tuple[tuple[type[Action], tuple[Event, ...]], ...]:
    """Actions in which dice fell, by verb."""
    suite, verbs = random_play_of(game), verbs_of(game)
    opening = [result.move for result in suite.opening]
    played = scenes_of(game) + [(verbs[each.move.intent.verb], each.events) for each in suite.opening]
    for seed in range(MOST):
        if seed >= PLAYTHROUGHS and not verbs_without_dice(game, played):
            break
        results = fixed_playthrough(suite.game, opening, seed, ACTIONS)
        played += [(verbs[each.move.intent.verb], each.events) for _, each in results]
    return tuple((verb, events) for verb, events in played if rolls_in(events))


def verbs_without_dice(game: str, played: Sequence[tuple[type[Action], tuple[Event, ...]]]) -> list[str]:
    """The verbs that say in which order they roll, and have not rolled yet."""
    rolled = {verb.verb for verb, events in played if rolls_in(events)}
    return [verb.verb for verb in RULESETS[game].actions if verb.typed_dice and verb.verb not in rolled]


def scenes_of(game: str) -> list[tuple[type[Action], tuple[Event, ...]]]:
    """The scenes of a game, played line by line as a GM types them."""
    verbs, played = verbs_of(game), []
    campaign = memory_book(Path(), ruleset=RULESETS[game]).new("Order", game)
    for line in SCENES.get(game, ()):
        campaign.say(line)
        entry = campaign.history.entries[-1]
        played.append((verbs[line.split()[0]], entry.events))
    return played


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
@rule("QG.5")
def test_every_verb_rolls_in_the_order_that_it_says(game: str) -> None:
    faults = {fault_in_order(verb, events) for verb, events in plays_of(game)}
    assert faults - {""} == set()


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_every_verb_that_rolls_says_in_which_order(game: str) -> None:
    silent = {verb.verb for verb, _ in plays_of(game) if not verb.typed_dice}
    assert silent == set()


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_every_verb_that_says_an_order_rolls_here(game: str) -> None:
    assert verbs_without_dice(game, plays_of(game)) == []


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_dice_come_later_than_others_only_for_a_reason(game: str) -> None:
    """A second step comes where its dice hang on the faces of the first, or after time has passed."""
    without = [
        f"{verb.verb}: {step.said()}"
        for verb in verbs_of(game).values()
        for step in verb.typed_dice[1:]
        if not step.after
    ]
    assert without == []


STEPS = (
    DiceStep(tests={"the d20 to hit": "to hit"}, effects={"the damage": "damage"}, tables={"a Wound": "wound"}),
    DiceStep(
        each="mutant", tests={"the d20": "shock"}, effects={"the minutes": "minutes *"}, after="only the living save"
    ),
)


@pytest.mark.parametrize(
    ("fell", "wrong"),
    [
        (("to hit", "damage", "wound", "shock", "minutes of rest", "shock"), ""),
        (("to hit", "to hit rerolled", "damage", "damage 2"), ""),
        ((), ""),
        (("damage", "to hit"), "to hit"),
        (("to hit", "wound", "damage"), "damage"),
        (("shock", "to hit"), "to hit"),
        (("to hit", "loot"), "loot"),
    ],
)
def test_the_first_roll_out_of_order_is_found(fell: tuple[str, ...], wrong: str) -> None:
    assert out_of_order(STEPS, fell) == wrong


def test_an_order_is_said_in_plain_words() -> None:
    assert said(STEPS) == (
        "the d20 to hit, then the damage, then a Wound; after that for each mutant the d20, then the minutes"
    )
