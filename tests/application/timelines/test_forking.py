"""A timeline goes on from its campaign without a copy of it, and leaves canon as it is."""

from __future__ import annotations

import random

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.timelines import forking as timelines
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused, StaleHistory
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import START, NewEntry, StoreState, StreamEnd, StreamState
from tests.support.campaigns import begin_campaign, campaign_over, kinds_in, play_campaign_steps, stored_events
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps
from tests.support.timelines import forked, shoot


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
    whole = [e for e in range(1, campaign.history.head + 1) if is_whole(campaign, e)]
    for entry in random.Random(1).sample(whole, 5):
        fork = forked(book, campaign, entry)
        assert fork.head.entry == entry
        assert comparable(fork.state) == comparable(campaign.history.as_known_at(entry))
        assert fork.head.hash == campaign.history.entry(entry).hash


def is_whole(campaign: Campaign, entry: int) -> bool:
    try:
        timelines._check_not_halfway(campaign.history, campaign.history.entry(entry))
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
        view = fork.session.log.store
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
        ends = [StreamEnd(fork.id, event.version, hash_in(event.data)) for event in events]
        for known, version in zip([None, *ends], range(len(events) + 1), strict=True):
            cursor = changes[version - 1].cursor if version else START
            assert view.state(cursor) == StoreState(view.identity(), 0, changes[-1].cursor, ends[-1], known)
            found = (version, known.hash if known else "")
            assert view.stream_state(fork.id, version) == StreamState(view.identity(), 0, len(events), found)


def test_a_view_answers_for_its_own_timeline_alone(book: Book) -> None:
    fork = forked(book, begin_campaign(book))
    view = fork.session.log.store
    assert view.head("sherwood") == 0
    assert view.stream_state("sherwood", 1) == StreamState(view.identity(), 0, 0, (1, ""))
    assert list(view.read("sherwood")) == list(view.read_kinds("sherwood", ["ActionTaken"])) == []
    assert view.by_command("sherwood", "x") == ()
    assert view.marker("sherwood") is None
    with pytest.raises(StaleHistory, match="begins after entry"):
        view.append("sherwood", 0, [NewEntry("ActionTaken@1", b"{}")])
    with pytest.raises(StaleHistory, match="begins after entry"):
        view.append(fork.id, 3, [NewEntry("ActionTaken@1", b"{}")])
    view.close()
    assert shoot(fork).number


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
    again = campaign_over(fork.session.log, book.rulebook, book.seeds, fork.read_model, fork.session.timeline)
    assert again.state.characters["robin"].lost == 5
    assert again.audit()[0].verdict is Verdict.VERIFIED


def test_the_read_model_and_the_list_of_campaigns_leave_timelines_out(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    shoot(fork)
    shoot(campaign)
    campaign.session.project()
    fork.session.project()
    assert book.campaigns() == ("sherwood",)
    assert {row["campaign"] for row in book.read_model.db.query("SELECT DISTINCT campaign FROM session_log")} == {
        "sherwood"
    }
    assert len(fork.read_model.log(fork.id)) == fork.head.actions
    book.read_model.rebuild(book.store, book.rulebook)
    assert {row["campaign"] for row in book.read_model.db.query("SELECT campaign FROM campaigns")} == {"sherwood"}
    assert len(book.read_model.log("sherwood")) == campaign.head.actions
