"""The sources of an open campaign's dice: its seeds on this computer, the timeline that is played, what the table agreed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from rollbook.application.history.head import Head, Overtaken
from rollbook.application.ports.seed_store import DiceMarks, Seeds, SeedStore
from rollbook.domain.actions.dice import PHYSICAL, STREAM, dice_of_seat
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.domain.dice.ledger import DiceLedger, screen_counts
from rollbook.domain.dice.record import RollCount, StreamCounter, StreamPlace
from rollbook.domain.dice.stream import contribution, mix, session_key
from rollbook.domain.dice.supply import DiceSupply, NoDice, PhysicalDice, StreamDice
from rollbook.domain.events import ParameterValue, SessionOpened, TableAgreed
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import CampaignState, Session

if TYPE_CHECKING:
    from rollbook.application.history.timeline_dice import Timeline

OWN_SESSION = (
    "Close it (rollbook do close-session) and open a session of your own (rollbook do open-session), "
    "or type real dice with --dice."
)


@attrs.define(eq=False, slots=False)
class DiceFactory:
    """The dice of one open campaign, or of one of its timelines; ``history`` is only read if necessary.

    ``newest`` is the number of the last entry in the store, which may be behind the head that dice are asked for.
    """

    seeds: SeedStore
    timeline: Timeline | None
    _history: Callable[[], History]
    _newest: Callable[[], EntryNumber] = lambda: 0
    _noted: tuple[str, bool, dict[StreamCounter, int]] = attrs.field(default=("", True, {}), init=False)

    @property
    def fork(self) -> int:
        """The number of the timeline that is played, 0 for canon."""
        return self.timeline.number if self.timeline else 0

    def note(self, head: Head) -> None:
        """Note on the disk how far the dice of the session have been handed out, before anybody sees the last of them."""
        session = head.state.session
        if session is None:
            return
        now = (session.identity, session.is_open, head.ledger.used)
        if now == self._noted or not self.seeds.has(session.identity, head.state.identity):
            return
        used = {run: count for run, count in head.ledger.used.items() if run.fork == self.fork}
        with suppress(OSError, ValueError):  # a disk that is full: what was recorded counts all the same
            self.seeds.raise_marks(session.identity, DiceMarks(used, not session.is_open and not self.fork))
        self._noted = (session.identity, session.is_open, dict(head.ledger.used))

    def _known_elsewhere(self, session: Session, head: Head) -> str:
        """The reason why a session whose seeds are here may no longer be drawn from in this copy of the store, "" if it may.

        Raises Overtaken if only the head is not the newest.
        """
        marks = self.seeds.marks(session.identity)
        if marks.closed and self.timeline is None:
            found = f"Session {session.number} was closed once, and its seed revealed, so everybody can know its dice."
        elif marks.is_ahead_of(head.ledger.used, self.fork):
            found = f"Session {session.number} has once been played further than this store has it, so its next dice were seen."
        else:
            return ""
        if self._newest() > head.entry:
            raise Overtaken("Someone else has just rolled dice here. Nothing was recorded; try again.")
        return f"{found} {OWN_SESSION}"

    def supply(self, head: Head, seat: str, faces: tuple[int, ...] | None) -> DiceSupply:
        """The dice for a seat's next action: the faces that were typed, if any were, else those of the open session."""
        if faces is not None:
            self.check_may_type(head.state, seat, faces)
            return PhysicalDice(faces)
        session = head.state.session
        if session is None or not session.is_open:
            return NoDice(
                "No session is open, so there are no dice to roll from. Open one (rollbook do open-session), "
                "or type real dice with --dice."
            )
        if dice_of_seat(head.state, seat) == PHYSICAL:
            return NoDice(f"{self._agreed_on(head.state, seat)} Type them with --dice.")
        seeds = self.seeds.of(session.identity, head.state.identity)
        why = self._known_elsewhere(session, head) if seeds is not None else ""
        fresh = NoDice(why) if why else self._of_seeds(seeds, session, head.state, head.ledger, seat)
        return fresh if self.timeline is None else self.timeline.dice(fresh, session, head.ledger)

    def check_may_type(self, state: CampaignState, seat: str, faces: tuple[int, ...]) -> None:
        """Raise Refused if the table has agreed that the seat rolls from the stream, and faces were typed."""
        if faces and dice_of_seat(state, seat) == STREAM:
            raise Refused(f"{self._agreed_on(state, seat)} Leave out --dice.")

    def _agreed_on(self, state: CampaignState, seat: str) -> str:
        own = f"dice/{seat}" in state.agreed
        agreements = (
            (number, event)
            for number, entry in self._history().outcomes()
            for event in (entry.events if entry else ())
            if isinstance(event, TableAgreed) and event.matter == "dice" and event.seat == (seat if own else "")
        )
        number, event = max(agreements, key=lambda found: found[0])
        how = "from the stream" if event.value == STREAM else "real dice"
        command = f"rollbook do agree dice either{f' --whose {seat}' if own else ''}"
        return f"Since action #{number} {event.seat or 'everybody'} rolls {how}, as the table agreed (to change that: {command})."

    def of_the_stream(self, session: Session, state: CampaignState, ledger: DiceLedger, seat: str) -> DiceSupply:
        """The dice of a session that is open, for a seat: canon's stream, or on a timeline one of its own."""
        return self._of_seeds(self.seeds.of(session.identity, state.identity), session, state, ledger, seat)

    def _of_seeds(
        self, seeds: Seeds | None, session: Session, state: CampaignState, ledger: DiceLedger, seat: str
    ) -> DiceSupply:
        if seeds is None and self.timeline is not None:
            seeds = self.timeline.seeds(session.identity)
        if seeds is None:
            return NoDice(self._no_seeds(session))
        sitting = state.seats.get(seat)
        commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
        mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
        dice = StreamDice(
            key_table=session_key(0, seeds.identity, seeds.table, mixed),
            key_screen=session_key(1, seeds.identity, seeds.screen, mixed),
            seat=sitting.number if sitting else 0,
            ledger=ledger,
            fork=self.fork,
        )
        return dice if self.timeline is None else self.timeline.open_dice(dice, seeds)

    def _no_seeds(self, session: Session) -> str:
        owner = self.seeds.owner(session.identity)
        why = f"they are those of {owner}, of which this is a copy" if owner else "their seeds are not here"
        return (
            f"The dice of session {session.number} cannot be drawn on this computer: {why}. "
            f"Type real dice with --dice, or close this session and open one of your own."
        )

    # What is revealed of them.

    def revealed_at_close(self, session: Session, campaign: CampaignId) -> str:
        """The seed of the open dice that closing a session reveals; "" if it is not here, or canon has not revealed it."""
        if self.timeline is not None and self.is_canons(session.identity):
            return self.timeline.shown(session.identity) or ""
        kept = self.seeds.of(session.identity, campaign)
        return kept.table.hex() if kept else ""

    def screen_seed(self, session: int) -> str:
        """The seed of a session's secret dice. Raises NotFound, and Refused for a timeline that would show canon's."""
        history = self._history()
        for event in (event for entry in history.entries for event in entry.events):
            if isinstance(event, SessionOpened) and event.commit_screen and event.session == session:
                if self.timeline is not None and self.timeline.shown(event.identity, screen=True) == "":
                    raise Refused(f"Session {session} was opened on canon, so its secret dice are revealed there.")
                seeds = self.seeds.of(event.identity, history.state.identity)
                if seeds is not None:
                    return seeds.screen.hex()
        raise NotFound(f"The secret dice of session {session} are not kept on this computer.")

    def screen_counts(self, session: int) -> tuple[RollCount, ...]:
        """The number of secret rolls that each seat had used in a session."""
        return screen_counts((event for entry in self._history().entries for event in entry.events), session)

    def waiting(self, head: Head, params: Mapping[str, ParameterValue]) -> tuple[StreamPlace, ...]:
        """The places of the dice of an action that was undone, if the session they fell in is still open."""
        action, session = params.get("action"), head.state.session
        if not isinstance(action, int) or session is None or not session.is_open:
            return ()
        self._history().check(action)
        return head.ledger.waiting_of(self._history().dice_of(action), screen=params.get("screen") is True)

    def is_canons(self, session: str) -> bool:
        """True if a timeline has a session from what it was forked from: its seeds are revealed there, or not yet."""
        return self.timeline is not None and self.timeline.shown(session) is not None


class DiceToTry(DiceFactory):
    """The dice of a campaign in which nothing is recorded: rolls elsewhere, or in secret, make no difference."""

    def _known_elsewhere(self, *_: object) -> str:
        return ""
