"""One campaign, open: play actions, ask questions, and through ``corrections`` correct what happened.

Loading and appending are in ``open_campaign``, dice sources in ``dice_factory``, parameters that the engine fills in in
``engine_parameters``, and what the rules make of a turn in ``turn``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from rollbook.application.aftermath import after_commit, begun, warn
from rollbook.application.history.command_ids import Command
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.history.live_history import Answered, OpenCampaign
from rollbook.application.lines.said import Noted, Said
from rollbook.application.playing.built_actions import Params, built, check_verb
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.application.playing.engine_parameters import EngineParameters
from rollbook.application.playing.trials import Trial, Trials
from rollbook.application.playing.turn import Decided, Turn, TurnPlayer, acting_seat, command_of
from rollbook.application.ports.deadline import one_command
from rollbook.application.ports.moved import Moved
from rollbook.application.ports.read_model import EntryRows, ReadModel
from rollbook.application.ports.seed_store import SeedStore
from rollbook.application.ports.surroundings import ALONE, Surroundings
from rollbook.application.timelines.marker import campaign_of
from rollbook.application.timelines.timeline import Timeline
from rollbook.domain.actions import Redact
from rollbook.domain.audit.answers import Answer
from rollbook.domain.audit.receipts import Receipt, receipt_of
from rollbook.domain.base.errors import Refused, StaleHistory
from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.history.redaction import check_redactable, words_of
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, check
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import find_character
from rollbook.projections.in_words import foes

if TYPE_CHECKING:
    from rollbook.application.book import Book
    from rollbook.application.corrections import Corrections, Preview
    from rollbook.application.visibility.seen import SeenCampaign

__all__ = ["Campaign", "Trial"]

LINE_RUNNER = "rollbook.adapters.cli.say"
"""The module that carries out a typed line. The command line imports the engine, so the engine looks it up when it is asked."""


class Campaign(Trials):
    """A campaign in a store, or with a ``timeline`` one of its timelines. ``log`` is its entries as they are stored.

    ``state`` and ``head`` are the campaign as of the last command or ``refresh``; whatever is recorded through this object is in
    them at once, what other processes record after the next command.
    """

    dice_kind: type[DiceFactory] = DiceFactory
    """Where its dice come from."""
    words_for_foes = False
    """Whether it says in words how foes are: what players see of it may."""

    @property
    def in_words(self) -> frozenset[CharacterId]:
        """Whose hit points it tells in words alone, by id."""
        return foes(self.state) if self.words_for_foes else frozenset()

    def __init__(
        self,
        log: EntryLog,
        rulebook: Rulebook,
        seeds: SeedStore,
        read_model: ReadModel,
        timeline: Timeline | None = None,
        book: Book | None = None,
        surroundings: Surroundings = ALONE,
    ) -> None:
        self.surroundings = surroundings
        self.id = log.campaign
        self.log = log
        self.rulebook = rulebook
        self.timeline = timeline
        self.book = book
        self._open = OpenCampaign(log, read_model)
        self.dice = self.dice_kind(seeds.of_stream(campaign_of(log.campaign)), timeline, self.look_back, log.version)
        self.engine = EngineParameters(rulebook, self.dice)
        self.answered: dict[str, SeenCampaign] = {}
        """What seats were answered from last, by seat: see ``rollbook.application.visibility.seen.as_answered``."""
        self._noted: Noted | None = None
        self._turns = TurnPlayer(rulebook, self.dice, self.engine)

    @cached_property
    def corrections(self) -> Corrections:
        """What corrects it."""
        from rollbook.application.corrections import Corrections

        return Corrections(self)

    # What it has come to.

    @property
    def read_model(self) -> ReadModel:
        """Where the campaign's log and sheets are read from; a timeline has its own, in memory."""
        return self._open.read_model

    @property
    def head(self) -> Head:
        return self._open.head

    @property
    def state(self) -> CampaignState:
        """The campaign as it is, with all corrections."""
        return self._open.head.state

    @property
    def damage(self) -> str:
        """What is wrong with the stored history, "" if nothing is known to be. A damaged history is read-only."""
        return str(self._open.damage or "")

    @property
    def has_lost_entries(self) -> bool:
        """Whether the store had fewer entries than are in memory when it was last asked."""
        return self._open.has_lost_entries

    def take_overtaken(self) -> int:
        """How often others were faster since this was last asked, so that something was decided again."""
        times, self._open.overtaken = self._open.overtaken, 0
        return times

    def check_undamaged(self) -> None:
        """Raise HistoryDamaged if something is known to be wrong with the stored history."""
        self._open.check_undamaged()

    def refresh(self) -> Head:
        """Read what other processes have recorded since. Returns the head."""
        head = self._open.refresh()
        self.dice.note(head)
        return head

    def load_history(self) -> History:
        """The whole history, as far as it is whole: read and checked against the chain, unless it is in memory already."""
        return self._open.load()

    def look_back(self) -> History:
        """The history for questions about some of it: only what is looked at is read, and checked (see ``looking_back``)."""
        return self._open.look_back()

    def entries_after(self, number: EntryNumber) -> Iterable[RecordedEntry]:
        """The entries after one of them, up to the head, as they are stored."""
        return map(self.log.read, self.log.stored(number, self.head.entry))

    def looking_back(self, ask: Callable[[History], Answered]) -> Answered:
        """An answer out of the history, of which only what is looked at is read; out of what comes before any damage in that."""
        return self._open.looking_back(ask)

    def read_again(self) -> None:
        """Forget what is in memory and read it again: what is in the store may have lost words since."""
        self.answered.clear()
        self._open.read_again()

    def let_go(self) -> None:
        """Keep no more in memory than playing on takes: the past is read again when it is asked for."""
        self.answered.clear()
        self._open.let_go()

    # Playing.

    @one_command()
    def play(
        self,
        action: Action,
        *,
        seat: str | None = None,
        dice: Iterable[int] | None = None,
        secret: bool = False,
        reason: str = "",
        command: str = "",
        base: int | None = None,
    ) -> RecordedEntry:
        """Take an action. ``dice`` are the faces of real dice; ``secret`` keeps it and its dice to the GM.

        ``seat`` acts (None: the GM). ``command`` is an id that the caller gives to this command, its own by campaign and seat:
        given again, it returns what it made and nothing happens twice. An anonymous action has none.

        Raises Refused, NotFound, RulesetMissing, DiceNeeded with a sentence; then nothing was recorded. What goes wrong after
        that, and a word that no rule knows, is a ``RecordedWarning``, and the entry is returned all the same. Refused also if
        the id was given to another command. StaleHistory if others kept being faster, or if the history is not at entry ``base``
        any more, on which the action was tried out.
        """
        head = self._open.writable_head()
        check_verb(self.rulebook, head.state, action)
        check(action)
        return self._take(head, (Turn(action, seat, dice, secret, reason),), command, base)[-1]

    @one_command()
    def do(
        self,
        verb: str,
        params: Params | None = None,
        /,
        *,
        seat: str | None = None,
        dice: Iterable[int] | None = None,
        secret: bool = False,
        reason: str = "",
        command: str = "",
        base: int | None = None,
        **more: ParameterValue,
    ) -> RecordedEntry:
        """Take an action by the name of its verb, with the verb's parameters as keyword arguments: see ``play``.

        ``seat``, ``dice``, ``secret``, ``reason``, ``command`` and ``base`` always have the meaning that they have for ``play``.
        A parameter of the verb that has one of these names is given in ``params``, as any other can be.
        """
        head = self._open.writable_head()
        action = built(self.rulebook, head.state, verb, params, more)
        return self._take(head, (Turn(action, seat, dice, secret, reason),), command, base)[-1]

    @one_command()
    def take(self, turn: Turn, *, command: str = "") -> RecordedEntry:
        """Take an action of a verb that was looked up in ``state``, without reading the head again: see ``play``.

        The caller has just read it. If another process has been faster, the head is read, and the action decided again.
        """
        return self.take_together((turn,), command=command)[-1]

    @one_command()
    def take_together(self, turns: Sequence[Turn], *, command: str = "") -> tuple[RecordedEntry, ...]:
        """Take several actions as one command, all of them or none: see ``take``. There is an entry for each, in their order."""
        begun()
        self.check_undamaged()
        return self._take(self.head, turns, command, None)

    @one_command()
    def say(self, line: str, *, seat: str | None = None, command: str = "") -> Said:
        """What a line does that is typed as at the prompt: a verb, a correction, a second thought or a question.

        ``seat`` acts where the line does not say who; ``command`` is an id of the line, see ``play``. Raises what ``play`` and
        the corrections raise, and LineError for a line that is not written as it should be. A question is answered by what the
        seat may see, see ``rollbook.application.visibility.seen``.
        """
        carry_out: Callable[..., Said] = import_module(LINE_RUNNER).say
        return carry_out(self, line, seat=seat, command=command)

    def _take(self, head: Head, turns: Sequence[Turn], command: str, base: int | None) -> tuple[RecordedEntry, ...]:
        ruleset = head.state.ruleset

        def decide(head: Head) -> Decided:
            if base is not None:
                head.check_is_at(base)
            if head.state.ruleset != ruleset:
                check_verb(self.rulebook, head.state, turns[0].action)
            return self._turns.decide_together(head, turns)

        entries = self.append(decide, command=command_of(head.state, turns, command), head=head)
        with after_commit():
            for remark in (remark for turn in turns for remark in self._turns.remarks(head, turn)):
                warn(remark)
        return entries

    def append(
        self,
        decide: Callable[[Head], Decided],
        *,
        instead: Mapping[EntryNumber, bytes] | None = None,
        command: Command | None = None,
        head: Head | None = None,
    ) -> tuple[RecordedEntry, ...]:
        """Store what ``decide`` makes of the head, all of it or nothing: see ``OpenCampaign.append``."""
        gone = self.moved_away()
        if gone is not None:
            raise Refused(f"{gone.sentence} Nothing was recorded.")
        entries = self._open.append(decide, instead, command, head)
        with after_commit():
            self.dice.note(self.head)
        if self._noted is not None:
            self._noted.entries.extend(entries)
        return entries

    def moved_away(self) -> Moved | None:
        """Where the campaign has gone, if it was moved to another computer and has not come back."""
        return next(iter(self.dice.seeds.moved()), None)

    def note_preview(self, made: Preview) -> None:
        if self._noted is not None:
            self._noted.preview = made

    def command(self, seat: str | None, id_: str, asked: Mapping[str, object]) -> Command | None:
        """The command that a caller names, None if it has no id. In a line that has an id, it is the line.

        Raises NotFound for an unknown seat, and Refused for an id that cannot be one.
        """
        if self.said_command:
            return self.said_command
        return Command.of(acting_seat(self.state, seat), id_, asked) if id_ else None

    @property
    def said_command(self) -> Command | None:
        """The command that the line which is carried out is, None if it has no id."""
        return self._noted.command if self._noted is not None else None

    def made_by(self, command: Command | None) -> tuple[RecordedEntry, ...]:
        """What a command made, none if it was not carried out. Raises Refused if its id was given to another one."""
        return self._open.made_by(command)

    @contextmanager
    def noting(self, command: Command | None = None) -> Iterator[Noted]:
        """What is recorded and previewed through this object meanwhile, by a line that may be a command with an id."""
        before, self._noted = self._noted, Noted(command)
        try:
            yield self._noted
        finally:
            self._noted = before

    @one_command()
    def redact(self, action: ActionNumber, *, why: str, seat: str | None = None, command: str = "") -> RecordedEntry:
        """Remove the words of a note for good, from what was typed at the prompt too; that it was done is on record.

        ``command`` is an id of this command, see ``play``. Raises NotFound, and Refused for anything but a note: nothing else can
        ever be removed. StaleHistory if somebody wrote more about the note at the same moment.
        """
        self.read_again()
        self.load_history()  # before the id is looked up: the same command from elsewhere is found or not in it
        named = self.command(seat, command, {"redact": action, "why": why})
        if made := self.made_by(named):
            return made[-1]
        numbers = check_redactable(self.load_history(), action)
        instead = self.log.without_words(numbers)
        entries = [self.load_history().entry(number) for number in numbers]
        words = {said for entry in entries for said in words_of(entry)}
        secret = any(entry.visibility for entry in entries)
        redaction = Redact(action=action, why=why, entries=tuple(numbers))
        turn = Turn(redaction, seat, (), secret, why)

        def decide(head: Head) -> Decided:
            if check_redactable(self.load_history(), action) != numbers:
                raise StaleHistory(f"Somebody changed #{action} at the same moment. Nothing was removed; try again.")
            decided = self._turns.decide(head, turn)
            self.surroundings.typed_lines.forget((self.id,), action, words)
            return decided

        entry = self.append(decide, instead=instead, command=named)[-1]
        self.read_again()
        return entry

    # Asking.

    def seat(self, name: str | None) -> str:
        """The seat that acts: the one named, or the GM's. Raises NotFound."""
        return acting_seat(self.state, name)

    def character_id(self, name: str) -> str:
        """The id of a character by id, name or an unambiguous beginning of either. Raises NotFound."""
        return find_character(self.state, name)

    def sheet(self, name: str, state: CampaignState | None = None) -> Sheet:
        """A character's sheet, now or at another moment. Raises NotFound."""
        moment = self.state if state is None else state
        return self.rulebook.sheet(moment.characters[find_character(moment, name)], moment)

    def receipt(self) -> Receipt:
        """What a player notes, to show later that nothing was changed."""
        return receipt_of(self.id, self.head.shown, self.state.session)

    def read_model_of(self, entries: Iterable[RecordedEntry]) -> EntryRows:
        """The log and the experience of some of its entries alone, in memory."""
        model, words = self._open.read_model, self.rulebook.words
        return model.of_entries(self.id, entries, words=words, words_for_foes=self.words_for_foes)

    def project(self, into: ReadModel | None = None) -> None:
        """Bring the read model up to date, or ``into`` one that is used in its place, with the head as it was just read."""
        head = self.head if into else self.refresh()
        heads = {} if self.damage else {self.id: head}
        (into or self.read_model).catch_up(self.log.store, self.rulebook, heads, only=(self.id,))
        if self.timeline and self.book:
            self.book.read_model.catch_up(self.book.store, self.rulebook, only=())  # which remembers the timeline's end
        self._open.keep_marks()

    def audit(self) -> tuple[Answer, Answer, Answer]:
        """Chain, dice and rules: three answers."""
        from rollbook.application.audit import audit_of

        return audit_of(self)
