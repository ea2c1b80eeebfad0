"""The third question, the rules: whether every intent, resolved again with its own dice, gives what is recorded.

Another version of the rules proves nothing, but it is asked all the same: what it would decide otherwise is listed as
drift. Drift is never applied; what is recorded goes on being what happened, also for every action after it.
"""

from collections.abc import Collection, Mapping

import attrs

from rollbook.domain.audit.answers import Answer, Finding, answer
from rollbook.domain.audit.dice_context import CANON, Elsewhere
from rollbook.domain.audit.drift import describe_drift
from rollbook.domain.audit.envelopes import Envelopes
from rollbook.domain.base.errors import RollbookError, note_failure
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.record import RequestKey, are_typed
from rollbook.domain.dice.recorded import OrdinalKey, RecordedDice, answered_by, rolls_by_ordinal
from rollbook.domain.dice.supply import DiceNeeded, NoDice
from rollbook.domain.entries import EntryKind, RecordedEntry, known_fingerprint
from rollbook.domain.events import RulesetAdopted, RulingMade
from rollbook.domain.history.history import History
from rollbook.domain.history.rulings import ruled
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState


@attrs.define
class _Version(Changeable):
    """Outcomes that were decided by rules which are not installed: in another version, or (``now`` is "") not at all."""

    first: int
    now: str
    outcomes: int = 0
    drifted: int = 0

    def finding(self, key: str, version: str) -> Finding:
        many = f" ({self.outcomes} outcomes)" if self.outcomes > 1 else ""
        installed = f"version {self.now} is installed" if self.now else "it is not installed"
        return Finding(self.first, f"played by {key} {version}{many}; {installed}")

    def remark(self, key: str, version: str) -> str:
        same = self.outcomes - self.drifted
        outcomes = f"{counted(same, 'outcome')} of {key} {version}"
        drifted = f", {self.drifted} would not (nothing is changed by it)" if self.drifted else ""
        return f"{outcomes} come{'s' if same == 1 else ''} out the same under {self.now}{drifted}"


@attrs.define
class _Changed(Changeable):
    """Outcomes that come out differently under rules which were changed and kept their version: by their fingerprints."""

    recorded: str
    installed: str
    drifted: list[Finding] = attrs.field(factory=list)

    def remark(self, key: str, version: str) -> str:
        many = counted(len(self.drifted), "outcome")
        return (
            f"{many} of {key} {version} would come out differently, but it was changed under that version: "
            f"fingerprint {self.recorded} decided, {self.installed} is installed"
        )


