"""A store may hold many campaigns: one is projected when it is asked for, and the ends of all are seen at every look."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from tests.support.campaigns import begin_campaign, file_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.read_models import rebuilt, rows, says_what_happened
from tests.support.stores import unguarded

NAMES = ("Sherwood", "Nottingham", "Lincoln")


def begun(folder: Path) -> Book:
    """A store of three campaigns that nobody has looked at."""
    book = file_book(folder)
    for at, name in enumerate(NAMES):
        play_campaign_steps(begin_campaign(book, name), RandomSteps(at), 12, corrections=0.3)
    return book


def projected(book: Book) -> set[str]:
    return {row[0] for row in book.read_model.db.execute("SELECT campaign FROM campaigns")}


def seen(book: Book) -> dict[str, tuple[int, str]]:
    return {row[0]: row[1:] for row in book.read_model.db.execute("SELECT campaign, entry, hash FROM ends")}


def ends(book: Book) -> dict[str, tuple[int, str]]:
    return {name: (head.entry, head.hash) for name in book.campaigns() for head in [book.campaign(name).head]}


def test_only_the_campaign_that_is_asked_for_is_projected_and_the_ends_of_all_are_seen(tmp_path: Path) -> None:
    with begun(tmp_path) as book:
        book.campaign("nottingham").session.project()
        assert projected(book) == {"nottingham"}
        assert seen(book) == ends(book)
        says_what_happened(book.read_model, book.campaign("nottingham"))
        book.campaign("lincoln").do("gain-token", {"who": "robin"})
        book.campaign("nottingham").session.project()
        assert projected(book) == {"nottingham"}
        assert seen(book) == ends(book)


def test_campaigns_asked_for_in_any_order_come_to_the_same_as_all_at_once(tmp_path: Path) -> None:
    with begun(tmp_path) as book:
        chance = RandomSteps(4)
        for name in chance.random.choices(["sherwood", "nottingham", "lincoln"], k=12):
            play_campaign_steps(book.campaign(name), chance, 3, corrections=0.3)
            book.campaign(name).session.project()
        for name in book.campaigns():
            book.campaign(name).session.project()
        assert rows(book.read_model) == rows(rebuilt(book))
        assert book.read_model.rebuild(book.store, book.rulebook) == sum(entry for entry, _ in ends(book).values())
        assert rows(book.read_model) == rows(rebuilt(book))


def test_the_lost_end_of_a_campaign_that_nobody_asked_for_is_not_forgotten(tmp_path: Path) -> None:
    store, copy = tmp_path / "rollbook.db", tmp_path / "older.db"
    begun(tmp_path).close()
    shutil.copy(store, copy)
    with file_book(tmp_path) as book:
        book.campaign("sherwood").session.project()
        lincoln = book.campaign("lincoln")
        before = lincoln.head.entry
        for _ in range(2):
            lincoln.do("gain-token", {"who": "robin"})
        book.campaign("sherwood").session.project()
    shutil.copy(copy, store)
    with file_book(tmp_path) as book:
        book.campaign("sherwood").do("gain-token", {"who": "robin"})
        book.campaign("sherwood").session.project()
        assert projected(book) == {"sherwood"}
        assert book.campaign("sherwood").audit()[0].verdict is Verdict.VERIFIED
        answer = book.campaign("lincoln").audit()[0]
        assert answer.verdict is Verdict.FAILED
        assert f"once saw entries @{before + 1} to @{before + 2} " in answer.findings[0].text


def test_an_end_that_was_replaced_is_noted_before_the_new_one_is_seen(tmp_path: Path) -> None:
    """The last entry of one campaign is taken out and another written, and the last change that was seen is still there."""
    with begun(tmp_path) as book:
        nottingham = book.campaign("nottingham")
        nottingham.do("note", {"text": "a wolf"})
        gone = nottingham.head.entry
        book.campaign("sherwood").do("note", {"text": "an owl"})
        book.campaign("lincoln").session.project()
    with closing(sqlite3.connect(tmp_path / "rollbook.db")) as other, other:
        unguarded(other).execute(
            "DELETE FROM stored_events WHERE originator_id = 'nottingham' AND originator_version = ?", [gone]
        )
    with file_book(tmp_path) as book:
        book.campaign("nottingham").do("note", {"text": "a fox"})
        book.campaign("lincoln").session.project()
        assert seen(book) == ends(book)
        answer = book.campaign("nottingham").audit()[0]
        assert answer.verdict is Verdict.FAILED
        assert f"once saw entry @{gone} " in answer.findings[0].text


def test_words_that_are_removed_leave_the_rows_of_every_campaign(tmp_path: Path) -> None:
    with begun(tmp_path) as book:
        for name in ("sherwood", "nottingham"):
            book.campaign(name).do("note", {"text": "the reeve's daughter"})
            book.campaign(name).session.project()
        sherwood = book.campaign("sherwood")
        sherwood.redact(sherwood.head.actions, why="private")
        book.campaign("lincoln").session.project()
        assert projected(book) == {"lincoln"}
        assert seen(book) == ends(book)
        sherwood.session.project()
        assert not [line for line in book.read_model.log("sherwood", everything=True) if "reeve" in line.result]
