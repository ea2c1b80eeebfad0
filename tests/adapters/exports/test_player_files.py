"""A player's file holds what the player may see and nothing by which the rest could be counted; and it still verifies."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.events import DiceRolled
from tests.support.campaigns import KnownSeeds, begin_campaign, memory_book, ticking_clock
from tests.support.exports import (
    PRIVATE_FIELDS,
    body_lines,
    envelope,
    export_for,
    fields_in,
    is_unbroken,
    verdicts,
    without_hash_keys,
    without_hashes,
)
from tests.support.memory_store import MemoryEventStore
from tests.support.secret_tables import (
    ARRIVALS,
    GAME,
    HIDDEN,
    OFFSTAGE,
    PUBLIC,
    ROLL,
    SECRET_ROLL,
    SECRETS,
    Step,
    do,
    played,
    table,
    two_tables,
    undo,
)


@pytest.mark.slow
@given(two_tables())
@example(([ROLL], [SECRET_ROLL, ROLL]))
@example(([ROLL, ROLL], [ROLL, SECRET_ROLL, undo(hidden=True), SECRET_ROLL, ROLL]))
@example(([ROLL, do("listen", who="robin")], [*ARRIVALS, ROLL, do("listen", who="robin")]))
@example(([ROLL, ROLL], [*ARRIVALS, OFFSTAGE, ROLL, do("next-turn", secret=True), ROLL]))
@settings(max_examples=60)
def test_what_is_hidden_makes_no_difference_to_anybodys_file(tables: tuple[list[Step], list[Step]]) -> None:
    with TemporaryDirectory() as folder:
        one, other = (played([*steps, do("close-session")], f"{folder}/{at}") for at, steps in enumerate(tables))
        for reader in ("mira", "watcher", ""):
            path = Path(folder) / f"{reader}.jsonl"
            files = [export_for(campaign, path, reader) for campaign in (one, other)]
            assert without_hashes(files[0]) == without_hashes(files[1])
            assert is_unbroken(path)
            assert verdicts(path)[1] != "FAILED"


@given(st.lists(st.sampled_from((*HIDDEN, *PUBLIC)), min_size=5, max_size=25))
@settings(max_examples=40)
def test_no_hidden_name_nor_word_nor_secret_face_is_in_a_file(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        campaign = played(steps, folder)
        for reader in ("mira", "watcher", ""):
            file = without_hash_keys(export_for(campaign, Path(folder) / "file.jsonl", reader))
            for word in SECRETS:
                assert word not in file.replace("ashtray", "")
            assert '"secret":true' not in file
            assert "[true," not in file, "no place behind the screen"
        secret = [
            event for entry in campaign.history.entries for event in entry.events if isinstance(event, DiceRolled)
        ]
        assert all(not event.secret or event.sources[0].place.screen for event in secret if event.sources)


@pytest.mark.parametrize("secret", [False, True], ids=["without secrets", "with secrets"])
def test_what_links_or_counts_entries_is_in_no_file(tmp_path: Path, *, secret: bool) -> None:
    """Ids of corrections and commands, causation, reads, numbers of actions and salts of private halves."""
    campaign = begin_campaign(memory_book(tmp_path, ruleset=GAME))
    if secret:
        campaign.do("note", {"text": "a secret", "to": "gm"})
    campaign.do("adjust", {"who": "robin", "what": "pool:tokens", "by": 3, "reason": "found"}, command="form-17")
    found = campaign.head.actions
    campaign.do("spend-token", {"who": "robin"}, command="form-18", seat="mira")
    campaign.do("note", {"text": "psst", "to": "mira"}, command="form-19")
    campaign.corrections.undo(found, reason="lost", options=CorrectionOptions(draw=True)).apply()
    stored = list(campaign.session.log.entries())
    for reader in ("mira", "watcher", ""):
        file = export_for(campaign, tmp_path / "file.jsonl", reader).decode()
        lines = body_lines(tmp_path / "file.jsonl")
        assert PRIVATE_FIELDS.isdisjoint(fields_in(lines))
        assert "action" not in fields_in(lines)
        assert "Private@" not in file
        assert "form-" not in file
        for entry in stored:
            for kept in (entry.correction, entry.salt):
                assert not kept or kept not in file
        assert is_unbroken(tmp_path / "file.jsonl")
    assert {entry.command for entry in stored} >= {"form-17", "form-18", "form-19"}
    assert any(entry.correction for entry in stored)


@pytest.mark.parametrize("secret", [False, True], ids=["without secrets", "with secrets"])
def test_a_correction_in_a_file_says_which_action_it_is_of(tmp_path: Path, *, secret: bool) -> None:
    """By the number among those that the table saw, so that the dice of a player's file can be followed."""
    campaign = begin_campaign(memory_book(tmp_path))
    if secret:
        campaign.do("note", {"text": "a secret", "to": "gm"})
    campaign.do("roll", {"expression": "1d20"})
    rolled = campaign.head.actions
    campaign.corrections.undo(rolled, reason="so").apply()
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, "mira")
    (voided,) = (envelope(line) for line in body_lines(path) if b'"ActionVoided@1"' in line)
    assert voided["public_number"] == campaign.history.place_of(rolled) == rolled - secret
    assert verdicts(path) == ("VERIFIED", "VERIFIED")


