"""A verb is a frozen class of named parameters because it is an Action, without a decorator."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest

from rollbook.domain.rules.action import Action, intent_of, parameters
from rollbook.domain.rules.parameters import flag, number, words


class Whistle(Action, verb="whistle"):
    """Whistle a tune."""

    tune: str = words("which tune")
    loud: bool = flag("so that everybody hears it")


class WhistleOften(Whistle, verb="whistle-often"):
    """Whistle a tune again and again."""

    times: int = number("how often", default=2)


@pytest.mark.parametrize("verb", [Whistle, WhistleOften])
def test_a_verb_is_a_frozen_value(verb: type[Whistle]) -> None:
    action = verb(tune="Greensleeves")
    assert action == verb(tune="Greensleeves", loud=False) != verb(tune="Greensleeves", loud=True)
    assert hash(action) == hash(verb(tune="Greensleeves"))
    assert repr(action).startswith(f"{verb.__name__}(tune='Greensleeves', loud=False")
    assert attrs.evolve(action, loud=True).loud
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        action.tune = "Yankee Doodle"
    with pytest.raises(TypeError):
        verb("Greensleeves")


@pytest.mark.parametrize(("verb", "names"), [(Whistle, ["tune", "loud"]), (WhistleOften, ["tune", "loud", "times"])])
def test_its_parameters_are_those_it_inherits_and_then_its_own(verb: type[Whistle], names: list[str]) -> None:
    assert [each.name for each in parameters(verb)] == names
    assert [each.required for each in parameters(verb)] == [True, *[False] * (len(names) - 1)]
    assert list(intent_of(verb(tune="Greensleeves")).params) == names


def test_a_verb_is_made_when_it_is_first_used_by_many_at_once() -> None:
    class Hum(Action, verb="hum"):
        action: str = words("a parameter of the name that is awkward for a constructor")

    class HumOften(Hum, verb="hum-often"):
        times: int = number("how often", default=2)

    assert "__attrs_attrs__" not in vars(Hum)
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda times: HumOften(action="hum", times=times), range(64)))
    assert [each.times for each in made] == list(range(64))
    assert Hum(action="hum") == Hum(action="hum") != HumOften(action="hum")
