"""A campaign as one seat may see it, which answers its questions.

Nothing is filtered out of an answer: the campaign has only the entries and events that the seat may see, the same as
are in the seat's file. Numbers stay the same: a hidden entry keeps its place, and changes nothing that the seat knew
before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from rollbook.application.book import Book
from rollbook.application.history.timeline_marker import campaign_of, meant
from rollbook.application.playing.request import acting_seat
from rollbook.application.session import CampaignSession
from rollbook.application.view import CampaignView
from rollbook.application.visibility.sight import SeatView, ShownHistory, Source
from rollbook.domain.audit.answers import Answer, Finding
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.base.errors import NotFound, Refused, RollbookError, not_found
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, SeatName
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import NoDiceHere
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import Role
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import GM, Names, hidden_names, names_hidden_character

if TYPE_CHECKING:
    from rollbook.application.history.read_model import EntryRows


class SeenHistory(ShownHistory):
    """The entries of a campaign that a seat may see, as they were when it asked, or last followed what was stored since.

    They have the campaign's own numbers, and a placeholder for each hidden one. ``to_correct``: with the reads of each
    action, and the ids of corrections.
    """

    refused = "A question records nothing."

    def __init__(self, whole: CampaignSession, seat: str, *, to_correct: bool = False) -> None:
        super().__init__(whole, seat, Source(whole), to_correct=to_correct)
        self.seen: set[EntryNumber] = set()
        deque(self.take_in(), maxlen=0)

    def _here(self, entry: RecordedEntry) -> RecordedEntry:
        assert self._sight is not None
        if not self._sight.sees(entry):
            return _place_of(entry, self._seen)
        self.seen.add(entry.number)
        shown = self._sight.shown(entry)
        if not self._to_correct:
            return shown
        return shown._replace(reads=entry.reads, correction=entry.correction, causation=entry.causation)

    def _damaged(self, damage: str) -> str:
        return f"{damage} 'rollbook audit' says more."

    def follow(self) -> bool:
        """Take in the campaign's new entries. Returns False if it cannot, because a hidden entry may be shown now."""
        if not (self._source.holds() and self.can_follow()):
            return False
        deque(self.take_in(), maxlen=0)
        return True


def _place_of(entry: RecordedEntry, seen: History) -> RecordedEntry:
    """A placeholder for a hidden entry: the outcome of its action that counted before goes on counting."""
    known = None if entry.is_first else seen.effective(entry.action)
    kind = entry.kind if entry.is_outcome else EntryKind.UNDONE if known is None else EntryKind.REVISED
    return (known or RecordedEntry(kind, entry.action))._replace(
        kind=kind,
        number=entry.number,
        visibility=GM,
        revision=entry.revision,
        before=entry.before,
        previous_hash=entry.previous_hash,
        hash=entry.hash,
    )


class SeenCampaign(SeatView):
    """A campaign as a seat may see it. It answers questions, and records nothing."""

    def __init__(self, whole: CampaignView, seat: str, *, to_correct: bool = False) -> None:
        self.reader = seat
        self._seen = SeenHistory(whole.session, seat, to_correct=to_correct)
        super().__init__(whole, self._seen, words_for_foes=has_words_for_foes(whole.session))

    def follow(self) -> bool:
        """Take in the campaign's new entries. Returns False if it has to be made again (``as_seen``)."""
        known = self._seen.head.entry
        if self.session.words_for_foes != has_words_for_foes(self._whole.session) or not self._seen.follow():
            return False
        if "read_model" in self.__dict__:
            self.read_model.take_in(self._those_seen(self.history.entries_after(known)))
        return True

    def rows_of(self, entries: Iterable[RecordedEntry]) -> EntryRows:
        """The log and the experience of those of the entries that are seen."""
        return super().rows_of(self._those_seen(entries))

    def _those_seen(self, entries: Iterable[RecordedEntry]) -> Iterator[RecordedEntry]:
        return (entry for entry in entries if entry.number in self._seen.seen)

    def audit(self) -> tuple[Answer, Answer, Answer]:
        """Chain and rules of the whole history, without numbers that count hidden entries; the dice that are seen."""
        chain, _, rules = self._whole.audit()
        timeline = self.session.timeline
        timelines = timeline.numbers if timeline else frozenset[int]()
        dice = audit_dice(self.history.entries, timelines=timelines, without_secrets=True)
        return self._without_hidden(chain), attrs.evolve(dice, covered=0, entries=0), self._without_hidden(rules)

    def _without_hidden(self, answer: Answer) -> Answer:
        known = {0, *self._seen.seen}
        findings = (
            each if each.entry in known else Finding(each.entry, "what it says is hidden") for each in answer.findings
        )
        checked = len(self._seen.seen)
        return attrs.evolve(
            answer, checked=checked, findings=tuple(findings), remarks=("of the whole history",), covered=0, entries=0
        )


