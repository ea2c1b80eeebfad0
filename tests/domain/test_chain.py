"""No stored byte can be changed, moved, taken out or put in without the chain saying where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.campaign import Campaign
from adapters.storage.codec import CODEC
from adapters.storage.event_store import MemoryEventStore
from domain.audit import Verdict
from domain.chain import ROOT, canonical, digest, entry_hash, halves, has_halves, link, marked, sealed, unsealed, was
from domain.event_store import StoredEvent
from domain.events import ActionTaken, ActionVoided, Intent, NoteWritten
from tests.support.campaigns import (
    begin_campaign,
    chain_answer,
    events_by_entry,
    file_book,
    memory_book,
    renumbered,
    stored_events,
)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    book = memory_book(tmp_path_factory.mktemp("chain"))
    made = begin_campaign(book)
    made.do("entropy", {"text": "äöü 6 2 5"}, seat="mira")
    made.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    made.do("note", {"text": "the duke did it", "to": "gm"})
    made.do("hide", {"who": "robin"}, secret=True)
    made.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
    wound = made.history.actions
    made.apply(made.undo(wound, reason="did not"))
    made.apply(made.redo(wound, reason="did"))
    made.apply(made.amend(wound, {"by": -2}, reason="less"))
    return made


@pytest.fixture(scope="module")
def events(campaign: Campaign) -> list[StoredEvent]:
    return stored_events(campaign)


def test_an_untouched_history_verifies(campaign: Campaign, events: list[StoredEvent]) -> None:
    answer = chain_answer(events)
    assert (answer.verdict, answer.checked, answer.findings) == (Verdict.VERIFIED, len(events), ())
    assert answer.remarks == (f"{campaign.head.entry} entries, {len(events)} events",)
    assert chain_answer([]).verdict is Verdict.VERIFIED


def test_every_changed_byte_of_the_data_is_found(events: list[StoredEvent]) -> None:
    missed = []
    for place, event in enumerate(events):
        number = len(events_by_entry(events[: place + 1]))
        for at in range(len(event.data)):
            data = bytearray(event.data)
            data[at] ^= (1 << (at // 3 % 8), 0x20, 0xFF)[at % 3]
            answer = chain_answer(until(events, place, event._replace(data=bytes(data))))
            if answer.verdict is not Verdict.FAILED or answer.findings[0].entry != number:
                missed.append((place, at))
    assert missed == []


def until(events: list[StoredEvent], place: int, changed: StoredEvent) -> list[StoredEvent]:
    """The history up to the end of the entry in which one event was changed."""
    rest = (at for at in range(place + 1, len(events)) if events[at].name in CODEC.headers)
    return [*events[:place], changed, *events[place + 1 : next(rest, len(events))]]


def test_every_changed_byte_of_the_names_is_found(events: list[StoredEvent]) -> None:
    missed = []
    for place, event in enumerate(events):
        for at in range(len(event.name)):
            for mask in (0x01, 0x20, 0x80):
                name = bytearray(event.name.encode())
                name[at] ^= mask
                changed = event._replace(name=name.decode("latin-1"))
                if chain_answer(until(events, place, changed)).verdict is not Verdict.FAILED:
                    missed.append((place, at, mask))
    assert missed == []


def test_every_event_that_is_taken_out_is_found_even_the_last(events: list[StoredEvent]) -> None:
    for place in range(len(events)):
        shorter = [*events[:place], *events[place + 1 :]]
        for told in (shorter, renumbered(shorter)):
            assert chain_answer(told).verdict is Verdict.FAILED


def test_every_entry_that_is_taken_out_is_found(events: list[StoredEvent]) -> None:
    whole = events_by_entry(events)
    for place in range(len(whole) - 1):
        shorter = renumbered(event for entry in whole[:place] + whole[place + 1 :] for event in entry)
        answer = chain_answer(shorter)
        assert answer.verdict is Verdict.FAILED
        assert answer.findings[0].entry == place + 1


def test_a_lost_end_is_found_by_whoever_remembers_it(campaign: Campaign, events: list[StoredEvent]) -> None:
    whole = events_by_entry(events)
    remembered = (len(whole), campaign.head.hash)
    assert chain_answer(events, remembered).verdict is Verdict.VERIFIED
    for keep in range(len(whole)):
        shorter = [event for entry in whole[:keep] for event in entry]
        assert chain_answer(shorter).verdict is Verdict.VERIFIED
        answer = chain_answer(shorter, remembered)
        assert answer.verdict is Verdict.FAILED
        assert str(len(whole)) in answer.findings[0].text


def test_another_end_of_the_same_length_is_found_by_whoever_remembers_it(
    campaign: Campaign, events: list[StoredEvent]
) -> None:
    answer = chain_answer(events, (campaign.head.entry, "ab" * 32))
    assert (answer.verdict, answer.findings[0].entry) == (Verdict.FAILED, campaign.head.entry)
    assert chain_answer(events, (3, campaign.history.entries[2].header.witness)).verdict is Verdict.VERIFIED


def test_two_events_that_change_places_are_found(events: list[StoredEvent]) -> None:
    for one in range(len(events)):
        for other in range(one + 1, min(one + 6, len(events))):
            if events[one][1:] == events[other][1:]:
                continue
            swapped = list(events)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            for told in (swapped, renumbered(swapped)):
                assert chain_answer(told).verdict is Verdict.FAILED


def test_entries_that_change_places_are_found(events: list[StoredEvent]) -> None:
    whole = events_by_entry(events)
    for one in range(len(whole) - 1):
        swapped = [*whole[:one], whole[one + 1], whole[one], *whole[one + 2 :]]
        assert chain_answer(renumbered(event for entry in swapped for event in entry)).verdict is Verdict.FAILED


def test_every_event_or_entry_that_stands_twice_is_found(events: list[StoredEvent]) -> None:
    for place, event in enumerate(events):
        assert chain_answer(renumbered([*events[:place], event, *events[place:]])).verdict is Verdict.FAILED
    whole = events_by_entry(events)
    for place, entry in enumerate(whole):
        twice = [*whole[: place + 1], entry, *whole[place + 1 :]]
        answer = chain_answer(renumbered(event for each in twice for event in each))
        assert (answer.verdict, answer.findings[0].entry) == (Verdict.FAILED, place + 2)


def test_an_event_or_an_unchained_entry_that_was_put_in_is_found(events: list[StoredEvent]) -> None:
    note = StoredEvent(0, *CODEC.encode(ActionTaken(action=99, intent=Intent(verb="note"))))
    fact = StoredEvent(0, "TimePassed@1", b'{"seconds":60}')
    for place in range(len(events) + 1):
        for stranger in ([fact], [note], [note, fact]):
            told = renumbered([*events[:place], *stranger, *events[place:]])
            assert chain_answer(told).verdict is Verdict.FAILED


def test_an_entry_of_another_campaign_is_found(tmp_path: Path, events: list[StoredEvent]) -> None:
    other = stored_events(begin_campaign(memory_book(tmp_path), "Sherwood", drawn="another"))
    for place, entry in enumerate(events_by_entry(other)[1:], 1):
        whole = events_by_entry(events)
        mixed = [*whole[:place], entry, *whole[place + 1 :]]
        assert chain_answer(renumbered(event for each in mixed for event in each)).verdict is Verdict.FAILED


def test_the_end_can_be_stored_again_after_damage_and_every_later_entry_is_still_checked(
    events: list[StoredEvent],
) -> None:
    damaged = list(events)
    damaged[4] = damaged[4]._replace(data=damaged[4].data.replace(b"Ana", b"Bob"))
    damaged[-1] = damaged[-1]._replace(data=damaged[-1].data.replace(b"-2", b"-9"))
    answer = chain_answer(damaged)
    assert [finding.entry for finding in answer.findings] == [2, len(events_by_entry(events))]


def test_the_same_history_in_another_store_verifies_too(
    campaign: Campaign, events: list[StoredEvent], tmp_path: Path
) -> None:
    for store in (MemoryEventStore(), None):
        book = file_book(tmp_path, store)
        book.store.append(campaign.id, 0, [(event.name, event.data) for event in events])
        copy = book.campaign(campaign.id)
        assert copy.journal.audit_chain().verdict is Verdict.VERIFIED
        assert copy.state == campaign.state
        book.close()


# The parts of a link.


@given(st.text(max_size=8), st.binary(max_size=20), st.text(max_size=4))
@settings(max_examples=100, derandomize=True)
def test_a_digest_tells_name_bytes_and_salt_apart(name: str, data: bytes, salt: str) -> None:
    told = digest(name, data, salt)
    assert len(told) == 32
    assert digest(name + "x", data, salt) != told
    assert digest(name, data + b"x", salt) != told
    assert digest(name, data, salt + "x") != told
    if data[:1].isascii() and data:
        assert digest(name + data[:1].decode(), data[1:], salt) != told


def test_a_link_depends_on_the_number_and_the_order_of_its_events() -> None:
    one, other = digest("a", b"1"), digest("b", b"2")
    links = {link(ROOT, digests) for digests in ([], [one], [one, other], [other, one], [one, one])}
    assert len(links) == 5
    assert entry_hash(ROOT, [("a", b"1"), ("b", b"2")]) == link(ROOT, [one, other])
    assert entry_hash("11" * 32, [("a", b"1")]) != entry_hash(ROOT, [("a", b"1")])


def test_a_header_gives_back_its_hash_and_is_then_as_it_was() -> None:
    _, bare = CODEC.encode(ActionVoided(action=7, reason='"witness":""}'))
    whole = sealed(bare, "ab" * 32)
    assert unsealed(whole) == (bare, "ab" * 32)
    assert CODEC.decode("ActionVoided@1", whole).witness == "ab" * 32  # type: ignore[attr-defined]
    for odd in (b"", b"{}", bare, sealed(bare, "AB" * 32), sealed(bare, "ab" * 31), sealed(bare, "gh" * 32)):
        assert unsealed(odd) == (odd, "")


# Two halves.


def in_halves(events: list[StoredEvent]) -> list[list[tuple[str, bytes]]]:
    """The entries that are hashed as two halves."""
    pairs = [[(event.name, event.data) for event in entry] for entry in events_by_entry(events)]
    return [entry for entry in pairs if has_halves(entry[0][0], json.loads(entry[0][1])["salt"])]


def test_what_follows_a_secret_is_hashed_as_two_halves_and_what_came_before_is_not(events: list[StoredEvent]) -> None:
    salted = in_halves(events)
    secret = next(at for at, entry in enumerate(events_by_entry(events)) if b'"visibility":"gm"' in entry[0].data)
    assert len(salted) == len(events_by_entry(events)) - secret
    assert not has_halves("ActionTaken@1", "ab")
    assert not has_halves("ActionTaken@2", "")


def test_the_told_half_holds_nothing_that_counts(events: list[StoredEvent]) -> None:
    for entry in in_halves(events):
        found = halves(entry)
        assert {"action", "because", "reads", "salt", "veiled", "parent", "witness"}.isdisjoint(found.header)
        assert len(found.facts) + len(found.veiled) == len(entry) - 1
        header = json.loads(entry[0][1])
        assert found.witness(header["parent"]) == header["witness"]
        assert found.witness("ab" * 32) != header["witness"]


def test_a_secret_roll_in_an_open_action_is_in_the_kept_half(tmp_path: Path) -> None:
    made = begin_campaign(memory_book(tmp_path))
    made.do("hide", {"who": "robin"})
    (entry,) = in_halves(stored_events(made))
    found = halves(entry)
    assert [name for name, _ in found.veiled] == ["DiceRolled@1"]
    assert json.loads(entry[0][1])["veiled"] == [0]
    assert all(b'"secret":true' not in data for _, data in found.facts)


def test_the_same_words_in_other_bytes_are_found(events: list[StoredEvent]) -> None:
    for entry in in_halves(events):
        name, data = entry[0]
        header = json.loads(data)
        for other in (
            json.dumps(header, sort_keys=True).encode(),
            json.dumps(header, separators=(",", ":"), ensure_ascii=False)
            .replace('"reason":', '"reason": ', 1)
            .encode(),
            data.replace(b'{"action":', b'{"action":1,"action":', 1),
            data.replace(b'"at":', b'"a\\u0074":', 1),
        ):
            if other != data:
                with pytest.raises(ValueError, match="not written as it was"):
                    entry_hash(header["parent"], [(name, other), *entry[1:]], header["salt"])


def test_an_entry_says_what_the_table_saw_last_and_the_audit_holds_it_to_that(tmp_path: Path) -> None:
    """Somebody who can compute tells another entry as the one before it."""
    made = begin_campaign(memory_book(tmp_path))
    made.do("note", {"text": "x", "to": "gm"})
    made.do("note", {"text": "y"})
    whole = events_by_entry(stored_events(made))
    (name, data), *facts = [(event.name, event.data) for event in whole[-1]]
    header = json.loads(data)
    header["follows"] = json.loads(whole[-4][0].data)["witness"]
    header["witness"] = entry_hash(
        header["parent"], [(name, canonical({**header, "witness": ""})), *facts], header["salt"]
    )
    told = renumbered(
        [*(event for entry in whole[:-1] for event in entry), StoredEvent(0, name, canonical(header)), *whole[-1][1:]]
    )
    answer = chain_answer(told)
    assert answer.verdict is Verdict.FAILED
    assert answer.findings[0].text == "the table had not seen what it says came before it"


@given(st.text(st.characters(exclude_categories=("Cs",))))
@settings(max_examples=200, derandomize=True)
def test_whatever_is_written_is_written_in_the_one_way(text: str) -> None:
    for event in (
        NoteWritten(text=text),
        ActionTaken(action=1, intent=Intent(verb="x", params={"a": text, text: (text,)})),
    ):
        _, data = CODEC.encode(event)
        assert canonical(json.loads(data)) == data


@given(st.binary(max_size=40))
def test_a_mark_is_read_as_it_was_written(data: bytes) -> None:
    event = canonical({"text": data.hex()})
    assert was(event) == (event, "")
    assert was(marked(event, "ab" * 32)) == (event, "ab" * 32)
    assert was(data) == (data, "")
