"""A timeline goes on from its campaign without a copy of it, has dice of its own, and leaves canon as it is."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.storage.event_store import MemoryEventStore
from adapters.timelines import opening as timelines
from adapters.timelines.marker import Marker, is_timeline, meant, packed
from adapters.timelines.view import TimelineView
from domain.audit import Verdict
from domain.corrections import Amend, CorrectionOptions
from domain.dice.record import Source
from domain.dice.stream import Stream, contribution, fork_key, mix, session_key
from domain.entries import EntryKind, RecordedEntry
from domain.errors import HistoryDamaged, NotFound, Refused, RollbookError, StaleHistory
from domain.event_store import START, NewEntry, StoredEntry
from domain.events import DiceRolled
from tests.support.campaigns import (
    begin_campaign,
    file_book,
    kinds_in,
    memory_book,
    new,
    play_campaign_steps,
    stored_events,
)
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps

SHOT = {"attacker": "robin", "target": "guard"}


@pytest.fixture(params=["memory", "sqlite"])
def book(request: pytest.FixtureRequest, tmp_path: Path):
    made = file_book(tmp_path, MemoryEventStore() if request.param == "memory" else None)
    yield made
    made.close()


def forked(book: Book, parent: Campaign, entry: int | None = None, why: str = "") -> Campaign:
    made = timelines.fork(book, parent, entry, why)
    timelines.begin(made)
    return book.campaign(made.id)


def shoot(campaign: Campaign, target: str = "guard") -> RecordedEntry:
    return campaign.do("attack", {**SHOT, "target": target}, seat="mira")


def sources(entry: RecordedEntry) -> list[Source]:
    return [source for event in entry.events if isinstance(event, DiceRolled) for source in event.sources]


def faces(entry: RecordedEntry) -> list[tuple[int, int]]:
    return [(die.sides, die.face) for event in entry.events if isinstance(event, DiceRolled) for die in event.dice]


# No copy.


def test_a_fork_stores_its_marker_alone_however_long_its_parent_is(book: Book) -> None:
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(3), 60)
    before = stored_events(campaign)
    short, long = forked(book, campaign, 8), forked(book, campaign)
    for fork in (short, long):
        assert list(book.store.read(fork.id)) == []
        marker = book.store.marker(fork.id)
        assert marker is not None
        assert len(marker) < 400
        fork.do("note", {"text": "so far"})
        assert book.store.head(fork.id) == 1
    assert stored_events(campaign) == before


def test_a_fork_is_the_campaign_as_it_was_known_at_that_entry(book: Book) -> None:
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(5), 40)
    whole = [e for e in range(1, campaign.load_history().head + 1) if is_whole(campaign, e)]
    for entry in random.Random(1).sample(whole, 5):
        fork = forked(book, campaign, entry)
        assert fork.head.entry == entry
        assert comparable(fork.state) == comparable(campaign.load_history().as_known_at(entry))
        assert fork.head.hash == campaign.load_history().entry(entry).hash


def is_whole(campaign: Campaign, entry: int) -> bool:
    try:
        timelines._check_not_halfway(campaign.load_history(), campaign.load_history().entry(entry))
    except Refused:
        return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_a_view_reads_as_one_stream_from_anywhere_to_anywhere(book: Book, seed: int) -> None:
    chance = random.Random(seed)
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(seed), 20)
    first = forked(book, campaign, chance.choice([e for e in range(4, 12) if is_whole(campaign, e)]))
    play_campaign_steps(first, RandomSteps(seed + 50), 15)
    second = forked(book, first)
    play_campaign_steps(second, RandomSteps(seed + 90), 10)
    for fork in (first, second):
        view = fork.log.store
        events = list(view.read(fork.id))
        assert [event.version for event in events] == list(range(1, view.head(fork.id) + 1))
        for _ in range(40):
            after, until = (
                chance.randint(-1, len(events) + 2),
                chance.choice([None, chance.randint(0, len(events) + 2)]),
            )
            wanted = [e for e in events if after < e.version and (until is None or e.version <= until)]
            assert list(view.read(fork.id, after, until)) == wanted
        kinds = {event.version: {event.kind[:-2], *kinds_in(event.data)} for event in events}
        wanted_kinds = sorted({kind for each in kinds.values() for kind in each})[::2]
        found = [event for event in events if kinds[event.version] & set(wanted_kinds)]
        assert list(view.read_kinds(fork.id, wanted_kinds)) == found
        after = chance.randint(0, len(events))
        assert list(view.read_kinds(fork.id, wanted_kinds, after)) == [e for e in found if e.version > after]
        changes = list(view.changes())
        assert [change.entry for change in changes] == events
        assert list(view.changes(changes[2].cursor)) == changes[3:]
        assert [view.count(cursor) for cursor in (START, changes[2].cursor)] == [len(events), len(events) - 3]
        assert view.campaigns() == (fork.id,)
        assert view.last_position() == changes[-1].cursor
        assert view.identity() == book.store.identity()


def test_a_view_answers_for_its_own_timeline_alone(book: Book) -> None:
    fork = forked(book, begin_campaign(book))
    view = fork.log.store
    assert view.head("sherwood") == 0
    assert list(view.read("sherwood")) == list(view.read_kinds("sherwood", ["ActionTaken"])) == []
    assert view.by_command("sherwood", "x") == ()
    assert view.marker("sherwood") is None
    with pytest.raises(StaleHistory, match="begins after entry"):
        view.append("sherwood", 0, [NewEntry("ActionTaken@1", b"{}")])
    with pytest.raises(StaleHistory, match="begins after entry"):
        view.append(fork.id, 3, [NewEntry("ActionTaken@1", b"{}")])
    view.close()
    assert shoot(fork).number


# Canon stays as it is.


def test_nothing_that_is_done_on_a_fork_touches_canon(book: Book) -> None:
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(7), 20)
    before, state = stored_events(campaign), comparable(campaign.state)
    fork = forked(book, campaign)
    play_campaign_steps(fork, RandomSteps(8), 40, corrections=0.4)
    fork.corrections.undo(6, reason="what if nobody had come").apply()
    assert fork.state.characters.keys() != campaign.state.characters.keys() or comparable(fork.state) != state
    assert stored_events(campaign) == before
    assert comparable(campaign.state) == state
    assert [answer.verdict for answer in campaign.audit()][::2] == [Verdict.VERIFIED] * 2


def test_a_correction_of_something_before_the_fork_stays_on_the_fork(book: Book) -> None:
    campaign = begin_campaign(book)
    wound = campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"}).action
    fork = forked(book, campaign)
    fork.corrections.amend(wound, {"by": -5}, reason="what if it had been higher").apply()
    assert fork.state.characters["robin"].lost == 5
    assert campaign.state.characters["robin"].lost == 3
    again = Campaign(fork.log, book.rulebook, book.seeds, fork.read_model, fork.timeline)
    assert again.state.characters["robin"].lost == 5
    assert again.audit()[0].verdict is Verdict.VERIFIED


def test_the_read_model_and_the_list_of_campaigns_leave_timelines_out(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    shoot(fork)
    shoot(campaign)
    campaign.project()
    fork.project()
    assert book.campaigns() == ("sherwood",)
    assert {row["campaign"] for row in book.read_model.db.query("SELECT DISTINCT campaign FROM session_log")} == {
        "sherwood"
    }
    assert len(fork.read_model.log(fork.id)) == fork.head.actions
    book.read_model.rebuild(book.store, book.rulebook)
    assert {row["campaign"] for row in book.read_model.db.query("SELECT campaign FROM campaigns")} == {"sherwood"}
    assert len(book.read_model.log("sherwood")) == campaign.head.actions


# Dice.


def test_the_same_request_meets_canons_dice_and_another_one_does_not(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    on_canon = shoot(campaign)
    same = shoot(fork)
    assert faces(same) == faces(on_canon)
    assert sources(same) == sources(on_canon)
    other = fork.do("roll", {"expression": "8d20", "who": "robin"}, seat="mira")
    assert [source.kind for source in sources(other)] == ["fork:1"]
    assert sources(other)[0].index == 0
    later = campaign.do("roll", {"expression": "8d20", "who": "guard"})
    assert faces(later) != faces(other)


def test_a_fork_cannot_see_what_canon_will_roll(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    foreseen = fork.do("roll", {"expression": "8d20", "who": "robin"}, seat="mira")
    happened = campaign.do("roll", {"expression": "8d20", "who": "robin"}, seat="mira")
    assert faces(foreseen) != faces(happened)
    seeds = book.seeds.of(fork.state.session.identity, fork.state.identity)
    session = fork.state.session
    commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
    mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
    key = fork_key(session_key(0, seeds.identity, seeds.table, mixed), 1)
    (source,) = sources(foreseen)
    drawn = Stream(key).roll(source.seat, source.index)
    assert faces(foreseen) == [(20, drawn.draw(20)) for _ in range(8)]


def test_a_fork_of_a_fork_meets_the_dice_of_both_that_it_comes_from(book: Book) -> None:
    campaign = begin_campaign(book)
    first = forked(book, campaign)
    own = first.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    second = forked(book, first, own.number - 1)
    assert second.id == "sherwood~2"
    on_canon = shoot(campaign)
    assert faces(second.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")) == faces(own)
    assert faces(shoot(second)) == faces(on_canon)
    new = second.do("roll", {"expression": "3d20", "who": "guard"})
    assert [(source.kind, source.index) for source in sources(new)] == [("fork:2", 0)]
    assert second.audit()[0].verdict is Verdict.VERIFIED


def test_a_roll_undone_on_a_fork_waits_there_even_if_canon_rolls_for_it_meanwhile(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    seen = fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    fork.corrections.undo(seen.action, reason="no").apply()
    campaign.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    assert faces(fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")) == faces(seen)


def test_closing_canons_session_on_a_fork_reveals_nothing_that_canon_has_not(book: Book) -> None:
    campaign = begin_campaign(book)
    shoot(campaign)
    fork = forked(book, campaign)
    with pytest.raises(Refused, match="opened on canon"):
        forked(book, begin_campaign(book, "Other")).do("entropy", {"text": "x"}, seat="mira")
    closed = fork.do("close-session")
    assert "DiceRevealed" not in {type(event).__name__ for event in closed.events}
    with pytest.raises(Refused, match="revealed there"):
        fork.do("reveal-screen", {"session": 1})
    campaign.do("close-session")
    late = forked(book, campaign, fork.timeline.marker.entry)
    assert "DiceRevealed" in {type(event).__name__ for event in late.do("close-session").events}


def test_a_session_opened_on_a_fork_has_seeds_of_its_own(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("close-session")
    fork = forked(book, campaign)
    fork.do("open-session")
    campaign.do("open-session")
    assert fork.state.session.identity != campaign.state.session.identity
    other = campaign.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    typed = campaign.do("roll", {"expression": "1d6", "who": "robin"}, dice=(4,))
    assert faces(fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")) != faces(other)
    assert faces(fork.do("roll", {"expression": "1d6", "who": "robin"})) == faces(typed)
    fork.do("close-session")
    assert [answer.verdict for answer in fork.audit()] == [Verdict.VERIFIED] * 3


def test_what_canon_has_revealed_is_enough_to_play_on_elsewhere(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    shot = shoot(campaign)
    campaign.do("close-session")
    for kept in (tmp_path / "seeds").iterdir():
        kept.unlink()
    fork = forked(book, campaign, shot.number)
    rolled = fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    assert [source.kind for source in sources(rolled)] == ["fork:1"]
    with pytest.raises(Refused, match="secret dice"):
        fork.do("roll", {"expression": "5d20", "who": "guard"}, secret=True)
    fork.do("close-session")
    assert [answer.verdict for answer in fork.audit()] == [Verdict.VERIFIED] * 3


def test_without_seeds_canons_dice_and_typed_ones_still_work(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    shot = shoot(campaign)
    for kept in (tmp_path / "seeds").iterdir():
        kept.unlink()
    assert faces(shoot(fork)) == faces(shot)
    with pytest.raises(Refused, match="seeds are not here"):
        fork.do("roll", {"expression": "1d6", "who": "robin"}, seat="mira")
    assert fork.do("roll", {"expression": "1d6", "who": "robin"}, dice=(4,)).events


def test_the_audit_proves_the_dice_of_both_and_a_roll_of_a_fork_on_canon_fails(book: Book) -> None:
    campaign = begin_campaign(book)
    start = campaign.head.entry
    shoot(campaign)
    campaign.do("close-session")
    fork = forked(book, campaign, start)
    shoot(fork)
    stolen = fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    fork.do("close-session")
    assert [answer.verdict for answer in fork.audit()] == [Verdict.VERIFIED] * 3
    campaign.do("open-session")
    head = campaign.head
    assert stolen.kind is EntryKind.TAKEN
    campaign.log.write(head, [stolen._replace(action=head.actions + 1)])
    dice = campaign.audit()[1]
    assert dice.verdict is Verdict.FAILED


# Making, opening, and what goes wrong.


def test_timelines_are_counted_over_the_whole_campaign_and_found_by_name(book: Book) -> None:
    campaign = begin_campaign(book)
    begin_campaign(book, "Other")
    forked(book, campaign)
    forked(book, book.campaign("sherwood~1"))
    assert forked(book, book.campaign("other")).id == "other~1"
    assert forked(book, campaign, 5, "so").id == "sherwood~3"
    assert book.timelines("sherwood") == ("sherwood~1", "sherwood~2", "sherwood~3")
    assert book.campaign("Sherwood~02").id == "sherwood~2"
    assert book.campaign("sherwood~0").id == "sherwood"
    with pytest.raises(NotFound, match="no timeline called 'sherwood~9'"):
        book.campaign("sherwood~9")
    with pytest.raises(NotFound, match="no timeline called"):
        book.campaign("sherwood~../x")
    assert [meant("Robin Hood~3"), is_timeline("a~1"), is_timeline("a-1")] == ["robin-hood~3", True, False]
    found = timelines.summaries(book, "sherwood")
    assert [(one.number, one.parent, one.entry, one.why) for one in found] == [
        (1, "sherwood", campaign.head.entry, ""),
        (2, "sherwood~1", campaign.head.entry, ""),
        (3, "sherwood", 5, "so"),
    ]
    shoot(campaign)
    shoot(book.campaign("sherwood~1"))
    assert [(one.entries, one.moved_on) for one in timelines.summaries(book, "sherwood")] == [(1, 1), (0, 1), (0, 4)]


def test_two_who_fork_at_the_same_moment_do_not_get_one_timeline(book: Book) -> None:
    campaign = begin_campaign(book)
    one, other = timelines.fork(book, campaign), timelines.fork(book, campaign)
    assert one.id == other.id == "sherwood~1"
    shoot(one)
    with pytest.raises(RollbookError, match="just made timeline 1"):
        shoot(other)
    with pytest.raises(RollbookError, match="just made timeline 1"):
        timelines.begin(other)
    assert book.campaign("sherwood~1").head.entry == campaign.head.entry + 1


def test_a_fork_whose_first_action_is_refused_was_never_made(book: Book) -> None:
    campaign = begin_campaign(book)
    made = timelines.fork(book, campaign)
    with pytest.raises(NotFound):
        made.do("attack", {"attacker": "nobody", "target": "guard"})
    assert book.timelines("sherwood") == ()


def test_nobody_forks_in_the_midst_of_a_correction(book: Book) -> None:
    campaign = begin_campaign(book)
    notes = [campaign.do("note", {"text": text}) for text in ("one", "two", "three")]
    campaign.corrections.undo(*(note.action for note in notes), reason="no").apply()
    head = campaign.head.entry
    with pytest.raises(Refused, match=f"@{head - 2} to @{head}.*at @{head - 3}.*at @{head}"):
        timelines.fork(book, campaign, head - 1)
    assert forked(book, campaign, head - 3).head.entry == head - 3
    with pytest.raises(NotFound, match="no entry @999"):
        timelines.fork(book, campaign, 999)


def test_a_timeline_that_was_begun_and_left_opens(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        forked(book, campaign, 8)
        state = comparable(campaign.load_history().as_known_at(8))
    with file_book(tmp_path) as book:
        fork = book.campaign("sherwood~1")
        assert comparable(fork.state) == state
        assert shoot(forked(book, fork)).number == 9


def test_a_marker_that_cannot_be_read_or_does_not_fit_is_said(book: Book) -> None:
    campaign = begin_campaign(book)
    book.store.append("sherwood~1", 0, [NewEntry("ActionTaken@1", b"{}")])
    book.store.begin("sherwood~2", b'{"number":"two"}', [])
    marker = Marker(number=3, parent="sherwood", entry=4, hash="ab" * 32, at=0)
    book.store.begin("sherwood~3", packed(marker), [])
    far = msgspec.structs.replace(marker, number=4, entry=10_000)
    book.store.begin("sherwood~4", packed(far), [])
    for number, words in (
        (1, "nothing says where it was forked"),
        (2, "cannot be read"),
        (3, "another history"),
        (4, "another history"),
    ):
        with pytest.raises(HistoryDamaged, match=words):
            book.campaign(f"sherwood~{number}")
    assert shoot(campaign).number


def test_a_marker_is_stored_as_canonical_json() -> None:
    marker = Marker(number=1, parent="sherwood", entry=2, hash="ab" * 32, at=5, why="Ünd?")
    assert packed(marker).decode() == (
        '{"at":5,"entry":2,"hash":"' + "ab" * 32 + '","number":1,"parent":"sherwood","ruleset":"","ruleset_version":"",'
        '"why":"Ünd?"}'
    )


def test_damage_in_the_parent_is_damage_of_the_timeline(tmp_path: Path) -> None:
    store = MemoryEventStore()
    with file_book(tmp_path, store) as book:
        campaign = begin_campaign(book)
        fork = forked(book, campaign)
        shoot(fork)
        events = stored_events(campaign)
    broken = [e._replace(data=e.data.replace(b"Robin", b"Rabin")) for e in events]
    assert broken != events
    again = MemoryEventStore()
    again.append("sherwood", 0, new(broken))
    again.begin("sherwood~1", store.marker("sherwood~1") or b"", new(store.read("sherwood~1")))
    with file_book(tmp_path, again) as book:
        fork = book.campaign("sherwood~1")
        assert fork.audit()[0].verdict is Verdict.FAILED
        assert "damaged" in fork.damage
        with pytest.raises(HistoryDamaged):
            shoot(fork)


def test_a_view_of_nothing_begins_at_the_first_entry() -> None:
    store = MemoryEventStore()
    marker = Marker(number=1, parent="sherwood", entry=0, hash="0" * 64, at=0, ruleset="toy")
    view = TimelineView(store, "sherwood~1", marker, store, is_new=True)
    assert view.head("sherwood~1") == 0
    assert view.campaigns() == ()
    view.append("sherwood~1", 0, [NewEntry("A@1", b"{}"), NewEntry("B@1", b"{}")])
    assert list(view.read("sherwood~1")) == [StoredEntry(1, "A@1", b"{}"), StoredEntry(2, "B@1", b"{}")]
    with pytest.raises(StaleHistory):
        view.append("sherwood~1", 0, [NewEntry("C@1", b"{}")])


def test_amending_on_a_fork_keeps_its_dice(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    shot = shoot(fork)
    made = fork.corrections.preview(
        {shot.action: Amend({"weapon": "sword"})}, reason="what if", options=CorrectionOptions(draw=True)
    )
    made.apply()
    assert faces(fork.load_history().effective(shot.action))[0] == faces(shot)[0]


def test_words_that_are_removed_on_canon_are_gone_on_its_timelines(book: Book) -> None:
    campaign = begin_campaign(book)
    note = campaign.do("note", {"text": "a private matter"}).action
    fork = forked(book, campaign)
    campaign.redact(note, why="private")
    with pytest.raises(Refused, match="removed already"):
        fork_of(book, fork).redact(note, why="private")
    again = fork_of(book, fork)
    assert again.damage == ""
    assert again.audit()[0].verdict is Verdict.VERIFIED
    assert "private matter" not in str(again.load_history().entries)
    assert shoot(again).number
    assert b"private matter" not in b"".join(event.data for event in fork.log.store.read(fork.id))


def fork_of(book: Book, fork: Campaign) -> Campaign:
    """The timeline, opened once more."""
    book._open.pop(fork.id)
    return book.campaign(fork.id)


def test_words_from_before_the_fork_are_removed_where_they_were_written(book: Book) -> None:
    campaign = begin_campaign(book)
    note = campaign.do("note", {"text": "a private matter"}).action
    fork = forked(book, campaign)
    with pytest.raises(Refused, match="Remove them there"):
        fork.redact(note, why="private")
    own = fork.do("note", {"text": "only here"}).action
    fork.redact(own, why="private")
    assert fork_of(book, fork).audit()[0].verdict is Verdict.VERIFIED