@pytest.mark.parametrize("verb", ["scene", "take-seat", "agree", "entropy"])
def test_what_settles_something_for_all_cannot_be_secret(tmp_path: Path, verb: str) -> None:
    campaign = table(tmp_path)
    params = {
        "scene": {"title": "x"},
        "take-seat": {"seat": "x"},
        "agree": {"matter": "dice", "value": "either"},
        "entropy": {"text": "x"},
    }
    head = campaign.head
    with pytest.raises(RollbookError, match="for the whole table"):
        campaign.do(verb, params[verb], secret=True)
    assert campaign.head == head


# A game of our own, with a fight.


def brawl(folder: Path, *, with_somebody_hidden: bool) -> Campaign:
    """Three who fight before everybody's eyes, and perhaps a fourth whom nobody sees until her turn."""
    book = book_of(MemoryEventStore(), SQLiteReadModel(), KnownSeeds(folder / "seeds"), clock=ticking_clock())
    campaign = book.new("Brawl", "storytoken")
    for seat, role in (("Ana", "gm"), ("mira", "player")):
        campaign.do("take-seat", {"seat": seat, "role": role})
    campaign.do("note", {"text": "a first secret", "to": "gm"})
    for name in ("Guard", "Captain", "Thief"):
        campaign.do("join", {"name": name, "kind": "npc", "hp": 18, "ac": 12})
    if with_somebody_hidden:
        campaign.do("join", {"name": "Vesper", "id": "vesper", "kind": "npc", "hp": 18, "ac": 12}, secret=True)
    campaign.do("open-session")
    campaign.do("begin-encounter", {"participants": ("guard", "captain", "thief")})
    if with_somebody_hidden:
        campaign.do("join-encounter", {"who": "vesper"})
        campaign.do("note", {"text": "Vesper waits", "about": "vesper"})
    for _ in range(7):
        encounter = campaign.state.encounter
        assert encounter is not None
        waiting = [who for who in encounter.waiting() if who != encounter.current]
        known = [who for who in waiting if who != "vesper"]
        campaign.do("end-turn", {"next": known[0]} if len(waiting) > 1 else {})
    return campaign


def test_a_hidden_combatant_is_in_no_order_that_the_table_sees(tmp_path: Path) -> None:
    files = {}
    for hidden in (False, True):
        campaign = brawl(tmp_path / str(hidden), with_somebody_hidden=hidden)
        files[hidden] = export_for(campaign, tmp_path / "file.jsonl", "mira").decode()
        assert verdicts(tmp_path / "file.jsonl")[0] == "VERIFIED"
    assert "vesper" not in files[True].casefold()
    orders = [line for line in files[True].splitlines() if '"TurnOrderSet@1"' in line]
    assert len(orders) > 1
    events = [event for line in orders for event in json.loads(line)["lines"] if event[0] == "TurnOrderSet@1"]
    assert all(set(fields["order"]) == {"guard", "captain", "thief"} for _, fields in events)
    assert '"secret":true' not in files[True]


def test_somebody_who_is_hidden_again_after_a_correction_is_named_in_none_of_it(tmp_path: Path) -> None:
    """What comes out differently because a hidden arrival was undone, and redone, names nobody."""
    campaign = table(tmp_path)
    campaign.do("join", {"name": "Vesper", "id": "vesper", "kind": "npc", "stats": {"max_hp": 9}}, secret=True)
    arrival = campaign.history.actions
    campaign.do("spend-token", {"who": "robin"})
    campaign.do("doom")
    campaign.do("listen", {"who": "robin"})
    campaign.do("pass-time", {"amount": 1, "unit": "hours"})
    undo, redo = campaign.corrections.undo, campaign.corrections.redo
    for step in (undo, redo, undo, redo):
        step(arrival, reason="so", options=CorrectionOptions(draw=True)).apply()
        for reader in ("mira", ""):
            assert b"vesper" not in export_for(campaign, tmp_path / "file.jsonl", reader).lower()
            assert verdicts(tmp_path / "file.jsonl")[0] == "VERIFIED"
    assert campaign.state.characters["vesper"].lost > 0
    assert campaign.audit()[0].verdict == "VERIFIED"
