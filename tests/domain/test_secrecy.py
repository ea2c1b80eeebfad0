"""Who may see what: whom a text names, what the table has seen, and what a seat is told."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.dice.record import StreamPlace
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import (
    CharacterHidden,
    CharacterJoined,
    CharacterRevealed,
    DamageTaken,
    DiceRolled,
    EncounterBegan,
    EntriesRevealed,
    FreshDiceGranted,
    NoteRedacted,
    RoundBegan,
    TurnBegan,
    TurnOrderSet,
)
from rollbook.domain.history.chain import ROOT
from rollbook.domain.history.secrecy import (
    PublicHead,
    counts_secrets,
    hidden_names,
    intent_names_hidden_character,
    is_secret_roll,
    may_see,
    names_hidden_character,
    revealed,
    stored_names_hidden_character,
)
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from tests.support.toy_table import ToyTable


def campaign_with(*hidden: tuple[str, str]) -> CampaignState:
    """Somebody whom everybody knows, and some whom nobody does."""
    joined = [CharacterJoined(character="robin", name="Robin Hood")]
    joined += [CharacterJoined(character=who, name=name) for who, name in hidden]
    return fold(EMPTY, [*joined, *(CharacterHidden(character=who) for who, _ in hidden)])


def taken(**said: Any) -> Entry:
    return Entry(EntryKind.TAKEN, 1, intent=Intent(verb="note"), **said)


# Whom a text names.


@pytest.mark.parametrize(
    "text",
    [
        "ash",
        "ASH!",
        "it was Ash.",
        "Ash's knife",
        "@ash",
        "second wind:ash",
        "s1.0r1t2|attack|ash|to hit|robin#0",
        "ash,robin",
        "first line\nash",
        "Ｂｌａｃｋ Douglas",
        "black\u00a0\ndouglas",
        "the black  douglas",
        "Andre\u0301",
        "ANDRÉ",
        "mal (the knife)",
    ],
)
def test_a_hidden_character_is_found_in_whatever_way_the_name_is_written(text: str) -> None:
    names = hidden_names(
        campaign_with(("ash", "Ash"), ("bd", "Black Douglas"), ("a", "André"), ("m", "Mal (the Knife)"))
    )
    assert names_hidden_character(names, "nobody", text)


@pytest.mark.parametrize("text", ["ashes", "ash-tree", "trash", "black", "Douglas the black", "robin", ""])
def test_words_that_only_look_like_a_hidden_name_are_everybodys(text: str) -> None:
    assert not names_hidden_character(hidden_names(campaign_with(("ash", "Ash"), ("bd", "Black Douglas"))), text)


def test_nobody_is_named_where_nobody_is_hidden() -> None:
    assert hidden_names(campaign_with()) is None
    assert not names_hidden_character(None, "ash")
    assert not stored_names_hidden_character(None, b"no json at all")


def test_what_is_about_to_happen_hides_and_reveals_already() -> None:
    campaign = campaign_with(("ash", "Ash"))
    assert hidden_names(campaign, [CharacterRevealed(character="ash")]) is None
    hides = [CharacterJoined(character="m", name="Marian"), CharacterHidden(character="m")]
    assert names_hidden_character(hidden_names(campaign, hides), "Marian")
    assert names_hidden_character(hidden_names(EMPTY, [CharacterHidden(character="robin")], campaign), "Robin Hood")


def test_who_is_hidden_before_or_after_a_correction_is_hidden_in_it() -> None:
    before, after = campaign_with(("ash", "Ash")), campaign_with(("oak", "Oak"))
    names = hidden_names(before, (), after)
    assert names_hidden_character(names, "Ash")
    assert names_hidden_character(names, "Oak")


def test_an_intent_is_searched_to_its_last_word() -> None:
    names = hidden_names(campaign_with(("ash", "Ash")))
    assert intent_names_hidden_character(names, Intent(verb="x", params={"who": ("robin", "ash")}))
    assert intent_names_hidden_character(names, Intent(verb="x", params={"what": "to Ash"}))
    assert not intent_names_hidden_character(names, Intent(verb="ash", params={"ash": 7, "b": True, "c": ("robin",)}))


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8).filter(str.strip))
def test_a_stored_event_is_searched_as_it_reads_not_as_it_is_written(name: str) -> None:
    from rollbook.application.encoding.codec import CODEC  # noqa: PLC0415 - what it is written with is no matter of this test but here

    names = hidden_names(campaign_with(("hidden-id", name)))
    line = CODEC.encode(DamageTaken(character="robin", amount=1, dealt=1, source=f"by\n{name}"))
    assert stored_names_hidden_character(names, line) is names_hidden_character(names, f"by\n{name}")
    if name.isalnum():
        assert stored_names_hidden_character(names, line)
    nobody = CODEC.encode(DamageTaken(character="robin", amount=1, dealt=1))
    called = hidden_names(campaign_with(("damagetaken", "DamageTaken@1")))
    assert not stored_names_hidden_character(called, nobody)


# What the table has seen.


def test_the_table_sees_what_is_everybodys() -> None:
    shown = PublicHead()
    for entry, expected in (
        (taken(hash="aa"), (1, 1, "aa", False)),
        (taken(hash="bb", visibility="gm"), (1, 1, "aa", True)),
        (taken(hash="cc", visibility="mira"), (1, 1, "aa", True)),
        (Entry(EntryKind.REVISED, 1, intent=Intent(verb="x"), hash="dd"), (2, 1, "dd", True)),
        (taken(hash="ee"), (3, 2, "ee", True)),
    ):
        shown = shown.after(entry)
        assert (shown.entries, shown.actions, shown.hash, shown.secrets) == expected
    assert PublicHead().hash == ROOT
    assert PublicHead().after(taken(hidden_events=(0,))).secrets


def test_a_seat_sees_what_is_everybodys_its_own_and_what_is_told_to_it() -> None:
    secret = DiceRolled(roller="robin", purpose="x", expression="1d6", total=3, secret=True)
    assert is_secret_roll(secret)
    for entry, events, who in (
        (taken(), (secret,), {"mira", "tom", ""}),
        (taken(visibility="mira"), (), {"mira"}),
        (taken(visibility="gm", seat="tom"), (), {"tom"}),
        (taken(visibility="gm", seat="tom"), (secret,), set()),
        (taken(visibility="mira", seat="tom"), (), {"mira", "tom"}),
        (taken(visibility="gm"), (), set()),
    ):
        assert {seat for seat in ("mira", "tom", "") if may_see(seat, entry._replace(events=events))} == who


def test_what_counts_hidden_things_is_known() -> None:
    open_place = StreamPlace(screen=False, fork=0, seat=1, number=2)
    assert counts_secrets(FreshDiceGranted(session=1, places=(open_place, open_place._replace(screen=True)), why="x"))
    assert not counts_secrets(FreshDiceGranted(session=1, places=(open_place,), why="x"))
    assert counts_secrets(EntriesRevealed(entries=(3,)))
    assert counts_secrets(NoteRedacted(action=1, why="x", entries=(1,)))
    assert not counts_secrets(RoundBegan())
    assert revealed([EntriesRevealed(entries=(3, 4)), RoundBegan(), EntriesRevealed(entries=(4, 9))]) == {3, 4, 9}


# What open rolls say of the moment.


def request_of_a_roll(table: ToyTable, *, secret: bool = False) -> tuple[str, int]:
    entry = table.do("roll", expression="1d6", secret=secret)
    (roll,) = (event for event in entry.events if isinstance(event, DiceRolled))
    return roll.occasion, roll.repeat


def test_open_requests_are_counted_without_the_secret_ones() -> None:
    table = ToyTable()
    asked = [request_of_a_roll(table, secret=secret) for secret in (False, True, True, False, True, False)]
    assert [request for request in asked if not request[0].startswith("screen ")] == [
        ("s1.0|roll|", number) for number in range(3)
    ]
    assert [request for request in asked if request[0].startswith("screen ")] == [
        ("screen s1.0|roll|", number) for number in range(3)
    ]


def test_the_turn_of_somebody_hidden_is_no_turn_that_the_table_counts() -> None:
    state = campaign_with(("ash", "Ash"))
    fight = [EncounterBegan(), TurnOrderSet(order=("robin", "ash")), RoundBegan(), TurnBegan(character="robin")]
    roll = DiceRolled(roller="robin", purpose="x", expression="1d6", total=3, occasion="s1.0r1t1|x|")
    before = fold(state, [*fight, roll])
    after = fold(before, [TurnBegan(character="ash")])
    assert before.encounter is not None
    assert after.encounter is not None
    assert (after.encounter.current, after.encounter.turn) == ("ash", before.encounter.turn)
    assert after.dice_requests == before.dice_requests
    assert fold(before, [TurnBegan(character="robin")]).dice_requests == {}


def test_a_fight_of_hidden_characters_alone_shows_in_no_open_roll() -> None:
    table = ToyTable()
    for name in ("Ash", "Oak"):
        table.do("join", name=name, secret=True)
    table.do("fight", who=("ash", "oak"), secret=True)
    table.do("next-turn", secret=True)
    assert request_of_a_roll(table) == ("s1.0|roll|", 0)
    assert request_of_a_roll(table, secret=True) == ("screen s1.0r1t0|roll|", 0)
    assert attrs.evolve(table.state, encounter=None).encounter is None
