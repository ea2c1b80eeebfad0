"""A campaign while it is open: its head, its dice, its action requests, and the entries appended to it.

Readers and writers share one session: ``CampaignView``, ``Campaign``, ``Corrections`` and ``audit``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs

from rollbook.application.after_commit import after_commit, begun, warn
from rollbook.application.history.head import Decision
from rollbook.application.history.idempotency_keys import IdempotencyKey
from rollbook.application.history.open_history import OpenHistory
from rollbook.application.history.read_model import JustRead
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.application.playing.engine_parameters import EngineParameters
from rollbook.application.playing.request import ActionPlayer, ActionRequest, acting_seat, check_verb, command_of
from rollbook.application.ports.deadline import command_deadline
from rollbook.application.ports.surroundings import Surroundings
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import RecordedEntry
from rollbook.projections.in_words import foes

if TYPE_CHECKING:
    from rollbook.application.history.entry_log import EntryLog
    from rollbook.application.history.head import Head
    from rollbook.application.history.read_model import ReadModel
    from rollbook.application.history.timeline_dice import Timeline
    from rollbook.application.ports.seed_store import Moved, SeedStore
    from rollbook.domain.base.errors import RollbookError
    from rollbook.domain.base.identifiers import CharacterId, EntryNumber
    from rollbook.domain.corrections.changes import Proposal
    from rollbook.domain.rulebook import Rulebook
    from rollbook.domain.state.campaign_state import CampaignState


@attrs.define
class LineRecorder(Changeable):
    """The entries that a line recorded, and the correction that it previewed last.

    The line is a ``command`` if it has an id.
    """

    command: IdempotencyKey | None = None
    entries: list[RecordedEntry] = attrs.field(factory=list)
    preview: Proposal | None = None


class CampaignSession:
    """An open campaign, or with a ``timeline`` one of its timelines, over the entries of ``history``.

    ``words_for_foes``: the condition of foes is in words, as players may see it. ``store_model`` gives the read model
    of the whole store, in which the ends of timelines are remembered. ``log`` is given if the reader may not see what
    is stored.
    """

    def __init__(
        self,
        history: OpenHistory,
        rulebook: Rulebook,
        seeds: SeedStore,
        *,
        timeline: Timeline | None = None,
        surroundings: Surroundings,
        dice: type[DiceFactory] = DiceFactory,
        words_for_foes: bool = False,
        store_model: Callable[[], ReadModel] | None = None,
        log: EntryLog | None = None,
    ) -> None:
        self.log = log or history.log
        self.id = self.log.campaign
        self.history = history
        self.rulebook = rulebook
        self.timeline = timeline
        self.surroundings = surroundings
        self.words_for_foes = words_for_foes
        self.store_model = store_model or (lambda: history.read_model)
        self.dice = dice(seeds.of_stream(campaign_of(self.id)), timeline, history.look_back, self.log.version)
        self.engine = EngineParameters(rulebook, self.dice)
        self.turns = ActionPlayer(rulebook, self.dice, self.engine)
        self.recorder: LineRecorder | None = None
        self.kept: dict[str, Any] = {}
        """The campaign as seats see it, by seat, until it is read again: see ``visibility.seat_campaign.as_answered``."""

    @property
    def head(self) -> Head:
        """The head as of when the campaign was last read."""
        return self.history.head

    @property
    def state(self) -> CampaignState:
        """The campaign as it is, with all corrections."""
        return self.history.head.state

    @property
    def damage(self) -> str:
        """The damage of the stored history, "" if nothing is known to be. A damaged history is read-only."""
        return str(self.history.damage or "")

    @property
    def read_model(self) -> ReadModel:
        """The read model that has the campaign's rows; a timeline has its own, in memory."""
        return self.history.read_model

    @property
    def in_words(self) -> frozenset[CharacterId]:
        """The ids of the characters whose hit points are shown only in words."""
        return foes(self.state) if self.words_for_foes else frozenset()

    def refresh(self, known: EntryNumber = 0, *, after_adding: bool = False) -> Head:
        """Read what other processes have recorded since, see ``OpenHistory.refresh``. Returns the head.

        ``after_adding``: if something was just appended here, that is the newest.
        """
        head = self.history.refresh_after_adding(known) if after_adding else self.history.refresh(known)
        self.dice.note(head)
        return head

    def read_again(self) -> None:
        """Forget what is in memory and read it again, because words may have been removed from the store since."""
        self.kept.clear()
        self.history.read_again()

    def let_go(self) -> None:
        """Keep no more in memory than playing on takes: the past is read again when needed."""
        self.kept.clear()
        self.history.let_go()

    def take_overtaken(self) -> int:
        """The number of times since the last call that others were faster, so that a decision was made again."""
        times, self.history.overtaken = self.history.overtaken, 0
        return times

    def project(self, into: ReadModel | None = None, *, head: Head | None = None) -> None:
        """Bring the read model up to date, or ``into`` one that is used in its place, with the head as it was just read.

        ``head`` is given where that has been done.
        """
        seen = None if head is None or into or self.timeline or self.damage else self.history.last_seen
        just_read = seen and JustRead(seen, self.log.recent)
        if head is None:
            head = self.head if into else self.refresh()
        heads = {} if self.damage else {self.id: head}
        (into or self.read_model).catch_up(self.log.store, self.rulebook, heads, only=(self.id,), just_read=just_read)
        if self.timeline:  # the store's remembers the timeline's end
            self.store_model().catch_up(self.timeline.view.underlying, self.rulebook, only=())
        self.history.keep_marks()

    # Playing.

    def wanted_dice(self, turn: ActionRequest) -> str:
        """The dice that a request takes, with roller and purpose as far as known before they fall; "" for none."""
        return self.turns.wanted(self.refresh(), turn)

    def refusal(self, turn: ActionRequest) -> RollbookError | None:
        """The refusal of a request that does not depend on dice, None for none; no die falls, nothing is stored."""
        return self.turns.refusal(self.refresh(), turn)

    @command_deadline()
    def take(self, *turns: ActionRequest, command: str = "") -> tuple[RecordedEntry, ...]:
        """Take actions of verbs that were looked up in ``state``, without reading the head again: see ``Campaign.play``.

        They are one command: all of them or none, with an entry for each in their order. The caller has just read the head. If
        another process has been faster, it is read, and all is decided again.
        """
        begun()
        self.history.check_undamaged()
        return self.take_on(self.head, turns, command)

    def take_on(
        self, head: Head, turns: Sequence[ActionRequest], command: str = "", base: EntryNumber | None = None
    ) -> tuple[RecordedEntry, ...]:
        """Take actions on a ``head`` that was just read, or on a later one, unless ``base`` says on which entry."""
        ruleset = head.state.ruleset

        def decide(head: Head) -> Decision:
            if base is not None:
                head.check_is_at(base)
            if head.state.ruleset != ruleset:
                check_verb(self.rulebook, head.state, turns[0].action)
            return self.turns.decide_together(head, turns)

        entries = self.append(decide, command=command_of(head.state, turns, command), head=head)
        with after_commit():
            for remark in (remark for turn in turns for remark in self.turns.remarks(head, turn)):
                warn(remark)
        return entries

    def append(
        self,
        decide: Callable[[Head], Decision],
        *,
        instead: Mapping[EntryNumber, bytes] | None = None,
        command: IdempotencyKey | None = None,
        head: Head | None = None,
    ) -> tuple[RecordedEntry, ...]:
        """Store what ``decide`` makes of the head, all of it or nothing: see ``OpenHistory.append``."""
        gone = self.moved_away()
        if gone is not None:
            raise Refused(f"{gone.sentence} Nothing was recorded.")
        entries = self.history.append(decide, instead, command, head)
        with after_commit():
            self.dice.note(self.head)
        if self.recorder is not None:
            self.recorder.entries.extend(entries)
        return entries

    def moved_away(self) -> Moved | None:
        """The record of the move, if the campaign was moved to another computer and has not come back."""
        return next(iter(self.dice.seeds.moved()), None)

    # Commands with an id.

    def command(self, seat: str | None, id_: str, asked: Mapping[str, object]) -> IdempotencyKey | None:
        """The idempotency key of a caller's command, None if it has no id. In a line that has an id, it is the line's.

        Raises NotFound for an unknown seat, and Refused for an id that cannot be one.
        """
        if self.said_command:
            return self.said_command
        return IdempotencyKey.of(acting_seat(self.state, seat), id_, asked) if id_ else None

    @property
    def said_command(self) -> IdempotencyKey | None:
        """The idempotency key of the line being carried out, None if it has no id."""
        return self.recorder.command if self.recorder is not None else None

    @contextmanager
    def recording(self, command: IdempotencyKey | None = None) -> Iterator[LineRecorder]:
        """Note what a line, which may be a command with an id, records and previews through this session meanwhile."""
        before, self.recorder = self.recorder, LineRecorder(command)
        try:
            yield self.recorder
        finally:
            self.recorder = before
