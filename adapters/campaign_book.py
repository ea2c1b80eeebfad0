"""One campaign, open: play actions, correct the history, ask it questions.

Actions are decided on the head, appended if nobody was faster, and decided again if somebody was. A one-shot command
starts from the snapshot in the read model; whatever needs the past reads the whole history, checked against the chain.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import attrs

from adapters.journal import Journal
from adapters.read_model import ReadModel
from adapters.scan import Head, without_collector
from adapters.seeds import SeedKeeper, Seeds
from adapters.timelines.fork import UNKNOWN, Fork, OpenDiceOnly
from domain.actions import (
    AddEntropy,
    Adopt,
    CloseSession,
    DrawFor,
    OpenSession,
    Redact,
    Reveal,
    RevealScreen,
    WriteNote,
)
from domain.actions.dice_matters import PHYSICAL, STREAM, GrantDice, dice_of_seat
from domain.audit import Answer, audit_dice, audit_rules
from domain.campaign import Campaign, Session, fold
from domain.changes import Override
from domain.corrections import (
    Adjustment,
    Amend,
    Change,
    Correction,
    Intervene,
    Orphans,
    Preview,
    Proposal,
    Restore,
    Void,
    last_action,
    preview,
)
from domain.dice.stream import contribution, mix, session_key
from domain.dice_supply import (
    DiceLedger,
    DiceNeeded,
    DiceSupply,
    NoDice,
    PhysicalDice,
    StreamDice,
    counts,
    screen_counts,
)
from domain.errors import HistoryDamaged, NotFound, Refused, RollbookError, StaleHistory, not_found
from domain.events import ActionTaken, CharacterHidden, Event, Intent, Intervention, Role, Scalar, TableAgreed
from domain.history import Entry, History
from domain.redaction import bound, check_redactable
from domain.rulebook import Rulebook
from domain.ruleset import chosen_settings, settings_fields, written_settings
from domain.secrecy import EVERYBODYS, GM, hidden_names, intent_names_somebody, names_somebody
from domain.sheet import Sheet
from domain.verbs import Action, Want, intent_of, parameters

if TYPE_CHECKING:
    from domain.forecast import Forecast

TRIES = 8
"""How often an action is decided again when somebody else was faster."""


@attrs.frozen
class Trial:
    """An action that was only tried out on entry ``base``: the campaign before and after it."""

    base: int
    before: Campaign
    after: Campaign


class CampaignBook:
    """A campaign in a store, or with a ``fork`` one of its timelines."""

    def __init__(
        self,
        journal: Journal,
        rulebook: Rulebook,
        seeds: SeedKeeper,
        read_model: ReadModel,
        fork: Fork | None = None,
    ) -> None:
        self.id = journal.campaign
        self.journal = journal
        self.rulebook = rulebook
        self.fork = fork
        self._seeds = seeds
        self._read_model = read_model
        self._head: Head | None = None
        self._history: History | None = None
        self._damage = ""

    @property
    def read_model(self) -> ReadModel:
        """Where the campaign's log and sheets are read from; a timeline has its own, in memory."""
        return self._read_model

    # Where it stands.

    @property
    def head(self) -> Head:
        """Where the campaign stands now, with whatever other processes have added."""
        if self._head is None:
            self._head = self._from_snapshot() or self._load()
        if self.journal.version() != self._head.version and not self._damage:
            self._follow()
        return self._head

    @property
    def state(self) -> Campaign:
        """The campaign as it is now, with all corrections."""
        return self.head.state

    @property
    def history(self) -> History:
        """The whole history in memory, every entry checked against the chain as far as it is whole."""
        if self._history is None:
            self._head = self._load()
        _ = self.head
        assert self._history is not None
        return self._history

    @property
    def damage(self) -> str:
        """What is wrong with the stored history, "" if nothing is known to be. A damaged history is read-only."""
        return self._damage

    def _from_snapshot(self) -> Head | None:
        head = self._read_model.snapshot(self.id)
        if head is None or head.version > self.journal.version() or self.journal.hash_at(head.version) != head.hash:
            return None
        return head

    def _load(self) -> Head:
        """Read and check everything. What is damaged, and all that follows it, is left out and said."""
        history = History()
        head = Head()
        version, last = 0, head.hash
        try:
            with without_collector():
                for entry, events in self.journal.checked(head):
                    history.add(entry)
                    version, last = version + events, entry.header.witness
        except HistoryDamaged as damage:
            self._damage = f"{damage} What comes before it is shown; nothing can be added. 'rollbook audit' says more."
        self._history = history
        return self._head_of(history, version, last)

    def _head_of(self, history: History, version: int, last: str) -> Head:
        return Head(version, history.head, last, history.actions, history.state, history.ledger, history.shown)

    def _follow(self) -> None:
        """Take in what others have stored since."""
        head = self._head
        assert head is not None
        try:
            for entry, events in self.journal.checked(head):
                if self._history is not None:
                    self._history.add(entry)
                    head = self._head_of(self._history, head.version + events, entry.header.witness)
                elif isinstance(entry.header, ActionTaken):
                    head = head.after(entry, events)
                else:
                    head = self._load()
                    break
        except HistoryDamaged as damage:
            self._damage = str(damage)
        self._head = head

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
    ) -> Entry:
        """Take an action. ``typed`` are the faces of real dice; ``secret`` keeps it and its dice to the GM.

        Raises Refused, NotFound, RulesetMissing with a sentence; then nothing was recorded. StaleHistory if others kept
        being faster, or if the history is not at entry ``base`` any more, on which the action was tried out.
        """
        faces = None if typed is None else tuple(typed)

        def decide(head: Head) -> list[Proposal]:
            _check_base(head, head.entry if base is None else base)
            return [self._decide(head, verb, dict(params or {}), seat, faces, secret=secret, reason=reason)]

        return self._append(decide)[-1]

    def take(
        self,
        action: Action,
        *,
        seat: str | None = None,
        typed: Iterable[int] | None = None,
        secret: bool = False,
    ) -> Entry:
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
        given = {**_filled_in_later(action), **(params or {})}
        if action is Adopt:
            self._write_out(head, given)
        sitting = "" if action.anonymous else self.seat(seat)
        return forecast(self.rulebook, head.state, Intent(verb=verb, params=given), seat=sitting, secret=secret)

    def _append(
        self,
        decide: Callable[[Head], list[Proposal]],
        instead: Mapping[int, bytes] | None = None,
        after: Campaign | None = None,
    ) -> list[Entry]:
        for _ in range(TRIES):
            head = self.head
            if self._damage:
                raise HistoryDamaged(self._damage)
            proposals = decide(head)
            try:
                written = self.journal.write(head, proposals, instead, after)
            except StaleHistory:
                continue
            self._took(head, written)
            return [entry for entry, _ in written]
        raise StaleHistory("Others kept writing to this campaign at the same moment. Nothing was recorded; try again.")

    def _took(self, head: Head, written: list[tuple[Entry, int]]) -> None:
        for entry, events in written:
            if self._history is not None:
                self._history.add(entry)
            else:
                head = head.after(entry, events)
        if self._history is not None:
            version = head.version + sum(events for _, events in written)
            head = self._head_of(self._history, version, written[-1][0].header.witness)
        self._head = head

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
    ) -> Proposal:
        self.rulebook.require(head.state)
        action = self.rulebook.verb(head.state, verb)
        sitting = "" if action.anonymous else self.seat(seat)
        reason, secret = ("", False) if action.anonymous else (reason, secret)
        new_seeds = self._fill_in(action, head, params)
        intent = Intent(verb=verb, params=params)
        hidden = None if action is Reveal else hidden_names(head.state)
        names_hidden = intent_names_somebody(hidden, intent) or names_somebody(hidden, reason)
        if verb in EVERYBODYS and (secret or names_hidden):
            why = "names somebody who is hidden" if names_hidden else "was to be secret"
            raise Refused(f"This {why}, but {verb} is for the whole table: what happens there rests on it.")
        secret = secret or names_hidden
        try:
            dice = self._dice(head, sitting, faces)
            played = self.rulebook.play(head.state, intent, dice, seat=sitting, secret=secret)
        except RollbookError:
            if new_seeds is not None:
                self._seeds.forget(new_seeds)
            raise
        done = action(**params)
        header = ActionTaken(
            action=head.actions + 1,
            seat=sitting,
            reason=reason,
            intent=intent_of(done),
            ruleset=head.state.ruleset,
            version=self.rulebook.version(head.state),
            reads=played.reads,
            visibility=done.visibility or (GM if secret or _hides(played.facts) else ""),
        )
        return Proposal(header, played.facts)

    def redact(self, action: int, *, why: str, seat: str | None = None) -> Entry:
        """Remove the words of a note for good; the chain still verifies, and that it was done is on record.

        Raises NotFound, and Refused for what is no note: nothing else can ever be removed.
        """
        numbers = check_redactable(self.history, action)
        left, instead = self.journal.redacted(numbers)
        params: dict[str, Scalar] = {"action": action, "why": why, "entries": bound(left)}
        secret = any(self.history.entry(number).header.visibility for number in numbers)

        def decide(head: Head) -> list[Proposal]:
            return [self._decide(head, Redact.verb, dict(params), seat, (), secret=secret, reason=why)]

        entry = self._append(decide, instead)[-1]
        self._head = self._history = None
        return entry

    def seat(self, name: str | None) -> str:
        """The seat that acts: the one named, or the GM's. Raises NotFound."""
        seats = self.state.seats
        if name is None:
            return next((seat.name for seat in seats.values() if seat.role is Role.GM and seat.present), "")
        if name and (name not in seats or not seats[name].present):
            raise not_found("seat", name, (seat.name for seat in seats.values() if seat.present))
        return name

    # Dice.

    def _dice(self, head: Head, seat: str, faces: tuple[int, ...] | None) -> DiceSupply:
        if faces is not None:
            return self._typed(head.state, seat, faces)
        session = head.state.session
        if session is None or not session.is_open:
            return NoDice(
                "No session is open, so there are no dice to roll from. Open one (rollbook do open-session), "
                "or type real dice with --dice."
            )
        if dice_of_seat(head.state, seat) == PHYSICAL:
            return NoDice(f"{self._agreed_on(head.state, seat)} Type them with --dice.")
        fresh = self.stream_dice(session, head.state, head.ledger, seat)
        return fresh if self.fork is None else self.fork.dice(fresh, session, head.ledger)

    def _typed(self, state: Campaign, seat: str, faces: tuple[int, ...]) -> DiceSupply:
        """Real dice, unless the table has agreed that the seat rolls from the stream."""
        if faces and dice_of_seat(state, seat) == STREAM:
            raise Refused(f"{self._agreed_on(state, seat)} Leave out --dice.")
        return PhysicalDice(faces)

    def _agreed_on(self, state: Campaign, seat: str) -> str:
        """What the table agreed on for a seat's dice, when, and how to agree on something else."""
        own = f"dice/{seat}" in state.agreed
        agreements = (
            (number, fact)
            for number, entry in self.history.outcomes()
            for fact in (entry.facts if entry else ())
            if isinstance(fact, TableAgreed) and fact.matter == "dice" and fact.seat == (seat if own else "")
        )
        number, fact = max(agreements, key=lambda found: found[0])
        how = "from the stream" if fact.value == STREAM else "real dice"
        anew = f"rollbook do agree dice either{f' --whose {seat}' if own else ''}"
        return f"Since action #{number} {fact.seat or 'everybody'} rolls {how}, as the table agreed (to change that: {anew})."

    def stream_dice(self, session: Session, state: Campaign, ledger: DiceLedger, seat: str) -> DiceSupply:
        """The dice of a session that is open, for a seat: canon's stream, or on a timeline one of its own."""
        seeds = self._seeds.of(session.identity) if session.identity else None
        if seeds is None and self.fork is not None:
            seeds = self.fork.seeds(session.identity)
        if seeds is None:
            return NoDice(
                f"The dice of session {session.number} cannot be drawn on this computer: their seeds are not here. "
                f"Type real dice with --dice."
            )
        sitting = state.seats.get(seat)
        commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
        mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
        dice = StreamDice(
            key_table=session_key(0, seeds.identity, seeds.table, mixed),
            key_screen=session_key(1, seeds.identity, seeds.screen, mixed),
            seat=sitting.number if sitting else 0,
            ledger=ledger,
            fork=self.fork.number if self.fork else 0,
        )
        return dice if seeds.screen != UNKNOWN else OpenDiceOnly(dice)

    def _fill_in(self, action: type[Action], head: Head, params: dict[str, Scalar]) -> Seeds | None:
        """The parameters that only the engine knows: commitments, counts and seeds. Returns seeds that were made."""
        session = head.state.session
        if action is OpenSession and not (session and session.is_open):
            seeds = self._seeds.new()
            params["identity"] = seeds.identity.hex()
            params["commit_table"], params["commit_screen"] = seeds.commits
            return seeds
        if action is OpenSession:
            params.update(identity="", commit_table="", commit_screen="")
        elif action is Adopt:
            self._write_out(head, params)
        elif action is AddEntropy and head.ledger.sealed:
            raise Refused("Dice have been rolled in this session, so nothing more can be mixed into them.")
        elif action is AddEntropy and session is not None and self._is_canons(session.identity):
            raise Refused("This session was opened on canon, so what is mixed into its dice is mixed in there.")
        elif action is CloseSession and session is not None:
            kept = self._seeds.of(session.identity) if session.identity else None
            params["seed"] = kept.table.hex() if kept else ""
            if self.fork is not None and self._is_canons(session.identity):
                params["seed"] = self.fork.shown(session.identity) or ""
            params["counts"] = tuple(f"{counter}={many}" for counter, many in counts(head.ledger).items())
        elif action is WriteNote:
            params["salt"] = secrets.token_hex(16)
        elif action in (RevealScreen, GrantDice):
            self._look_up(action, head, params)
        return None

    def _look_up(self, action: type[Action], head: Head, params: dict[str, Scalar]) -> None:
        """What only the history can say: how many secret rolls there were, and which dice wait to be met again."""
        if action is RevealScreen:
            params["seed"] = self._screen_seed(params.get("session"))
            params["counts"] = self._screen_counts(params.get("session"))
        else:
            params["session"] = head.ledger.session
            params["places"] = self._waiting_dice(head, params)

    def _write_out(self, head: Head, params: dict[str, Scalar]) -> None:
        """A ruleset to adopt with everything that it is at this moment: version, package, every house rule.

        House rules are those named, then those of the last time that the campaign played by it, then the usual ones.
        """
        key = str(params.get("ruleset", ""))
        game, named = self.rulebook.rulesets.get(key), params.get("settings", ())
        if game is None or not isinstance(named, tuple):
            return
        known = {field.name for field in settings_fields(game)}
        former = {name: value for name, value in head.state.former.get(key, {}).items() if name in known}
        settings = chosen_settings(game, {**former, **dict(pair.partition("=")[::2] for pair in named)})
        params.update(
            settings=written_settings(settings), version=game.version, package=self.rulebook.packages.get(key, "")
        )

    def _screen_counts(self, session: Scalar | None) -> tuple[str, ...]:
        facts = (fact for entry in self.history.entries for fact in entry.facts)
        used = screen_counts(facts, session) if isinstance(session, int) else {}
        return tuple(f"{counter}={many}" for counter, many in used.items())

    def _waiting_dice(self, head: Head, params: Mapping[str, Scalar]) -> tuple[str, ...]:
        """Where the dice of an action stand that was taken back, if the session they fell in is still open."""
        action, session = params.get("action"), head.state.session
        if not isinstance(action, int) or session is None or not session.is_open:
            return ()
        self.history.check(action)
        return head.ledger.waiting_of(self.history.dice_of(action), screen=params.get("screen") is True)

    def _is_canons(self, session: str) -> bool:
        """Whether a timeline has a session from what it was forked from: its seeds are revealed there, or not yet."""
        return self.fork is not None and self.fork.shown(session) is not None

    def _screen_seed(self, session: Scalar | None) -> str:
        for entry in self.history.entries:
            for fact in entry.facts:
                if getattr(fact, "commit_screen", "") and getattr(fact, "session", 0) == session:
                    identity = fact.identity  # type: ignore[attr-defined]
                    seeds = self._seeds.of(identity)
                    if self.fork is not None and self.fork.shown(identity, screen=True) == "":
                        raise Refused(f"Session {session} was opened on canon, so its secret dice are revealed there.")
                    if seeds is not None:
                        return seeds.screen.hex()
        raise NotFound(f"The secret dice of session {session} are not kept on this computer.")

    # Correcting.

    def preview(
        self,
        changes: Mapping[int, Change],
        *,
        reason: str = "",
        seat: str | None = None,
        stand: bool = False,
        orphans: Orphans = Orphans.VOID,
        fates: Mapping[int, Orphans] | None = None,
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
                dice=NoDice() if faces is None else self._typed(self.state, sitting, faces),
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
            header = self.history.revisions(action)[0].header
            if header.seat != sitting or header.visibility not in ("", sitting):
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

    def apply(self, made: Preview) -> list[Entry]:
        """Append exactly what a preview shows. Raises StaleHistory if the campaign has moved on since."""
        _ = self.history

        def decide(head: Head) -> list[Proposal]:
            _check_base(head, made.base)
            return list(made.proposals)

        return self._append(decide, after=made.after) if made.proposals else []

    def undo(self, *actions: int, reason: str, **how: object) -> Preview:
        """The preview of taking actions back."""
        return self.preview(dict.fromkeys(actions, Void()), reason=reason, **how)  # type: ignore[arg-type]

    def redo(self, action: int, *, revision: int = 0, reason: str = "", **how: object) -> Preview:
        """The preview of bringing an action back."""
        return self.preview({action: Restore(revision)}, reason=reason, **how)  # type: ignore[arg-type]

    def amend(
        self,
        action: int,
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
            self._write_out(self.head, params)
        change = Amend(params, tuple(retype), tuple(adjustments), unadjusted)
        return self.preview({action: change}, reason=reason, **how)  # type: ignore[arg-type]

    def override(self, action: int, faces: Iterable[int], *, first: int = 1, reason: str, **how: object) -> Preview:
        """The preview of other faces in the place of an action's stream dice, from its ``first`` on (counted from 1)."""
        change = Override(faces=tuple(faces), first=first)
        return self.preview({action: change}, reason=reason, **how)  # type: ignore[arg-type]

    def intervene(
        self, thought: Intervention, *, seat: str | None = None, typed: Iterable[int] | None = None
    ) -> list[Entry]:
        """Have a second thought on the last action, as the rules allow. Its dice are seen at once, so it is stored."""
        faces = None if typed is None else tuple(typed)
        ruleset = self.rulebook.ruleset_of(self.state)
        if ruleset is None or thought.kind not in ruleset.second_thoughts:
            raise Refused("The rules of this campaign know no such second thought.")
        history = self.history

        def decide(head: Head) -> list[Proposal]:
            correction = Correction(
                changes={last_action(history): Intervene(thought)},
                seat=self.seat(seat),
                reason=ruleset.second_thoughts[thought.kind],
                dice=self._dice(head, self.seat(seat), faces),
            )
            return list(preview(history, correction, self.rulebook).proposals)

        return self._append(decide)

    # Asking.

    def character_id(self, name: str) -> str:
        """The id of a character by id, name or an unmistakable beginning of either. Raises NotFound."""
        return find_character(self.state, name)

    def sheet(self, name: str, state: Campaign | None = None) -> Sheet:
        """A character's sheet, now or at another moment."""
        moment = self.state if state is None else state
        return self.rulebook.sheet(moment.characters[find_character(moment, name)], moment)

    def project(self) -> None:
        """Bring the read model up to date."""
        self._read_model.catch_up(self.journal.store, self.rulebook, {self.id: self.head} if not self._damage else {})

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
        remembered = self._read_model.remembered(self.id)
        chain = self.journal.audit_chain(remembered)
        if self._history is None:
            self._head = self._load()
        entries = self.history.entries
        return chain, audit_dice(entries, fork=self._forks()), audit_rules(entries, self.rulebook)


def _hides(facts: Iterable[Event]) -> bool:
    """Whether these facts hide somebody from the table."""
    return any(isinstance(fact, CharacterHidden) for fact in facts)


def _check_base(head: Head, base: int) -> None:
    if head.entry != base:
        raise StaleHistory(
            f"This preview was made on entry {base}, and the history is at entry {head.entry} now. "
            f"Nothing was recorded; look at a new preview."
        )


def _filled_in_later(action: type[Action]) -> dict[str, Scalar]:
    """Something in the place of what only the engine knows once an action is taken: no rule's dice hang on it."""
    wanted = (parameter for parameter in parameters(action) if parameter.hidden and parameter.required)
    return {each.name: 0 if each.want is Want.NUMBER else () if each.want.is_list else "" for each in wanted}


def find_character(state: Campaign, name: str) -> str:
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
