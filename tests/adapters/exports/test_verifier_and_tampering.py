"""The verifier finds what was done to a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from rollbook.adapters.exports.files import checked_line
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.receipts import receipt_of
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.history.chain import PRIVATE, PUBLIC, ROOT, canonical, mark
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.exports import (
    agree,
    body_lines,
    envelope,
    export_for,
    full_export,
    is_unbroken,
    rechained,
    run_verifier,
    verdicts,
    verify,
    with_body,
)
from tests.support.tampering import TAMPERINGS, audit_answers


@pytest.mark.slow
@pytest.mark.parametrize("reader", [None, "mira", ""])
def test_every_changed_byte_of_what_a_file_tells_is_found(
    campaign: Campaign, tmp_path: Path, reader: str | None
) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, reader)
    assert is_unbroken(path)
    lines = body_lines(path)
    missed = []
    for number, line in enumerate(lines):
        for at in range(number % STEP, len(line), STEP):
            changed = bytearray(line)
            changed[at] ^= (0x01, 0x20, 0x04)[at // STEP % 3]
            other = with_body(path, [*lines[:number], bytes(changed), *lines[number + 1 :]])
            if verdicts(other)[0] != "FAILED":
                missed.append((number, at, bytes(changed)))
    assert missed == []


STEP = 7
"""Every seventh byte is changed; lines begin to count at different places."""


@pytest.mark.parametrize("reader", [None, "mira", ""])
def test_lines_that_are_removed_doubled_or_moved_are_found(
    campaign: Campaign, tmp_path: Path, reader: str | None
) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, reader)
    lines = body_lines(path)
    own = [
        number for number, line in enumerate(lines) if reader == "mira" and envelope(line).get("visibility") == "mira"
    ]
    assert bool(own) is (reader == "mira")
    for number in range(len(lines)):
        assert verdicts(with_body(path, [*lines[:number], lines[number], *lines[number:]]))[0] == "FAILED"
        shorter = [*lines[:number], *lines[number + 1 :]]
        assert verdicts(with_body(path, shorter))[0] == "FAILED"
        assert verdicts(with_count(path, shorter))[0] == ("VERIFIED" if number in own else "FAILED")
        if number:
            swapped = [*lines[: number - 1], lines[number], lines[number - 1], *lines[number + 1 :]]
            assert verdicts(with_body(path, swapped))[0] == "FAILED"


@pytest.mark.parametrize("reader", [None, "mira", ""])
def test_stored_lines_that_are_removed_doubled_or_moved_within_an_entry_are_found(
    campaign: Campaign, tmp_path: Path, reader: str | None
) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, reader)
    lines = body_lines(path)
    for number, line in enumerate(lines):
        begin = line[: line.index(b'"lines":[') + 9]
        stored = [canonical(each) for each in json.loads(line)["lines"]]
        assert begin + b",".join(stored) + b"]}\n" == line
        for at in range(len(stored)):
            doubled = [*stored[:at], stored[at], *stored[at:]]
            shorter = [*stored[:at], *stored[at + 1 :]]
            swapped = [*stored[:at], *reversed(stored[at : at + 2]), *stored[at + 2 :]]
            for other in (doubled, shorter, *([swapped] if swapped != stored else [])):
                changed = begin + b",".join(other) + b"]}\n"
                assert verdicts(with_body(path, [*lines[:number], changed, *lines[number + 1 :]]))[0] == "FAILED"


def test_what_is_kept_cannot_be_swapped_nor_added_to(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, "mira")
    lines = body_lines(path)
    kept = [at for at, line in enumerate(lines) if line.startswith(b'{"kept"')]
    assert len(kept) > 5
    digests = [json.loads(lines[at])["kept"].encode() for at in kept]
    swapped = list(lines)
    swapped[kept[0]] = swapped[kept[0]].replace(digests[0], digests[1])
    assert verdicts(with_body(path, swapped))[0] == "FAILED"
    for number in kept:
        for more in (
            b'{"action":7,',
            b'{"reads":[],',
            b'{"salt":"",',
            b'{"hidden_events":[0],',
            b'{"previous_hash":"00",',
            b'{"zz":1,',
        ):
            added = list(lines)
            added[number] = added[number].replace(b'@1",{', b'@1",' + more, 1)
            assert added[number] != lines[number]
            assert verdicts(with_body(path, added))[0] == "FAILED"
        twice = [*lines[:number], b'{"private":"%s",' % digests[0] + lines[number][1:], *lines[number + 1 :]]
        assert verdicts(with_body(path, twice))[0] == "FAILED"
    for said in (b'{"hidden_events":[0],', b'{"hidden_events":[1],'):
        hidden = [*lines[: kept[0]], said + lines[kept[0]][1:], *lines[kept[0] + 1 :]]
        assert verdicts(with_body(path, hidden))[0] == "FAILED"
        event = lines[kept[0]][:-3] + b',["TimePassed@1",{"activity":"","seconds":60}]]}\n'
        hidden[kept[0]] = said + event[1:]
        assert verdicts(with_body(path, hidden))[0] == "FAILED"


def test_a_whisper_cannot_be_moved_and_its_loss_is_what_a_file_cannot_prove(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, "mira")
    said = verify(path)[1]
    assert "entries that only this reader sees, and nothing else here vouches for: 1" in said
    entries = body_lines(path)
    (own,) = (number for number, entry in enumerate(entries) if envelope(entry).get("visibility") == "mira")
    for place in range(len(entries)):
        if place in (own, own - 1):
            continue
        moved = [entry for number, entry in enumerate(entries) if number != own]
        moved.insert(place, entries[own])
        assert verdicts(with_body(path, moved))[0] == "FAILED"
    alone = [entry for number, entry in enumerate(entries) if number != own]
    assert verdicts(with_count(path, alone))[0] == "VERIFIED"


def test_dice_of_a_session_that_is_of_no_campaign_are_found_by_both(tmp_path: Path) -> None:
    with patch("rollbook.application.ports.seed_store.session_identity", lambda _, nonce: nonce):
        campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    path = tmp_path / "all.jsonl"
    assert agree(campaign, path) == "FAILED"
    assert "its dice were committed to for another campaign" in verify(path)[1]


def _letters(receipt: str) -> int:
    return len(receipt.rsplit(maxsplit=1)[-1].replace("-", ""))


def test_a_lost_end_is_found_by_the_receipt(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    receipt = receipt_of(campaign.id, campaign.head.shown, campaign.state.session)
    for reader in (None, "mira", ""):
        export_for(campaign, path, reader)
        assert is_unbroken(path, receipt.code) and is_unbroken(path, str(receipt))
        assert receipt.code in verify(path)[1]
        assert verdicts(path, receipt.code.lower(), "00000-00000-00000-00000-000000")[0] == "FAILED"
        assert is_unbroken(path, receipt.code.lower())
        spaced = str(receipt).replace("-", " ").replace("0", "o").replace("1", "l").replace("V", "u")
        assert verdicts(path, spaced, spaced.partition(" dice ")[2].replace(" ", "–"))[0] == "FAILED"
        assert is_unbroken(path, spaced, receipt.code.replace("-", " "))
        for short in (receipt.code[:-1], receipt.code[:11], f"{receipt}"[:-1]):
            code, said = verify(path, short)
            assert code == 2 and f"a code has 26 letters, and {_letters(short)} prove nothing" in said
        other = f"{receipt.campaign} @{receipt.entry} {receipt.code} dice {receipt.code}"
        assert verdicts(path, other)[0] == "FAILED"
    early = begin_campaign(memory_book(tmp_path / "early"))
    full_export(early, path)
    assert verdicts(path)[0] == "VERIFIED"
    assert verdicts(path, receipt.code)[0] == "FAILED"


def test_an_event_can_only_be_marked_as_removed_in_a_note(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    full_export(campaign, path)
    lines = body_lines(path)
    for number, line in enumerate(lines):
        head, *events, end = (canonical(each) for each in json.loads(line)["lines"])
        for at, event in enumerate(events):
            changed = b",".join((head, *events[:at], mark(event), *events[at + 1 :], end))
            marked = b'{"entry":%d,"lines":[%s]}\n' % (number + 1, changed)
            assert verdicts(with_body(path, [*lines[:number], marked, *lines[number + 1 :]]))[0] == "FAILED"


def test_a_mark_is_good_only_with_a_later_record_that_names_the_entry(campaign: Campaign, tmp_path: Path) -> None:
    """As the audit says it: of a note with its words gone, and of other marks and other records."""
    path = tmp_path / "file.jsonl"
    note = campaign.history.actions - 1
    (number,) = (entry.number for entry in campaign.history.revisions(note))
    campaign.redact(note, why="a slip")
    full_export(campaign, path)
    first, *lines = path.read_bytes().splitlines(keepends=True)
    assert b'["~NoteWritten@1","' in lines[number - 1]
    assert verdicts(path)[0] == "VERIFIED"
    assert "entries from which words were removed: 1" in verify(path)[1]
    named = b'"entries":[%d]' % number
    assert named in lines[-1]
    for was, now in (
        (named, b'"entries":[]'),
        (named, b'"entries":[%d]' % (number + 1)),
        (b'"NoteRedacted@1"', b'"Other@1"'),
    ):
        other = rechained(first, [line.replace(was, now) for line in lines])
        path.write_bytes(other[0] + b"".join(other[1]))
        assert "words were removed from a note, and no record says so" in verify(path)[1]
    for was, now in ((b'"~NoteWritten@1"', b'"~NoteMade@1"'), (b'"verb":"note"', b'"verb":"hide"')):
        other = rechained(first, [*lines[: number - 1], lines[number - 1].replace(was, now), *lines[number:]])
        path.write_bytes(other[0] + b"".join(other[1]))
        assert "only the words of a note can be" in verify(path)[1]


@pytest.mark.parametrize("name", TAMPERINGS)
def test_of_everything_that_a_host_may_try_it_says_what_the_audit_says(tmp_path: Path, name: str) -> None:
    log = TAMPERINGS[name][0]()
    path = tmp_path / "file.jsonl"
    try:
        export_campaign(log, path)
    except HistoryDamaged:
        return
    chain, dice, _ = audit_answers(log)
    assert verdicts(path) == (str(chain.verdict), str(dice.verdict))


@pytest.mark.parametrize(
    "change",
    [
        {"dice": [[10**12, 1, True, "", 0, 0, -1]]},
        {"dice": [[0, 1, True, "", 0, 0, -1]]},
        {"dice": []},
        {"sources": [{"count": 10**9, "index": 0, "kind": "stream", "screen": False, "seat": 0, "session": 1}]},
        {"sources": [{"count": 1, "index": 2**70, "kind": "stream", "screen": False, "seat": 0, "session": 1}]},
        {"sources": [{"count": 1, "index": 0, "kind": "fork:x", "screen": False, "seat": 0, "session": 1}]},
        {"sources": "nonsense"},
    ],
    ids=str,
)
def test_nonsense_about_dice_is_said_and_does_no_harm(tmp_path: Path, change: dict[str, object]) -> None:
    """Somebody who can compute tells of dice that cannot be."""
    made = begin_campaign(memory_book(tmp_path))
    made.do("roll", {"expression": "1d6"})
    made.do("close-session")
    path = tmp_path / "file.jsonl"
    full_export(made, path)
    lines = body_lines(path)
    (at,) = (number for number, line in enumerate(lines) if b'"DiceRolled@1"' in line)
    line = json.loads(lines[at])
    (rolled,) = (fields for name, fields in line["lines"] if name == "DiceRolled@1")
    rolled.update(change)
    lines[at] = canonical(line) + b"\n"
    first, rest = rechained(path.read_bytes().splitlines(keepends=True)[0], lines)
    path.write_bytes(first + b"".join(rest))
    chain, dice = verdicts(path)
    assert (chain, dice) == (("FAILED", "") if change == {"sources": "nonsense"} else ("VERIFIED", "FAILED"))
    assert run_verifier(path).stderr == ""


FORGERIES: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "it names no public entry": lambda public, _: public.pop("previous_public_hash", ""),
    "it names the beginning": lambda public, _: public.update(previous_public_hash=ROOT),
    "it is the GM's": lambda public, _: public.update(visibility="gm"),
    "it is everybody's": lambda public, _: public.pop("visibility", ""),
    "its first event is hidden": lambda _, private: private.update(hidden_events=[0]),
    "no event of it is hidden": lambda _, private: private.pop("hidden_events", ()),
    "its reason is hidden": lambda _, private: private.update(hidden_events=[-1, *private.get("hidden_events", [])]),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_of_a_forged_tie_to_what_the_table_saw_both_say_the_same(campaign: Campaign, tmp_path: Path, name: str) -> None:
    """Somebody who can compute changes one entry, and all hashes after it."""
    path = tmp_path / "file.jsonl"
    first, *lines = full_export(campaign, path).splitlines(keepends=True)
    found = set()
    for at, line in enumerate(lines):
        said = json.loads(line)
        FORGERIES[name](said["lines"][PUBLIC][1], said["lines"][PRIVATE][1])
        head, forged = rechained(first, [*lines[:at], canonical(said) + b"\n", *lines[at + 1 :]], relink=at)
        path.write_bytes(head + b"".join(forged))
        try:
            import_campaign(memory_book(tmp_path), path)
            is_good = True
        except HistoryDamaged:
            is_good = False
        found.add(is_good)
        assert (verdicts(path)[0] == "VERIFIED") == is_good, (at, verify(path)[1])
    assert (False in found) == (name != "no event of it is hidden")


def with_count(path: Path, lines: list[bytes]) -> Path:
    """A file with other lines after its first one, which says how many there are."""
    other = with_body(path, lines)
    head = {key: value for key, value in json.loads(path.read_bytes().splitlines()[0]).items() if key != "check"}
    head["entries"] = len(lines)
    other.write_bytes(checked_line(json.dumps(head).encode()) + b"".join(lines))
    return other
