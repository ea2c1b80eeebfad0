"""A campaign's history: entries that are only ever added, and what of them counts.

Correcting an action gives it a new revision, undoing it an empty one; *effective* are,
for every action in the order of its first appearance, the events of its latest revision. State is the fold of those.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from domain.dice.ledger import DiceLedger, opened_session
from domain.entries import EntryKind, Intent, RecordedEntry, known_fingerprint
from domain.errors import HistoryDamaged, NotFound
from domain.events import DiceRolled, Event
from domain.fold import Draft
from domain.identifiers import ActionNumber, EntryNumber
from domain.revisions import Revisions
from domain.secrecy import GM, PublicHead
from domain.state import EMPTY, CampaignState

MARK_EVERY = 512
"""After so many actions the state is kept, so that a correction folds only what follows the nearest mark."""

DRAW = "draw-for"
"""The verb of dice that were drawn for an action that is about to be corrected: seen, hence on record."""


def check_action_number(action: object) -> None:
    """Raise NotFound for what is not a whole number: a caller may hand on what a person typed."""
    if not isinstance(action, int):
        raise NotFound(f"{action!r} is not the number of an action. Give a whole number, such as 12.")


class History:
    """All entries of one campaign, in memory. Entries can be added; nothing is ever removed."""

    def __init__(self, entries: Iterable[RecordedEntry] = ()) -> None:
        self.entries: list[RecordedEntry] = []
        self._effective: list[RecordedEntry | None] = []
        self._revisions: dict[int, list[RecordedEntry]] = {}
        self._corrected = Revisions[RecordedEntry]()
        self._drawn: dict[int, list[tuple[int, DiceRolled]]] = {}
        self._places: list[int] = []
        self._fingerprints: list[tuple[int, str]] = [(0, "")]
        self._left: list[tuple[EntryNumber, ActionNumber]] = []
        self.shown = PublicHead()
        self._marks: list[tuple[int, CampaignState]] = [(0, EMPTY)]
        self._state: tuple[int, CampaignState] = (0, EMPTY)
        self._ledger: tuple[int, DiceLedger] | None = None
        for entry in entries:
            self.add(entry)

    # Entries and what of them counts.

    @property
    def head(self) -> int:
        """The number of the last entry, 0 if there is none."""
        return len(self.entries)

    @property
    def actions(self) -> int:
        """How many actions were ever taken; they are numbered from 1."""
        return len(self._effective)

    def add(self, entry: RecordedEntry, state: CampaignState | None = None) -> None:
        """One more entry at the end; ``state`` is the campaign after it if that is known.

        Raises HistoryDamaged if the entry does not follow the last one.
        """
        action = entry.action
        if entry.number != self.head + 1:
            raise HistoryDamaged(f"Entry @{entry.number} follows entry @{self.head}.")
        if entry.kind is EntryKind.TAKEN:
            if action != self.actions + 1:
                raise HistoryDamaged(f"Entry @{entry.number} takes action #{action}, but #{self.actions + 1} is next.")
            self._effective.append(entry)
            self._places.append(0 if entry.visibility else self.shown.actions + 1)
            self._follow_dice((), entry.events)
            if entry.intent.verb == DRAW:
                self._note_draw(entry, entry.intent)
        else:
            self._correct(entry)
        if state is not None:
            self._state = (self.actions, state)
        self._revisions.setdefault(action, []).append(entry)
        self.entries.append(entry)
        self.shown = self.shown.after(entry)
        self._follow_fingerprint(entry)

    def _correct(self, entry: RecordedEntry) -> None:
        action = entry.action
        if not 1 <= action <= self.actions:
            raise HistoryDamaged(f"Entry @{entry.number} corrects action #{action}, which was never taken.")
        taken = self._effective[action - 1]
        if action not in self._corrected and taken is not None:
            self._corrected.add(taken, taken)
        before, after = self._corrected.replace(entry, entry)
        if entry.stand:
            self._left.append((entry.number, action))
        if after is None and entry.kind is EntryKind.REDONE:
            raise HistoryDamaged(f"Action #{action} has no outcome with revision {entry.restores}.")
        self._effective[action - 1] = after
        self._follow_dice(before.events if before else (), after.events if after else ())
        self._forget_from(action)

    def _note_draw(self, entry: RecordedEntry, intent: Intent) -> None:
        action, ordinal = intent.params.get("action"), intent.params.get("ordinal")
        if isinstance(action, int) and isinstance(ordinal, int):
            rolls = (event for event in entry.events if isinstance(event, DiceRolled))
            self._drawn.setdefault(action, []).extend((ordinal, roll) for roll in rolls)

    def entry(self, number: int) -> RecordedEntry:
        """An entry by its number. Raises NotFound."""
        if not 1 <= number <= self.head:
            raise NotFound(f"There is no entry @{number}; this history has {self.head}.")
        return self.entries[number - 1]

    def effective(self, action: ActionNumber) -> RecordedEntry | None:
        """The entry whose events count for an action; None if it was undone. Raises NotFound."""
        self.check(action)
        return self._effective[action - 1]

    def outcomes(self, first: int = 1) -> Iterator[tuple[int, RecordedEntry | None]]:
        """Every action from ``first`` on with the entry that counts for it."""
        yield from enumerate(self._effective[first - 1 :], first)

    def counting(self, first: int = 1) -> int:
        """How many actions from ``first`` on count, being neither undone nor still to come."""
        return sum(entry is not None for entry in self._effective[first - 1 :])

    def revisions(self, action: ActionNumber) -> tuple[RecordedEntry, ...]:
        """All entries about an action, oldest first. Raises NotFound."""
        self.check(action)
        return tuple(self._revisions[action])

    def revision(self, action: ActionNumber, revision: int) -> RecordedEntry:
        """One outcome of an action by its revision number. Raises NotFound if there is none."""
        for entry in self._revisions[action]:
            if entry.revision == revision and entry.is_outcome:
                return entry
        raise NotFound(f"Action #{action} has no outcome with revision {revision}.")

    def latest_outcome(self, action: ActionNumber) -> RecordedEntry:
        """The outcome that counts for an action or, if it was undone, the one that counted until then."""
        self.check(action)
        last = next(e for e in reversed(self._revisions[action]) if e.kind is not EntryKind.UNDONE)
        return self.revision(action, last.restores if last.kind is EntryKind.REDONE else last.revision)

    def intent_of(self, action: ActionNumber) -> Intent:
        """What somebody last meant an action to be, with the words of a note. Raises NotFound."""
        return self.latest_outcome(action).full_intent

    def correction(self, correction: str) -> tuple[RecordedEntry, ...]:
        """The entries of one correction, by the id that they share; none for an id that nobody has."""
        return tuple(entry for entry in self.entries if correction and entry.correction == correction)

    def fingerprint_of(self, action: ActionNumber) -> str:
        """The fingerprint of the rules that decided what counts for an action; "" if it is not known. Raises NotFound."""
        number = self.latest_outcome(action).number
        at = bisect_right(self._fingerprints, number, key=lambda known: known[0]) - 1
        return self._fingerprints[at][1]

    def follows(self, action: ActionNumber) -> bool:
        """Whether what counts for an action follows from what counts before it: no correction since left it standing."""
        number = self.latest_outcome(action).number
        return not any(number < entry and corrected <= action for entry, corrected in self._left)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the rules that the last entry was made by; "" if it is not known."""
        return self._fingerprints[-1][1]

    def _follow_fingerprint(self, entry: RecordedEntry) -> None:
        if entry.fingerprint:
            self._fingerprints.append((entry.number, known_fingerprint(entry.fingerprint)))

    def seat_of(self, action: ActionNumber) -> str:
        """The seat that took an action, even if another one corrected it later. Raises NotFound."""
        return self.revisions(action)[0].seat

    def is_secret(self, action: ActionNumber) -> bool:
        """Whether an action was the GM's alone when it was taken, and its dice with it. Raises NotFound."""
        return self.revisions(action)[0].visibility == GM

    def place_of(self, action: ActionNumber) -> int:
        """The action's number among those that the whole table saw, 0 if it was not one of them. Raises NotFound."""
        self.check(action)
        return self._places[action - 1]

    def next_revision(self, action: ActionNumber) -> int:
        """The revision number that the next correction of an action gets."""
        return max(entry.revision for entry in self.revisions(action)) + 1

    def check(self, action: ActionNumber) -> None:
        """Raise NotFound unless there is an action of that number."""
        check_action_number(action)
        if not 1 <= action <= self.actions:
            many = f"the last one is #{self.actions}" if self.actions else "nothing has happened yet"
            raise NotFound(f"There is no action #{action}; {many}.")

    def dice_of(self, action: ActionNumber) -> Iterator[tuple[Event, ...]]:
        """The events of every outcome of an action, oldest first."""
        for entry in self._revisions[action]:
            if entry.events:
                yield entry.events

    def drawn_for(self, action: ActionNumber) -> tuple[tuple[int, DiceRolled], ...]:
        """Dice that were drawn for a correction of this action, each with the ordinal of the roll it belongs to."""
        return tuple(self._drawn.get(action, ()))

    # State.

    @property
    def state(self) -> CampaignState:
        """The campaign as corrected so far."""
        folded, state = self._state
        if folded < self.actions:
            state = self._fold_on(folded, state, self.actions)
            self._state = (self.actions, state)
        return state

    def state_before(self, action: ActionNumber) -> CampaignState:
        """The campaign, as corrected, just before an action (numbers past the end mean: now)."""
        wanted = min(action - 1, self.actions)
        at = bisect_right(self._marks, wanted, key=lambda mark: mark[0]) - 1
        folded, state = self._marks[at]
        return self._fold_on(folded, state, wanted)

    def as_known_at(self, entry: EntryNumber) -> CampaignState:
        """The campaign as it was known when ``entry`` had been stored: later corrections had not happened yet."""
        if entry:
            self.entry(entry)
        return self.state if entry == self.head else History(self.entries[:entry]).state

    def as_corrected_to(self, action: ActionNumber) -> CampaignState:
        """The campaign after ``action``, with all corrections made up to today."""
        if action:
            self.check(action)
        return self.state_before(action + 1)

    def _fold_on(self, folded: int, state: CampaignState, wanted: int) -> CampaignState:
        while folded < wanted:
            upto = min(wanted, (folded // MARK_EVERY + 1) * MARK_EVERY)
            draft = Draft(state)
            for entry in self._effective[folded:upto]:
                if entry is not None:
                    draft.apply(entry.events)
            state = draft.publish()
            folded = upto
            if folded % MARK_EVERY == 0 and self._marks[-1][0] < folded:
                self._marks.append((folded, state))
        return state

    def _forget_from(self, action: ActionNumber) -> None:
        while self._marks[-1][0] >= action:
            self._marks.pop()
        if self._state[0] >= action:
            self._state = self._marks[-1]

    # Dice.

    @property
    def ledger(self) -> DiceLedger:
        """How far the dice stream of the last session has been used."""
        if self._ledger is None or self._ledger[0] < self.head:
            self._ledger = (self.head, self._count_dice())
        return self._ledger[1]

    def _count_dice(self) -> DiceLedger:
        """Replay the entries since the last session was opened."""
        opened = next((entry for entry in reversed(self.entries) if opened_session(entry.events)), None)
        if opened is None:
            return DiceLedger()
        ledger = DiceLedger()
        counted: dict[int, tuple[Event, ...]] = {}
        for entry in self.entries[opened.number - 1 :]:
            action = entry.action
            after = self._counted_by(entry)
            ledger = ledger.after(counted.get(action, ()), after)
            counted[action] = after
        return ledger

    def _counted_by(self, entry: RecordedEntry) -> tuple[Event, ...]:
        """The events of an action that count from this entry on."""
        if entry.kind is EntryKind.REDONE:
            return self.revision(entry.action, entry.restores).events
        return entry.events

    def _follow_dice(self, before: tuple[Event, ...], after: tuple[Event, ...]) -> None:
        """Keep a ledger that was asked for up to date, one entry at a time."""
        if self._ledger is None:
            return
        _, ledger = self._ledger
        self._ledger = (self.head + 1, ledger.after(before, after))
