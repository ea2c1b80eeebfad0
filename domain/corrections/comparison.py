"""A correction as it is worked out: the effect on each action, and the entries proposed for it."""

from typing import Any

from rollbook.domain.actions.speech import Speech, own_words
from rollbook.domain.base.errors import RollbookError, note_failure
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Consequence, Correction, Effect, Insert, Proposal, change_begins
from rollbook.domain.corrections.courses import NOT_PLAYED, Courses, PlayedHere
from rollbook.domain.corrections.replayed_dice import ReplayedDice
from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.dice.supply import DiceSupply
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, without_words
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import GM, hidden_names, names_hidden_character
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.reads import differs

SAID_BY_AN_OUTCOME = ("events", "intent", "actor", "ruleset", "version", "reads", "provenance")


class Comparison:
    """A correction as it is worked out, action by action, on both branches."""

    def __init__(self, history: History, correction: Correction, rulebook: Rulebook) -> None:
        self.history = history
        self.correction = correction
        self.rulebook = rulebook
        self.replay = ReplayedDice(history, correction, rulebook)
        begun = (change_begins(action, change) for action, change in correction.changes.items())
        self.first = min(begun, key=history.order_of)
        self.courses = Courses(history.state_before(self.first))
        self.entries: list[Entry] = []
        self.consequences: list[Consequence] = []
        self.same: list[int] = []
        self.played_here: PlayedHere = NOT_PLAYED
        self.resolved = 0
        self.skipped = 0

    @property
    def corrected(self) -> CampaignState:
        """The campaign at this moment, as corrected."""
        return self.courses.corrected

    def seen_by(self, outcome: RecordedEntry, intent: Intent) -> str:
        """The visibility of an amended action: its own (a note to another seat now), or the one that was said for it."""
        own = self.rulebook.visibility(self.corrected, outcome.full_intent)
        if self.names_hidden_character(outcome.action, intent):
            return GM
        return self.rulebook.visibility(self.corrected, intent) or (
            "" if outcome.visibility == own else outcome.visibility
        )

    def names_hidden_character(self, action: ActionNumber, intent: Intent) -> bool:
        """True if an intent names a character who is hidden on the corrected branch."""
        names = hidden_names(self.corrected)
        words = (
            word
            for thought in intent.second_thoughts
            for word in (thought.character, *map(str, thought.params.values()))
        )
        return names_hidden_character(names, *words) or (
            names is not None and self._speech(action, intent).intent_names(names, intent)
        )

    def _speech(self, action: ActionNumber, intent: Intent, *, says_why: bool = False) -> Speech:
        """The speaker of an intent: a player of what they have said themselves, the GM of everything else."""
        seat = self.history.seat_of(action) if action <= self.history.actions else ""  # only the GM inserts
        if not intent.verb or not seat or self.history.state.is_gm(seat):
            return Speech(says_why=says_why)
        return Speech(seat, self._own_words(action, seat, intent), says_why)

    def _own_words(self, action: ActionNumber, seat: str, intent: Intent) -> dict[str, ParameterValue]:
        outcomes = [entry for entry in self.history.revisions(action) if entry.is_outcome]
        own = [entry.full_intent.params for entry in outcomes if entry.seat == seat]
        had = outcomes[-1].full_intent.params
        is_own = self.correction.seat == seat
        said = {
            name: value
            for name, value in intent.params.items()
            if any(params.get(name) == value for params in own) or (is_own and had.get(name) != value)
        }
        verb = self.rulebook.verbs(self.corrected).get(intent.verb)
        return own_words(verb, said) if verb is not None else {}  # what nobody knows here was imported

    def speeches(self) -> tuple[Speech, ...]:
        """The speakers of the entries that are proposed; none where nobody is hidden."""
        hides = hidden_names(self.history.state, (), self.corrected) is not None
        says_why = not self.history.state.is_gm(self.correction.seat)
        return tuple(
            self._speech(entry.action, entry.full_intent, says_why=says_why and entry.reason == self.correction.reason)
            for entry in (self.entries if hides else ())
        )

    def play(
        self, campaign: CampaignState, outcome: RecordedEntry, dice: DiceSupply | None = None
    ) -> tuple[Played | None, Exception | None]:
        """An outcome played again by the installed rules, or what they refuse or break it with.

        What another version asked for may break any rule, so nothing but its caller can say what that means.
        """
        try:
            return self.replay.play(campaign, outcome, outcome.full_intent, dice), None
        except Exception as refusal:  # noqa: BLE001 - see above
            if not isinstance(refusal, RollbookError):
                note_failure("rules", f"#{outcome.action} {outcome.full_intent.verb} cannot be played again", refusal)
            return None, refusal

    def plays_out_the_same(self, campaign: CampaignState, outcome: RecordedEntry) -> Played | None:
        """An outcome played again, if the installed rules give it with its own dice."""
        played, _ = self.play(campaign, outcome, self.replay.own_dice(outcome))
        return played if played is not None and played.events == outcome.events else None

    def is_affected(self, outcome: RecordedEntry) -> bool:
        """True if what the action read, or the ruleset that its verb belongs to, is not the same on both branches."""
        differing = self.courses.differing
        if "ruleset" not in differing and not differs(outcome.reads, differing, *self.courses.apart):
            return False
        return self.can_be_played(outcome)

    def can_be_played(self, outcome: RecordedEntry) -> bool:
        """True if an outcome is the rules' own, of an action that can be undone."""
        return outcome.provenance == "played" and not self.rulebook.is_final(self.courses.apart[1], outcome.intent)

    def cannot_drift(self, outcome: RecordedEntry) -> bool:
        """True if the rules that decided an outcome are those that are loaded, so that they would give it again.

        Its fingerprint is known and today's, and the outcome still follows from what is recorded before it.
        """
        return self._is_by_todays_rules(outcome) and self.history.follows(outcome)

    def has_drifted(self, outcome: RecordedEntry) -> bool:
        """True if the loaded rules no longer give an outcome on what was recorded before it when it came about."""
        if self._is_by_todays_rules(outcome):
            return False
        then = self.history.until(outcome.number).state_before(outcome.action)
        return self.plays_out_the_same(then, outcome) is None

    def _is_by_todays_rules(self, outcome: RecordedEntry) -> bool:
        known = self.history.fingerprint_of(outcome)
        return bool(known) and known == self.rulebook.fingerprint(self.courses.apart[0])

    def entry(
        self, kind: EntryKind, action: ActionNumber, *, why: str = "", follows: bool = False, **said: Any
    ) -> Entry:
        """An entry of the correction; one that ``follows`` names the first entry of it."""
        said.setdefault("visibility", self.history.latest_outcome(action).visibility)
        return Entry(
            kind,
            action,
            revision=self.history.next_revision(action),
            seat=self.correction.seat,
            reason=why or self.correction.reason,
            causation=self.history.head + 1 if follows else 0,
            public_number=self.history.place_of(action),
            **said,
        )

    def undo(self, action: ActionNumber, why: str = "") -> Entry:
        """The entry that undoes an action."""
        return self.entry(EntryKind.UNDONE, action, why=why, follows=bool(why))

    def revise(self, action: ActionNumber, intent: Intent, played: Played, **said: Any) -> Entry:
        """The entry by which an action comes to what was played."""
        corrected = self.corrected
        return self.entry(
            EntryKind.REVISED,
            action,
            events=played.events,
            intent=without_words(intent, played.events),
            actor=played.actor,
            ruleset=corrected.ruleset,
            version=self.rulebook.version(corrected),
            reads=played.reads,
            **said,
        )

    def inserted(self, action: ActionNumber, change: Insert, played: Played, visibility: str) -> Entry:
        """The entry by which an action is inserted."""
        return Entry(
            EntryKind.INSERTED,
            action,
            events=played.events,
            seat=change.seat,
            reason=self.correction.reason,
            visibility=visibility,
            intent=without_words(change.intent, played.events),
            actor=played.actor,
            ruleset=self.corrected.ruleset,
            version=self.rulebook.version(self.corrected),
            reads=played.reads,
            before=change.before,
            public_before=0 if visibility else self.history.place_of(change.before),
        )

    def again(self, outcome: RecordedEntry, **otherwise: Any) -> Entry:
        """The entry with which an outcome counts once more, but for what is said ``otherwise`` of it."""
        same = {name: getattr(outcome, name) for name in SAID_BY_AN_OUTCOME}
        return self.entry(EntryKind.REVISED, outcome.action, **(same | otherwise))

    def propose(
        self,
        effect: Effect,
        proposal: Entry,
        outcome: RecordedEntry | None = None,
        *,
        reason: str = "",
        left: tuple[int, ...] | None = None,
    ) -> None:
        """Propose an entry, and what becomes of its action by it: its own outcome, or an earlier ``outcome`` again."""
        self.entries.append(proposal)
        before, shown = None if proposal.is_first else self.history.effective(proposal.action), proposal
        if outcome is not None:
            shown = proposal._replace(events=outcome.events, intent=outcome.intent, actor=outcome.actor)
        self.consequences.append(Consequence(proposal.action, effect, before, shown, reason, left))

    def preview(self) -> Proposal:
        drifted = any(each.effect is Effect.DRIFTED for each in self.consequences)
        leaves = self.correction.stand or drifted
        return Proposal(
            base=self.history.head,
            entries=tuple(entry._replace(stand=True) for entry in self.entries) if leaves else tuple(self.entries),
            consequences=tuple(self.consequences),
            changes=tuple(sheet_changes(self.history.state, self.corrected, self.rulebook)),
            after=self.corrected,
            resolved=self.resolved,
            skipped=self.skipped,
            same=tuple(self.same),
            speeches=self.speeches(),
        )
