"""A campaign at a real store: several people at once, failures that leave no trace, damage that is said and not hidden."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from adapters.book import Book, open_book, read_model_path
from adapters.campaign import Campaign, find_character
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.open_campaign import TRIES
from adapters.seeds import SeedKeeper
from adapters.storage.event_store import MemoryEventStore, SQLiteEventStore
from adapters.storage.read_model import ReadModel
from adapters.timelines import opening as timelines
from domain.audit import Verdict
from domain.corrections import CorrectionOptions, Undo
from domain.dice.supply import DiceNeeded
from domain.entries import EntryKind, RecordedEntry, SecondThought
from domain.errors import HistoryDamaged, NotFound, Refused, RollbookError, RulesetMissing, StaleHistory
from domain.event_store import StoredEntry
from domain.events import DiceRolled, PoolBecame, PoolGained
from tests.support.campaigns import (
    begin_campaign,
    file_book,
    memory_book,
    play_campaign_steps,
    stored_events,
    ticking_clock,
)
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps
from tests.support.toy import TOY


@pytest.fixture(params=["memory", "sqlite"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    made = file_book(tmp_path, MemoryEventStore() if request.param == "memory" else None)
    yield made
    made.close()


def tokens(campaign: Campaign, who: str = "robin") -> int:
    campaign.refresh()
    return campaign.state.characters[who].pools.get("tokens", 0)


def bytes_of(book: Book) -> list[object]:
    return list(book.store.changes())


# Playing.


def test_what_was_played_is_there_when_the_book_is_opened_again(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
        state, head = comparable(campaign.state), campaign.head
    with file_book(tmp_path) as book:
        again = book.campaign("Sherwood")
        assert book.campaigns() == ("sherwood",)
        assert comparable(again.state) == state
        assert again.head == head


def test_a_campaign_is_found_by_name_and_near_misses_are_named(book: Book) -> None:
    begin_campaign(book, "Der Wald über dem Fluß")
    assert book.campaign("der-wald-über-dem-fluss").state.name == "Der Wald über dem Fluß"
    with pytest.raises(NotFound, match="Did you mean der-wald-über-dem-fluss"):
        book.campaign("der wald uber dem fluss")


def test_a_name_that_is_taken_or_none_and_a_ruleset_that_is_none_are_refused(book: Book) -> None:
    book.new("Sherwood", "toy")
    before = bytes_of(book)
    with pytest.raises(RollbookError, match="already a campaign 'sherwood'"):
        book.new("SHERWOOD!", "toy")
    with pytest.raises(RollbookError, match="letters or digits"):
        book.new(" - ", "toy")
    with pytest.raises(NotFound, match="no ruleset called 'toyy'"):
        book.new("Another", "toyy")
    with pytest.raises(Refused, match="setting of toy"):
        book.new("Another", "toy", {"crit": True})
    with pytest.raises(Refused, match="yes or no"):
        book.new("Another", "toy", {"crits": "perhaps"})
    with pytest.raises(Refused, match="at least 0"):
        book.new("Another", "toy", {"start": "-1"})
    assert bytes_of(book) == before


def test_house_rules_are_written_out_and_kept(book: Book) -> None:
    campaign = book.new("Sherwood", "toy", {"start": 5})
    assert campaign.state.settings == {"crits": True, "start": 5}
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.do("join", {"name": "Robin"})
    campaign.do("open-session")
    assert tokens(campaign) == 5


@pytest.mark.parametrize("seed", range(6))
def test_the_head_is_the_same_however_it_was_come_by(seed: int, book: Book) -> None:
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(seed), 40, corrections=0.35)
    head = campaign.head
    assert campaign.log.scan() == head
    fresh = Campaign(campaign.log, book.rulebook, book.seeds, book.read_model)
    assert fresh.head == head
    assert comparable(fresh.state) == comparable(head.state)
    campaign.project()
    snapshot = book.read_model.snapshot(campaign.id)
    assert snapshot == head
    assert snapshot is not None
    assert comparable(snapshot.state) == comparable(head.state)


@pytest.mark.parametrize("seed", range(6))
def test_going_on_from_a_snapshot_is_going_on_from_everything(seed: int, book: Book) -> None:
    campaign = begin_campaign(book)
    chance = RandomSteps(seed)
    play_campaign_steps(campaign, chance, 15)
    campaign.project()
    short = Campaign(campaign.log, book.rulebook, book.seeds, book.read_model)
    assert short.head == campaign.head
    assert short._open._history is None
    play_campaign_steps(campaign, chance, 6, corrections=0)
    short.do("scene", {"title": "the ford"})
    assert short.head == campaign.refresh() == campaign.log.scan()
    play_campaign_steps(campaign, chance, 15, corrections=0.5)
    assert short.refresh() == campaign.head


def test_a_snapshot_of_another_history_is_not_believed(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book).project()
    for path in tmp_path.glob("rollbook.db*"):
        path.unlink()
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        again = Campaign(campaign.log, book.rulebook, book.seeds, book.read_model)
        assert again.head == campaign.head
        assert again.state.identity == campaign.state.identity


# What fails.


FAILURES: list[tuple[str, Callable[[Campaign], object], type[RollbookError]]] = [
    ("no verb", lambda c: c.do("atack", {"attacker": "robin"}), NotFound),
    ("no parameter", lambda c: c.do("attack", {"attacker": "robin"}), Refused),
    ("another parameter", lambda c: c.do("gain-token", {"who": "robin", "why": "so"}), Refused),
    ("nobody", lambda c: c.do("attack", {"attacker": "robin", "target": "nobody"}), NotFound),
    ("no seat", lambda c: c.do("gain-token", {"who": "robin"}, seat="nobody"), NotFound),
    ("another's character", lambda c: c.do("spend-token", {"who": "guard"}, seat="mira"), Refused),
    ("a spectator", lambda c: c.do("gain-token", {"who": "robin"}, seat="watcher"), Refused),
    ("the gm's verb", lambda c: c.do("doom", seat="mira"), Refused),
    ("after some events", lambda c: c.do("join", {"name": "Tuck", "stats": ("a=1", "b=x")}), Refused),
    ("signs", lambda c: c.do("join", {"name": "Tuck", "stats": ("a=+-1",)}), Refused),
    ("a number without end", lambda c: c.do("join", {"name": "Tuck", "stats": ("a=" + "9" * 5000,)}), Refused),
    ("too large", lambda c: c.do("adjust", {"who": "robin", "what": "x", "by": 10**20, "reason": "?"}), Refused),
    ("not hurt, after nothing", lambda c: c.do("heal", {"who": "robin"}), Refused),
    ("no doom", lambda c: c.do("doom"), Refused),
    ("too few dice", lambda c: c.do("attack", {"attacker": "robin", "target": "guard"}, dice=(20,)), Refused),
    ("too many dice", lambda c: c.do("bet", {"who": "robin", "dice": 1}, dice=(2, 2)), Refused),
    ("a wrong die", lambda c: c.do("bet", {"who": "robin", "dice": 2}, dice=(2, 7)), Refused),
    ("bad notation", lambda c: c.do("roll", {"expression": "1d6 +"}), Refused),
    ("a second session", lambda c: c.do("open-session"), Refused),
    ("half a letter", lambda c: c.do("scene", {"title": "a \ud800"}), Refused),
    ("no words", lambda c: c.do("note", {"text": "hush", "to": "nobody"}), Refused),
    ("final", lambda c: c.corrections.undo(1, reason="so"), Refused),
    ("never was", lambda c: c.corrections.undo(999, reason="so"), NotFound),
    ("a word for a number", lambda c: c.corrections.undo("3", reason="so"), NotFound),
    ("a list for a number", lambda c: c.corrections.undo([3, 4], reason="so"), NotFound),
    ("a word to redo", lambda c: c.corrections.redo("3"), NotFound),
    ("a word to redo together", lambda c: c.corrections.redo_together("3"), NotFound),
    ("a word to amend", lambda c: c.corrections.amend("3", {"dice": 3}), NotFound),
    ("a revision of two", lambda c: c.corrections.redo(2, 3, revision=1), Refused),
    ("no second thought", lambda c: c.corrections.record_second_thought(SecondThought(kind="prayer")), Refused),
    ("no token left", lambda c: c.do("spend-token", {"who": "guard"}), Refused),
    ("no such revision", lambda c: c.corrections.redo(2, revision=7), NotFound),
    ("no dice for it", lambda c: c.corrections.amend(9, {"dice": 3}, reason="so"), DiceNeeded),
]


@pytest.mark.parametrize(("what", "attempt", "error"), FAILURES, ids=[what for what, _, _ in FAILURES])
def test_what_fails_says_a_sentence_and_leaves_every_byte_as_it_was(
    what: str, attempt: Callable[[Campaign], object], error: type[RollbookError], book: Book
) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1})
    before, head, seeds = bytes_of(book), campaign.head, sorted(book.seeds.folder.iterdir())
    with pytest.raises(error) as failure:
        attempt(campaign)
    assert len(str(failure.value).split()) > 3
    assert bytes_of(book) == before
    assert campaign.head == head == campaign.log.scan()
    assert sorted(book.seeds.folder.iterdir()) == seeds


def test_entropy_comes_before_the_first_die(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    campaign.do("bet", {"who": "robin", "dice": 1})
    with pytest.raises(Refused, match="nothing more can be mixed"):
        campaign.do("entropy", {"text": "6 2 6"}, seat="mira")
    campaign.corrections.undo(campaign.head.actions, reason="so").apply()
    with pytest.raises(Refused, match="nothing more can be mixed"):
        campaign.do("entropy", {"text": "6 2 6"}, seat="mira")


# Several at once.


def twins(tmp_path: Path) -> tuple[Campaign, Campaign]:
    one, other = file_book(tmp_path), file_book(tmp_path, clock=ticking_clock(5))
    return begin_campaign(one), other.campaign("sherwood")


def test_two_books_on_one_file_see_what_the_other_does(tmp_path: Path) -> None:
    one, other = twins(tmp_path)
    assert tokens(other) == 2
    one.do("gain-token", {"who": "robin"})
    assert tokens(other) == 3
    other.do("spend-token", {"who": "robin"})
    one.corrections.undo(one.refresh().actions, reason="so").apply()
    assert tokens(other) == tokens(one) == 3
    assert one.refresh() == other.refresh() == one.log.scan()


def test_whoever_comes_too_late_decides_again(tmp_path: Path) -> None:
    one, other = twins(tmp_path)
    other.do("adjust", {"who": "robin", "what": "pool:tokens", "by": -1, "reason": "one is left"})

    def first() -> None:
        one.do("spend-token", {"who": "robin"})

    with before_writing(other, first), pytest.raises(Refused, match="there is none"):
        other.do("spend-token", {"who": "robin"})
    assert tokens(one) == tokens(other) == 0
    with before_writing(other, lambda: one.do("gain-token", {"who": "robin"})):
        other.do("gain-token", {"who": "robin"})
    assert tokens(one) == tokens(other) == 2
    assert one.refresh() == other.refresh() == one.log.scan()


def test_whoever_comes_too_late_rolls_the_next_roll(tmp_path: Path) -> None:
    one, other = twins(tmp_path)
    with before_writing(other, lambda: one.do("roll", {"expression": "1d20"})):
        late = other.do("roll", {"expression": "1d20", "purpose": "another"})
    one.refresh()
    rolls = [
        event
        for entry in (one.load_history().entries[-2], late)
        for event in entry.events
        if isinstance(event, DiceRolled)
    ]
    assert [roll.sources[0].index for roll in rolls] == [0, 1]


def test_whoever_always_comes_too_late_is_told_so_in_the_end(tmp_path: Path) -> None:
    one, other = twins(tmp_path)
    others = before_writing(other, lambda: one.do("gain-token", {"who": "robin"}), TRIES)
    with others, pytest.raises(StaleHistory, match="Nothing was recorded"):
        other.do("gain-token", {"who": "marian"})
    assert tokens(one) == 2 + TRIES
    assert tokens(one, "marian") == 2


class before_writing:  # noqa: N801 - it reads as a sentence
    """Somebody else is faster, so many times."""

    def __init__(self, late: Campaign, happens: Callable[[], object], times: int = 1) -> None:
        self.log = late.log
        self.happens = happens
        self.times = times
        self.write = late.log.write

    def __enter__(self) -> None:
        self.log.write = self.delayed  # type: ignore[method-assign,assignment]

    def __exit__(self, *_: object) -> None:
        self.log.write = self.write  # type: ignore[method-assign]

    def delayed(self, *what: object) -> list[tuple[RecordedEntry, int]]:
        if self.times:
            self.times -= 1
            self.happens()
        return self.write(*what)  # type: ignore[arg-type]


def test_a_preview_made_on_an_older_head_is_refused(tmp_path: Path) -> None:
    one, other = twins(tmp_path)
    one.do("gain-token", {"who": "robin"})
    made = one.corrections.undo(one.head.actions, reason="so")
    other.do("gain-token", {"who": "marian"})
    before = bytes_of(file_book(tmp_path))
    with pytest.raises(StaleHistory, match=f"made on entry @{made.base}"):
        made.apply()
    assert bytes_of(file_book(tmp_path)) == before
    made = one.corrections.undo(one.head.actions - 1, reason="so")
    with before_writing(one, lambda: other.do("gain-token", {"who": "marian"})), pytest.raises(StaleHistory):
        made.apply()
    one.corrections.undo(made.entries[0].action, reason="so").apply()
    with pytest.raises(StaleHistory):
        made.apply()
    assert one.head == other.refresh()


def test_applying_appends_exactly_what_the_preview_showed(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("adjust", {"who": "guard", "what": "pool:tokens", "by": 1, "reason": "found"}, secret=True)
    found = campaign.head.actions
    campaign.do("spend-token", {"who": "guard"})
    campaign.do("attack", {"attacker": "guard", "target": "robin"})
    made = campaign.corrections.preview({found: Undo()}, reason="so", options=CorrectionOptions(draw=True))
    shown = made.entries
    written = made.apply()
    assert len(shown) > 1
    for entry, proposal in zip(written, shown, strict=True):
        bare = entry._replace(number=0, at=0, correction="", salt="", public_salt="", previous_public_hash="")
        assert bare._replace(previous_hash="", hash="", public_number=proposal.public_number) == proposal
        assert entry.salt, "from the first secret on every entry is salted"
        assert entry.correction == written[0].correction != ""
    assert comparable(campaign.state) == comparable(made.after)
    assert tuple(campaign.log.entries())[-len(written) :] == written


@pytest.mark.parametrize("seen", [True, False])
def test_a_correction_that_comes_while_everything_is_read_is_not_half_taken_in(seen: bool, book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
    made = campaign.corrections.undo(campaign.head.actions, reason="did not")
    before = campaign.head
    log = EntryLog(book.store, campaign.id, ticking_clock())
    read_kinds = book.store.read_kinds

    def slow(*asked: object) -> Iterator[StoredEntry]:
        too_early = list(read_kinds(*asked))  # type: ignore[arg-type]
        made.apply()
        return iter(list(read_kinds(*asked)) if seen else too_early)  # type: ignore[arg-type]

    book.store.read_kinds = slow  # type: ignore[method-assign,assignment]
    scanned = log.scan()
    book.store.read_kinds = read_kinds  # type: ignore[method-assign]
    assert scanned == before
    assert log.scan() == campaign.head


def test_several_processes_play_at_one_table(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    seats = {"Ana": "play", "mira": "play", "": "project"}
    running = [start(tmp_path, seat, how, 12) for seat, how in seats.items()]
    for process in running:
        _, said = process.communicate(timeout=100)
        assert process.returncode == 0, said.decode()
    assert tokens(campaign) == 2 + 24
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.VERIFIED]
    indices = {
        seat: [
            event.sources[0].index
            for e in campaign.load_history().entries
            for event in e.events
            if rolled_by(event, seat)
        ]
        for seat in ("Ana", "mira")
    }
    assert indices == {"Ana": list(range(12)), "mira": list(range(12))}
    campaign.project()
    assert len(campaign.read_model.log(campaign.id)) == campaign.head.actions


def rolled_by(event: object, seat: str) -> bool:
    return isinstance(event, DiceRolled) and event.roller == seat


def start(folder: Path, seat: str, how: str, many: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.support.concurrent_play", str(folder), seat, how, str(many)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)


# Damage.


def spoil(path: Path, sql: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    connection.execute(sql, values)
    connection.commit()
    connection.close()


SPOILT = [
    (
        "UPDATE stored_events SET state = replace(state, '\"amount\":1', '\"amount\":9') WHERE originator_version = 10",
        10,
    ),
    ("DELETE FROM stored_events WHERE originator_version = 10", 10),
    ("UPDATE stored_events SET topic = 'ActionWon@1' WHERE originator_version = 10", 10),
    ("UPDATE stored_events SET state = x'00' WHERE originator_version = 10", 10),
    ("UPDATE stored_events SET state = 'text' WHERE originator_version = 10", 10),
]


@pytest.mark.parametrize(("sql", "entry"), SPOILT)
def test_a_damaged_history_opens_read_only_and_says_where(sql: str, entry: int, tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("scene", {"title": "the ford"})
        campaign.do("gain-token", {"who": "robin"})
        campaign.do("scene", {"title": "the inn"})
        assert campaign.load_history().entries[9].events[0] == PoolGained(holder="robin", pool="tokens", amount=1)
    spoil(tmp_path / "rollbook.db", sql)
    (tmp_path / "rollbook.read.db").unlink(missing_ok=True)
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        assert campaign.load_history().head == entry - 1
        assert campaign.state.scene == "the ford"
        assert f"Entry @{entry} is damaged" in campaign.damage
        before = bytes_of(book)
        for attempt in (
            lambda: campaign.do("scene", {"title": "the sea"}),
            lambda: campaign.corrections.undo(9, reason="so").apply(),
            lambda: campaign.corrections.record_second_thought(SecondThought(kind="reroll")),
        ):
            with pytest.raises((HistoryDamaged, Refused)):
                attempt()
        assert bytes_of(book) == before
        chain, _, _ = campaign.audit()
        assert chain.verdict is Verdict.FAILED
        assert chain.findings[0].entry == entry
        assert campaign.sheet("robin").amount("tokens") == 2


def test_damage_in_one_campaign_leaves_the_others_alone(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book, "Sherwood")
        begin_campaign(book, "Nottingham")
    spoil(tmp_path / "rollbook.db", "UPDATE stored_events SET state = x'00' WHERE rowid = 5")
    with file_book(tmp_path) as book:
        assert book.campaign("sherwood").load_history().head < 5
        assert "is damaged" in book.campaign("sherwood").damage
        other = book.campaign("nottingham")
        other.do("gain-token", {"who": "robin"})
        other.project()
        assert len(book.read_model.log("nottingham")) == other.head.actions
        book.campaign("sherwood").project()
        assert book.read_model.log("nottingham", search="token")


def test_damage_that_comes_while_the_book_is_open_is_noticed_with_the_next_entry(tmp_path: Path) -> None:
    one, other = twins(tmp_path)
    assert one.head == other.head
    one.do("scene", {"title": "the ford"})
    spoil(tmp_path / "rollbook.db", "UPDATE stored_events SET state = x'00' WHERE originator_version = 9")
    with pytest.raises(HistoryDamaged, match="Entry @9 is damaged"):
        other.do("scene", {"title": "the inn"})
    assert other.state.scene == ""


def test_a_lost_end_is_found_through_what_the_read_model_remembers(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("scene", {"title": "the ford"})
        campaign.project()
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
    spoil(tmp_path / "rollbook.db", "DELETE FROM stored_events WHERE originator_version > 8")
    with file_book(tmp_path) as book:
        chain = book.campaign("sherwood").audit()[0]
        assert chain.verdict is Verdict.FAILED
        assert "the history was longer" in chain.findings[-1].text


# Commands with an id, corrections with an id, and the fingerprint of the rules.


def test_a_command_that_is_given_again_happens_once(book: Book) -> None:
    campaign = begin_campaign(book)
    shot = {"attacker": "robin", "target": "guard"}
    first = campaign.do("attack", shot, seat="mira", reason="now", command="form 7")
    before = bytes_of(book)
    assert campaign.do("attack", shot, seat="mira", reason="now", command="form 7") == first
    other = Campaign(campaign.log, book.rulebook, book.seeds, ReadModel())
    assert other.do("attack", shot, seat="mira", reason="now", command="form 7") == first
    assert bytes_of(book) == before
    assert (first.command, len(first.command_digest)) == ("form 7", 64)


def test_another_command_under_the_same_id_is_refused_and_other_seats_have_ids_of_their_own(book: Book) -> None:
    campaign = begin_campaign(book)
    first = campaign.do("roll", {"expression": "1d6"}, seat="mira", command="1")
    before = bytes_of(book)
    others: tuple[tuple[str, dict[str, str], dict[str, Any]], ...] = (
        ("gain-token", {"who": "robin"}, {}),
        ("roll", {"expression": "1d8"}, {}),
        ("roll", {"expression": "1d6"}, {"secret": True}),
        ("roll", {"expression": "1d6"}, {"reason": "x"}),
        ("roll", {"expression": "1d6"}, {"dice": (3,)}),
    )
    for verb, params, more in others:
        with pytest.raises(Refused, match=f"'1' was given to something else already: action #{first.action}"):
            campaign.do(verb, params, seat="mira", command="1", **more)
    assert bytes_of(book) == before
    second = campaign.do("roll", {"expression": "1d8"}, command="1")
    assert (second.seat, second.command) == ("Ana", "1")
    assert campaign.do("roll", {"expression": "1d6"}, seat="mira", command="2").number == second.number + 1


def test_a_command_that_was_refused_can_be_given_again(book: Book) -> None:
    campaign = begin_campaign(book)
    with pytest.raises(Refused):
        campaign.do("award", {"who": ("robin",), "amount": 5, "reason": "x"}, seat="mira", command="a")
    assert campaign.do("gain-token", {"who": "robin"}, command="a").command == "a"


def test_the_words_of_a_note_cannot_be_told_from_its_command_once_they_are_removed(book: Book) -> None:
    campaign = begin_campaign(book)
    note = campaign.do("note", {"text": "zyxel"}, command="n")
    assert campaign.do("note", {"text": "zyxel"}, command="n") == note
    with pytest.raises(Refused, match="something else already"):
        campaign.do("note", {"text": "plugh"}, command="n")
    again = campaign.do("note", {"text": "zyxel"}, command="m")
    assert again.command_digest != note.command_digest, "the salt of each note is in it"
    campaign.redact(note.action, why="private")
    assert campaign.do("note", {"text": "zyxel"}, command="n").events[0].text == ""  # type: ignore[attr-defined]


def test_an_x_card_has_no_command(book: Book) -> None:
    campaign = begin_campaign(book)
    raised = campaign.do("x-card", seat="mira", command="mira's own")
    assert (raised.seat, raised.command, raised.command_digest) == ("", "", "")
    assert all(b"own" not in change.entry.data for change in book.store.changes())


def test_a_timeline_knows_the_commands_from_before_it_was_forked(book: Book) -> None:
    campaign = begin_campaign(book)
    first = campaign.do("gain-token", {"who": "robin"}, command="1")
    fork = timelines.fork(book, campaign)
    timelines.begin(fork)
    campaign.do("gain-token", {"who": "robin"}, command="2")
    assert fork.do("gain-token", {"who": "robin"}, command="1") == first
    own = fork.do("gain-token", {"who": "robin"}, command="2")
    assert fork.do("gain-token", {"who": "robin"}, command="2") == own
    assert own.number == first.number + 1


def test_the_entries_of_one_correction_share_an_id(book: Book) -> None:
    campaign = begin_campaign(book)
    gained = campaign.do("gain-token", {"who": "robin"}).action
    for _ in range(3):
        campaign.do("spend-token", {"who": "robin"})
    one = campaign.corrections.undo(gained, reason="so").apply()
    two = campaign.corrections.redo(gained, reason="so").apply()
    assert len(one) > 1
    for made in (one, two):
        assert {len(entry.correction) for entry in made} == {26}
        assert campaign.load_history().correction(made[0].correction) == tuple(made)
    assert one[0].correction != two[0].correction
    assert {entry.correction for entry in campaign.load_history().entries if not entry.is_correction} == {""}
    assert campaign.load_history().correction("") == ()


def test_the_fingerprint_of_the_rules_is_stored_where_it_changes(book: Book) -> None:
    campaign = begin_campaign(book)
    known = ["aa"]
    log = EntryLog(
        book.store, campaign.id, ticking_clock(), fingerprint=lambda state: known[0] if state.ruleset else "?"
    )
    again = Campaign(log, book.rulebook, book.seeds, ReadModel())
    numbers = []
    for known[0] in ("", "aa", "aa", "bb", "", ""):
        numbers.append(again.do("gain-token", {"who": "robin"}))
    assert [entry.fingerprint for entry in numbers] == ["", "aa", "", "bb", "-", ""]
    assert [again.load_history().fingerprint_of(entry.action) for entry in numbers] == ["", "aa", "aa", "bb", "", ""]
    assert again.load_history().fingerprint == again.head.fingerprint == log.scan().fingerprint == ""
    known[0] = "bb"
    again.corrections.undo(numbers[1].action, reason="x").apply()
    assert again.load_history().fingerprint == log.scan().fingerprint == "bb"
    assert again.load_history().fingerprint_of(numbers[1].action) == "aa"
    assert again.audit()[0].verdict is Verdict.VERIFIED


# A ruleset that is gone.


def test_without_its_ruleset_a_campaign_opens_read_only(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("bet", {"who": "robin", "dice": 1})
        campaign.do("close-session")
        state = comparable(campaign.state)
    with file_book(tmp_path, ruleset=None) as book:
        campaign = book.campaign("sherwood")
        before = bytes_of(book)
        for attempt in (
            lambda: campaign.do("scene", {"title": "x"}),
            lambda: campaign.do("bet", {"who": "robin", "dice": 1}),
            lambda: campaign.corrections.undo(campaign.head.actions - 1, reason="so"),
            lambda: campaign.corrections.redo(3),
            lambda: campaign.corrections.amend(3, {}, reason="so"),
        ):
            with pytest.raises(RulesetMissing, match=r"'toy' .*not installed"):
                attempt()
        assert bytes_of(book) == before
        assert comparable(campaign.state) == state == comparable(campaign.load_history().state)
        campaign.project()
        assert [line.verb for line in book.read_model.log("sherwood")][-2:] == ["bet", "close-session"]
        assert campaign.sheet("robin").amount("max_hp") == 0
        assert campaign.sheet("robin").value("hp") is not None
        verdicts = [answer.verdict for answer in campaign.audit()]
        assert verdicts == [Verdict.VERIFIED, Verdict.VERIFIED, Verdict.UNPROVEN]


def test_a_newer_ruleset_plays_on_and_leaves_what_it_would_decide_otherwise(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
        wound = campaign.head.actions
        campaign.do("worry", {"who": "robin"})
    with file_book(tmp_path, ruleset=attrs.evolve(TOY, version="2")) as book:
        campaign = book.campaign("sherwood")
        made = campaign.corrections.undo(wound, reason="so")
        assert [consequence.effect for consequence in made.consequences] == ["undone", "drifted"]
        entry = campaign.do("worry", {"who": "robin"})
        assert entry.kind is EntryKind.TAKEN
        assert entry.version == "2"


# Secrets.


def test_an_x_card_says_nothing_of_who_raised_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda size: "5a" * size)
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"\x5a" * size)
    stores = []
    for seat in ("Ana", "mira", "watcher", None):
        book = memory_book(tmp_path / str(seat))
        campaign = begin_campaign(book)
        campaign.do("x-card", seat=seat)
        campaign.do("after-x-card", {"how": "skip"})
        campaign.do("x-card", seat=seat, reason="")
        campaign.project()
        stores.append((stored_events(campaign), campaign.read_model.log(campaign.id), campaign.head.ledger))
        assert campaign.state.paused
    assert stores[0] == stores[1] == stores[2] == stores[3]


def test_seeds_lie_outside_the_store_and_are_their_owners_alone(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        session = campaign.state.session
        assert session is not None
        (path,) = book.seeds.folder.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(book.seeds.folder.stat().st_mode) == 0o700
        seeds = book.seeds.of(session.identity, campaign.state.identity)
        assert seeds is not None
        assert seeds.commits == (session.commit_table, session.commit_screen)
        campaign.do("bet", {"who": "robin", "dice": 3})
        campaign.do("hide", {"who": "robin"})
        campaign.project()
        assert not is_anywhere(tmp_path, seeds.table)
        assert not is_anywhere(tmp_path, seeds.screen)
        campaign.do("close-session")
        assert is_anywhere(tmp_path, seeds.table)
        assert not is_anywhere(tmp_path, seeds.screen)
        with pytest.raises(NotFound, match="not kept on this computer"):
            campaign.do("reveal-screen", {"session": 2})
        campaign.do("reveal-screen", {"session": 1})
        assert is_anywhere(tmp_path, seeds.screen)


def is_anywhere(folder: Path, secret: bytes) -> bool:
    """Whether a secret stands in the store, its log or the read model, as it is or in hexadecimal."""
    held = b"".join(path.read_bytes() for path in folder.glob("rollbook*"))
    return secret in held or secret.hex().encode() in held


def test_an_open_session_keeps_its_screen_shut(book: Book) -> None:
    campaign = begin_campaign(book)
    with pytest.raises(Refused, match="stay secret"):
        campaign.do("reveal-screen", {"session": 1})


def test_without_its_seeds_a_session_goes_on_with_real_dice(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book)
    for path in (tmp_path / "seeds").iterdir():
        path.write_text("{")
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        with pytest.raises(Refused, match="their seeds are not here"):
            campaign.do("bet", {"who": "robin", "dice": 1})
        campaign.do("bet", {"who": "robin", "dice": 1}, dice=(4,))
        campaign.do("close-session")
        assert campaign.audit()[1].verdict is Verdict.UNPROVEN


def test_seeds_that_were_never_committed_to_are_forgotten(tmp_path: Path) -> None:
    keeper = SeedKeeper(tmp_path / "seeds")
    seeds = keeper.new("ab" * 16)
    assert keeper.of(seeds.identity.hex(), "ab" * 16) == seeds
    keeper.forget(seeds)
    keeper.forget(seeds)
    assert keeper.of(seeds.identity.hex(), "ab" * 16) is None
    assert keeper.of("../../etc/passwd", "ab" * 16) is None


# Dice for a correction.


def test_dice_drawn_for_a_correction_go_on_record_at_once(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1})
    bet = campaign.head.actions
    made = campaign.corrections.amend(bet, {"dice": 3}, reason="it was three", options=CorrectionOptions(draw=True))
    drawn = campaign.load_history().entries[-2:]
    assert [entry.intent.verb for entry in drawn if entry.kind is EntryKind.TAKEN] == ["draw-for"] * 2
    again = campaign.corrections.amend(bet, {"dice": 3}, reason="it was three")
    assert again.entries == made.entries
    again.apply()
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_dice_drawn_behind_the_screen_stay_behind_it(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1}, secret=True)
    made = campaign.corrections.amend(
        campaign.head.actions, {"dice": 2}, reason="two", options=CorrectionOptions(draw=True)
    )
    drawn = campaign.load_history().entries[-1]
    assert drawn.visibility == "gm"
    assert drawn.salt
    assert made.entries[0].visibility == "gm"


def test_no_dice_are_drawn_from_a_session_that_is_closed(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1})
    bet = campaign.head.actions
    campaign.do("close-session")
    before = bytes_of(book)
    with pytest.raises(Refused, match="No session is open"):
        campaign.corrections.amend(bet, {"dice": 2}, reason="two", options=CorrectionOptions(draw=True))
    assert bytes_of(book) == before
    campaign.corrections.amend(bet, {"dice": 2}, reason="two", options=CorrectionOptions(dice=(6,))).apply()
    campaign.do("open-session")
    campaign.corrections.amend(bet, {"dice": 3}, reason="three", options=CorrectionOptions(draw=True)).apply()
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_a_second_thought_is_stored_at_once_and_its_die_is_proven(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    (entry, *_) = campaign.corrections.record_second_thought(SecondThought(kind="reroll"), seat="mira")
    assert entry.reason == "a token for another to-hit roll"
    assert tokens(campaign) == 1
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


# Small things.


def test_a_character_is_found_by_id_name_or_an_unmistakable_beginning(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("join", {"name": "Robin the Younger"})
    state = campaign.state
    assert find_character(state, "ROBIN") == "robin"
    assert find_character(state, "robin the younger") == "robin-the-younger"
    assert find_character(state, "mar") == "marian"
    with pytest.raises(NotFound, match="may be any of robin, robin-the-younger"):
        find_character(state, "rob")
    with pytest.raises(NotFound, match="no character called 'nobody'"):
        find_character(state, "nobody")


def test_a_session_begins_with_what_the_rules_hand_out(book: Book) -> None:
    campaign = begin_campaign(book)
    gains = [
        event for entry in campaign.load_history().entries for event in entry.events if isinstance(event, PoolBecame)
    ]
    assert {(event.holder, event.amount) for event in gains} == {("robin", 2), ("marian", 2)}


def test_a_book_is_opened_with_its_read_model_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "camp.db"
    with pytest.raises(NotFound):
        open_book(path, tmp_path / "seeds", create=False)
    with open_book(path, tmp_path / "seeds") as book:
        assert book.campaigns() == ()
        _ = book.read_model.db
    assert read_model_path(path) == tmp_path / "deep" / "camp.read.db"
    assert {found.name for found in path.parent.iterdir()} >= {"camp.db", "camp.read.db"}


def test_the_log_refuses_a_head_that_has_moved(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    log = EntryLog(SQLiteEventStore(tmp_path / "rollbook.db"), campaign.id, ticking_clock())
    with pytest.raises(StaleHistory):
        log.write(Head(), [])
