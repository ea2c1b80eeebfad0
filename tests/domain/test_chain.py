"""No stored byte can be changed, moved, taken out or put in without the chain saying where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import NoteWritten, TimePassed
from rollbook.domain.history.chain import ROOT, canonical, digest, entry_hash, lines_of, mark, removed, seal, seal_of
from rollbook.domain.history.event_store import StoredEntry
from tests.support.audits import chain_of
from tests.support.campaigns import begin_campaign, chain_answer, file_book, memory_book, new, renumbered, stored_events
from tests.support.codec_lines import envelopes_of, halves_of
from tests.support.memory_store import MemoryEventStore


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
    made.corrections.undo(wound, reason="did not").apply()
    made.corrections.redo(wound, reason="did").apply()
    made.corrections.amend(wound, {"by": -2}, reason="less").apply()
    return made


@pytest.fixture(scope="module")
def entries(campaign: Campaign) -> list[StoredEntry]:
    return stored_events(campaign)


def with_lines(entry: StoredEntry, lines: list[bytes]) -> StoredEntry:
    return entry._replace(data=b"\n".join(lines))


def test_an_untouched_history_verifies(campaign: Campaign, entries: list[StoredEntry]) -> None:
    answer = chain_answer(entries)
    assert (answer.verdict, answer.checked, answer.findings) == (Verdict.VERIFIED, len(entries), ())
    events = sum(len(entry.events) for entry in campaign.history.entries)
    assert answer.remarks == (f"{events} events",)
    assert answer.covered == answer.entries == campaign.head.entry
    assert chain_answer([]).verdict is Verdict.VERIFIED


@pytest.mark.slow
def test_every_changed_byte_of_the_data_is_found(entries: list[StoredEntry]) -> None:
    missed = []
    for place, entry in enumerate(entries):
        for at in range(len(entry.data)):
            data = bytearray(entry.data)
            data[at] ^= (1 << (at // 3 % 8), 0x20, 0xFF)[at % 3]
            answer = chain_answer([*entries[:place], entry._replace(data=bytes(data))])
            if answer.verdict is not Verdict.FAILED or answer.findings[0].entry != place + 1:
                missed.append((place, at))
    assert missed == []


def test_every_changed_byte_of_the_names_is_found(entries: list[StoredEntry]) -> None:
    missed = []
    for place, entry in enumerate(entries):
        for at in range(len(entry.kind)):
            for mask in (0x01, 0x20, 0x80):
                kind = bytearray(entry.kind.encode())
                kind[at] ^= mask
                changed = entry._replace(kind=kind.decode("latin-1"))
                if chain_answer([*entries[:place], changed]).verdict is not Verdict.FAILED:
                    missed.append((place, at, mask))
    assert missed == []


def test_every_line_that_is_taken_out_is_found_even_the_last(entries: list[StoredEntry]) -> None:
    for place, entry in enumerate(entries):
        lines = lines_of(entry.data)
        for at in range(len(lines)):
            shorter = with_lines(entry, [*lines[:at], *lines[at + 1 :]])
            assert chain_answer([*entries[:place], shorter, *entries[place + 1 :]]).verdict is Verdict.FAILED


def test_every_entry_that_is_taken_out_is_found(entries: list[StoredEntry]) -> None:
    for place in range(len(entries) - 1):
        shorter = [*entries[:place], *entries[place + 1 :]]
        answer = chain_answer(renumbered(shorter))
        assert answer.verdict is Verdict.FAILED
        assert answer.findings[0].entry == place + 1
        assert chain_answer(shorter).verdict is Verdict.FAILED


def test_a_lost_end_is_found_by_anyone_who_remembers_it(campaign: Campaign, entries: list[StoredEntry]) -> None:
    remembered = (len(entries), campaign.head.hash)
    assert chain_answer(entries, remembered).verdict is Verdict.VERIFIED
    for keep in range(len(entries)):
        shorter = entries[:keep]
        assert chain_answer(shorter).verdict is Verdict.VERIFIED
        answer = chain_answer(shorter, remembered)
        assert answer.verdict is Verdict.FAILED
        assert str(len(entries)) in answer.findings[0].text


def test_another_end_of_the_same_length_is_found_by_anyone_who_remembers_it(
    campaign: Campaign, entries: list[StoredEntry]
) -> None:
    answer = chain_answer(entries, (campaign.head.entry, "ab" * 32))
    assert (answer.verdict, answer.findings[0].entry) == (Verdict.FAILED, campaign.head.entry)
    assert chain_answer(entries, (3, campaign.history.entries[2].hash)).verdict is Verdict.VERIFIED


def test_two_lines_that_change_places_are_found(entries: list[StoredEntry]) -> None:
    everywhere = [(place, at) for place, entry in enumerate(entries) for at in range(len(lines_of(entry.data)))]
    for first, (place, at) in enumerate(everywhere):
        for other_place, other_at in everywhere[first + 1 : first + 7]:
            lines = {each: lines_of(entries[each].data) for each in {place, other_place}}
            one, other = lines[place][at], lines[other_place][other_at]
            if one == other:
                continue
            lines[place][at], lines[other_place][other_at] = other, one
            swapped = [with_lines(e, lines[n]) if n in lines else e for n, e in enumerate(entries)]
            assert chain_answer(swapped).verdict is Verdict.FAILED


def test_entries_that_change_places_are_found(entries: list[StoredEntry]) -> None:
    for one in range(len(entries) - 1):
        swapped = [*entries[:one], entries[one + 1], entries[one], *entries[one + 2 :]]
        for told in (swapped, renumbered(swapped)):
            assert chain_answer(told).verdict is Verdict.FAILED


def test_every_line_or_entry_that_stands_twice_is_found(entries: list[StoredEntry]) -> None:
    for place, entry in enumerate(entries):
        lines = lines_of(entry.data)
        for at, line in enumerate(lines):
            longer = with_lines(entry, [*lines[:at], line, *lines[at:]])
            assert chain_answer([*entries[:place], longer, *entries[place + 1 :]]).verdict is Verdict.FAILED
        twice = [*entries[: place + 1], entry, *entries[place + 1 :]]
        answer = chain_answer(renumbered(twice))
        assert (answer.verdict, answer.findings[0].entry) == (Verdict.FAILED, place + 2)
        assert chain_answer(twice).verdict is Verdict.FAILED


def test_a_line_or_an_unchained_entry_that_was_put_in_is_found(entries: list[StoredEntry]) -> None:
    event = CODEC.encode(TimePassed(seconds=60))
    body = CODEC.body(Entry(EntryKind.TAKEN, 99, intent=Intent(verb="note")))
    note = StoredEntry(0, "ActionTaken@1", body + seal(ROOT, ROOT))
    for place, entry in enumerate(entries):
        assert chain_answer(renumbered([*entries[:place], note, *entries[place:]])).verdict is Verdict.FAILED
        lines = lines_of(entry.data)
        for at in range(len(lines) + 1):
            longer = with_lines(entry, [*lines[:at], event, *lines[at:]])
            assert chain_answer([*entries[:place], longer, *entries[place + 1 :]]).verdict is Verdict.FAILED


def test_an_entry_of_another_campaign_is_found(tmp_path: Path, entries: list[StoredEntry]) -> None:
    other = stored_events(begin_campaign(memory_book(tmp_path), "Sherwood", drawn="another"))
    for place, entry in enumerate(other[1:], 1):
        assert chain_answer([*entries[:place], entry, *entries[place + 1 :]]).verdict is Verdict.FAILED


def test_the_end_can_be_stored_again_after_damage_and_every_later_entry_is_still_checked(
    entries: list[StoredEntry],
) -> None:
    damaged = list(entries)
    damaged[1] = damaged[1]._replace(data=damaged[1].data.replace(b"Ana", b"Bob"))
    damaged[-1] = damaged[-1]._replace(data=damaged[-1].data.replace(b"-2", b"-9"))
    answer = chain_answer(damaged)
    assert [finding.entry for finding in answer.findings] == [2, len(entries)]


def test_the_same_history_in_another_store_verifies_too(
    campaign: Campaign, entries: list[StoredEntry], tmp_path: Path
) -> None:
    for store in (MemoryEventStore(), None):
        book = file_book(tmp_path, store)
        book.store.append(campaign.id, 0, new(entries))
        copy = book.campaign(campaign.id)
        assert chain_of(copy.session.log).verdict is Verdict.VERIFIED
        assert copy.state == campaign.state
        book.close()


# The parts of a link.


@given(st.binary(max_size=20))
@settings(max_examples=100, derandomize=True)
def test_a_digest_tells_bytes_apart(line: bytes) -> None:
    told = digest(line)
    assert len(told) == 32
    assert digest(line + b"x") != told
    assert digest(b"x" + line) != told


def test_a_hash_depends_on_the_number_and_the_order_of_its_lines() -> None:
    envelopes = [b'["A@1",{}]', b'["Private@1",{}]']
    one, other = b'["B@1",{}]', b'["C@1",{}]'
    events = ([], [one], [one, other], [other, one], [one, one])
    hashes = {halves_of([*envelopes, *each]).hash(ROOT, "") for each in events}
    assert len(hashes) == 5
    found = halves_of([*envelopes, one])
    assert found.hash("11" * 32, "") != found.hash(ROOT, "") != found.hash(ROOT, ROOT)
    assert halves_of([*envelopes, one], (0,)).hash(ROOT, "") != found.hash(ROOT, "")


def test_an_entry_gives_back_its_seal() -> None:
    assert seal_of(seal("ab" * 32, ROOT)) == ("ab" * 32, ROOT)
    for odd in (
        b"",
        b"{}",
        seal("AB" * 32, ROOT),
        seal("ab" * 31, ROOT),
        seal("gh" * 32, ROOT),
        seal(ROOT, ROOT) + b" ",
    ):
        with pytest.raises(ValueError, match="not a seal"):
            seal_of(odd)


# Two halves.


def after_a_secret(entries: list[StoredEntry]) -> list[StoredEntry]:
    """The entries that name what the table saw before them."""
    return [entry for entry in entries if b'"previous_public_hash":' in lines_of(entry.data)[0]]


def test_from_the_first_secret_on_entries_name_what_the_table_saw_before_them(entries: list[StoredEntry]) -> None:
    secret = next(at for at, entry in enumerate(entries) if b'"visibility":"gm"' in lines_of(entry.data)[0])
    assert after_a_secret(entries) == entries[secret:]
    for entry in entries:
        assert (b'"salt":' in lines_of(entry.data)[1]) is (entry in entries[secret:])
        assert (b'"public_salt":' in lines_of(entry.data)[0]) is (b'"visibility":' in lines_of(entry.data)[0])


def test_the_public_half_holds_nothing_that_counts(entries: list[StoredEntry]) -> None:
    kept = {"action", "causation", "correction", "command", "reads", "salt", "hidden_events", "previous_hash", "hash"}
    for stored_entry in entries:
        lines = lines_of(stored_entry.data)
        _, envelope = json.loads(lines[0])
        assert kept.isdisjoint(envelope)
        assert {"action", "entries", "rewound"}.isdisjoint(envelope.get("intent", {}).get("params", {}))
        entry = CODEC.read(stored_entry)
        found = halves_of(lines[:-1], entry.hidden_events)
        before = entry.previous_public_hash
        assert found.hash(entry.previous_hash, before) == entry.hash
        assert found.hash("ab" * 32, before) != entry.hash
        assert entry_hash(found.public, found.kept(entry.previous_hash), before) == entry.hash


def test_a_secret_roll_in_an_open_action_is_in_the_private_half(tmp_path: Path) -> None:
    made = begin_campaign(memory_book(tmp_path))
    made.do("hide", {"who": "robin"})
    (entry,) = after_a_secret(stored_events(made))
    lines = lines_of(entry.data)
    read = CODEC.read(entry)
    assert read.hidden_events == (0,)
    assert json.loads(lines[2])[0] == "DiceRolled@1"
    shown = [line for place, line in enumerate(lines[2:-1]) if place not in read.hidden_events]
    assert all(b'"secret":true' not in line for line in shown)
    other = halves_of([*lines[:2], b"changed", *lines[3:-1]], read.hidden_events)
    assert other.public == halves_of(lines[:-1], read.hidden_events).public


def test_the_same_words_in_other_bytes_are_found(entries: list[StoredEntry]) -> None:
    for place, entry in enumerate(entries):
        first, *rest = lines_of(entry.data)
        for other in (
            json.dumps(json.loads(first), sort_keys=True).encode(),
            first.replace(b'"at":', b'"at":1,"at":', 1),
            first.replace(b'"at":', b'"a\\u0074":', 1),
            first + b" ",
        ):
            assert other != first
            assert chain_answer([*entries[:place], with_lines(entry, [other, *rest])]).verdict is Verdict.FAILED


def test_an_entry_says_what_the_table_saw_last_and_the_audit_holds_it_to_that(tmp_path: Path) -> None:
    """Somebody who can compute tells another entry as the one before it."""
    made = begin_campaign(memory_book(tmp_path))
    made.do("note", {"text": "x", "to": "gm"})
    made.do("note", {"text": "y"})
    whole = stored_events(made)
    last, earlier = made.history.entries[-1], made.history.entries[-4]
    told = last._replace(previous_public_hash=earlier.hash)
    lines = [*envelopes_of(told), *lines_of(whole[-1].data)[2:-1]]
    hash_ = halves_of(lines).hash(last.previous_hash, earlier.hash)
    answer = chain_answer([*whole[:-1], with_lines(whole[-1], [*lines, seal(hash_, last.previous_hash)])])
    assert answer.verdict is Verdict.FAILED
    assert answer.findings[0].text == "the table had not seen what it says came before it"


@given(st.text(st.characters(exclude_categories=("Cs",))))
@settings(max_examples=200, derandomize=True)
def test_whatever_is_written_is_written_in_the_one_way(text: str) -> None:
    entry = Entry(EntryKind.TAKEN, 1, intent=Intent(verb="x", params={"a": text, text: (text,)}), reason=text)
    for line in (CODEC.encode(NoteWritten(text=text)), *envelopes_of(entry)):
        assert canonical(json.loads(line)) == line
        assert b"\n" not in line


@given(st.binary(max_size=40))
def test_a_mark_is_read_as_it_was_written(data: bytes) -> None:
    line = canonical(["NoteWritten@1", {"text": data.hex()}])
    assert removed(line) == removed(data) == ""
    assert removed(mark(line)) == "NoteWritten"
    assert digest(line).hex() in mark(line).decode()
    envelopes = [b'["A@1",{}]', b'["Private@1",{}]']
    for hidden in ((), (0,)):
        assert halves_of([*envelopes, mark(line)], hidden) == halves_of([*envelopes, line], hidden)
        assert halves_of([*envelopes, mark(line)[:-1]], hidden) != halves_of([*envelopes, line], hidden)
    other = canonical(["TimePassed@1", {"text": data.hex()}])
    assert halves_of([*envelopes, mark(other)]) != halves_of([*envelopes, other])
