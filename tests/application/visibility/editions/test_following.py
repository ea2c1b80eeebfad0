"""An edition that follows a campaign shows, after every step, what one shows that is made at that moment."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.live import AnyEdition, Editions, LiveEdition
from rollbook.domain.base.errors import RollbookError
from rollbook.projections.session_log import LogLine
from rollbook.testing.conformance.playthrough import PLAYER
from tests.oracle.program import Program
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.games import INSTALLED_RULESETS
from tests.support.random_steps import RandomSteps
from tests.support.secret_tables import ARRIVALS, HIDDEN, PUBLIC, REVEALING, Step, redact_hidden, table

REDACTING = (Step(redact_hidden.__name__, redact_hidden),)


def rows(edition: AnyEdition) -> list[LogLine]:
    """Every line of its log."""
    return list(edition.log())


class Followed:
    """The editions of a campaign for some audiences, each compared with one that is made now whenever it is looked at."""

    def __init__(self, campaign: Campaign, audiences: tuple[str, ...]) -> None:
        self.campaign = campaign
        self.audiences = audiences
        self.editions = Editions(campaign)
        self.seen: dict[str, tuple[str, list[LogLine]]] = {}

    def look(self) -> None:
        """Compare them all."""
        for audience in self.audiences:
            followed, fresh = self.editions.of(audience), Editions(self.campaign).of(audience)
            assert isinstance(followed, LiveEdition) and isinstance(fresh, LiveEdition)
            assert list(followed.history.entries) == list(fresh.history.entries)
            assert followed.state == fresh.state == followed.history.state
            assert rows(followed) == rows(fresh)
            assert followed.read_model.xp(followed.id) == fresh.read_model.xp(fresh.id)
            assert followed.cursor == fresh.cursor
            self._numbers(followed)
            self._news(audience, followed)

    def _numbers(self, edition: LiveEdition) -> None:
        """Numbers go both ways, and those that are shown have no gap."""
        history, whole = edition.history, self.campaign.history
        actions = [edition.real_action(number) for number in range(1, history.actions + 1)]
        assert [edition.shown_action(number) for number in actions] == list(range(1, history.actions + 1))
        entries = [edition.real_entry(number) for number in range(1, history.head + 1)]
        assert [edition.shown_entry(number) for number in entries] == list(range(1, history.head + 1))
        assert entries == sorted(entries)
        assert sum(edition.shown_action(number) > 0 for number in range(1, whole.actions + 1)) == history.actions
        shown = [edition.real_action(entry.action) for entry in history.entries]
        assert shown == [whole.entry(number).action for number in entries]

    def _news(self, audience: str, edition: LiveEdition) -> None:
        """A cursor moves if and only if something is shown otherwise, and says which actions that is about.

        Everything is read again if an old line is shown otherwise, or a new one has its place among old ones.
        """
        cursor, before = self.seen.get(audience, ("0.", []))
        now = rows(edition)
        self.seen[audience] = (edition.cursor, now)
        assert (cursor == edition.cursor) == (before == now)
        news = edition.lines_after(cursor)
        old, other = {line.entry: line for line in before}, {line.action for line in now if line not in before}
        if news is None:
            assert any(line != old[line.entry] if line.entry in old else line.before for line in now)
        else:
            assert other <= set(news) <= {line.action for line in now if line.entry > len(before)}


@given(st.lists(st.sampled_from((*PUBLIC, *HIDDEN, *REVEALING, *ARRIVALS, *REDACTING)), min_size=4, max_size=14))
@settings(max_examples=25)
def test_following_shows_what_is_shown_to_one_who_comes_now(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        campaign = table(Path(folder))
        followed = Followed(campaign, ("mira", "tom", ""))
        for step in steps:
            try:
                step.take(campaign)
            except RollbookError:
                continue
            followed.look()


@given(st.integers(0, 10_000))
@settings(max_examples=10)
def test_it_follows_corrections_of_all_sorts(seed: int) -> None:
    with TemporaryDirectory() as folder:
        campaign = begin_campaign(memory_book(Path(folder)))
        followed, chance = Followed(campaign, ("mira", "")), RandomSteps(seed)
        for _ in range(12):
            play_campaign_steps(campaign, chance, 3)
            followed.look()


@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_it_follows_a_campaign_of_every_game_and_its_timelines(key: str, tmp_path: Path) -> None:
    program = Program(INSTALLED_RULESETS.index(key) + len(INSTALLED_RULESETS) * 7, tmp_path)
    followed: dict[str, Followed] = {}

    def look(stream: str, chance: Random | None = None) -> None:
        campaign = program.played.campaign(stream)
        known = followed.get(stream)
        if known is None or known.campaign is not campaign:
            followed[stream] = known = Followed(campaign, (PLAYER, "tom", ""))
        known.look()

    program.played.check = look  # type: ignore[method-assign]
    program.end = lambda: None  # type: ignore[method-assign]
    program.run()
    assert program.key == key
    assert len(followed) >= 1
    program.played.book.close()
