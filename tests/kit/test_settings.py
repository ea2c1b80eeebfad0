"""A ruleset's own settings, at a table and without one, and halves rounded as the table rounds them."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import fold
from rollbook.kit import settings
from rollbook.plugin import Ruleset, Sheet, events, setting
from rollbook.testing.scenarios import rule
from tests.support.bare_table import table_after


@attrs.frozen(kw_only=True)
class Settings(settings.RoundedHouseRules):
    tea: int = setting(2, "cups a day")


GAME = Ruleset(
    key="game",
    title="",
    summary="",
    version="1",
    actions=(),
    settings=Settings,
    sheet=lambda who, _: Sheet(character=who.id, name=""),
)
ADOPTED = events.RulesetAdopted(ruleset="game", version="1", settings={"tea": 5, "gone": 1})


def test_the_house_rules_are_the_same_at_a_table_and_without_one() -> None:
    assert Settings.of(table_after((ADOPTED,), ruleset=GAME)) == Settings(tea=5) == Settings.of(fold(EMPTY, (ADOPTED,)))


def test_what_a_campaign_has_not_written_down_is_as_usual() -> None:
    assert Settings.of(table_after(ruleset=GAME)) == Settings(tea=2) == Settings.of(EMPTY)


@rule("QG.1")
@given(st.integers(-1_000, 1_000))
def test_two_halves_one_up_and_one_down_are_the_whole(number: int) -> None:
    up, down = Settings(rounding="ceil").half(number), Settings(rounding="floor").half(number)
    assert up + down == number
    assert up - down == number % 2


@rule("QG.1")
@pytest.mark.parametrize(("rounding", "half"), [("floor", 2), ("ceil", 3)])
def test_a_table_halves_as_it_has_chosen_to_round(rounding: str, half: int) -> None:
    assert Settings(rounding=rounding).half(5) == half
