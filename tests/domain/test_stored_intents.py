"""Intents that come again are built once, and only what is the same in every respect is taken for the same."""

import pytest

from rollbook.domain.base.errors import Refused
from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import Action, build, build_stored
from rollbook.domain.rules.parameters import characters, number, settings, words


class Shoot(Action, verb="shoot"):
    targets: tuple[str, ...] = characters("who is shot at", default=())
    distance: int = number("how far away", default=0, minimum=0, maximum=100)
    cry: str = words("what is shouted", default="")


class Agree(Action, verb="agree"):
    on: dict = settings("on what", default={})


def test_equal_intents_are_built_once() -> None:
    one, other = (Intent(verb="shoot", params={"targets": ("guard",), "distance": 40}) for _ in range(2))
    assert build_stored(Shoot, one) is build_stored(Shoot, other)
    assert build_stored(Shoot, one) == build(Shoot, one.params)


@pytest.mark.parametrize("odd", [True, 1.0, ["guard"], ("guard",)])
def test_what_is_only_equal_to_a_value_that_was_taken_is_refused_as_ever(odd: object) -> None:
    build_stored(Shoot, Intent(verb="shoot", params={"distance": 1}))
    with pytest.raises(Refused, match="distance is a whole number"):
        build_stored(Shoot, Intent(verb="shoot", params={"distance": odd}))


def test_a_list_where_names_belong_is_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="targets is a list of names"):
        build_stored(Shoot, Intent(verb="shoot", params={"targets": ["guard"]}))


def test_yes_and_one_among_settings_stay_what_they_are() -> None:
    yes, one = (build_stored(Agree, Intent(verb="agree", params={"on": {"hard": value}})) for value in (True, 1))
    assert (yes.on["hard"], one.on["hard"]) == (True, 1)
    assert type(one.on["hard"]) is int


def test_a_refusal_comes_again_each_time() -> None:
    for _ in range(2):
        with pytest.raises(Refused, match="at most 100"):
            build_stored(Shoot, Intent(verb="shoot", params={"distance": 101}))
