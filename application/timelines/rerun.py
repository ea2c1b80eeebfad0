"""A whole campaign played again by other rules, or by another version of its own: one action for every action of canon.

Numbers stay the same, so that action #12 there is action #12 here; only in a fight by another game the turns come in
that game's order, and an action that is played in another's place says which it is. An action without a meaning by
these rules becomes a ruling that says why, and is never played again. Dice that canon rolled for an action are its dice
here too, as far as they fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import chain, product
from typing import TYPE_CHECKING

import attrs

from rollbook.application.after_commit import committed
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.timelines import forking
from rollbook.application.timelines.parameter_mapping import Things, arrivals, mapped_parameters, recorded
from rollbook.application.timelines.play_order import END_TURN, Move, moves, next_character, next_move
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.actions.campaign import StartCampaign
from rollbook.domain.actions.notes import Redact
from rollbook.domain.actions.secrets import Reveal
from rollbook.domain.actions.sessions import CloseSession, RevealScreen
from rollbook.domain.base.errors import HistoryDamaged, NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber, CharacterId
from rollbook.domain.base.progress import told
from rollbook.domain.dice.ledger import counts, screen_counts
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import DiceSupply, NoDice
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, without_words
from rollbook.domain.entries import recorded as recorded_as
from rollbook.domain.events import Event, ParameterValue, Role, RulingMade, Scalar, TurnBegan
from rollbook.domain.history.event_store import NewEntry
from rollbook.domain.history.history import History
from rollbook.domain.history.rulings import ruler_of
from rollbook.domain.rules.action import build, intent_of, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, chosen_settings, read_settings
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.fold import fold

if TYPE_CHECKING:
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign
    from rollbook.application.view import CampaignView

NOT_PLAYED = "has no meaning here: "
"""The beginning of the reason of an action that could not be played by the other rules."""
PLAYED_WITHOUT = "played without "
CROSSED = "comes over as by adopt from "
MOVED = "is canon's #"
UNSEATED = " has no seat here"
"""Reason of an action whose seat has another name, or is not taken, after a correction of canon: it is a ruling."""
NEXT = "next"
"""The parameter that says who has the next turn."""
OUT_OF_TURN = "out_of_turn"
"""The parameter by which the GM lets somebody act out of turn."""
PLACE = "place"
"""The parameter by which a fight on a map puts people on squares who have none."""


def installed(book: Book, named: str) -> Ruleset:
    """The ruleset that ``KEY`` or ``KEY@VERSION`` means. Raises NotFound for one, or a version, that is not installed."""
    key, _, version = named.partition("@")
    game = book.ruleset(key)
    if version and version != game.version:
        package = book.rulebook.packages.get(key, "")
        where = f" Install another version of {package} to play by its rules." if package else ""
        raise NotFound(f"Version {version} of {key} is not installed; version {game.version} is.{where}")
    return game


def rerun(
    book: Book, canon: CampaignView, ruleset: str, settings: Mapping[str, Scalar] | None = None, why: str = ""
) -> Campaign:
    """A new timeline with everything that canon did, played by other rules. It is in the store whole or not at all.

    Raises NotFound for a ruleset or version that is not installed, Refused for a setting that it does not have.
    """
    game = installed(book, ruleset)
    read_settings(game, settings or {})
    canon.refresh()
    history = canon.history
    canon.session.history.check_undamaged()
    if history.head == 0:
        raise HistoryDamaged(f"{canon.id} has no history that could be played again.")
    timeline = forking.from_the_start(book, canon, game.key, game.version, why)
    again = _Rerun(canon, timeline, game, settings or {})
    again.play()
    timeline.session.log.store.append(timeline.id, 0, _sealed(again.entries, timeline))
    committed()
    return book.campaign(timeline.id)


def _sealed(proposals: list[Entry], timeline: Campaign) -> list[NewEntry]:
    """Entries sealed for the store, each on the state before it; they are stored all at once."""
    beside = EntryLog(
        timeline.session.log.store, timeline.id, lambda: 0, fingerprint=timeline.session.rulebook.fingerprint
    )
    head = Head()
    written: list[NewEntry] = []
    for proposal in proposals:
        sealed = beside.sealed(head, [proposal])
        written += sealed.stored
        head = head.after(sealed.entries[0])
    return written


class _Rerun:
    """The campaign while it is played again: both states, as canon had it and as it comes out now."""

    def __init__(
        self, canon: CampaignView, timeline: CampaignView, game: Ruleset, settings: Mapping[str, Scalar]
    ) -> None:
        self.canon, self.timeline, self.game = canon.history, timeline, game
        self.rulebook = canon.session.rulebook
        self.before = CampaignState()
        self.history = History()
        self.entries: list[Entry] = []
        self._waiting: list[Move] = []
        self._played_as: dict[ActionNumber, ActionNumber] = {}
        self._settings = settings
        self._is_same_game = self.canon.intent_of(1).params.get("ruleset", "") == game.key
        """True if canon began by these rules, perhaps in another version: then it changes its rules here as it did there."""

    def play(self) -> None:
        """Play every action of canon, in its order or, in a fight by another game, in the order of the turns there."""
        self._waiting = list(moves(self.canon))
        many = len(self._waiting)
        for _ in told(range(many), lambda: many):
            fight = None if self._is_same_game else self.history.state.encounter
            move = self._waiting.pop(next_move(self._waiting, fight))
            action = len(self.entries) + 1
            self._played_as[move.outcome.action] = action
            proposal = self._again(move.entry, move.outcome)
            self.entries.append(proposal)
            self.history.add(recorded_as(proposal, action))
            if move.entry is not None:
                self.before = fold(self.before, move.entry.events)

    def _again(self, entry: RecordedEntry | None, outcome: RecordedEntry) -> Entry:
        """An action of canon by these rules; ``entry`` counts for it, ``outcome`` is the one that counted last."""
        if entry is None:
            last = self.canon.revisions(outcome.action)[-1]
            reason = f": {last.reason}" if last.kind is EntryKind.UNDONE and last.reason else ""
            return self._left(outcome, f"undone on canon{reason}")
        if outcome.intent.verb == StartCampaign.verb:
            return self._played(outcome, self._start(outcome.full_intent))
        if outcome.provenance != "played":
            return self._as_recorded(outcome)
        try:
            intent, without = self._meant(outcome.full_intent, outcome.actor)
            came = self._come_over(outcome) if without else None
            return came or self._played_on(outcome, intent, without)
        except RollbookError as why:
            return self._come_over(outcome) or self._left(outcome, f"{NOT_PLAYED}{why}")

    # What is meant.

    def _meant(self, intent: Intent, actor: CharacterId) -> tuple[Intent, tuple[str, ...]]:
        """The intent by the other rules, with the engine's parameters filled in; and the parameters left out."""
        if intent.verb == Adopt.verb and self.before.ruleset:
            return self._adoption(intent), ()
        if intent.verb == Redact.verb:
            raise NotFound("what was removed on canon is not here either")
        intent, without = self._in_these_words(intent, actor)
        if intent.verb == Reveal.verb:
            intent = self._revealed(intent)
        if intent.verb == CloseSession.verb:
            intent = _with(intent, counts=counts(self.history.ledger))
        if intent.verb == RevealScreen.verb:
            intent = self._screen_revealed(intent)
        return intent, without

    def _screen_revealed(self, intent: Intent) -> Intent:
        """The seed that canon revealed, with as many secret rolls as there were here."""
        session, rolled = intent.params.get("session"), (entry.events for entry in self.history.entries)
        used = screen_counts(chain.from_iterable(rolled), session) if isinstance(session, int) else ()
        return _with(intent, counts=used)

    def _revealed(self, intent: Intent) -> Intent:
        """Entries that canon revealed, by the numbers that they have here: every action is one entry."""
        said = intent.params.get("entries", ())
        numbers = [entry for entry in said if isinstance(entry, int)] if isinstance(said, tuple) else []
        here = dict.fromkeys(self._played_as[self.canon.entry(number).action] for number in numbers)
        return _with(intent, entries=tuple(here))

    def _start(self, intent: Intent) -> Intent:
        """The beginning, by these rules, every house rule written out."""
        if self._is_same_game:
            chosen = {**recorded(self.game, intent.params.get("settings")), **read_settings(self.game, self._settings)}
        else:
            chosen = dict(chosen_settings(self.game, self._settings))
            intent = _with(intent, ruleset=self.game.key, package=self.rulebook.packages.get(self.game.key, ""))
        return _with(intent, version=self.game.version, settings=chosen)

    def _adoption(self, intent: Intent) -> Intent:
        """Going over to another game on the way: only where canon began by the rules that are tried here."""
        if not self._is_same_game:
            raise NotFound(f"this timeline plays by {self.game.key} from beginning to end")
        game = self.rulebook.rulesets.get(str(intent.params["ruleset"]))
        if game is None:
            raise NotFound(f"the ruleset {intent.params['ruleset']} is not installed")
        chosen = recorded(game, intent.params.get("settings"))
        return _with(intent, version=game.version, settings=chosen)

    def _in_these_words(self, intent: Intent, actor: CharacterId) -> tuple[Intent, tuple[str, ...]]:
        """The parameters that the verb has here; what is left out is named, unless it said nothing."""
        state = self.history.state
        verb = self.rulebook.verbs(state).get(intent.verb)
        if verb is None:
            raise NotFound(f"{state.ruleset or 'a campaign without a ruleset'} has no verb {intent.verb}")
        then, known = self._then(intent.verb), {parameter.name: parameter for parameter in parameters(verb)}
        params, left = mapped_parameters(intent.params, known, then)
        if not self._is_same_game:
            things = Things(self.rulebook, self.before, state, actor)
            params, left = things.mapped(params, known), things.without_weapons(left, then)
            left.pop(NEXT, None)
            if PLACE in known and known[PLACE].want is ParameterType.FLAG:
                params[PLACE] = True
        without = [name for name, value in left.items() if value and (name not in then or value != then[name].default)]
        missing = [each.name for each in parameters(verb) if each.required and each.name not in params]
        if missing:
            raise Refused(f"{intent.verb} needs something here that canon never said: {', '.join(missing)}")
        game = self.rulebook.ruleset_of(state)
        thoughts = tuple(each for each in intent.second_thoughts if game and each.kind in game.second_thoughts)
        if thoughts != intent.second_thoughts:
            without += dict.fromkeys(each.kind for each in intent.second_thoughts if each not in thoughts)
        return Intent(verb=intent.verb, params=params, second_thoughts=thoughts), tuple(without)

    def _then(self, name: str) -> dict[str, Parameter]:
        try:
            verb = self.rulebook.verb(self.before, name)
        except RollbookError:
            return {}
        return {parameter.name: parameter for parameter in parameters(verb)}

    # What becomes of it.

    def _played_on(self, outcome: RecordedEntry, intent: Intent, without: tuple[str, ...]) -> Entry:
        """An action, in a fight by another game on the turn there; where that never comes, the GM waives it, and that is said."""
        fight = self.history.state.encounter
        if self._is_same_game or fight is None:
            return self._played(outcome, intent, without)
        if intent.verb == END_TURN:
            return self._hand_on(fight, outcome, intent, without)
        try:
            return self._played(outcome, intent, without)
        except Refused:
            if outcome.actor == fight.current or OUT_OF_TURN not in self._parameters(intent.verb):
                raise
        waived = _with(intent, **{OUT_OF_TURN: True})
        return self._played_by(self._seats_of(fight.current)[-1], outcome, waived, (*without, "a turn"))

    def _hand_on(self, fight: Encounter, outcome: RecordedEntry, intent: Intent, without: tuple[str, ...]) -> Entry:
        """The end of a turn, by the seat that may end it here; the next is who had the next turn on canon, if they can."""
        # Nobody acts any more in a fight that is left for good: there, it is whose turn began on canon.
        began = (event.character for event in outcome.events if isinstance(event, TurnBegan))
        known = dict.fromkeys((next_character(self._waiting, fight), *began, ""))
        following = known if NEXT in self._parameters(intent.verb) else ()
        ways = [_with(intent, **{NEXT: named}) for named in following] or [intent]
        for way, seat in product(ways, self._seats_of(fight.current)):
            with suppress(Refused):
                return self._played_by(seat, outcome, way, without)
        return self._played(outcome, intent, without)

    def _seats_of(self, current: CharacterId) -> tuple[str, ...]:
        """The seats that may end the turn of somebody here: the seat that plays them, and the GM."""
        state = self.history.state
        own = state.characters[current].seat if current in state.characters else ""
        gm = next((name for name, seat in state.seats.items() if seat.role is Role.GM), "")
        return tuple(dict.fromkeys(seat for seat in (own, gm) if seat in state.seats)) or (gm,)

    def _parameters(self, name: str) -> dict[str, Parameter]:
        verb = self.rulebook.verbs(self.history.state).get(name)
        return {each.name: each for each in parameters(verb)} if verb else {}

    def _played(self, outcome: RecordedEntry, intent: Intent, without: tuple[str, ...] = ()) -> Entry:
        seat, ruler = self.canon.seat_of(outcome.action), ruler_of(self.canon, outcome.action)
        try:
            return self._played_by(seat, outcome, intent, without)
        except Refused:
            if ruler == seat:
                raise
            return self._played_by(ruler, outcome, intent, without)

    def _played_by(self, seat: str, outcome: RecordedEntry, intent: Intent, without: tuple[str, ...]) -> Entry:
        state, canon, action = self.history.state, self.canon, outcome.action
        done = build(self.rulebook.verb(state, intent.verb), intent.params)
        dice = RecordedDice((*canon.dice_of(action), outcome.events), self._fresh(seat), canon.drawn_for(action))
        begins = self.game if intent.verb == StartCampaign.verb else None
        played = self.rulebook.play(state, intent, dice, seat=seat, secret=outcome.visibility == "gm", ruleset=begins)
        meant = attrs.evolve(intent_of(done), second_thoughts=intent.second_thoughts)
        note = f"{PLAYED_WITHOUT}{', '.join(without)}" if without else ""
        proposal = self._proposal(outcome, meant, played.events, note)
        return proposal._replace(seat=seat, reads=played.reads, actor=played.actor)

    def _fresh(self, seat: str) -> DiceSupply:
        state = self.history.state
        session = state.session
        if session is None or not session.is_open:
            return NoDice("No session is open at this moment, so there are no dice for it.")
        return self.timeline.session.dice.of_the_stream(session, state, self.history.ledger, seat)

    def _come_over(self, outcome: RecordedEntry) -> Entry | None:
        """A character who joined canon in a way that these rules do not know joins as by adopting from the old game."""
        after = fold(self.before, outcome.events)
        events = arrivals(self.rulebook, after, outcome.events, self.history.state)
        note = f"{CROSSED}{self.before.ruleset}"
        return self._proposal(outcome, outcome.intent, events, note, "ruling") if events else None

    def _as_recorded(self, outcome: RecordedEntry) -> Entry:
        """An action that no rules decided on canon: none decide it here."""
        if self._is_same_game:
            note = outcome.reason if outcome.revision > 1 else ""
            return self._proposal(outcome, outcome.intent, outcome.events, note, outcome.provenance)
        kind = "it is a ruling on canon" if outcome.provenance == "ruling" else "it was imported as an event"
        return self._left(outcome, f"{NOT_PLAYED}{kind}, and no rules stand behind it")

    def _left(self, outcome: RecordedEntry, why: str) -> Entry:
        return self._proposal(outcome, outcome.intent, (RulingMade(reason=why),), why, "ruling")

    def _proposal(
        self, outcome: RecordedEntry, intent: Intent, events: tuple[Event, ...], note: str, provenance: str = "played"
    ) -> Entry:
        state = self.history.state
        first, action = self.canon.revisions(outcome.action)[0], self._played_as[outcome.action]
        moved = f"{MOVED}{outcome.action}" if action != outcome.action else ""
        unseated = f"{first.seat}{UNSEATED}" if first.seat and first.seat not in state.seats else ""
        return Entry(
            EntryKind.TAKEN,
            action=action,
            events=events,
            seat=first.seat,
            at=first.at,
            reason="; ".join(part for part in (first.reason, moved, unseated, note) if part),
            intent=without_words(intent, events),
            actor=outcome.actor,
            ruleset=state.ruleset if state.name else self.game.key,
            version=self.rulebook.version(state) if state.name else self.game.version,
            visibility=outcome.visibility,
            provenance="ruling" if unseated and provenance == "played" else provenance,
        )


def _with(intent: Intent, **params: ParameterValue) -> Intent:
    return attrs.evolve(intent, params={**intent.params, **params})
