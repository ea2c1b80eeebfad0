"""Every parameter of every verb says whether a player's seat may say it of itself."""

import pytest

from adapters.registry import discover
from domain.action import Action, parameters
from domain.parameters import Parameter, ParameterType

RULESETS = discover().rulesets
ANSWERED: tuple[str, ...] = ()
"""The games whose parameters all have their answer."""

DECISIONS = (ParameterType.CHARACTER, ParameterType.CHARACTERS, ParameterType.GEAR, ParameterType.CHOICE)
"""What has to be given and names somebody, a thing held or one of a few words is what the player decides."""


def open_questions(verb: type[Action]) -> list[Parameter]:
    """The parameters of a verb that players may take, of which nobody can tell whether it is a player's to say."""
    asked = [each for each in parameters(verb) if not each.hidden and not (each.required and each.want in DECISIONS)]
    return [] if verb.gm_only else [each for each in asked if each.gm_only is None]


@pytest.mark.parametrize("game", ANSWERED)
def test_every_parameter_says_whether_a_player_may_say_it(game: str) -> None:
    silent = {f"{verb.verb} {each.name}" for verb in RULESETS[game].actions for each in open_questions(verb)}
    assert silent == set()
