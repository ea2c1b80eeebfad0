"""A person's name can be removed for good: no byte has it afterwards, and nothing else of the history changes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import attrs
import psycopg
import pytest

from rollbook.adapters.exports.files import VERIFIER
from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.hosting import WantedTable, begin_table, seat_for
from rollbook.application.keeping.persons import Forgotten, forget, person_at
from rollbook.application.redaction import redact
from rollbook.application.timelines.forking import fork
from rollbook.application.visibility.editions.edition import Edition
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import Role, SeatNamed, SeatRenamed
from rollbook.domain.state.campaign_state import CampaignState
from tests.support.shared_stores import seed_key
from tests.support.stores import ROOT

__all__ = ["seed_key"]

pytestmark = pytest.mark.usefixtures("seed_key")
NAME, SECOND = "Zenobia", "Zenobia Quill"
PIECE = b"enobia"
"""In all spellings of the name, and in nothing else."""


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A store in a file, and one on a server."""
    return tmp_path / "kept" / "rollbook.db" if request.param == "file" else request.getfixturevalue("postgres_store")


@pytest.fixture
def book(place: Path | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Book]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    if isinstance(place, Path):
        place.parent.mkdir()
    with closing(open_book(place, tmp_path / "seeds")) as opened:
        yield opened


def played(book: Book) -> Campaign:
    """A table that a host began, with a session in which the person plays, whispers, is renamed and is whispered to."""
    with closing(book.seeds.links()) as links:
        campaign = begin_table(book, links, WantedTable(name="Sherwood", ruleset="storytoken", gm="Ana")).campaign
        seat, _ = seat_for(campaign, NAME, Role.PLAYER)
        links.make(campaign.id, campaign.state.identity, seat)
    campaign.say("open-session First")
    campaign.do("roll", {"expression": "1d20"}, seat=seat)
    campaign.do("note", {"text": f"{NAME} was here"}, seat=seat, command="a page")
    campaign.say(f"whisper {NAME} 'the abbot lies'")
    campaign.say(f"rename-seat {NAME} '{SECOND}'")
    campaign.do("roll", {"expression": "2d6"}, seat=seat)
    campaign.corrections.undo(campaign.head.actions, reason="a slip").apply()
    campaign.say("close-session")
    campaign.session.project()
    return campaign


def forgotten(book: Book, name: str = NAME.lower()) -> Forgotten:
    with closing(book.seeds.links()) as links:
        (person,) = person_at(book, links, name)
        return forget(book, links, person)


def everything(book: Book, place: Path | str, folder: Path) -> dict[str, bytes]:
    """All bytes that are kept or handed out: files, the rows of a server, and exports."""
    found = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name in book.campaigns():
        found |= {f"{name} @{stored.version}": stored.data for stored in book.store.read(name)}
    if isinstance(place, str):
        with psycopg.connect(place) as connection:
            tables = connection.execute(
                "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables WHERE table_schema = 'rollbook'"
            ).fetchall()
            for (table,) in tables:
                rows = connection.execute(f"SELECT to_jsonb(t)::text FROM {table} AS t").fetchall()
                found[table] = b"\n".join(row[0].encode() for row in rows)
    return found


def exports(campaign: Campaign, folder: Path) -> list[Path]:
    folder.mkdir()
    paths = [folder / "whole.jsonl", folder / "gm.jsonl", folder / "seat.jsonl"]
    export_campaign(campaign.session.log, paths[0])
    (seat,) = (seat.name for seat in campaign.state.seats.values() if seat.role is Role.PLAYER)
    for path, reader in zip(paths[1:], ("", seat), strict=True):
        export_shown(campaign.session.log, path, Reader(reader))
    return paths


def without_called(state: CampaignState) -> CampaignState:
    """A state but for what people are called, and whether they are there."""
    seats = {key: attrs.evolve(seat, called="", present=True) for key, seat in state.seats.items()}
    return attrs.evolve(state, seats=seats)


def test_no_byte_has_the_name_and_the_history_is_proven(book: Book, place: Path | str, tmp_path: Path) -> None:
    campaign = played(book)
    before, entries = campaign.state, campaign.head.entry
    hashes = [entry.hash for entry in campaign.history.entries]
    assert any(PIECE in data for data in everything(book, place, tmp_path).values())
    done = forgotten(book)
    assert (done.notes, done.names, done.links, done.stays_in, done.fault) == (1, 2, 1, 0, "")
    campaign.session.read_again()
    campaign.session.project()
    assert without_called(campaign.state) == without_called(before)
    (seat,) = (seat for seat in campaign.state.seats.values() if seat.role is Role.PLAYER)
    assert seat.shown == done.called == "Seat 2" and not seat.present
    assert [entry.hash for entry in campaign.history.entries][:entries] == hashes
    written = exports(campaign, tmp_path / "exported")
    assert not [name for name, data in everything(book, place, tmp_path).items() if PIECE in data]
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3
    for path in written:
        verifier = [sys.executable, "-I", str(ROOT / "adapters" / "exports" / VERIFIER), str(path)]
        said = subprocess.run(verifier, capture_output=True, text=True, timeout=60, check=False)
        assert said.returncode in (0, 3) and "FAILED" not in said.stdout, said.stdout
        assert "words were removed" in said.stdout


