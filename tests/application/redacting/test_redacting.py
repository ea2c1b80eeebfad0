"""Words that are removed are gone from every file, and that they are gone is on record; nothing else can ever go."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.application.redaction import redact
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, Refused, StaleHistory
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import NoteWritten
from rollbook.domain.history.chain import digest, lines_of, mark, removed, seal, seal_of
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from tests.support.campaigns import begin_campaign, chain_answer, file_book, memory_book, new, stored_events
from tests.support.codec_lines import halves_of
from tests.support.exports import export_for, full_export, is_unbroken, verdicts
from tests.support.golden_campaigns import FOLDER
from tests.support.golden_logs import read_entries
from tests.support.memory_store import MemoryEventStore
from tests.support.redacting import WORDS, note_of, words_on_disk


@pytest.mark.parametrize("to", ["table", "gm", "mira", "amended"])
@pytest.mark.parametrize("has_secrets", [False, True])
def test_the_words_are_gone_from_every_byte_and_the_chain_still_verifies(
    tmp_path: Path, to: str, *, has_secrets: bool
) -> None:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    if has_secrets:
        campaign.do("note", {"text": "something else", "to": "gm"})
    action = note_of(campaign, "table" if to == "amended" else to)
    if to == "amended":
        campaign.corrections.amend(action, {"text": f"once more {WORDS}"}, reason="better").apply()
        campaign.corrections.undo(action, reason="worse").apply()
        campaign.corrections.redo(action, reason="after all").apply()
    campaign.do("roll", {"expression": "1d20"})
    campaign.session.project()
    receipt = campaign.head.shown
    assert words_on_disk(tmp_path)
    campaign.redact(action, why="a private matter")
    book.read_model.rebuild(book.store, book.rulebook)
    assert words_on_disk(tmp_path) == []
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    assert any("words were removed from" in remark for remark in campaign.audit()[0].remarks)
    assert receipt.hash in {entry.hash for entry in campaign.history.entries}
    for reader in (None, "", "mira", "watcher"):
        path = tmp_path / "out" / f"{reader}.jsonl"
        path.parent.mkdir(exist_ok=True)
        export_for(campaign, path, reader)
        assert is_unbroken(path)
    assert words_on_disk(tmp_path) == []
    again = memory_book(tmp_path / "again")
    imported = again.campaign(import_campaign(again, tmp_path / "out" / "None.jsonl").campaign)
    assert imported.audit()[0].verdict is Verdict.VERIFIED
    book.close()
    assert words_on_disk(tmp_path) == []
    with file_book(tmp_path) as other:
        assert other.campaign("sherwood").session.damage == ""
        assert not any(
            getattr(event, "text", "")
            for e in other.campaign("sherwood").history.entries
            for event in e.events
            if isinstance(event, NoteWritten) and e.action == action
        )


def test_what_is_no_note_or_has_no_words_left_is_refused(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("recite", {"who": "robin"})
    campaign.do("ruling", {"reason": WORDS})
    action = note_of(campaign)
    before = stored_events(campaign)
    for number in range(1, action):
        with pytest.raises(Refused, match="is not a note|stands in the envelope"):
            campaign.redact(number, why="x")
    with pytest.raises(NotFound):
        campaign.redact(action + 1, why="x")
    with pytest.raises(Refused, match="Only the GM"):
        campaign.redact(action, why="x", seat="mira")
    assert stored_events(campaign) == before
    campaign.redact(action, why="x")
    with pytest.raises(Refused, match="removed already"):
        campaign.redact(action, why="x")


def test_nothing_but_a_note_can_be_marked_in_the_store(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    note_of(campaign)
    campaign.do("note", {"text": "x", "to": "gm"})
    campaign.do("attack", {"attacker": "robin", "target": "guard"})
    entries = stored_events(campaign)
    for place, entry in enumerate(entries):
        lines = lines_of(entry.data)
        for at, line in enumerate(lines):
            name = line[2 : line.index(b'"', 2)]
            for fake in {
                mark(line),
                b'["~%s","%s"]' % (name, b"ab" * 32),
                b'["~NoteWritten@1","%s"]' % digest(line).hex().encode(),
            }:
                data = b"\n".join([*lines[:at], fake, *lines[at + 1 :]])
                told = [*entries[:place], entry._replace(data=data), *entries[place + 1 :]]
                assert chain_answer(told).verdict is Verdict.FAILED


def redacted_campaign(folder: Path) -> tuple[Campaign, list[StoredEntry]]:
    campaign = begin_campaign(memory_book(folder))
    action = note_of(campaign)
    campaign.do("roll", {"expression": "1d20"})
    campaign.redact(action, why="a private matter")
    return campaign, stored_events(campaign)


def test_a_removal_that_is_not_on_record_fails(tmp_path: Path) -> None:
    _, entries = redacted_campaign(tmp_path)
    assert chain_answer(entries).verdict is Verdict.VERIFIED
    answer = chain_answer(entries[:-1])
    assert answer.verdict is Verdict.FAILED
    assert "no record says so" in answer.findings[0].text


def test_what_is_left_cannot_be_changed_any_more(tmp_path: Path) -> None:
    _, entries = redacted_campaign(tmp_path)
    changed = 0
    for place, entry in enumerate(entries):
        if not any(map(removed, lines_of(entry.data))):
            continue
        for at in range(len(entry.data)):
            data = bytearray(entry.data)
            data[at] ^= 0x01
            told = [*entries[:place], entry._replace(data=bytes(data)), *entries[place + 1 :]]
            assert chain_answer(told).verdict is Verdict.FAILED
            changed += 1
    assert changed > 400


def test_a_removal_of_anything_else_fails_even_if_the_chain_is_rebuilt(tmp_path: Path) -> None:
    """Somebody who can compute marks a roll, and puts a record of it behind it."""
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("roll", {"expression": "1d20"})
    *before, last = stored_events(campaign)
    *envelopes, event, _ = lines_of(last.data)
    emptied = b'["~NoteWritten@1","%s"]' % digest(event).hex().encode()
    before_it, _ = seal_of(lines_of(before[-1].data)[-1])
    found = halves_of([*envelopes, emptied]).hash(before_it, "")
    told = last._replace(data=b"\n".join([*envelopes, emptied, seal(found, before_it)]))
    answer = chain_answer([*before, told])
    assert answer.verdict is Verdict.FAILED
    assert "only words of notes and names ever can be" in answer.findings[0].text


@pytest.mark.parametrize("golden", ["toy_campaign", "night-ferry", "sallow-lock"])
def test_notes_of_the_golden_campaigns_lose_their_words_too(tmp_path: Path, golden: str) -> None:
    path = FOLDER / f"{golden}.1.jsonl"
    book = file_book(tmp_path)
    if golden == "toy_campaign":
        book.store.append("toy-campaign", 0, new(read_entries(path)))
        campaign = book.campaign("toy-campaign")
    else:
        book = book_of(book.store, book.read_model, book.seeds)
        campaign = book.campaign(import_campaign(book, path).campaign)
    meant = {action: campaign.history.intent_of(action) for action in range(1, campaign.history.actions + 1)}
    notes = [action for action, intent in meant.items() if intent.verb == "note" and intent.params["text"]]
    texts = [str(campaign.history.intent_of(action).params["text"]).encode() for action in notes]
    if not notes:
        campaign.do("note", {"text": "a first note"})
        notes = [campaign.history.actions]
    for action in notes:
        campaign.redact(action, why="a matter of safety")
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    kept = b"".join(event.data for event in stored_events(campaign))
    assert not any(text in kept for text in texts if len(text) > 12)
    for reader in ("", *campaign.state.seats):
        export_for(campaign, tmp_path / "file.jsonl", reader)
        assert is_unbroken(tmp_path / "file.jsonl")
    full_export(campaign, tmp_path / "all.jsonl")
    assert verdicts(tmp_path / "all.jsonl")[0] == "VERIFIED"


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_store_overwrites_and_appends_in_one_or_not_at_all(tmp_path: Path, kind: str) -> None:

    store = MemoryEventStore() if kind == "memory" else SQLiteEventStore(tmp_path / "x.db")
    store.append("a", 0, [NewEntry("X@1", b"one", command="c"), NewEntry("X@1", b"two")])
    store.append("b", 0, [NewEntry("X@1", b"other")])
    with pytest.raises(StaleHistory):
        store.redact("a", 1, [NewEntry("X@1", b"no")], {1: b"-"})
    assert [event.data for event in store.read("a")] == [b"one", b"two"]
    store.redact("a", 2, [NewEntry("X@1", b"three")], {1: b"-"})
    assert [event.data for event in store.read("a")] == [b"-", b"two", b"three"]
    assert [event.data for event in store.read("b")] == [b"other"]
    assert next(change.entry.data for change in store.changes()) == b"-"
    assert store.by_command("a", "c") == (1,)
    assert [event.version for event in store.read_kinds("a", ["X"])] == [1, 2, 3]
    store.close()


def test_a_salted_entry_without_its_words_still_gives_its_hash(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    action = note_of(campaign, "gm")
    number = campaign.history.revisions(action)[0].number
    before = stored_events(campaign)[number - 1]
    campaign.redact(action, why="x")
    after = stored_events(campaign)[number - 1]
    entry = CODEC.read(after)
    assert before != after
    for each in (before, after):
        lines = lines_of(each.data)
        assert halves_of(lines[:-1]).hash(entry.previous_hash, entry.previous_public_hash) == entry.hash
        assert seal_of(lines[-1]) == (entry.hash, entry.previous_hash)


def test_words_in_an_envelope_stay_and_nobody_says_that_they_are_gone(tmp_path: Path) -> None:
    """So an imported note was stored once; the hash covers the envelope."""
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        old = Entry(
            EntryKind.TAKEN,
            action=campaign.head.actions + 1,
            events=(NoteWritten(text=WORDS),),
            seat="Ana",
            intent=Intent(verb="note", params={"text": WORDS}),
            provenance="imported",
        )
        [stored] = campaign.session.log.write(campaign.head, [old])
        for _ in range(2):
            assert redact(book, campaign, stored.action, why="a private matter").stay == (stored.number,)
        campaign.session.project()
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
        assert not any(WORDS in str(line) for line in book.read_model.log("sherwood", everything=True))
        assert redact(book, campaign, note_of(campaign), why="a private matter").stay == ()
    assert [Path(name).name for name in words_on_disk(tmp_path)] == ["rollbook.db"]
