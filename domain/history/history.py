"""A campaign's history: entries that are only ever added, and what of them counts.

Correcting an action gives it a new revision, undoing it an empty one; *effective* are, for every action in the order of play,
the events of its latest revision. State is the fold of those. The order of play is that of the actions' numbers, but for those
that were inserted (see ``play_order``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.progress import told
from rollbook.domain.dice.ledger import DiceLedger, opened_session
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry, outline_of
from rollbook.domain.events import Event
from rollbook.domain.history import checkpoints
from rollbook.domain.history.chain import ROOT
from rollbook.domain.history.checkpoints import Checkpoint, Checkpoints
from rollbook.domain.history.drawn_dice import DRAW, TO_INSERT, Drawn, drawn_by, unused_draws
from rollbook.domain.history.entry_index import EntryIndex
from rollbook.domain.history.entry_list import EntriesInMemory, EntryList, Plain
from rollbook.domain.history.secrecy import GM, PublicHead
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import Draft

__all__ = ["DRAW", "TO_INSERT", "History", "check_action_number"]


def check_action_number(action: object) -> None:
    """Raise NotFound for what is not a whole number: a caller may hand on what a person typed."""
    if not isinstance(action, int):
        raise NotFound(f"{action!r} is not the number of an action. Give a whole number, such as 12.")


class History:
    """All entries of one campaign. Entries can be added; nothing is ever removed.

    It notes the numbers of entries; ``entries`` may be a list that reads each of them when it is asked for.
    """

    def __init__(self, entries: Iterable[RecordedEntry] = (), kept: Iterable[Checkpoint] = ()) -> None:
        """``kept`` are states that were kept of this history; those that are of another course are left aside.

        Raises HistoryDamaged if the entries do not follow each other.
        """
        self._entries = entries.until(len(entries)) if isinstance(entries, EntryList) else EntriesInMemory(entries)
        self._noted = EntryIndex()
        for outline in self._entries.outlines():
            if isinstance(outline, Plain):
                self._noted.skip(outline)
            else:
                self._noted.add(outline)
        self._given = list(kept)
        self._found: list[Checkpoint] = []
        self._checkpoints = Checkpoints(self._of_course(self._given, self.head))
        self._state: tuple[int, CampaignState] = (0, EMPTY)
        self._ledger: tuple[int, DiceLedger] | None = None

    def _of_course(self, found: Iterable[Checkpoint], entry: EntryNumber) -> list[Checkpoint]:
        return [checkpoint for checkpoint in found if self._noted.is_of(checkpoint, entry)]

    def begin_at(self, state: CampaignState, ledger: DiceLedger) -> None:
        """Begin with a state and a ledger that are known already, so that nothing has to be folded or counted."""
        self._state = (self.actions, state)
        self._ledger = (self.head, ledger)

    @property
    def entries(self) -> Sequence[RecordedEntry]:
        """All entries: that of number n is at n - 1."""
        return self._entries

    @property
    def head(self) -> int:
        """The number of the last entry, 0 if there is none."""
        return self._noted.entries

    @property
    def actions(self) -> int:
        """Number of actions ever taken; they are numbered from 1."""
        return self._noted.actions

    @property
    def shown(self) -> PublicHead:
        """The part of it that the whole table has seen."""
        noted = self._noted
        last = self._entries.entry(noted.last_shown).hash if noted.last_shown else ROOT
        return PublicHead(last, noted.shown_entries, noted.shown_actions, noted.has_secrets)

    def add(self, entry: RecordedEntry, state: CampaignState | None = None) -> None:
        """Append an entry; ``state`` is the campaign after it if that is known.

        Raises HistoryDamaged if the entry does not follow the last one.
        """
        before, after = self._noted.add(outline_of(entry))
        self._entries.append(entry)
        if entry.is_correction:
            place = self._noted.order.place(entry.action)
            self._checkpoints.forget_from(place)
            if self._state[0] >= place:
                self._state = (0, EMPTY)
        if self._ledger is not None:
            self._ledger = (self.head, self._ledger[1].after(self._events(before), self._events(after)))
        if state is not None:
            self._state = (self.actions, state)
            self._keep(self.actions, state)

    def _events(self, number: EntryNumber) -> tuple[Event, ...]:
        """The events of an entry, none of entry 0."""
        return self._entries.entry(number).events if number else ()

    def entry(self, number: int) -> RecordedEntry:
        """An entry by its number. Raises NotFound."""
        if not 1 <= number <= self.head:
            raise NotFound(f"There is no entry @{number}; this history has {self.head}.")
        return self._entries.entry(number)

    def entries_after(self, number: EntryNumber) -> Iterator[RecordedEntry]:
        """The entries after a number, one after the other."""
        return (self._entries.entry(at) for at in range(number + 1, self.head + 1))

    def effective(self, action: ActionNumber) -> RecordedEntry | None:
        """The entry whose events count for an action; None if it was undone. Raises NotFound."""
        self.check(action)
        return self._outcome(action)

    def _outcome(self, action: ActionNumber) -> RecordedEntry | None:
        number = self._noted.effective(action)
        return self._entries.entry(number) if number else None

    def outcomes(self, first: ActionNumber = 0) -> Iterator[tuple[ActionNumber, RecordedEntry | None]]:
        """Every action from ``first`` on (0: from the beginning), in the order of play, with the entry that counts for it."""
        return self.outcomes_after(self.order_of(first) - 1 if first else 0)

    def outcomes_after(self, actions: int) -> Iterator[tuple[ActionNumber, RecordedEntry | None]]:
        """The same for every action after so many in the order of play."""
        played = map(self.action_at, range(actions + 1, self.actions + 1))
        return told(((action, self._outcome(action)) for action in played), lambda: self.actions - actions)

    def order_of(self, action: ActionNumber) -> int:
        """The place of an action in the order of play, from 1; of one that is still to come that after the end."""
        return self._noted.order.place(action) if action <= self.actions else self.actions + 1

    def is_played_by(self, last: ActionNumber) -> Callable[[ActionNumber], bool]:
        """A function that tells if an action comes, in the order of play, no later than the ``last``; 0 is before all."""
        played = self.order_of(last) if last else 0
        return lambda action: self.order_of(action) <= played

    def action_at(self, place: int) -> ActionNumber:
        """The action at a place in the order of play, from 1."""
        return self._noted.order.at(place)

    def backwards(self) -> Iterator[ActionNumber]:
        """All actions, those that were played last first."""
        return map(self.action_at, range(self.actions, 0, -1))

    def counting(self, first: ActionNumber) -> int:
        """The number of actions from ``first`` on that count, being neither undone nor still to come."""
        return self._noted.counting(self.order_of(first))

    def revisions(self, action: ActionNumber) -> tuple[RecordedEntry, ...]:
        """All entries about an action, oldest first. Raises NotFound."""
        self.check(action)
        numbers = [self._noted.taken(action), *self._noted.corrections_of.get(action, ())]
        return tuple([self._entries.entry(number) for number in numbers])

    def revision(self, action: ActionNumber, revision: int) -> RecordedEntry:
        """One outcome of an action by its revision number. Raises NotFound if there is none."""
        for entry in self.revisions(action):
            if entry.revision == revision and entry.is_outcome:
                return entry
        raise NotFound(f"Action #{action} has no outcome with revision {revision}.")

    def latest_outcome(self, action: ActionNumber) -> RecordedEntry:
        """The outcome that counts for an action or, if it was undone, the one that counted until then."""
        if action not in self._noted.corrections_of:
            return self.taken(action)
        last = next(e for e in reversed(self.revisions(action)) if e.kind is not EntryKind.UNDONE)
        return self.revision(action, last.restores) if last.kind is EntryKind.REDONE else last

    def intent_of(self, action: ActionNumber) -> Intent:
        """The last intent of an action, with the words of a note. Raises NotFound."""
        return self.latest_outcome(action).full_intent

    def correction(self, correction: str) -> tuple[RecordedEntry, ...]:
        """The entries of one correction, by the id that they share; none for an id that nobody has."""
        return tuple(self._entries.entry(number) for number in self._noted.corrections.get(correction, ()))

    @property
    def last_correction(self) -> str:
        """The id of the last correction, "" if nothing was ever corrected."""
        return next(reversed(self._noted.corrections), "")

    def fingerprint_of(self, outcome: RecordedEntry) -> str:
        """The fingerprint of the rules that decided an outcome; "" if it is not known."""
        return self._noted.fingerprint_at(outcome.number)

    def follows(self, outcome: RecordedEntry) -> bool:
        """True if an outcome that counts follows from what counts before it: no correction since left it standing."""
        return not self._noted.is_left(outcome.action, since=outcome.number)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the rules that the last entry was made by; "" if it is not known."""
        return self._noted.fingerprint_at(self.head)

    def seat_of(self, action: ActionNumber) -> str:
        """The seat that took an action, even if another one corrected it later. Raises NotFound."""
        return self.taken(action).seat

    def is_corrected(self, action: ActionNumber) -> bool:
        """True if an action was ever corrected."""
        return action in self._noted.corrections_of

    def is_secret(self, action: ActionNumber) -> bool:
        """True if an action was the GM's alone when it was taken, and its dice with it. Raises NotFound."""
        return self.taken(action).visibility == GM

    def taken(self, action: ActionNumber) -> RecordedEntry:
        """The entry that took an action. Raises NotFound."""
        self.check(action)
        return self._entries.entry(self._noted.taken(action))

    def entry_of(self, action: ActionNumber) -> EntryNumber:
        """The number of the entry that took an action. Raises NotFound."""
        self.check(action)
        return self._noted.taken(action)

    def inserted_since(self, entry: EntryNumber) -> Iterator[ActionNumber]:
        """The actions that were inserted after an entry among those that had been taken then, in the order of play."""
        taken, played = self.actions_at(entry), self.played_at(entry)
        order = self._noted.order
        return (action for action in order.inserted if action > taken and order.place(action) <= played)

    def actions_at(self, entry: EntryNumber) -> int:
        """The number of actions that had been taken when an entry was stored."""
        return self._noted.actions_at(entry)

    def last_played_at(self, entry: EntryNumber) -> ActionNumber:
        """The action that was the last one in the order of play when an entry was stored, 0 for none."""
        action = self._noted.actions_at(entry)
        while self._noted.order.is_inserted(action):
            action -= 1
        return action

    def played_at(self, entry: EntryNumber) -> int:
        """The number of actions in the order of play up to the one that was the last when an entry was stored."""
        action = self.last_played_at(entry)
        return self.order_of(action) if action else 0

    def is_changed_since(self, entry: EntryNumber) -> bool:
        """True if an action that had been taken when an entry was stored was corrected since, or one inserted before it."""
        return 0 < self._noted.first_changed_after(entry) <= self._noted.actions_at(entry)

    @property
    def corrected(self) -> tuple[ActionNumber, ...]:
        """The actions that were ever corrected, in order."""
        return tuple(sorted(self._noted.corrections_of))

    def corrections_backwards(self) -> Iterator[RecordedEntry]:
        """The entries that corrected something, newest first."""
        return (self._entries.entry(number) for number in self._noted.corrections_backwards())

    def place_of(self, action: ActionNumber) -> int:
        """The action's number among those that the whole table saw, 0 if it was not one of them. Raises NotFound."""
        self.check(action)
        return self._noted.place_of(action)

    def next_revision(self, action: ActionNumber) -> int:
        """The revision number that the next correction of an action gets."""
        if action not in self._noted.corrections_of:
            return self.taken(action).revision + 1
        return max([entry.revision for entry in self.revisions(action)]) + 1

    def check(self, action: ActionNumber) -> None:
        """Raise NotFound unless there is an action of that number."""
        check_action_number(action)
        last = self._noted.actions
        if not 1 <= action <= last:
            many = f"the last one is #{last}" if last else "nothing has happened yet"
            raise NotFound(f"There is no action #{action}; {many}.")

    def dice_of(self, action: ActionNumber) -> tuple[tuple[Event, ...], ...]:
        """The events of every outcome of an action, oldest first."""
        if action not in self._noted.corrections_of:  # most never are, and a correction asks for each of them once
            return (self.taken(action).events,)
        return tuple([entry.events for entry in self.revisions(action) if entry.events])

    def drawn_for(self, action: ActionNumber) -> tuple[Drawn, ...]:
        """Dice that were drawn for a correction of this action, each with the ordinal of the roll it belongs to."""
        draws = (self._entries.entry(number) for number in self._noted.draws)
        return tuple(
            chain.from_iterable(drawn_by(draw) for draw in draws if draw.intent.params.get("action") == action)
        )

    def drawn_to_insert(self) -> tuple[Drawn, ...]:
        """Dice that were drawn for actions to be inserted and that none has used, each with the ordinal of its roll."""
        drawn = self.drawn_for(TO_INSERT)
        inserted = (self.taken(action).events for action in self._noted.order.inserted) if drawn else ()
        return unused_draws(drawn, chain.from_iterable(inserted))

    @property
    def state(self) -> CampaignState:
        """The campaign as corrected so far."""
        folded, state = self._state
        if folded < self.actions:
            if self._checkpoints.last(self.actions) > folded:
                folded, state = self._checkpoints.nearest(self.actions)
            state = self._fold_on(folded, state, self.actions)
            self._state = (self.actions, state)
        return state

    def keep_up(self) -> None:
        """Fold the newest entries while they are in memory; after a correction far back, ``state`` does that later."""
        known = max(self._state[0], self._checkpoints.last(self.actions))
        if self.actions - known <= 2 * checkpoints.CHECKPOINT_EVERY:
            self.state  # noqa: B018 - it is kept

    def state_before(self, action: ActionNumber) -> CampaignState:
        """The campaign, as corrected, just before an action (numbers past the end mean: now)."""
        return self.state_after(self.order_of(action) - 1)

    def state_after(self, actions: int) -> CampaignState:
        """The campaign, as corrected, after so many actions in the order of play."""
        return self._fold_on(*self._checkpoints.nearest(actions), actions)

    def as_known_at(self, entry: EntryNumber) -> CampaignState:
        """The campaign as it was known when ``entry`` had been stored: later corrections had not happened yet."""
        if entry:
            self.entry(entry)
        if entry == self.head:
            return self.state
        then = self.until(entry)
        state = then.state
        self._found += then.take_checkpoints()
        return state

    def until(self, entry: EntryNumber, more: Iterable[Checkpoint] = ()) -> "History":
        """The history as it was when an entry had been stored; ``more`` are states of it that the caller has."""
        return History(
            self._entries.until(entry), self._of_course([*self._given, *self._checkpoints.all(), *more], entry)
        )

    def as_corrected_to(self, action: ActionNumber) -> CampaignState:
        """The campaign after ``action``, with all corrections made up to today; of action 0 before everything."""
        if not action:
            return EMPTY
        self.check(action)
        return self.state_after(self.order_of(action))

    def _fold_on(self, folded: int, state: CampaignState, wanted: int) -> CampaignState:
        every = checkpoints.CHECKPOINT_EVERY
        while folded < wanted:
            upto = min(wanted, (folded // every + 1) * every)
            draft = Draft(state)
            for action in map(self._noted.order.at, range(folded + 1, upto + 1)):
                number = self._noted.effective(action)
                if number:
                    draft.apply(self._entries.changes(number))
            state = draft.publish()
            folded = upto
            self._keep(folded, state)
        return state

    def _keep(self, actions: ActionNumber, state: CampaignState) -> None:
        """Keep a state as a checkpoint, if the last one before it is far enough away."""
        if actions - self._checkpoints.last(actions) >= checkpoints.CHECKPOINT_EVERY:
            checkpoint = Checkpoint.of(actions, self.head, state)
            self._checkpoints.add(checkpoint)
            self._found.append(checkpoint)

    def take_checkpoints(self) -> list[Checkpoint]:
        """The checkpoints that were made since the last call: of a course that it has or had."""
        found, self._found = self._found, []
        return found

    @property
    def ledger(self) -> DiceLedger:
        """The ledger of the last session's dice stream."""
        if self._ledger is None or self._ledger[0] < self.head:
            self._ledger = (self.head, self._count_dice())
        return self._ledger[1]

    def _count_dice(self) -> DiceLedger:
        """Replay the entries since the last session was opened."""
        opened = next(
            (entry.number for entry in reversed(self._entries) if opened_session(entry.events)), self.head + 1
        )
        ledger = DiceLedger()
        for entry in self.entries_after(opened - 1):
            known = self.revisions(entry.action) if entry.is_correction else ()
            before = [self._brought_by(each) for each in known if each.number < entry.number]
            ledger = ledger.after(before[-1] if before else (), self._brought_by(entry))
        return ledger

    def _brought_by(self, entry: RecordedEntry) -> tuple[Event, ...]:
        """The events that count for an entry's action from the entry on."""
        return self.revision(entry.action, entry.restores).events if entry.kind is EntryKind.REDONE else entry.events
