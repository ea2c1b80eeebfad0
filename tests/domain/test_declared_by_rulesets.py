"""What the engine and the command line show or count by is declared by a ruleset, not known to them by name."""

from __future__ import annotations

import attrs
import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, actor_of
from rollbook.domain.rules.parameters import character, words
from rollbook.domain.rules.ruleset import OVERVIEW, Ruleset
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.plugin import events
from rollbook.testing.scenarios import like, scenario

GAME = Ruleset(
    key="game", title="", version="1", summary="", actions=(), sheet=lambda who, _: Sheet(character=who.id, name="")
)


class Fly(Action, verb="fly"):
    """Fly somewhere."""

    guest: str = character("who comes along", default="")
    pilot: str = character("who flies", default="", actor=True)
    place: str = words("where to", default="")


@pytest.mark.parametrize(
    ("params", "who"),
    [({"guest": "ida", "pilot": "amelia"}, "amelia"), ({"guest": "ida"}, "ida"), ({"place": "amelia"}, ""), ({}, "")],
)
def test_who_acts_is_the_declared_actor_or_else_the_first_character_that_is_named(params: dict, who: str) -> None:
    assert actor_of(Fly(**params)) == who


def test_time_in_rounds_is_as_long_as_the_ruleset_says() -> None:
    quick = attrs.evolve(GAME, round_seconds=lambda _: 7)
    scenario(quick).when(PassTime(amount=3, unit="rounds")).then(like(events.TimePassed, seconds=21))
    scenario(GAME).when(PassTime(amount=3, unit="rounds")).refused("does not say how long a round is")


def test_a_table_of_the_party_shows_what_the_ruleset_declares() -> None:
    own = attrs.evolve(GAME, key="own", overview=("cheese",))
    rulebook = Rulebook({"game": GAME, "own": own})
    shown = [rulebook.overview(attrs.evolve(EMPTY, ruleset=key)) for key in ("game", "own", "gone")]
    assert shown == [OVERVIEW, ("cheese",), OVERVIEW]
