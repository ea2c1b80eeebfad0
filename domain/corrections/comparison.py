"""Two courses of events side by side, as recorded and as corrected: which later actions come out differently, and how."""

from __future__ import annotations

from typing import TypedDict

import attrs

from domain.adjustments import ADJUST
from domain.corrections.branch import Branch
from domain.corrections.changes import (
    Amend,
    Change,
    Consequence,
    Correction,
    Effect,
    Orphans,
    Override,
    Preview,
    Redo,
    ThinkAgain,
    Undo,
)
from domain.corrections.replayed_dice import ReplayedDice
from domain.corrections.sheet_changes import sheet_changes
from domain.dice.errors import DiceError
from domain.dice.supply import DiceNeeded, DiceSupply, NoDice, PhysicalDice
from domain.entries import Entry, EntryKind, Intent, RecordedEntry, without_words
from domain.errors import NotFound, Refused, RollbookError
from domain.events import Event, Scalar
from domain.fold import Draft
from domain.history import History
from domain.identifiers import ActionNumber, EntryNumber
from domain.rulebook import Rulebook
from domain.secrecy import GM, hidden_names, intent_names_somebody, names_somebody
from domain.state import CampaignState, equal_in_order
from domain.table import Played


class _Said(TypedDict):
    action: ActionNumber
    revision: int
    seat: str
    reason: str
    causation: EntryNumber
    visibility: str
    public_number: int