def test_a_mark_stands_where_the_name_was(book: Book) -> None:
    campaign = played(book)
    (seat,) = (seat.name for seat in campaign.state.seats.values() if seat.role is Role.PLAYER)
    lines = [line.sentence for line in campaign.read_model.log(campaign.id)]
    assert f"{NAME} sits down as player" in lines, lines
    assert not any(seat in line for line in lines)
    forgotten(book)
    campaign.session.project()
    lines = [line.sentence for line in campaign.read_model.log(campaign.id)]
    assert "(name removed) sits down as player" in lines
    assert any("(the name was removed)" in line for line in lines)
    assert "removed for good" in " ".join(lines)
    shown = Edition(campaign, seat)
    assert shown.state.seats[seat].called == "Seat 2"


def test_said_again_it_finds_nothing_more_to_remove(book: Book) -> None:
    played(book)
    forgotten(book)
    again = forgotten(book, "Seat 2")
    assert (again.notes, again.names, again.links, again.fault) == (0, 0, 0, "")


def test_on_timelines_the_name_goes_too(book: Book, place: Path | str, tmp_path: Path) -> None:
    campaign = played(book)
    timeline = fork(book, campaign, campaign.head.entry - 3, "What if?")
    timeline.say("rename-seat 'Zenobia Quill' 'Zenobia the Second'")
    done = forgotten(book)
    assert done.fault == ""
    assert not [name for name, data in everything(book, place, tmp_path).items() if PIECE in data]
    for name in book.campaigns():
        assert book.campaign(name).audit()[0].verdict is Verdict.VERIFIED


def test_a_whole_file_without_the_name_is_imported_with_its_proof(book: Book, tmp_path: Path) -> None:
    campaign = played(book)
    forgotten(book)
    path, *_ = exports(campaign, tmp_path / "exported")
    with closing(open_book(tmp_path / "other.db", tmp_path / "others")) as other:
        came = other.campaign(import_campaign(other, path).campaign)
        assert came.state == campaign.state
        assert [answer.verdict for answer in came.audit()] == [Verdict.VERIFIED] * 3


def test_a_name_that_the_hashes_cover_stays_and_is_counted(book: Book) -> None:
    """A table that did not agree on names: what is called otherwise later can go, the first name cannot."""
    campaign = book.new("Nottingham", "storytoken")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.do("take-seat", {"seat": NAME})
    taken = campaign.head.actions
    campaign.do("note", {"text": "mine"}, seat=NAME)
    campaign.say(f"rename-seat {NAME} '{SECOND}'")
    with pytest.raises(Refused, match="stands in the envelope of its entry, and the hashes prove that"):
        redact(book, campaign, taken, why="asked")
    done = forgotten(book)
    assert (done.names, done.fault, done.called) == (1, "", "Seat 2") and done.stays_in >= 3
    assert not any(SECOND.encode() in stored.data for stored in campaign.session.log.stored())
    assert campaign.state.seats[NAME].shown == "Seat 2"
    assert campaign.audit()[0].verdict is Verdict.VERIFIED


def test_who_sat_there_before_the_table_agreed_comes_back_to_the_same_seat(book: Book) -> None:
    campaign = book.new("Nottingham", "storytoken")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.do("agree", {"matter": "names", "value": "removable"})
    campaign.do("take-seat", {"seat": NAME})
    (seat,) = (seat for seat in campaign.state.seats.values() if seat.shown == NAME)
    assert seat.name.startswith("seat-") and campaign.state.seats["Ana"].name == "Ana"
    for name in ("Ana", NAME):
        campaign.say(f"leave-seat {name}")
        campaign.say(f"take-seat {name}" + (" --role gm" if name == "Ana" else ""))
    assert len(campaign.state.seats) == 2
    with pytest.raises(Refused, match=f"{NAME} already has a seat"):
        campaign.say(f"take-seat {NAME}")
    with pytest.raises(Refused, match="Somebody else at this table is called"):
        campaign.say(f"take-seat {NAME.upper()}")


def test_a_name_of_an_older_history_is_played_again_as_it_was(book: Book) -> None:
    """Names from before they could be removed: the rules come to the event that was stored."""
    campaign = book.new("Nottingham", "storytoken")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    intent = Intent(verb="rename-seat", params={"seat": "Ana", "name": "Anna"})
    played_again = campaign.session.rulebook.play(campaign.state, intent, NoDice())
    assert played_again.events == (SeatRenamed(seat="Ana", name="Anna"),)
    campaign.say("rename-seat Ana Anna")
    (named,) = campaign.history.entries[-1].events
    assert isinstance(named, SeatNamed) and len(named.salt) == 32