@attrs.define
class RulesAudit(Changeable):
    """The third question about a history as it is read, entry by entry. ``history`` is what was read of it so far.

    On a timeline, which may have something from ``elsewhere``, what other rules could not play stands as it was recorded, and
    what was asked elsewhere is asked in the same words here.
    """

    rulebook: Rulebook
    history: History = attrs.field(factory=History)
    elsewhere: Elsewhere = CANON
    failed: list[Finding] = attrs.field(factory=list)
    drifted: list[Finding] = attrs.field(factory=list)
    never_played: list[Finding] = attrs.field(factory=list)
    imported: list[EntryNumber] = attrs.field(factory=list)
    others: dict[tuple[str, str], _Version] = attrs.field(factory=dict)
    changed: dict[tuple[str, str, str], _Changed] = attrs.field(factory=dict)
    again: int = 0
    as_recorded: int = 0
    _envelopes: Envelopes = attrs.field(init=False)
    _ruleset: str = ""
    _fingerprint: str = ""
    _fingerprints: dict[str, str] = attrs.field(factory=dict)
    _played_on: CampaignState | None = None
    _same: Played | None = None

    def __attrs_post_init__(self) -> None:
        self._envelopes = Envelopes(self.history)

    def follow(self, entry: RecordedEntry) -> None:
        """Play one more entry again, if rules decided it."""
        self._played_on = self._same = None
        self._note_fingerprint(entry)
        self._check(entry)
        self._envelopes.check(entry, self._played_on, self._same)
        is_first = self._same is not None and entry.kind is EntryKind.TAKEN
        self.history.add(entry, self._same.campaign if is_first and self._same else None)

    def _check(self, entry: RecordedEntry) -> None:
        if not entry.is_outcome:
            return
        if entry.provenance != "played":
            self.as_recorded += 1
            self._check_unplayed(entry)
            return
        self.again += 1
        other = self._other_version(entry)
        if other is None:
            self._judge(entry, self._difference(entry))
            return
        other.outcomes += 1
        if other.now and (drift := self._difference(entry, is_drift=True)):
            other.drifted += 1
            self.drifted += drift

    def _judge(self, entry: RecordedEntry, differences: list[Finding]) -> None:
        """Differences contradict the record, unless other rules than those that are installed are known to have decided it."""
        decided = self._fingerprints.get(entry.ruleset, "") if differences else ""
        installed = decided and self.rulebook.fingerprint_of(entry.ruleset)
        if not installed or installed == decided:
            self.failed += differences
            return
        changed = self.changed.setdefault((entry.ruleset, entry.version, decided), _Changed(decided, installed))
        changed.drifted += self._difference(entry, is_drift=True) or differences

    def _note_fingerprint(self, entry: RecordedEntry) -> None:
        """Note by which fingerprint the rules that the campaign has now decide from this entry on."""
        if entry.fingerprint:
            self._fingerprint = known_fingerprint(entry.fingerprint)
        if entry.kind is EntryKind.TAKEN:
            self._ruleset = entry.ruleset
        self._fingerprints[self._ruleset] = self._fingerprint
        self._ruleset = next((adopted.ruleset for adopted in _adoptions(entry)), self._ruleset)

    def _check_unplayed(self, entry: RecordedEntry) -> None:
        """Note outcomes that no rules decided: they prove nothing, unless rules decided the same before."""
        if entry.provenance == "imported":
            self.imported.append(entry.number)
        elif entry.is_first and not all(isinstance(event, RulingMade) for event in entry.events):
            text = f"#{entry.action} was never played: it is a ruling from the first"
            self.never_played.append(Finding(entry.number, text))
        elif entry.kind is EntryKind.REVISED:
            outcomes = [each.events for each in self.history.revisions(entry.action) if each.is_outcome]
            if entry.events not in outcomes:
                text = f"#{entry.action} is ruled to be something that was never played"
                self.never_played.append(Finding(entry.number, text))

    def _other_version(self, entry: RecordedEntry) -> _Version | None:
        """The rules that decided an entry, if they are not those that are installed."""
        adopted = [(event.ruleset, event.version) for event in _adoptions(entry)]
        for key, version in ((entry.ruleset, entry.version), *adopted):
            known = self.rulebook.rulesets.get(key)
            if key and (known is None or known.version != version):
                found = _Version(entry.number, known.version if known else "")
                return self.others.setdefault((key, version), found)
        return None

    def _difference(self, entry: RecordedEntry, *, is_drift: bool = False) -> list[Finding]:
        """In what the rules contradict the record, or what another version would make of it; nothing if they agree."""
        named = f"#{entry.action} {entry.intent.verb} would" if is_drift else f"#{entry.action}"
        try:
            played = self._played(entry, is_drift=is_drift)
        except RollbookError as refusal:
            if not is_drift:
                text = f"is recorded, but the rules say: {refusal}"
            elif isinstance(refusal, DiceNeeded):
                text = f"now need a d{refusal.sides} that was never rolled ({refusal.request.purpose})"
            else:
                text = f"be refused now: {refusal}"
            return [Finding(entry.number, f"{named} {text}")]
        except Exception as fault:  # noqa: BLE001 - what was never asked for in this way may break any rule
            note_failure("rules", f"{named} not be played", fault)
            text = (
                "not be played at all" if is_drift else "cannot be played: nobody can have asked for it in these words"
            )
            return [Finding(entry.number, f"{named} {text}")]
        if played.events == entry.events:
            self._same = None if is_drift else played
            return []
        text = "come out differently" if is_drift else "comes out differently when it is resolved again"
        return [Finding(entry.number, f"{named} {text}: {describe_drift(entry.events, played.events)}")]

    def _played(self, entry: RecordedEntry, *, is_drift: bool) -> Played:
        """The entry as the installed rules play it on the state of the moment. Raises what ``Rulebook.play`` raises.

        It meets its own dice. Their requests are worked out, unless another version may have asked otherwise; only dice
        of an earlier outcome keep the request for which they fell.
        """
        history = self.history
        is_first = entry.is_first
        campaign = self._played_on = self._state_before(entry)
        answered = None if is_drift else self._kept_requests(entry)
        return self.rulebook.play(
            campaign,
            entry.full_intent,
            RecordedDice([entry.events], NoDice(), answered=answered),
            seat=entry.seat if is_first else history.seat_of(entry.action),
            secret=entry.visibility == "gm" if is_first else history.is_secret(entry.action),
            ruled=self._ruled(entry),
            ruleset=None if campaign.name else self.rulebook.rulesets.get(entry.ruleset),
        )

    def _state_before(self, entry: RecordedEntry) -> CampaignState:
        """The campaign on which an outcome was played."""
        if entry.kind is EntryKind.TAKEN:
            return self.history.state
        return self.history.state_before(entry.before or entry.action)

    def _kept_requests(self, entry: RecordedEntry) -> Mapping[OrdinalKey, RequestKey]:
        """The requests that an outcome keeps: of dice that its action had before, or that a timeline has from elsewhere.

        Real dice that are typed again are asked for again, by what the action is now.
        """
        if not entry.is_first:
            typed = {key: roll for key, roll in rolls_by_ordinal(entry.events) if are_typed(roll.sources)}
            before = answered_by(self.history.dice_of(entry.action))
            return {key: asked for key, asked in before.items() if key not in typed or typed[key].request == asked}
        if not self.elsewhere.is_own(entry.number):
            return {}
        return {key: asked for key, asked in answered_by([entry.events]).items() if asked in self.elsewhere.requests}

    def _ruled(self, entry: RecordedEntry) -> Collection[str]:
        """The parameters that the GM has said of an action by this entry and before it."""
        if entry.is_first:
            return ()
        is_the_gms = not entry.causation and entry.seat != self.history.seat_of(entry.action)
        return entry.intent.params if is_the_gms else ruled(self.history, entry.action, entry.intent)

    def answer(self, of: int | None) -> Answer:
        """All of it: another version, or none, is missing proof; a contradiction under the same one is a failure."""
        missing = [version.finding(*key) for key, version in self.others.items()]
        missing += [finding for changed in self.changed.values() for finding in changed.drifted]
        missing += self.drifted + self.never_played + self._envelopes.found
        if self.imported:
            outcomes = counted(len(self.imported), "outcome")
            missing.append(Finding(self.imported[0], f"{outcomes} of another program: no rules can play them again"))
        away = sum(version.outcomes for version in self.others.values() if not version.now)
        remarks = [f"{self.again - away} outcomes resolved again"]
        remarks += [version.remark(*key) for key, version in self.others.items() if version.now]
        remarks += [changed.remark(key, version) for (key, version, _), changed in self.changed.items()]
        remarks += [f"{self.as_recorded} are as recorded (imported, or ruled by the GM)"] if self.as_recorded else []
        covered = self.history.head
        entries = covered if of is None else of
        return answer("rules", self.again, self.failed, missing, remarks, covered=covered, entries=entries)


def _adoptions(entry: RecordedEntry) -> list[RulesetAdopted]:
    """The changes to another game that an entry records."""
    return [event for event in entry.events if event.__class__ is RulesetAdopted]
