"""The fold takes any events in any order, a piece at a time or all at once, and what it publishes stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain import events
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.events import DiceRolled, Event, vocabulary
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, Character, Seat, equal_in_order
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.fold import Draft, fold
from rollbook.domain.state.fold.draft import _ARMS, BRIEF
from rollbook.domain.state.reads import differs
from tests.support.codec_lines import read_back
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps
from tests.support.strategies import EVENTS, HISTORIES, any_of
from tests.support.toy_table import ToyTable, play_random_steps

NEUTRAL = {events.DiceRevealed, events.NoteWritten, events.RulingMade, events.CheckResolved}
PEOPLE = [events.CharacterJoined(character=who, name=who) for who in ("robin", "marian", "", "*")]
BUSY = fold(
    EMPTY,
    [
        *PEOPLE,
        events.SeatTaken(seat="Ana", role=events.Role.GM, number=0),
        events.SessionOpened(session=1),
        events.EncounterBegan(title="a brawl"),
        events.TurnBegan(character="robin"),
    ],
)


@given(HISTORIES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_fold_refuses_no_sequence_of_events(history: list[Event]) -> None:
    fold(BUSY, history)
    fold(EMPTY, history)


@pytest.mark.parametrize("cls", vocabulary(), ids=lambda cls: cls.__name__)
def test_every_class_of_event_has_its_arm(cls: type[Event]) -> None:
    assert cls in _ARMS


def test_no_other_class_has_an_arm() -> None:
    assert set(_ARMS) == {*vocabulary(), *BRIEF.values()}


@pytest.mark.parametrize("cls", vocabulary(), ids=lambda cls: cls.__name__)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_event_of_any_class_folds_into_a_busy_and_an_empty_campaign(cls: type[Event], data: st.DataObject) -> None:
    event = data.draw(any_of(cls))
    after = fold(BUSY, (event,))
    fold(EMPTY, (event,))
    if cls in NEUTRAL:
        assert comparable(after) == comparable(BUSY)


@given(HISTORIES, st.integers(0, 25))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_fold_of_a_whole_is_the_fold_of_its_parts(history: list[Event], cut: int) -> None:
    whole = fold(BUSY, history)
    assert comparable(fold(fold(BUSY, history[:cut]), history[cut:])) == comparable(whole)
    one_by_one = BUSY
    for event in history:
        one_by_one = fold(one_by_one, (event,))
    assert comparable(one_by_one) == comparable(whole)


@given(HISTORIES, st.lists(st.integers(0, 25)))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_draft_that_publishes_in_between_goes_on_where_it_was(history: list[Event], stops: list[int]) -> None:
    draft = Draft(BUSY)
    published = []
    for place, event in enumerate(history):
        if place in stops:
            published.append((place, draft.publish()))
        draft.apply([event])
    assert comparable(draft.publish()) == comparable(fold(BUSY, history))
    for place, campaign in published:
        assert comparable(campaign) == comparable(fold(BUSY, history[:place]))


@given(HISTORIES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_what_was_published_stays_as_it_was_and_is_sealed(history: list[Event]) -> None:
    before = comparable(BUSY)
    after = fold(BUSY, history)
    seen = comparable(after)
    fold(after, history)
    assert comparable(BUSY) == before
    assert comparable(after) == seen
    sealed: list[Any] = [after, *after.characters.values(), *([after.encounter] if after.encounter else [])]
    for part in sealed:
        assert part.sealed
        for field in attrs.fields(type(part)):
            with pytest.raises(attrs.exceptions.FrozenInstanceError):
                setattr(part, field.name, getattr(part, field.name))


@given(HISTORIES)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_parts_that_a_draft_says_it_touched_hold_everything_that_changed(history: list[Event]) -> None:
    draft = Draft(BUSY)
    draft.apply(history)
    after = draft.publish()
    for key in keys(BUSY) | keys(after):
        if comparable(BUSY.part(key)) != comparable(after.part(key)):
            assert key in draft.touched


def keys(campaign: CampaignState) -> set[str]:
    """Every part of a campaign that rules can look at."""
    fields = {field.name for field in attrs.fields(CampaignState)} - {"sealed", "characters", "identity", "version"}
    return fields | {f"@{who}" for who in campaign.characters if who != "*"} | {"@*", "present", "with_conditions"}


def test_every_look_at_the_table_notes_a_key_that_a_campaign_has() -> None:
    table = ToyTable()
    for seed in range(0, 8, 2):
        play_random_steps(table, RandomSteps(seed), 40, corrections=0)
    reads = {key for entry in table.history.entries for key in getattr(entry, "reads", ())}
    assert {"seats.Ana", "clock", "encounter", "settings", "pools.doom", "present", "@robin.who"} <= reads, sorted(
        reads
    )
    again = fold(EMPTY, [event for _, entry in table.history.outcomes() if entry for event in entry.events])
    for read in reads:
        assert not differs((read,), keys(again), table.state, again)


def test_a_character_seen_at_the_table_is_not_changed_by_what_happens_next() -> None:
    table = ToyTable()
    seen = table.state.characters["robin"]
    table.do("adjust", who="robin", what="hp", by=-3, reason="so")
    assert (seen.lost, table.state.characters["robin"].lost) == (0, 3)


def test_an_event_about_nobody_changes_nobody() -> None:
    wound = events.DamageTaken(character="nobody", amount=3, dealt=3)
    assert comparable(fold(BUSY, (wound,))) == comparable(BUSY)


def test_the_lowest_free_request_is_given_again_when_it_was_undone() -> None:
    def rolled(repeat: int) -> DiceRolled:
        return DiceRolled(roller="r", purpose="p", expression="1d6", total=1, occasion="s1|attack", repeat=repeat)

    def following(*rolls: Event) -> int:
        return fold(EMPTY, rolls).next_repeat("r", "p", "s1|attack")

    assert following() == 0
    assert following(rolled(0), rolled(1)) == 2
    assert following(rolled(1)) == 0
    assert following(rolled(0), rolled(2)) == 1
    assert following(rolled(0), rolled(1), events.SceneFramed(title="next")) == 0
    assert following(rolled(0), rolled(-1), rolled(10**9)) == 1, "numbers that no table reaches are not noted"
    for other in ("q", "p", "s1|attack"), ("r", "q", "s1|attack"), ("r", "p", "s1|heal"):
        assert fold(EMPTY, [rolled(0)]).next_repeat(*other) == 0


@given(EVENTS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_alike_is_equal_down_to_the_order(event: Event) -> None:
    one, other = fold(BUSY, (event,)), fold(BUSY, (event,))
    for key in keys(one):
        assert equal_in_order(one.part(key), other.part(key))
        assert equal_in_order(one.part(key), BUSY.part(key)) == (
            comparable(one.part(key)) == comparable(BUSY.part(key))
        )


@pytest.mark.parametrize("field", ["stats", "traits", "gear", "pools", "conditions", "choices", "chosen", "usages"])
def test_two_characters_with_the_same_in_another_order_are_not_alike(field: str) -> None:
    def holding(names: str) -> Character:
        found: Mapping[str, int] = dict.fromkeys(names, 1)
        return Character(id="robin", name="Robin", **{field: found})

    assert holding("ab") == holding("ba")
    assert equal_in_order(holding("ab"), holding("ab"))
    assert not equal_in_order(holding("ab"), holding("ba"))
    assert not equal_in_order(holding("ab"), holding("a"))


def test_parts_of_other_sorts_are_not_alike() -> None:
    seat = Seat(name="Ana", role=events.Role.GM, number=0)
    assert not equal_in_order({"Ana": seat, "Bo": seat}, {"Bo": seat, "Ana": seat})
    assert not equal_in_order(None, Encounter())
    assert not equal_in_order(Encounter(), None)
    assert equal_in_order((1, 2), (1, 2))
    assert equal_in_order(None, None)


def test_a_part_of_the_campaign_has_a_key_and_so_has_a_part_of_a_part() -> None:
    joined = [
        events.CampaignStarted(name="x", identity="00"),
        events.RulesetAdopted(ruleset="toy", version="1", settings={"hard": True}),
        events.CharacterJoined(character="robin", name="Robin"),
        events.PoolGained(holder="robin", pool="second wind.once", amount=2),
        events.TimePassed(seconds=60),
    ]
    campaign = fold(EMPTY, joined)
    robin = campaign.characters["robin"]
    assert campaign.part("@robin") is robin
    assert campaign.part("@robin.pools") is robin.pools
    assert campaign.part("@robin.pools.second wind.once") == 2
    assert campaign.part("@robin.name") == "Robin"
    assert (campaign.part("@*"), campaign.part("present")) == (("robin",), ("robin",))
    assert (campaign.part("clock"), campaign.part("settings.hard")) == (60, True)
    for missing in ("@marian", "@marian.pools", "@robin.pools.luck", "settings.easy", "encounter", "encounter.round"):
        assert campaign.part(missing) is None


def test_what_an_open_choice_holds_has_the_same_order_before_and_after_it_is_stored() -> None:
    option = events.Option(key="double", data={"dealt": 5, "brings": ()})
    offered = events.ChoiceOffered(
        character="robin", choice="critical", options=(option,), data={"since": 1, "by": "guard"}
    )
    stored = read_back(Entry(EntryKind.TAKEN, 1, (offered,))).events
    before, after = (fold(EMPTY, [*PEOPLE, *each]) for each in ((offered,), stored))
    assert comparable(before) == comparable(after)
