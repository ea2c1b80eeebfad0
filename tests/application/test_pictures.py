"""Bytes of pictures are beside the history: copied and exported with it, for those who may see them, and removable."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.copying import Copied, Side, StoreCopy
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.pictures import Picture, PictureFaults, faults_of, keeping, picture_of
from rollbook.application.redaction import redact
from rollbook.application.timelines.forking import fork
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged, Refused
from tests.support.audits import chain_of
from tests.support.campaigns import begin_campaign, file_book
from tests.support.exports import export_for, full_export, verify
from tests.support.javascript import JavaScriptVerifier, needs_node, same
from tests.support.picture_files import picture

MAP, FACE = picture("green"), picture("red")


def shown(book: Book, campaign: Campaign, what: Picture, verb: str, **params: str) -> int:
    """Take an action with a picture; returns its number."""
    action = {**params, **what.parameters}
    with keeping(book.store, campaign.id, what):
        campaign.do(verb, action)
    return campaign.head.actions


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return file_book(tmp_path)


def test_a_portrait_and_a_handout_are_in_the_state_of_those_who_may_see_them(book: Book) -> None:
    campaign = begin_campaign(book)
    shown(book, campaign, FACE, "portrait", who="robin")
    shown(book, campaign, MAP, "handout", title="The mill", to="mira", alt="a map")
    assert campaign.state.portraits == {"robin": FACE.digest}
    assert campaign.state.pictures == {FACE.digest: "image/png", MAP.digest: "image/png"}
    assert set(as_seen(campaign, "mira").state.pictures) == {FACE.digest, MAP.digest}
    assert set(as_seen(campaign, "").state.pictures) == {FACE.digest}
    campaign.corrections.undo(campaign.head.actions).apply()
    assert set(campaign.state.pictures) == {FACE.digest}
    campaign.do("portrait", {"who": "robin"})
    assert campaign.state.portraits == {}


def test_a_map_lies_on_the_board_until_it_is_taken_away_and_is_seen_as_long(book: Book) -> None:
    campaign = begin_campaign(book)
    shown(book, campaign, MAP, "lay-map", across="24.5", at="-2,3", alt="the mill")
    laid = campaign.state.board_map
    assert laid is not None
    assert (laid.digest, laid.across, laid.high, laid.west, laid.south) == (MAP.digest, 245, 245 * 5 / 8, -20, 30)
    assert as_seen(campaign, "").state.board_map == laid
    assert campaign.state.pictures == {}
    with keeping(book.store, campaign.id, FACE):
        campaign.do("lay-map", {**FACE.parameters, "across": "9"}, secret=True)
    assert campaign.state.board_map is not None
    assert campaign.state.board_map.digest == FACE.digest
    assert as_seen(campaign, "mira").state.board_map == laid
    campaign.do("lay-map")
    assert campaign.state.board_map is None
    assert as_seen(campaign, "mira").state.board_map is None
    campaign.corrections.undo(campaign.head.actions).apply()
    assert campaign.state.board_map is not None


@pytest.mark.parametrize(
    ("across", "at"),
    [("", "0,0"), ("none", "0,0"), ("0", "0,0"), ("-3", "0,0"), ("9.55", "0,0"), ("9", "3"), ("9", "x,1")],
)
def test_a_map_needs_its_place_in_squares(book: Book, across: str, at: str) -> None:
    campaign = begin_campaign(book)
    with pytest.raises(Refused, match="needs its width in squares"):
        shown(book, campaign, MAP, "lay-map", across=across, at=at)
    assert book.store.pictures(campaign.id) == ()


def test_a_removed_map_leaves_the_one_before_it_and_the_rules_still_agree(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    shown(book, campaign, FACE, "lay-map", across="8")
    action = shown(book, campaign, MAP, "lay-map", across="24.5", at="-2,3", alt="quixotically green")
    redact(book, campaign, action, why="a private matter")
    assert campaign.state.board_map is not None
    assert campaign.state.board_map.digest == FACE.digest
    assert book.store.pictures(campaign.id) == (FACE.digest,)
    for file in tmp_path.glob("rollbook*"):
        assert not any(word in file.read_bytes() for word in (MAP.data, MAP.digest.encode(), b"quixotically"))
    assert [answer.verdict for answer in campaign.audit()[::2]] == [Verdict.VERIFIED, Verdict.VERIFIED]
    data = full_export(campaign, tmp_path / "whole.jsonl")
    assert verify(tmp_path / "whole.jsonl")[0] == 0
    import_campaign(book, tmp_path / "whole.jsonl", "again")
    assert book.campaign("again").state.board_map == campaign.state.board_map
    assert data.count(b'{"picture":"') == 1


def test_a_picture_of_a_refused_action_is_not_kept(book: Book) -> None:
    campaign = begin_campaign(book)
    with pytest.raises(Refused):
        shown(book, campaign, MAP, "handout", title="The map", to="nobody")
    assert book.store.pictures(campaign.id) == ()
    shown(book, campaign, MAP, "handout", title="The map")
    with pytest.raises(Refused):
        shown(book, campaign, MAP, "handout", title="The map", to="nobody")
    assert book.store.pictures(campaign.id) == (MAP.digest,)


def test_a_removed_picture_is_gone_from_every_byte_and_the_chain_still_verifies(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    shown(book, campaign, FACE, "portrait", who="robin")
    action = shown(book, campaign, MAP, "portrait", who="robin", alt="quixotically green")
    timeline = fork(book, campaign)
    shown(book, timeline, MAP, "handout", title="quixotically mapped")
    redact(book, campaign, action, why="a private matter")
    assert campaign.state.portraits == {"robin": FACE.digest}
    assert book.store.pictures(campaign.id) == (FACE.digest,)
    for file in tmp_path.glob("rollbook*"):
        assert not any(word in file.read_bytes() for word in (MAP.data, MAP.digest.encode(), b"quixotically"))
    assert chain_of(campaign.session.log).verdict is Verdict.VERIFIED
    assert campaign.audit()[2].verdict is not Verdict.FAILED


def test_a_picture_that_is_shown_elsewhere_too_stays_for_there(book: Book) -> None:
    campaign = begin_campaign(book)
    first = shown(book, campaign, MAP, "handout", title="The mill", to="mira")
    shown(book, campaign, MAP, "handout", title="The mill")
    redact(book, campaign, first, why="a slip")
    assert picture_of(book.store, campaign.id, MAP.digest) == MAP.data


def test_a_deleted_campaign_leaves_no_picture(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    shown(book, campaign, MAP, "handout", title="The map")
    delete_campaign(book, stone_of(book, campaign.id))
    assert book.store.pictures(campaign.id) == ()
    assert not any(MAP.data in file.read_bytes() for file in tmp_path.glob("rollbook*"))


def test_an_export_brings_each_picture_back_exactly_once(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    for to in ("table", "mira"):
        shown(book, campaign, MAP, "handout", title="The mill", to=to)
    shown(book, campaign, FACE, "portrait", who="robin")
    data = full_export(campaign, tmp_path / "whole.jsonl")
    assert [data.count(b'{"picture":"' + one.digest.encode()) for one in (MAP, FACE)] == [1, 1]
    assert verify(tmp_path / "whole.jsonl")[0] == 0
    import_campaign(book, tmp_path / "whole.jsonl", "again")
    assert book.store.pictures("again") == book.store.pictures(campaign.id)
    again = full_export(book.campaign("again"), tmp_path / "again.jsonl")
    assert again.split(b"\n")[1:] == data.split(b"\n")[1:]


@pytest.mark.parametrize("how", ["other bytes", "an unknown picture", "twice", "nonsense"])
def test_a_file_with_another_picture_is_refused(book: Book, tmp_path: Path, how: str) -> None:
    campaign, path = begin_campaign(book), tmp_path / "whole.jsonl"
    shown(book, campaign, MAP, "handout", title="The map")
    *lines, last = full_export(campaign, path).splitlines(keepends=True)
    other = b'{"picture":"%s","data":"%s"}\n' % (FACE.digest.encode(), b64encode(FACE.data))
    changed = {
        "other bytes": last.replace(b64encode(MAP.data), b64encode(FACE.data)),
        "an unknown picture": last + other,
        "twice": last + last,
        "nonsense": b'{"picture":7}\n',
    }[how]
    path.write_bytes(b"".join([*lines, changed]))
    with pytest.raises(HistoryDamaged, match="picture|cannot be read"):
        import_campaign(book, path, "again")
    assert "again" not in book.campaigns()
    assert book.store.pictures("again") == ()
    if how in ("other bytes", "nonsense"):
        assert verify(path)[0] == 1


def test_a_readers_file_has_the_pictures_that_they_may_see(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    shown(book, campaign, FACE, "portrait", who="robin")
    shown(book, campaign, MAP, "handout", title="The mill", to="mira")
    for seat, seen in ((None, {MAP, FACE}), ("mira", {MAP, FACE}), ("", {FACE})):
        path = tmp_path / f"{seat}.jsonl"
        lines = export_for(campaign, path, seat).splitlines()
        found = {json.loads(line)["picture"] for line in lines if line.startswith(b'{"picture":')}
        assert found == {one.digest for one in seen}
        assert verify(path)[0] in (0, 3)


@needs_node
def test_the_verifier_in_javascript_looks_at_the_pictures_too(book: Book, tmp_path: Path) -> None:
    campaign, path, verifier = begin_campaign(book), tmp_path / "whole.jsonl", JavaScriptVerifier()
    shown(book, campaign, MAP, "handout", title="The mill", to="mira")
    shown(book, campaign, FACE, "portrait", who="robin")
    for seat in (None, "mira", ""):
        export_for(campaign, path, seat)
        assert "FAILED" not in same(verifier, path)
    data = full_export(campaign, path)
    path.write_bytes(data.replace(b64encode(FACE.data), b64encode(MAP.data)))
    assert "a picture is not the one that was shown" in same(verifier, path)
    verifier.close()


def copied(source: Path, target: Path) -> Copied:
    """Copy the store in one folder to the store in another."""
    with (
        closing(SQLiteEventStore(source / "rollbook.db")) as here,
        closing(SQLiteEventStore(target / "rollbook.db")) as there,
    ):
        sides = (
            Side(store, SeedKeeper(folder / "seeds").of_store(store.identity()), folder.name, store.path)
            for store, folder in ((here, source), (there, target))
        )
        made = StoreCopy(*sides, with_seeds=False)
        made.make()
        return made.compare()


def test_copies_and_backups_have_the_pictures(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    with file_book(here) as book:
        campaign = begin_campaign(book)
        action = shown(book, campaign, MAP, "handout", title="The mill")
        make_backup(SQLiteEventStore(here / "rollbook.db"), book.seeds, tmp_path / "saved")
        assert copied(here, there).pictures == 1
        assert copied(here, there).new == 0
        redact(book, campaign, action, why="a slip")
        assert copied(here, there).pictures == 0
    with (
        closing(SQLiteEventStore(tmp_path / "saved")) as saved,
        closing(SQLiteEventStore(there / "rollbook.db")) as now,
    ):
        assert picture_of(saved, campaign.id, MAP.digest) == MAP.data
        assert now.pictures(campaign.id) == ()


def test_a_missing_or_changed_picture_is_named_and_the_history_is_whole(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    first = shown(book, campaign, MAP, "handout", title="The map")
    shown(book, campaign, FACE, "portrait", who="robin")
    numbers = [entry.number for entry in campaign.history.entries if entry.action >= first]
    with closing(sqlite3.connect(tmp_path / "rollbook.db")) as connection, connection:
        connection.execute("DELETE FROM pictures WHERE digest = ?", [MAP.digest])
        connection.execute("UPDATE pictures SET data = x'00'")
        connection.execute("INSERT INTO pictures VALUES (?, 'ab', x'01')", [campaign.id])
    found = faults_of(book.store, campaign.id)
    assert found == PictureFaults(((numbers[0], MAP.digest),), ((numbers[1], FACE.digest),), ("ab",))
    assert picture_of(book.store, campaign.id, FACE.digest) is None
    assert chain_of(campaign.session.log).verdict is Verdict.VERIFIED


def test_an_older_store_without_the_table_is_read_as_one_without_pictures(book: Book, tmp_path: Path) -> None:
    campaign = begin_campaign(book)
    with closing(sqlite3.connect(tmp_path / "rollbook.db")) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert "pictures" not in tables
    assert book.store.pictures(campaign.id) == ()
    assert book.store.picture(campaign.id, MAP.digest) is None
