"""A rule that is handed a value finds the parameter that it came from, and only a parameter of the verb is named in a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import amounts, character, characters, flag, names, number
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import EMPTY


class Everything(Action, verb="everything"):
    """Take a value of each sort."""

    bonus: tuple[str, ...] = names("bonuses", default=())
    stats: Any = amounts("numbers", default={})
    many: int = number("how many", default=1)
    loud: bool = flag("loudly")
    target: str = character("at whom", default="")
    allies: tuple[str, ...] = characters("with whom", default=())
    who: str = character("who acts", default="", actor=True)


FILLED = Everything(bonus=("+2 hill",), stats={"hp": 3}, many=4, target="guard", allies=("guard", "tuck"), who="robin")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("robin", "who"),
        ("guard", "target"),
        ("tuck", "allies"),
        (("+2 hill",), "bonus"),
        ("+2 hill", "bonus"),
        ({"hp": 3}, "stats"),
        ("hp", "stats"),
        (4, "many"),
        (True, ""),
        ("nobody", ""),
        ({"hp": 4}, ""),
        (["hp"], ""),
        (None, ""),
    ],
)
def test_the_parameter_of_a_value_is_found(value: ParameterValue, name: str) -> None:
    assert FILLED.parameter_with(value) == name


def test_who_acts_comes_first_of_those_who_are_named_twice() -> None:
    assert Everything(who="robin", target="robin", allies=("robin",)).parameter_with("robin") == "who"


def table() -> Table:
    return Table(EMPTY, action=FILLED, intent=Intent(verb="everything"), dice=NoDice())


@pytest.mark.parametrize(("said", "named"), [("target", "target"), ("weapon", ""), ("", "")])
def test_a_refusal_names_a_parameter_of_the_verb_or_none(said: str, named: str) -> None:
    with pytest.raises(Refused) as refused:
        table().refuse("No.", parameter=said)
    assert (refused.value.parameter, str(refused.value)) == (named, "No.")


def test_an_error_keeps_the_parameter_that_it_names_first() -> None:
    missing = not_found("character", "guard", ())
    assert (missing.sought, missing.parameter) == ("guard", "")
    assert missing.about("target").about("who").parameter == "target"
