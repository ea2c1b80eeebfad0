"""Two campaigns that differ only in what is hidden have equal editions at every step, and move on at the same steps."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.live import AnyEdition, Editions
from rollbook.domain.base.errors import RollbookError
from tests.support.secret_tables import ARRIVALS, HIDDEN, PUBLIC, ROLL, SECRET_ROLL, SetClock, Step, begun, undo

AUDIENCES = ("mira", "")
"""None of them is tom, to whom somebody whispers."""


QUESTIONS = (
    *("status --json", "sheet", "sheet robin", "sheet black-douglas", "sheet --at 9", "sheet --at s1 --as-corrected"),
    *(
        "why robin hp",
        "why guard hp --at 12",
        "diff 5 robin",
        "log --all --json",
        "log --at 12",
        "log who=ash",
        "log 9",
    ),
    *("xp --json", "stats --json", "odds attack robin guard", "odds attack robin ash", "verbs", "audit", "timelines"),
)


class TwoTables:
    """Two tables at which the same happens before everybody's eyes at the same moments, and other things behind the screen."""

    def __init__(self, folder: Path) -> None:
        self.clocks = SetClock(), SetClock()
        self.campaigns = tuple(begun(folder / str(at), clock) for at, clock in enumerate(self.clocks))
        self.editions = tuple(map(Editions, self.campaigns))

    def of(self, at: int) -> list[AnyEdition]:
        """The editions of one of the tables."""
        return [self.editions[at].of(audience) for audience in AUDIENCES]

    def hidden(self, at: int, step: Step) -> None:
        """Something happens behind the screen of one table, and nothing moves."""
        before = [edition.cursor for edition in self.of(at)]
        self.clocks[at].now += 7_000
        take(self.campaigns[at], step)
        assert [edition.cursor for edition in self.of(at)] == before, step

    def public(self, step: Step) -> None:
        """The same happens at both, and is seen at both."""
        known = [[edition.cursor for edition in self.of(at)] for at in (0, 1)]
        now = max(clock.now for clock in self.clocks) + 1_000_000
        for at in (0, 1):
            self.clocks[at].now = now
            take(self.campaigns[at], step)
        one, other = self.of(0), self.of(1)
        assert [shown(edition) for edition in one] == [shown(edition) for edition in other], step
        for which in range(len(AUDIENCES)):
            news = [editions[which].lines_after(known[at][which]) for at, editions in enumerate((one, other))]
            assert news[0] == news[1], step


def take(campaign: Campaign, step: Step) -> None:
    """What is refused is left."""
    try:
        step.take(campaign)
    except RollbookError:
        return


def said(edition: AnyEdition, line: str) -> str:
    """What an edition answers to a question."""
    try:
        return edition.ask(line).text
    except RollbookError as fault:
        return f"{type(fault).__name__}: {fault}"


def shown(edition: AnyEdition) -> object:
    """All that an edition shows but for what is random."""
    return edition.cursor, edition.log(), edition.state


steps_behind = st.lists(st.sampled_from((*HIDDEN, *ARRIVALS)), max_size=3)


@pytest.mark.slow
@given(st.lists(st.tuples(steps_behind, steps_behind, st.sampled_from(PUBLIC)), min_size=1, max_size=8))
@example([([], [SECRET_ROLL], ROLL), ([SECRET_ROLL, undo(hidden=True)], [], ROLL)])
@settings(max_examples=25)
def test_what_is_hidden_makes_no_difference_to_any_edition(steps: list[tuple[list[Step], list[Step], Step]]) -> None:
    with TemporaryDirectory() as folder:
        tables = TwoTables(Path(folder))
        for behind_one, behind_other, public in steps:
            for at, behind in enumerate((behind_one, behind_other)):
                for step in behind:
                    tables.hidden(at, step)
            tables.public(public)
        for line in QUESTIONS:
            one, other = ([said(edition, line) for edition in tables.of(at)] for at in (0, 1))
            assert one == other, line


def test_a_whisper_moves_the_edition_of_the_one_who_hears_it(tmp_path: Path) -> None:
    campaign = begun(tmp_path, SetClock())
    editions = Editions(campaign)
    before = {audience: editions.of(audience).cursor for audience in (None, "mira", "tom", "")}
    campaign.do("note", {"text": "psst", "to": "tom"})
    moved = {audience for audience, cursor in before.items() if editions.of(audience).cursor != cursor}
    assert moved == {None, "tom"}
    news = editions.of("tom").lines_after(before["tom"])
    assert news is not None
    assert [editions.of("tom").real_action(action) for action in news] == [campaign.head.actions]


def test_no_cursor_and_no_number_counts_what_is_hidden(tmp_path: Path) -> None:
    campaign = begun(tmp_path, SetClock())
    editions = Editions(campaign)
    for _ in range(3):
        campaign.do("roll", {"expression": "1d20"}, secret=True)
    last = campaign.do("roll", {"expression": "1d20"})
    edition = editions.of("")
    actions = edition.history.actions
    assert edition.shown_action(last.action) == actions == last.action - 4
    assert edition.real_action(actions) == last.action
    assert edition.cursor.partition(".")[0] == str(edition.history.head)