def has_words_for_foes(session: CampaignSession) -> bool:
    """True if the GM has chosen that players see the condition of foes in words."""
    return session.surroundings.page_settings.words_for_foes(campaign_of(session.id))


def from_whom_to_hide(campaign: CampaignView, seat: str) -> str | None:
    """The seat, if something may be hidden from it: None for a GM's. Raises NotFound for an unknown seat."""
    name = acting_seat(campaign.state, seat)
    sitting = campaign.state.seats.get(name)
    return None if sitting is not None and sitting.role is Role.GM else name


def as_seen(campaign: CampaignView, seat: str) -> SeenCampaign:
    """The campaign as a seat may see it."""
    return SeenCampaign(campaign, seat)


def as_answered(campaign: CampaignView, seat: str | None) -> CampaignView:
    """The campaign for answers to a seat's actions and corrections: as the seat may see it, as it is now.

    None, a reader who may see everything, gets the campaign itself, and so do all seats while nothing was ever hidden.
    """
    if seat is None or isinstance(campaign, SeenCampaign):
        return campaign
    hides = campaign.head.shown.secrets or has_words_for_foes(campaign.session)
    return correctable_as_seen(campaign, seat) if hides else campaign


def correctable_as_seen(campaign: CampaignView, seat: str) -> SeenCampaign:
    """The campaign as a seat may see it, in which actions and corrections can be tried: it records nothing."""
    known: SeenCampaign | None = campaign.session.kept.get(seat)
    if known is None or not known.follow():
        known = campaign.session.kept[seat] = SeenCampaign(campaign, seat, to_correct=True)
    return known


def without_what_is_hidden(
    campaign: CampaignView, fault: RollbookError, seat: str | None, ask: Callable[[CampaignView], object]
) -> RollbookError:
    """An error of the whole campaign as a seat may read it; ``ask`` tries the same on the seat's campaign."""
    if seat is None or isinstance(campaign, SeenCampaign):
        return fault
    return without_hidden_names(campaign, fault, seat, lambda: ask(correctable_as_seen(campaign, seat)))


def without_hidden_names(
    campaign: CampaignView, fault: RollbookError, seat: str | None, ask: Callable[[], object] | None = None
) -> RollbookError:
    """An error as a seat may read it (None: unchanged): one that names a hidden character says less.

    ``ask`` tries the same on a campaign with only what the seat may see. If it is refused there in the same words, they
    reveal nothing: the name is one that the seat itself has typed. If it is refused there otherwise, or not at all, the
    refusal comes from something hidden, of which the words may have a number.
    """
    if seat is None or fault.is_open:
        return fault
    names = hidden_names(campaign.state)
    named = names_hidden_character(names, str(fault))
    decided = ask is not None and _is_decided_by_rules(fault) and campaign.head.shown.secrets
    if (named or decided) and not (ask and _is_refused(ask, fault)):
        fault = _hidden_reason(fault, names)
    fault.is_open = True
    return fault


def _hidden_reason(fault: RollbookError, names: Names | None) -> RollbookError:
    if isinstance(fault, NotFound):
        near = tuple(name for name in fault.near if not names_hidden_character(names, name))
        return NotFound("There is nothing of that name that this seat may see.", near)
    return Refused("That cannot be done, for a reason that is hidden from this seat. Ask the GM.")


def _is_decided_by_rules(fault: RollbookError) -> bool:
    """True if state decides it. The dice that an action takes are no secret, because the table will see them."""
    return isinstance(fault, (Refused, NotFound)) and not isinstance(fault, (DiceError, NoDiceHere))


def _is_refused(ask: Callable[[], object], refused: RollbookError) -> bool:
    """True if it is refused in the same words; another fault there does not count."""
    try:
        ask()
    except Exception as fault:  # noqa: BLE001 - rules may stumble where they see no more than a player does
        return fault.args[:1] == refused.args[:1] and getattr(fault, "parameter", "") == refused.parameter
    return False


class SeenBook(Book):
    """A book that has one campaign with its timelines, each as a seat may see it."""

    def __init__(self, whole: Book, campaign: CampaignId, seat: SeatName) -> None:
        super().__init__(whole.store, whole.read_model.apart(), whole.seeds, whole.registry, whole.surroundings)
        self._whole = whole
        self._campaign = campaign_of(campaign)
        self._seat = seat

    def campaigns(self) -> tuple[str, ...]:
        """The id of the campaign, alone."""
        return (self._campaign,)

    def seen(self, name: str) -> SeenCampaign:
        """The campaign or one of its timelines, as the seat may see it. Raises NotFound for any other."""
        if campaign_of(meant(name)) != self._campaign:
            raise not_found("campaign", name, self.campaigns())
        return SeenCampaign(self._whole.campaign(name), self._seat)

    campaign = seen  # type: ignore[assignment]
