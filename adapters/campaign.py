"""One campaign, open: play actions, correct the history, ask it questions.

What is stored and in memory is ``open_history``'s affair, where dice come from ``dice_at_hand``'s, and what nobody is asked for
``supplied``'s. Here the rules play, and what they decide is appended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import attrs

from adapters.commands import Command
from adapters.dice_factory import DiceFactory
from adapters.engine_parameters import EngineParameters, placeholders
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.open_campaign import OpenCampaign
from adapters.seeds import SeedKeeper
from adapters.storage.codec import CODEC
from adapters.storage.read_model import ReadModel
from adapters.timelines.timeline import Timeline
from domain.action import Action, intent_of
from domain.actions import Adopt, DrawFor, Redact, Reveal
from domain.audit import Answer, audit_dice, audit_rules
from domain.corrections import Adjustment, Amend, Change, Correction, Orphans, Preview, Redo, ThinkAgain, Undo
from domain.corrections.changes import Override
from domain.corrections.preview import last_action, preview
from domain.dice.supply import DiceNeeded, NoDice
from domain.entries import Entry, EntryKind, Intent, RecordedEntry, SecondThought, without_words
from domain.errors import NotFound, Refused, RollbookError, StaleHistory, not_found
from domain.events import CharacterHidden, DiceRolled, Event, Role, Scalar
from domain.fold import fold
from domain.history import History
from domain.identifiers import ActionNumber
from domain.receipts import Receipt, receipt_of
from domain.redaction import check_redactable
from domain.rulebook import Rulebook
from domain.secrecy import (
    EVERYBODYS,
    GM,
    Names,
    hidden_names,
    intent_names_somebody,
    names_somebody,
    stored_names_somebody,
)
from domain.sheet import Sheet
from domain.state import CampaignState
from domain.table import Played

if TYPE_CHECKING:
    from domain.forecast import Forecast


@attrs.frozen
class Trial:
    """An action that was only tried out on entry ``base``: the campaign before and after it."""

    base: int
    before: CampaignState
    after: CampaignState


class Campaign:
    """A campaign in a store, or with a ``fork`` one of its timelines."""

    def __init__(
        self,
        journal: EntryLog,
        rulebook: Rulebook,
        seeds: SeedKeeper,
        read_model: ReadModel,
        fork: Timeline | None = None,
    ) -> None:
        self.id = journal.campaign
        self.journal = journal
        self.rulebook = rulebook
        self.fork = fork
        self._seeds = seeds
        self._open = OpenCampaign(journal, read_model)
        self.dice = DiceFactory(seeds, fork, lambda: self.history)
        self._supplied = EngineParameters(rulebook, self.dice)

    @property
    def read_model(self) -> ReadModel:
        """Where the campaign's log and sheets are read from; a timeline has its own, in memory."""
        return self._open.read_model

    # Where it stands.

    @property
    def head(self) -> Head:
        """Where the campaign stands now, with whatever other processes have added."""
        return self._open.head

    @property
    def state(self) -> CampaignState:
        """The campaign as it is now, with all corrections."""
        return self._open.head.state

    @property
    def history(self) -> History:
        """The whole history in memory, every entry checked against the chain as far as it is whole."""
        return self._open.whole

    @property
    def damage(self) -> str:
        """What is wrong with the stored history, "" if nothing is known to be. A damaged history is read-only."""
        return self._open.damage

    def receipt(self) -> Receipt:
        """What a player notes, to show later that nothing was changed."""
        head = self.head
        return receipt_of(self.id, head.shown, head.state.session)

    # Playing.

    def do(
        self,
        verb: str,
        params: Mapping[str, Scalar] | None = None,
        *,
        seat: str | None = None,
        typed: Iterable[int] | None = None,
        secret: bool = False,
        reason: str = "",
        base: int | None = None,
        command: str = "",
    ) -> RecordedEntry:
        """Take an action. ``typed`` are the faces of real dice; ``secret`` keeps it and its dice to the GM.

        ``command`` is an id that the caller gives to this command, its own by campaign and seat: given again, it returns what
        it made and nothing happens twice. An anonymous action has none.

        Raises Refused, NotFound, RulesetMissing with a sentence; then nothing was recorded. Refused also if the id was given
        to another command. StaleHistory if others kept being faster, or if the history is not at entry ``base`` any more, on
        which the action was tried out.
        """
        faces = None if typed is None else tuple(typed)
        asked = {"verb": verb, "params": dict(params or {}), "dice": faces, "secret": secret, "reason": reason}

        def decide(head: Head) -> list[Entry]:
            _check_base(head, head.entry if base is None else base)
            return [self._decide(head, verb, dict(params or {}), seat, faces, secret=secret, reason=reason)]

        is_named = command and not self.rulebook.verb(self.state, verb).anonymous
        named = Command.of(self.seat(seat), command, asked) if is_named else None
        return self._open.append(decide, command=named)[-1]

    def take(
        self,
        action: Action,
        *,
        seat: str | None = None,
        typed: Iterable[int] | None = None,
        secret: bool = False,
    ) -> RecordedEntry:
        """Take an action that exists as an object."""
        intent = intent_of(action)
        return self.do(intent.verb, intent.params, seat=seat, typed=typed, secret=secret)

    def try_out(self, verb: str, params: Mapping[str, Scalar], *, seat: str | None = None) -> Trial:
        """What an action without dice would come to; nothing is stored. Raises what ``do`` raises."""
        head = self.head
        decided = self._decide(head, verb, dict(params), seat, (), secret=False, reason="")
        return Trial(head.entry, head.state, fold(head.state, decided.facts))

    def odds(
        self, verb: str, params: Mapping[str, Scalar] | None = None, *, seat: str | None = None, secret: bool = False
    ) -> Forecast:
        """What may come of an action and how likely it is; no die falls, and nothing is stored.

        Raises what ``do`` raises where the rules say no whatever falls, and TooMany if not every way can be counted out.
        """
        from domain.forecast import forecast  # noqa: PLC0415 - few commands ask for odds

        head = self.head
        self.rulebook.require(head.state)
        action = self.rulebook.verb(head.state, verb)
        given = {**placeholders(action), **(params or {})}
        if action is Adopt:
            self._supplied.write_out(head, given)
        sitting = "" if action.anonymous else self.seat(seat)
        return forecast(self.rulebook, head.state, Intent(verb=verb, params=given), seat=sitting, secret=secret)

    def _decide(
        self,
        head: Head,
        verb: str,
        params: dict[str, Scalar],
        seat: str | None,
        faces: tuple[int, ...] | None,
        *,
        secret: bool,
        reason: str,
    ) -> Entry:
        self.rulebook.require(head.state)
        action = self.rulebook.verb(head.state, verb)
        sitting = "" if action.anonymous else self.seat(seat)
        reason, secret = ("", False) if action.anonymous else (reason, secret)
        new_seeds = self._supplied.fill_in(action, head, params)
        intent = Intent(verb=verb, params=params)
        hidden = None if action is Reveal else hidden_names(head.state)
        names_hidden = intent_names_somebody(hidden, intent) or names_somebody(hidden, reason)
        if verb in EVERYBODYS and (secret or names_hidden):
            why = "names somebody who is hidden" if names_hidden else "was to be secret"
            raise Refused(f"This {why}, but {verb} is for the whole table: what happens there rests on it.")
        secret = secret or names_hidden
        try:
            played = self._played(head, intent, sitting, faces, secret=secret)
            if not secret and verb not in EVERYBODYS and _open_dice_name_somebody(hidden, played.facts):
                secret = True
                played = self._played(head, intent, sitting, faces, secret=True)
        except RollbookError:
            if new_seeds is not None:
                self._seeds.forget(new_seeds)
            raise
        done = action(**params)
        return Entry(
            EntryKind.TAKEN,
            action=head.actions + 1,
            facts=played.facts,
            seat=sitting,
            reason=reason,
            intent=without_words(intent_of(done), played.facts),
            ruleset=head.state.ruleset,
            version=self.rulebook.version(head.state),
            reads=played.reads,
            visibility=done.visibility or (GM if secret or _hides(played.facts) else ""),
        )

    def _played(self, head: Head, intent: Intent, seat: str, faces: tuple[int, ...] | None, *, secret: bool) -> Played:
        """What the rules make of an intent, with the dice of this moment."""
        dice = self.dice.supply(head, seat, faces)
        return self.rulebook.play(head.state, intent, dice, seat=seat, secret=secret)

    def redact(self, action: ActionNumber, *, why: str, seat: str | None = None) -> RecordedEntry:
        """Remove the words of a note for good; the chain still verifies, and that it was done is on record.

        Raises NotFound, and Refused for what is no note: nothing else can ever be removed. StaleHistory if somebody wrote more
        about the note at the same moment.
        """
        self.read_again()
        numbers = check_redactable(self.history, action)
        instead = self.journal.without_words(numbers)
        params: dict[str, Scalar] = {"action": action, "why": why, "entries": tuple(map(str, numbers))}
        secret = any(self.history.entry(number).visibility for number in numbers)

        def decide(head: Head) -> list[Entry]:
            if check_redactable(self.history, action) != numbers:
                raise StaleHistory(f"Somebody changed #{action} at the same moment. Nothing was removed; try again.")
            return [self._decide(head, Redact.verb, dict(params), seat, (), secret=secret, reason=why)]

        entry = self._open.append(decide, instead)[-1]
        self.read_again()
        return entry

    def read_again(self) -> None:
        """Forget what is in memory: what lies in the store may have lost words since."""
        self._open.read_again()

    def seat(self, name: str | None) -> str:
        """The seat that acts: the one named, or the GM's. Raises NotFound."""
        seats = self.state.seats
        if name is None:
            return next((seat.name for seat in seats.values() if seat.role is Role.GM and seat.present), "")
        if name and (name not in seats or not seats[name].present):
            raise not_found("seat", name, (seat.name for seat in seats.values() if seat.present))
        return name

    # Correcting.

    def preview(
        self,
        changes: Mapping[ActionNumber, Change],
        *,
        reason: str = "",
        seat: str | None = None,
        stand: bool = False,
        orphans: Orphans = Orphans.VOID,
        fates: Mapping[ActionNumber, Orphans] | None = None,
        typed: Iterable[int] | None = None,
        draw: bool = False,
    ) -> Preview:
        """What a correction would append and change; nothing is stored.

        ``orphans`` is what becomes of actions that are no longer possible, unless ``fates`` says otherwise of one.
        With ``draw``, dice that were never rolled are drawn from the open session first. A drawn die has been seen, so
        it goes on record at once, whatever becomes of the correction. Without it they raise DiceNeeded.
        """
        self.rulebook.require(self.state)
        sitting = self.seat(seat)
        self._check_corrector(sitting, changes)
        faces = None if typed is None else tuple(typed)
        while True:
            correction = Correction(
                changes=changes,
                seat=sitting,
                reason=reason,
                stand=stand,
                orphans=orphans,
                fates=fates or {},
                dice=NoDice() if faces is None else self.dice.typed(self.state, sitting, faces),
            )
            try:
                return preview(self.history, correction, self.rulebook)
            except DiceNeeded as needed:
                if not draw:
                    raise
                self._draw(needed, seat)

    def _check_corrector(self, sitting: str, changes: Iterable[int]) -> None:
        """Players correct what they did themselves; everything else is the GM's to correct."""
        seat = self.state.seats.get(sitting)
        if seat is None or seat.role is Role.GM:
            return
        for action in changes:
            first = self.history.revisions(action)[0]
            if first.seat != sitting or first.visibility not in ("", sitting):
                raise Refused(
                    f"{sitting} can correct what {sitting} did, and action #{action} was not that. Ask the GM."
                )

    def _draw(self, needed: DiceNeeded, seat: str | None) -> None:
        request = needed.request
        draw = DrawFor(
            action=needed.action,
            roller=request.roller,
            purpose=request.purpose,
            ordinal=request.ordinal,
            sides=needed.sides,
        )
        self.take(draw, seat=seat, secret=request.secret)

    def apply(self, made: Preview) -> list[RecordedEntry]:
        """Append exactly what a preview shows. Raises StaleHistory if the campaign has moved on since."""
        _ = self.history

        def decide(head: Head) -> list[Entry]:
            _check_base(head, made.base)
            return list(made.entries)

        return self._open.append(decide, after=made.after) if made.entries else []

    def undo(self, *actions: int, reason: str, **how: object) -> Preview:
        """The preview of taking actions back."""
        return self.preview(dict.fromkeys(actions, Undo()), reason=reason, **how)  # type: ignore[arg-type]

    def redo(self, action: ActionNumber, *, revision: int = 0, reason: str = "", **how: object) -> Preview:
        """The preview of bringing an action back."""
        return self.preview({action: Redo(revision)}, reason=reason, **how)  # type: ignore[arg-type]

    def amend(
        self,
        action: ActionNumber,
        params: Mapping[str, Scalar],
        *,
        reason: str,
        retype: Iterable[int] = (),
        adjustments: Iterable[Adjustment] = (),
        unadjusted: bool = False,
        **how: object,
    ) -> Preview:
        """The preview of playing an action with other parameters, with the real dice typed right, or adjusted.

        ``adjustments`` are the GM's, in the action; ``unadjusted`` takes those back that it has.
        """
        meant = self.history.intent_of(action)
        if meant.verb == Adopt.verb and (params or not adjustments):
            house = {"settings": ()} if "ruleset" in params else {}
            params = {**meant.params, **house, **params}
            self._supplied.write_out(self.head, params)
        change = Amend(params, tuple(retype), tuple(adjustments), unadjusted)
        return self.preview({action: change}, reason=reason, **how)  # type: ignore[arg-type]

    def override(
        self, action: ActionNumber, faces: Iterable[int], *, first: int = 1, reason: str, **how: object
    ) -> Preview:
        """The preview of other faces in the place of an action's stream dice, from its ``first`` on (counted from 1)."""
        change = Override(faces=tuple(faces), first=first)
        return self.preview({action: change}, reason=reason, **how)  # type: ignore[arg-type]

    def think_again(
        self, thought: SecondThought, *, seat: str | None = None, typed: Iterable[int] | None = None
    ) -> list[RecordedEntry]:
        """Have a second thought on the last action, as the rules allow. Its dice are seen at once, so it is stored."""
        faces = None if typed is None else tuple(typed)
        ruleset = self.rulebook.ruleset_of(self.state)
        if ruleset is None or thought.kind not in ruleset.second_thoughts:
            raise Refused("The rules of this campaign know no such second thought.")
        _ = self.history

        def decide(head: Head) -> list[Entry]:
            history = self.history
            correction = Correction(
                changes={last_action(history): ThinkAgain(thought)},
                seat=self.seat(seat),
                reason=ruleset.second_thoughts[thought.kind],
                dice=self.dice.supply(head, self.seat(seat), faces),
            )
            return list(preview(history, correction, self.rulebook).entries)

        return self._open.append(decide)

    # Asking.

    def character_id(self, name: str) -> str:
        """The id of a character by id, name or an unmistakable beginning of either. Raises NotFound."""
        return find_character(self.state, name)

    def sheet(self, name: str, state: CampaignState | None = None) -> Sheet:
        """A character's sheet, now or at another moment."""
        moment = self.state if state is None else state
        return self.rulebook.sheet(moment.characters[find_character(moment, name)], moment)

    def project(self) -> None:
        """Bring the read model up to date."""
        self._open.read_model.catch_up(
            self.journal.store, self.rulebook, {self.id: self.head} if not self._open.damage else {}
        )

    def _forks(self) -> frozenset[int]:
        """The numbers of the timelines that this history is: none for canon."""
        numbers = set()
        fork = self.fork
        while fork is not None:
            numbers.add(fork.number)
            fork = fork.parent
        return frozenset(numbers)

    def audit(self) -> tuple[Answer, Answer, Answer]:
        """Chain, dice and rules: three answers."""
        remembered = self._open.read_model.remembered(self.id)
        chain = self.journal.audit_chain(remembered)
        self._open.load()
        entries = self.history.entries
        return chain, audit_dice(entries, fork=self._forks()), audit_rules(entries, self.rulebook)


