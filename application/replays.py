"""Replays: a stretch of a campaign watched again, moment by moment, and the steps from one moment to another."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rollbook.application.filtering import meant_by
from rollbook.application.history.read_model import LogRows
from rollbook.application.time_zones import Zone, zone_of
from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
from rollbook.projections.called_by_name import line_with_people
from rollbook.projections.database import COUNTS
from rollbook.projections.replay import Course, Difference, Moments, Step
from rollbook.projections.session_log import CORRECTIONS_ONLY, LogLine, SqlCondition, Wanted

if TYPE_CHECKING:
    from rollbook.application.view import CampaignView

PAGE: Final = 128
"""Lines of the log that are read at a time."""
PAGES: Final = 8
"""Pages that are kept."""

SCENES = SqlCondition(
    "instr(kinds, '|sceneframed|') OR instr(kinds, '|sceneresumed|') OR instr(kinds, '|sessionopened|')"
)
TURNS = SqlCondition(
    "instr(kinds, '|turnbegan|') OR instr(kinds, '|roundbegan|') OR instr(kinds, '|encounterbegan|') "
    "OR instr(kinds, '|encounterended|') OR instr(kinds, '|sceneresumed|')"
)
CORRECTIONS = CORRECTIONS_ONLY


class Replay:
    """The entries from ``first`` to ``last`` that have a line in the log; a place among them is counted from 0."""

    def __init__(
        self, campaign: CampaignId, moments: Moments, log: LogRows, first: EntryNumber, last: EntryNumber
    ) -> None:
        self.campaign = campaign
        self.moments = moments
        self._log = log
        self._page = lru_cache(PAGES)(self._lines)
        self._counted: dict[EntryNumber, LogLine] = {}
        pages = log.log_pages(Wanted(campaign=campaign, where=_between(first, last), everything=True), 1_000)
        self.numbers: list[EntryNumber] = [line.entry for page in pages for line in page]

    @property
    def zone(self) -> Zone:
        """The time zone of the campaign."""
        return zone_of(self.moments.history.state)

    def meant(self, text: str) -> SqlCondition:
        """The condition that a filter means here. Raises BadFilter."""
        return meant_by(self.moments.history.state, text)

    def __len__(self) -> int:
        return len(self.numbers)

    def line(self, place: int) -> LogLine:
        """The line of the log at a place, as it is today."""
        page, at = divmod(place, PAGE)
        return self._page(page)[at]

    def _lines(self, page: int) -> list[LogLine]:
        numbers = self.numbers[page * PAGE : (page + 1) * PAGE]
        found = self._log.log(self.campaign, where=_between(numbers[0], numbers[-1]), everything=True)
        return [self._with_people(line) for line in found]

    def _with_people(self, line: LogLine) -> LogLine:
        return line_with_people(line, self._log.people(self.campaign))

    def shown(self, place: int, at: int, course: Course) -> LogLine:
        """The line of a place as it is read at place ``at``: as it was then, or with what counts today."""
        line = self.line(place)
        if course is Course.THEN:
            return line._replace(status=COUNTS) if line.corrected_by > self.numbers[at] else line
        counted = self.counted(place)
        if counted in (0, line.entry):
            return line
        if counted not in self._counted:
            found = self._log.line(self.campaign, counted)
            self._counted[counted] = line if found is None else self._with_people(found)._replace(scene=line.scene)
        return self._counted[counted]

    def counted(self, place: int) -> EntryNumber:
        """The entry that counts today for the action at a place, 0 if none does."""
        found = self.moments.history.effective(self.line(place).action)
        return found.number if found else 0

    def is_moment(self, place: int, course: Course) -> bool:
        """True if a place is a moment of a course; on the corrected one, corrections and undone actions are none."""
        if course is Course.THEN:
            return True
        entry = self.moments.history.entry(self.numbers[place])
        return not entry.is_correction and bool(self.counted(place))

    def step(self, place: int) -> Step:
        """The step at a place."""
        return self.moments.step(self.line(place), self.numbers[place - 1] if place else 0)

    def sides(self, place: int) -> tuple[Difference, ...]:
        """The changes that the correction at a place made; none anywhere else."""
        return self.moments.sides(self.numbers[place])

    # Where to go.

    def neighbour(self, place: int, by: int, course: Course) -> int | None:
        """The next moment of a course, forwards (``by`` 1) or backwards (-1); None at the end."""
        place += by
        while 0 <= place < len(self) and not self.is_moment(place, course):
            place += by
        return place if 0 <= place < len(self) else None

    def fitting(self, place: int, by: int, wanted: SqlCondition, course: Course) -> int | None:
        """The next moment whose line fits a condition, forwards or backwards; None if there is none."""
        while (found := self._next(place, by, wanted)) is not None:
            place = found
            if self.is_moment(place, course):
                return place
        return None

    def _next(self, place: int, by: int, wanted: SqlCondition) -> int | None:
        low, high = (place + 1, len(self) - 1) if by > 0 else (0, place - 1)
        if low > high:
            return None
        where = wanted & _between(self.numbers[low], self.numbers[high])
        if by > 0:
            page = next(self._log.log_pages(Wanted(campaign=self.campaign, where=where, everything=True), 1), [])
        else:
            page = self._log.log(self.campaign, last=1, where=where, everything=True)
        return self.place_of(page[0].entry) if page else None

    def place_of(self, entry: EntryNumber) -> int:
        """The place of an entry, or of the last one that is shown before it."""
        return max(bisect_right(self.numbers, entry) - 1, 0)

    def place_of_action(self, action: ActionNumber) -> int:
        """The place at which an action was taken. Raises NotFound if that is not shown."""
        return self.place_of_entry(self.moments.history.entry_of(action), f"#{action}")

    def place_of_entry(self, entry: EntryNumber, called: str) -> int:
        """The place of an entry. Raises NotFound if it is not shown."""
        place = bisect_left(self.numbers, entry)
        if place == len(self) or self.numbers[place] != entry:
            raise NotFound(f"{called} is not in what is shown here: @{self.numbers[0]} to @{self.numbers[-1]}.")
        return place

    def places(self, wanted: SqlCondition) -> list[int]:
        """The places of all lines that fit a condition."""
        within = wanted & _between(self.numbers[0], self.numbers[-1])
        pages = self._log.log_pages(Wanted(campaign=self.campaign, where=within, everything=True), 1_000)
        return [self.place_of(line.entry) for page in pages for line in page]


def _between(first: EntryNumber, last: EntryNumber) -> SqlCondition:
    return SqlCondition("entry BETWEEN ? AND ?", (first, last))


def session_stretch(campaign: CampaignView, log: LogRows, session: int | None) -> tuple[EntryNumber, EntryNumber]:
    """The entries of a session, of the last one if none is named; of everything where there is none. Raises NotFound."""
    known = campaign.state.session.number if campaign.state.session else 0
    wanted = known if session is None else session
    if not known and session is None:
        return 1, campaign.head.entry
    lines = Wanted(campaign=campaign.id, session=wanted, everything=True)
    first, (last, _, _) = next(log.log_pages(lines, 1), []), log.widest(lines)
    if not first:
        raise not_found("session", str(wanted), [str(each) for each in range(1, known + 1)])
    return first[0].entry, last
