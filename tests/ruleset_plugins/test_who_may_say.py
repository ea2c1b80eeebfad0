"""Every parameter of every verb says whether a player's seat may say it of itself."""

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.actions import SHARED
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from tests.support.games import INSTALLED_RULESETS

RULESETS = discover().rulesets
DECISIONS = (ParameterType.CHARACTER, ParameterType.CHARACTERS, ParameterType.GEAR, ParameterType.CHOICE)
"""What has to be given and names somebody, a thing held or one of a few words is what the player decides."""


def open_questions(verb: type[Action]) -> list[Parameter]:
    """The parameters of a verb that players may take, of which nobody can tell whether it is a player's to say."""
    asked = [each for each in parameters(verb) if not each.hidden and not (each.required and each.want in DECISIONS)]
    return [] if verb.gm_only else [each for each in asked if each.gm_only is None]


def verbs_of_the_engine() -> list[type[Action]]:
    """The verbs that every game has."""
    return list(SHARED)


def test_so_do_the_parameters_of_the_verbs_that_every_game_has() -> None:
    walked = verbs_of_the_engine()
    assert {"roll", "note", "drop", "entropy"} <= {verb.verb for verb in walked}
    assert {f"{verb.verb} {each.name}" for verb in walked for each in open_questions(verb)} == set()


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_every_parameter_says_whether_a_player_may_say_it(game: str) -> None:
    silent = {f"{verb.verb} {each.name}" for verb in RULESETS[game].actions for each in open_questions(verb)}
    assert silent == set()


READ_BY_RULES = ("advantage", "bonus", "damage_bonus", "opponent_bonus", "tags", "damage", "heal", "out_of_turn")
"""Parameters whose words and numbers the rules read: sorts of damage that wound threefold, bonuses, dice."""


@pytest.mark.parametrize("game", RULESETS)
def test_nothing_that_a_player_types_freely_is_read_back_as_a_rule(game: str) -> None:
    said = {
        f"{verb.verb} {each.name}"
        for verb in RULESETS[game].actions
        for each in parameters(verb)
        if not verb.gm_only and each.name in READ_BY_RULES and not each.gm_only and not each.choices
    }
    assert said == set()


def test_only_the_gm_says_that_something_needs_no_turn() -> None:
    waives = [
        (game, verb.verb, each.gm_only)
        for game, ruleset in RULESETS.items()
        for verb in ruleset.actions
        for each in parameters(verb)
        if each.name == "out_of_turn" and not verb.gm_only
    ]
    assert {game for game, _, _ in waives} >= set(INSTALLED_RULESETS)
    assert [each for each in waives if each[2] is not True] == []
