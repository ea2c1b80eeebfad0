"""The second question, the dice: whether every die is the one that the revealed seeds give, in its turn."""

from collections.abc import Iterable, Mapping
from operator import attrgetter

import attrs

from rollbook.domain.audit.answers import Answer, Finding, answer
from rollbook.domain.audit.dice_list import IMPORTED, PHYSICAL, Listed, in_numbers
from rollbook.domain.audit.dice_proof import Proof
from rollbook.domain.audit.dice_requests import Requests
from rollbook.domain.audit.dice_session import DiceSession, levels, mix_codes, named_sessions
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.record import StreamCounter
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRevealed


def audit_dice(
    entries: Iterable[RecordedEntry], *, timelines: frozenset[int] = frozenset(), without_secrets: bool = False
) -> Answer:
    """The answer whether every die of the committed streams is the one that the revealed seeds give, in its turn.

    ``timelines`` are the numbers of those that this history is; dice that fell in any other have no place in it.
    ``without_secrets`` says that what only the GM may see was left out, so that secret rolls may be fewer than were counted.
    """
    audit = DiceAudit(Requests(timelines, is_whole=not without_secrets))
    for entry in entries:
        audit.follow(entry)
    return audit.answer()


def dice_list(entries: Iterable[RecordedEntry]) -> tuple[Listed, ...]:
    """Everything about dice that a reader should know and that nobody is accused of, in the order of the history.

    Each has an entry, a ``kind`` (physical, imported, undone, redone, granted, overridden, agreed, chosen, unused), a text.
    """
    requests = Requests()
    for entry in entries:
        requests.follow(entry)
    return tuple(sorted(requests.all_listed(), key=attrgetter("entry")))


@attrs.define
class DiceAudit(Changeable):
    """The second question about a history as it is read, entry by entry."""

    requests: Requests
    failed: list[Finding] = attrs.field(factory=list)
    missing: list[Finding] = attrs.field(factory=list)
    proven: int = 0
    _covered: int = 0
    _proofs: dict[int, Proof] = attrs.field(factory=dict)

    def follow(self, entry: RecordedEntry) -> None:
        """One more entry; dice whose seed it reveals are drawn again. Raises Unforeseen as ``Requests.follow`` does."""
        self.requests.follow(entry)
        self._covered += 1
        for event in entry.events:
            if event.__class__ is DiceRevealed and event.session in self.requests.dice_sessions:
                self._proof(event.session).draw_again()

    def _proof(self, session: int) -> Proof:
        """The proof of the session that was opened last with this number."""
        dice_session = self.requests.dice_sessions[session]
        proof = self._proofs.get(session)
        if proof is None or proof.dice_session is not dice_session:
            proof = self._proofs[session] = Proof(dice_session)
        return proof

    def answer(self, of: int | None = None) -> Answer:
        """The answer to what was read (see ``audit_dice``)."""
        self.failed += self.requests.failed
        self.missing += self.requests.unproven()
        self._check()
        all_ = self._covered if of is None else of
        return answer(
            "dice", self.proven, self.failed, self.missing, self._remarks(), covered=self._covered, entries=all_
        )

    def _check(self) -> None:
        """Open the commitments of every session, draw again what was not yet, and compare the counts."""
        self._check_secrets()
        for number, dice_session in self.requests.dice_sessions.items():
            proof = self._proof(number)
            proof.finish()
            self.failed += proof.failed
            self.missing += proof.missing
            self.proven += proof.proven
            self._check_counts(dice_session)
        others = any(listed.kind in (PHYSICAL, IMPORTED) for listed in self.requests.listed.found)
        if not self.proven and others and not self.failed and not self.missing:
            self.missing.append(Finding(0, "no die of this history came from a committed stream"))

    def _check_secrets(self) -> None:
        """No session may share its identity with another, nor a seed that one has shown already."""
        dice_sessions = self.requests.dice_sessions.values()
        identities = [dice_session.opened.identity for dice_session in dice_sessions if dice_session.opened.identity]
        if len(set(identities)) != len(identities):
            self.failed.append(Finding(0, "two sessions share one identity"))
        known: dict[str, int] = {}
        for dice_session in dice_sessions:
            for seed in dice_session.seeds.values():
                before = known.setdefault(seed.lower(), dice_session.number)
                if before != dice_session.number:
                    text = f"the dice of session {dice_session.number} come from the seed of session {before}"
                    self.failed.append(Finding(dice_session.entry, text))

    def _check_counts(self, dice_session: DiceSession) -> None:
        table, behind = (_used(dice_session.ledger.used, screen=screen) for screen in (False, True))
        closed = dice_session.counts
        text = f"session {dice_session.number} was closed over other counts of rolls"
        if closed is not None and (
            _used(closed, screen=False) != table or (_used(closed, screen=True) or behind) != behind
        ):
            self.failed.append(Finding(dice_session.entry, text))
        screen = dice_session.screen_counts
        if screen is not None and screen != behind:
            short = all(many <= screen.get(at, 0) for at, many in behind.items())
            text = f"session {dice_session.number} had other secret rolls than its counts say"
            (self.missing if short and not self.requests.is_whole else self.failed).append(
                Finding(dice_session.entry, text)
            )

    def _remarks(self) -> list[str]:
        """The dice that were proven and how far that goes; then what a reader should know, counted."""
        said = [f"{counted(self.proven, 'die', 'dice')} proven"] if self.proven else []
        dice_sessions = self.requests.dice_sessions.values()
        said += levels(dice_sessions)
        said += mix_codes(dice_sessions)
        sealed = [each for each in dice_sessions if True not in each.seeds and each.rolled(screen=True)]
        if sealed:
            said.append(f"the secret dice of {named_sessions([each.number for each in sealed])} are sealed still")
        if self.requests.from_canon:
            said.append(f"{self.requests.from_canon} rolls are those that canon made of the same requests")
        return [*said, *in_numbers(self.requests.all_listed())]


def _used(counts: Mapping[StreamCounter, int], *, screen: bool) -> dict[StreamCounter, int]:
    """The counts of the open runs of rolls, or of those behind the screen."""
    return {counter: many for counter, many in counts.items() if counter.screen == screen}