def _hides(facts: Iterable[Event]) -> bool:
    """Whether these facts hide somebody from the table."""
    return any(isinstance(fact, CharacterHidden) for fact in facts)


def _open_dice_name_somebody(hidden: Names | None, played: Iterable[Event]) -> bool:
    """Whether open dice name somebody who is hidden: kept from the table, they would leave a gap in the open stream."""
    rolls = (fact for fact in played if isinstance(fact, DiceRolled) and not fact.secret) if hidden else ()
    return any(stored_names_somebody(hidden, CODEC.encode(roll)) for roll in rolls)


def _check_base(head: Head, base: int) -> None:
    if head.entry != base:
        raise StaleHistory(
            f"This preview was made on entry {base}, and the history is at entry {head.entry} now. "
            f"Nothing was recorded; look at a new preview."
        )


def find_character(state: CampaignState, name: str) -> str:
    """The id of a character by id, name or an unmistakable beginning of either. Raises NotFound."""
    wanted = name.casefold()
    if wanted in state.characters:
        return wanted
    exact = [who.id for who in state.characters.values() if who.name.casefold() == wanted]
    if len(exact) == 1:
        return exact[0]
    near = [
        who.id
        for who in state.characters.values()
        if who.id.startswith(wanted) or who.name.casefold().startswith(wanted)
    ]
    if len(near) == 1:
        return near[0]
    if near:
        raise NotFound(f"{name!r} may be any of {', '.join(near)}. Type more of the name.", tuple(near))
    raise not_found("character", name, state.characters)
