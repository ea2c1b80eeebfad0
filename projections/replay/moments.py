"""Status after any entry of a history, on both courses, for a reader who moves back and forth in it.

The moments seen last are kept, so that the next one, or the one before, is a fold of a few entries. A moment far from
all of them is folded from the nearest checkpoint of the history.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, TypeVar

from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.checkpoints import Checkpoint
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from rollbook.projections.log_lines import condition_words, sentence_behind
from rollbook.projections.replay.steps import Course, Difference, Step, differences, marks_of
from rollbook.projections.session_log import LogLine
from rollbook.projections.status import Status, Statuses

STATES: Final = 256
"""Most states of each course that are kept, and most statuses."""
NEAR: Final = 48
"""Most entries over which a kept state is folded on."""

Key = TypeVar("Key", bound=Hashable)
Held = TypeVar("Held")


class _Kept(OrderedDict[Key, Held]):
    """Cache of the values that were asked for last."""

    def of(self, key: Key, make: Callable[[], Held]) -> Held:
        """The value of a key, made if it is not kept."""
        found = self.get(key)
        if found is None:
            found = make()
        self.keep(key, found)
        return found

    def keep(self, key: Key, value: Held) -> None:
        """Keep a value, and drop the least recently used one if there are too many."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > STATES:
            self.popitem(last=False)


class Moments:
    """The moments of a history, which may be a seat's own: then nothing that is hidden from the seat is in any of them."""

    def __init__(self, history: History, rulebook: Rulebook) -> None:
        self.history = history
        self._rulebook = rulebook
        self._made = {course: Statuses(rulebook) for course in Course}
        self._then: _Kept[EntryNumber, CampaignState] = _Kept()
        self._today: _Kept[int, CampaignState] = _Kept()
        self._statuses: _Kept[tuple[EntryNumber, Course], Status] = _Kept()

    def step(self, line: LogLine, before: EntryNumber) -> Step:
        """The step of an entry that has this line; ``before`` is the entry that is shown before it, 0 if none is."""
        entry = self.history.entry(line.entry)
        earlier = self.status(before, Course.THEN) if before else None
        then, corrected = (self.status(line.entry, course) for course in Course)
        then = earlier if earlier is not None and earlier == then else then  # a long replay holds one value once
        counted = self.history.effective(entry.action)
        first, _ = self.stretch(entry)
        return Step(
            line=line,
            marks=marks_of(entry, earlier, then, begins_correction=first == entry.number),
            then=then,
            corrected=then if corrected == then else corrected,
            counted=counted.number if counted else 0,
            correction=first if entry.is_correction else 0,
            is_taken=not entry.is_correction,
            sentence=sentence_behind(entry, self._rulebook),
            conditions=condition_words(entry, self._rulebook),
        )

    def sides(self, number: EntryNumber) -> tuple[Difference, ...]:
        """The changes by the correction that an entry belongs to, as it was then; empty for any other entry."""
        entry = self.history.entry(number)
        if not entry.is_correction:
            return ()
        first, last = self.stretch(entry)
        return differences(self.status(first - 1, Course.THEN), self.status(last, Course.THEN))

    def stretch(self, entry: RecordedEntry) -> tuple[EntryNumber, EntryNumber]:
        """The first and the last entry of the correction that an entry belongs to; itself if it is alone."""
        together = self.history.correction(entry.correction) if entry.is_correction and entry.correction else ()
        return (together[0].number, together[-1].number) if together else (entry.number, entry.number)

    def status(self, entry: EntryNumber, course: Course) -> Status:
        """The status after an entry on one of the courses."""
        if course is Course.CORRECTED and not self._differ(entry):
            course = Course.THEN
        return self._statuses.of((entry, course), lambda: self._made[course].of(self.state(entry, course)))

    def state(self, entry: EntryNumber, course: Course) -> CampaignState:
        """The campaign after an entry: as it was known then, or as its actions up to there count today."""
        if not entry:
            return EMPTY
        if course is Course.THEN or not self._differ(entry):
            return self._then.of(entry, lambda: self._as_known_at(entry))
        actions = self.history.played_at(entry)
        return self._today.of(actions, lambda: self._as_corrected_after(actions))

    def _differ(self, entry: EntryNumber) -> bool:
        """True if any of the actions up to an entry was corrected after it, or another inserted before them."""
        return self.history.is_changed_since(entry)

    def _as_known_at(self, entry: EntryNumber) -> CampaignState:
        """The state, folded on from the nearest kept one or from some entries before; states on the way are kept."""
        begin = entry
        while begin > max(entry - NEAR, 0) and self._then.get(begin) is None:
            if self.history.entry(begin).is_correction:
                break
            begin -= 1
        state = self._then.of(begin, lambda: self._known_far_back(begin)) if begin else EMPTY
        for number in range(begin + 1, entry + 1):
            state = fold(state, self.history.entry(number).events)
            self._then.keep(number, state)
        return state

    def _known_far_back(self, entry: EntryNumber) -> CampaignState:
        marks = [Checkpoint.of(self.history.actions_at(known), known, state) for known, state in self._then.items()]
        return self.history.until(entry, marks).state

    def _as_corrected_after(self, actions: int) -> CampaignState:
        """The state after so many actions in the order of play."""
        begin = actions
        while begin > max(actions - NEAR, 0) and self._today.get(begin) is None:
            begin -= 1
        state = self._today.of(begin, lambda: self.history.state_after(begin)) if begin else EMPTY
        for place in range(begin + 1, actions + 1):
            outcome = self.history.effective(self.history.action_at(place))
            state = fold(state, outcome.events) if outcome else state
            self._today.keep(place, state)
        return state


def steps_of(history: History, rulebook: Rulebook, lines: Iterable[LogLine]) -> Iterator[Step]:
    """The steps of a history, oldest first; ``lines`` are those of the log for the entries that are to be shown, in their order.

    The history may be a seat's own: then nothing that is hidden from the seat is in any step.
    """
    moments, before = Moments(history, rulebook), 0
    for line in lines:
        yield moments.step(line, before)
        before = line.entry
