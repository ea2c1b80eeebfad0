"""The two courses of a correction side by side, as recorded and as corrected, and the parts of the campaign in which they differ.

Events that are the same on both, and meet nothing that differs, wait: they are folded once for both when a state is
needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TypeAlias

from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import GROUPS, CampaignState, Character, equal_in_order
from rollbook.domain.state.fold import Draft
from rollbook.domain.state.fold.related_parts import REQUESTS, meets


class Course:
    """One of the two courses, up to a moment. It is sealed only when something is to be played on it."""

    def __init__(self, campaign: CampaignState) -> None:
        self._draft = Draft(campaign)

    @property
    def campaign(self) -> CampaignState:
        """The campaign at this moment, sealed."""
        if self._draft.touched:
            self._draft = Draft(self._draft.publish())
        return self._draft.campaign

    @property
    def seen(self) -> CampaignState:
        """The same, only for reading: it may still be changed."""
        return self._draft.campaign

    def go_on(self, events: Iterable[Event], played: Played | None = None) -> AbstractSet[str]:
        """Apply these events, unless they were ``played`` here just now. Returns the parts they touch."""
        if played is not None:
            self._draft = Draft(played.campaign)
            return played.touched
        draft, before = self._draft, self._draft.touched
        draft.touched = touched = set[str]()
        draft.apply(events)
        draft.touched = before
        before |= touched
        return touched


FEW = 8
"""Most actions that are folded twice because that costs less than taking over a state."""

PlayedHere: TypeAlias = tuple[Played | None, Played | None]
"""An action as it was played just now: as corrected, as recorded."""

NOT_PLAYED: PlayedHere = (None, None)


class Courses:
    """The two courses up to a moment."""

    def __init__(self, campaign: CampaignState) -> None:
        self._recorded = self._corrected = Course(campaign)
        self.differing: set[str] = set()
        self._waiting: list[tuple[Event, ...]] = []
        self._wide: set[str] = set()

    @property
    def recorded(self) -> CampaignState:
        """The campaign at this moment, as recorded."""
        self._catch_up()
        return self._recorded.campaign

    @property
    def corrected(self) -> CampaignState:
        """The campaign at this moment, as corrected."""
        self._catch_up()
        return self._corrected.campaign

    @property
    def apart(self) -> tuple[CampaignState, CampaignState]:
        """Both courses, recorded and corrected, to compare only where they differ: the rest may be some actions old."""
        return self._recorded.seen, self._corrected.seen

    def unite(self, campaign: CampaignState) -> None:
        """Note that both courses have come to the same state."""
        self._waiting.clear()
        self._recorded = self._corrected = Course(campaign)

    def end(self, recorded: CampaignState) -> None:
        """End both courses; ``recorded`` is the final state as recorded."""
        if self._corrected is self._recorded:
            self.unite(recorded)
        elif self._waiting:
            waited = self._take_waiting()
            self._recorded = Course(recorded)
            self._corrected = Course(self._grafted(self._corrected.campaign, waited))

    def wait(self, events: tuple[Event, ...]) -> bool:
        """Queue these events for both courses; False if that cannot be, because they may meet something that differs.

        They meet characters by their names, and requests for dice are counted by name: if anything else differs, nothing waits.
        """
        if self._wide or meets(events, self.differing):
            return False
        self._waiting.append(events)
        return True

    def go_on(self, recorded: tuple[Event, ...], corrected: tuple[Event, ...], played: PlayedHere = NOT_PLAYED) -> None:
        """Continue each course with its events; what was ``played`` just now has the state after them."""
        self._catch_up()
        if self._corrected is self._recorded:
            if recorded is corrected:
                self._recorded.go_on(recorded)
                return
            self._corrected = Course(self._recorded.campaign)
        here, there = played
        touched = self._recorded.go_on(recorded, there) | self._corrected.go_on(corrected, here)
        as_recorded, as_corrected = self.apart
        for part in touched:
            mine, yours = as_recorded.part(part), as_corrected.part(part)
            if equal_in_order(mine, yours):
                self.differing.discard(part)
                self._wide.discard(part)
            else:
                self.differing.add(part)
                if not _is_of_one_character(part, mine, yours):
                    self._wide.add(part)
        if not self.differing:
            self._corrected = self._recorded

    def _catch_up(self) -> None:
        """Fold the queued events: if there are many, on one course, and the other takes over all but what differs."""
        if not self._waiting:
            return
        is_much = len(self._waiting) > FEW
        waited = self._take_waiting()
        are_one = self._corrected is self._recorded
        self._recorded.go_on(waited)
        if not are_one and is_much:
            self._corrected = Course(self._grafted(self._corrected.campaign, waited))
        elif not are_one:
            self._corrected.go_on(waited)

    def _take_waiting(self) -> list[Event]:
        waited = list(chain.from_iterable(self._waiting))
        self._waiting.clear()
        return waited

    def _grafted(self, before: CampaignState, waited: Iterable[Event]) -> CampaignState:
        """The corrected course after what waited: as recorded, but for what differed ``before``.

        Requests for dice go on being counted where they differ.
        """
        grafted = self._recorded.campaign.copy()
        unlike = {part[1:]: before.characters[part[1:]] for part in self.differing if part[0] == "@"}
        grafted.characters = {**grafted.characters, **unlike}
        if REQUESTS in self.differing:
            grafted.dice_requests = before.dice_requests
        grafted.seal()
        draft = Draft(grafted)
        if REQUESTS in self.differing:
            draft.apply(event for event in waited if isinstance(event, DiceRolled))
        return draft.publish()


def _is_of_one_character(part: str, mine: object, yours: object) -> bool:
    """True if the difference is on the sheet of one character, not in its identity, or in the requests for dice.

    Who is in a group follows from that.
    """
    if isinstance(mine, Character) and isinstance(yours, Character):
        return mine.who == yours.who
    return part == REQUESTS or part in GROUPS