class Comparison:
    """Two courses of events side by side: as recorded, and as corrected."""

    def __init__(self, history: History, correction: Correction, rulebook: Rulebook) -> None:
        self.history = history
        self.correction = correction
        self.rulebook = rulebook
        self._replay = ReplayedDice(history, correction, rulebook)
        self.first = min(correction.changes)
        self._was = self._is = Branch(history.state_before(self.first))
        self.differing: set[str] = set()
        self.entries: list[Entry] = []
        self.consequences: list[Consequence] = []
        self.same: list[int] = []
        self._here: tuple[Played | None, Played | None] = (None, None)
        self.resolved = 0
        self.skipped = 0

    @property
    def recorded(self) -> CampaignState:
        """The campaign at this moment, as recorded."""
        return self._was.campaign

    @property
    def corrected(self) -> CampaignState:
        """The campaign at this moment, as corrected."""
        return self._is.campaign

    def run(self) -> None:
        """Go through both courses, up to where they are one again and nothing is left to change."""
        pending = len(self.correction.changes)
        for action, entry in self.history.outcomes(self.first):
            change = self.correction.changes.get(action)
            if change is not None:
                pending -= 1
                facts = self._change(action, entry, change)
            elif entry is None:
                continue
            elif not pending and not self.differing:
                self._was = self._is = Branch(self.history.state)
                self.skipped += self.history.counting(action)
                return
            else:
                facts = self._follow(action, entry)
            self._advance(entry.facts if entry else (), facts)

    def _advance(self, recorded: tuple[Event, ...], corrected: tuple[Event, ...]) -> None:
        (here, there), self._here = self._here, (None, None)
        if self._is is self._was:
            if recorded is corrected:
                self._was.go_on(recorded)
                return
            self._is = Branch(self._was.campaign)
        for part in self._was.go_on(recorded, there) | self._is.go_on(corrected, here):
            if equal_in_order(self._was.part(part), self._is.part(part)):
                self.differing.discard(part)
            else:
                self.differing.add(part)
        if not self.differing:
            self._is = self._was

    # The actions that are corrected.

    def _change(self, action: ActionNumber, entry: RecordedEntry | None, change: Change) -> tuple[Event, ...]:
        if isinstance(change, Undo):
            self._propose(action, Effect.VOIDED, entry, self._void(action))
            return ()
        if isinstance(change, Redo):
            return self._restore(action, entry, change)
        outcome = self.history.latest_outcome(action)
        if isinstance(change, Amend):
            intent = self._amended(outcome.full_intent, change)
            if change.only_adjusts and outcome.provenance != "played":
                return self._adjust(action, entry, outcome, intent, change)
        else:
            assert isinstance(change, ThinkAgain)
            meant = outcome.full_intent
            intent = attrs.evolve(meant, second_thoughts=(*meant.second_thoughts, change.thought))
        typed = self._replay.retyped(action, change.typed) if isinstance(change, Amend) and change.typed else None
        override = change if isinstance(change, Override) else None
        played = self._replay.play(self.corrected, outcome, intent, typed, override=override)
        if override is not None and played.facts == outcome.facts:
            raise Refused(f"The dice of action #{action} show that already.")
        if isinstance(change, ThinkAgain) and played.facts == outcome.facts:
            raise Refused(f"Action #{action} ({intent.verb}) has nothing that this second thought could change.")
        seen_by = self._seen_by(outcome, intent)
        self._propose(action, Effect.AMENDED, entry, self._revise(action, intent, played, visibility=seen_by))
        return played.facts

    def _amended(self, intent: Intent, change: Amend) -> Intent:
        had = tuple(thought for thought in intent.second_thoughts if thought.kind != ADJUST or not change.unadjusted)
        more = (attrs.evolve(adjustment, why=self.correction.reason).thought() for adjustment in change.adjustments)
        return attrs.evolve(intent, params={**intent.params, **change.params}, second_thoughts=(*had, *more))

    def _adjust(
        self, action: ActionNumber, entry: RecordedEntry | None, outcome: RecordedEntry, intent: Intent, change: Amend
    ) -> tuple[Event, ...]:
        """What stands as it was told or ruled is not played again: the adjustments join its facts."""
        draft = Draft(self.corrected)
        draft.apply(outcome.facts)
        facts, reads = outcome.facts, set(outcome.reads)
        for each in change.adjustments:
            params: dict[str, Scalar] = {
                "who": each.who,
                "what": each.what,
                "by": each.by,
                "reason": self.correction.reason,
            }
            played = self.rulebook.play(draft.publish(), Intent(verb=ADJUST, params=params), NoDice())
            draft = Draft(played.campaign)
            facts, reads = (*facts, *played.facts), reads | {*played.reads}
        said = self._said(action)
        said["visibility"] = GM if self._names_somebody_hidden(intent) else outcome.visibility
        revised = Entry(
            EntryKind.REVISED,
            **said,
            facts=facts,
            intent=without_words(intent, facts),
            ruleset=outcome.ruleset,
            version=outcome.version,
            reads=tuple(sorted(reads)),
            provenance=outcome.provenance,
        )
        self._propose(action, Effect.AMENDED, entry, revised)
        return facts

    def _seen_by(self, outcome: RecordedEntry, intent: Intent) -> str:
        """Who may see an amended action: what it says itself (a note to somebody else now), or what was said for it."""
        own = self.rulebook.visibility(self.corrected, outcome.full_intent)
        if self._names_somebody_hidden(intent):
            return GM
        return self.rulebook.visibility(self.corrected, intent) or (
            "" if outcome.visibility == own else outcome.visibility
        )

    def _names_somebody_hidden(self, intent: Intent) -> bool:
        names = hidden_names(self.corrected)
        words = (
            word
            for thought in intent.second_thoughts
            for word in (thought.character, *map(str, thought.params.values()))
        )
        return intent_names_somebody(names, intent) or names_somebody(names, *words)

    def _restore(self, action: ActionNumber, entry: RecordedEntry | None, change: Redo) -> tuple[Event, ...]:
        """Bring an outcome back as it was, or, if the campaign has been corrected since, as it comes out now."""
        history = self.history
        outcome = history.revision(action, change.revision) if change.revision else history.latest_outcome(action)
        if self._is_under_these_rules(self.corrected, outcome):
            played = (
                self._plays_out_the_same(self.corrected, outcome)
                if self.correction.stand
                else self._replay.play(self.corrected, outcome, outcome.full_intent)
            )
            if played and (played.facts != outcome.facts or not set(played.reads) <= set(outcome.reads)):
                seen_by = self._seen_by(outcome, outcome.full_intent)
                revised = self._revise(action, outcome.intent, played, visibility=seen_by)
                self._propose(action, Effect.RESTORED, entry, revised)
                return played.facts
        restored = Entry(EntryKind.RESTORED, **self._said(action), restores=outcome.revision)
        self._propose(action, Effect.RESTORED, entry, restored, outcome.facts)
        return outcome.facts

    # The actions that follow.

    def _follow(self, action: ActionNumber, entry: RecordedEntry) -> tuple[Event, ...]:
        if self.correction.stand or not self._is_affected(entry):
            self.skipped += 1
            self._look_again(action, entry)
            return entry.facts
        self.resolved += 1
        if not self._is_under_these_rules(self._was.seen, entry):
            return self._drifted(action, entry)
        played, refusal = self._again(entry, self._replay.own_dice(entry))
        if played is not None and played.facts == entry.facts:
            self._stays(action, entry, played)
            return entry.facts
        there = self._plays_out_the_same(self.recorded, entry)
        if there is None:
            return self._drifted(action, entry)
        if isinstance(refusal, DiceNeeded):
            played, refusal = self._again(entry)
        if isinstance(refusal, DiceError) and isinstance(self.correction.dice, PhysicalDice):
            raise refusal
        if isinstance(refusal, (Refused, NotFound)):
            return self._orphan(action, entry, str(refusal))
        if refusal is not None or played is None:
            raise refusal or AssertionError
        self._here = played, there
        self._propose(action, Effect.CHANGED, entry, self._revise(action, entry.intent, played, follows=True))
        return played.facts

    def _again(
        self, entry: RecordedEntry, dice: DiceSupply | None = None
    ) -> tuple[Played | None, RollbookError | None]:
        """A later action on the corrected course, or what it is refused with."""
        try:
            return self._replay.play(self.corrected, entry, entry.full_intent, dice), None
        except RollbookError as refusal:
            return None, refusal

    def _stays(self, action: ActionNumber, entry: RecordedEntry, played: Played) -> None:
        """The same facts. If they look at other things now, that is noted: later corrections go by it."""
        self.same.append(action)
        self._here = played, None
        if not set(played.reads) <= set(entry.reads):
            self.entries.append(self._revise(action, entry.intent, played, follows=True))

    def _drifted(self, action: ActionNumber, entry: RecordedEntry) -> tuple[Event, ...]:
        why = "the installed rules no longer give what was recorded"
        self.consequences.append(Consequence(action, Effect.DRIFTED, entry, None, why))
        return entry.facts

    def _look_again(self, action: ActionNumber, entry: RecordedEntry) -> None:
        """What is left to stand may look at other things from here on: later corrections go by what it looks at."""
        if self.correction.stand and self._is_affected(entry):
            played = self._plays_out_the_same(self.corrected, entry)
            if played is not None and not set(played.reads) <= set(entry.reads):
                self.entries.append(self._revise(action, entry.intent, played, follows=True))

    def _plays_out_the_same(self, campaign: CampaignState, outcome: RecordedEntry) -> Played | None:
        """An outcome played again, if the installed rules give it with its own dice."""
        if not self._is_under_these_rules(campaign, outcome):
            return None
        try:
            played = self._replay.play(campaign, outcome, outcome.full_intent, self._replay.own_dice(outcome))
        except RollbookError:
            return None
        return played if played.facts == outcome.facts else None

    def _is_affected(self, outcome: RecordedEntry) -> bool:
        """Whether what the action read, or the ruleset that its verb belongs to, is not the same in both courses."""
        differing, reads = self.differing, outcome.reads
        moved = "ruleset" in differing or not differing.isdisjoint(reads) or any(map(self._differs_inside, reads))
        return moved and self._can_be_played(outcome)

    def _differs_inside(self, read: str) -> bool:
        """Whether a part of a part (``@robin.pools``) is not the same in both courses."""
        whole, _, inner = read.partition(".")
        return bool(inner) and whole in self.differing and not equal_in_order(self._was.part(read), self._is.part(read))

    def _can_be_played(self, outcome: RecordedEntry) -> bool:
        return outcome.provenance == "played" and not self.rulebook.is_final(self._is.seen, outcome.intent)

    def _is_under_these_rules(self, campaign: CampaignState, outcome: RecordedEntry) -> bool:
        """Whether an outcome was decided by the rules that are installed: else it stays as it is recorded."""
        version = self.rulebook.version(campaign)
        return self._can_be_played(outcome) and (not campaign.ruleset or version == outcome.version)

    def _orphan(self, action: ActionNumber, entry: RecordedEntry, why: str) -> tuple[Event, ...]:
        if self.correction.fates.get(action, self.correction.orphans) is Orphans.KEEP:
            kept = Entry(
                EntryKind.REVISED,
                **self._said(action, why=f"stands as a ruling: {why}", follows=True),
                facts=entry.facts,
                intent=entry.intent,
                ruleset=entry.ruleset,
                version=entry.version,
                reads=entry.reads,
                provenance="ruling",
            )
            self._propose(action, Effect.ORPHANED, entry, kept, reason=why)
            return entry.facts
        self._propose(action, Effect.ORPHANED, entry, self._void(action, why=why), reason=why)
        return ()

    # Proposing.

    def _said(self, action: ActionNumber, *, why: str = "", follows: bool = False) -> _Said:
        """What the entry of a correction says; one that ``follows`` names the first entry of this correction."""
        return {
            "action": action,
            "revision": self.history.next_revision(action),
            "seat": self.correction.seat,
            "reason": why or self.correction.reason,
            "causation": self.history.head + 1 if follows else 0,
            "visibility": self.history.latest_outcome(action).visibility,
            "public_number": self.history.place_of(action),
        }

    def _void(self, action: ActionNumber, why: str = "") -> Entry:
        return Entry(EntryKind.VOIDED, **self._said(action, why=why, follows=bool(why)))

    def _revise(
        self,
        action: ActionNumber,
        intent: Intent,
        played: Played,
        *,
        follows: bool = False,
        visibility: str | None = None,
    ) -> Entry:
        said = self._said(action, follows=follows)
        if visibility is not None:
            said["visibility"] = visibility
        return Entry(
            EntryKind.REVISED,
            **said,
            facts=played.facts,
            intent=without_words(intent, played.facts),
            ruleset=self.corrected.ruleset,
            version=self.rulebook.version(self.corrected),
            reads=played.reads,
        )

    def _propose(
        self,
        action: ActionNumber,
        fate: Effect,
        before: RecordedEntry | None,
        proposal: Entry,
        facts: tuple[Event, ...] | None = None,
        *,
        reason: str = "",
    ) -> None:
        self.entries.append(proposal)
        shown = proposal if facts is None else proposal._replace(facts=facts)
        self.consequences.append(Consequence(action, fate, before, shown, reason))

    # The whole.

    def preview(self) -> Preview:
        """Everything in one value."""
        return Preview(
            base=self.history.head,
            entries=tuple(self.entries),
            consequences=tuple(self.consequences),
            changes=tuple(sheet_changes(self.history.state, self.corrected, self.rulebook)),
            after=self.corrected,
            resolved=self.resolved,
            skipped=self.skipped,
            same=tuple(self.same),
        )
