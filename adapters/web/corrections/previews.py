"""The work behind the pages of corrections: making previews, applying them, and deciding if a player needs the GM.

All of it runs with a book of its own, so a long preview holds up no request. A player's preview is made of what the
player may see (``rollbook.application.visibility.seat_previews``), and the result of applying it is never in an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby

import attrs

from rollbook.adapters.presentation import preview_words
from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.web.corrections.forms import what_was_done
from rollbook.adapters.web.corrections.numbered import correction_of, last_correction
from rollbook.adapters.web.corrections.pending import CorrectionRequest
from rollbook.adapters.web.corrections.requests import REVERSE, RequestedCorrection
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.corrections import Preview
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.seat_previews import is_as_seen, without_drift
from rollbook.domain.base.errors import RollbookError, StaleHistory
from rollbook.domain.base.identifiers import CampaignId, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import UNDECIDED, Effect, Proposal
from rollbook.domain.corrections.sheet_changes import SheetChange
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.events import Role
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.in_words import foes
from rollbook.projections.log_lines import Teller

MOST_LISTED = 100
"""Most listed actions of one effect, except those that await a decision; the rest are counted."""
MOST_SHEETS = 40
"""Most listed sheets; the rest are counted."""

COUNTED = {
    Effect.INSERTED: "inserted",
    Effect.UNDONE: "undone",
    Effect.REDONE: "redone",
    Effect.STAYS_UNDONE: "stays undone",
    Effect.AMENDED: "changed",
    Effect.CHANGED: "comes out differently",
    Effect.ORPHANED: "no longer possible",
    Effect.RESTS: "rests on that",
    Effect.DRIFTED: "left as recorded",
}
"""The words after the number of actions of each effect."""
SEVERAL = {Effect.STAYS_UNDONE: "stay undone", Effect.CHANGED: "come out differently", Effect.RESTS: "rest on that"}
"""The words for more than one action, where they differ."""


@attrs.frozen
class Tally(Record):
    """A count of actions, with the words that follow it."""

    count: int
    words: str
    quiet: bool = False


@attrs.frozen
class Part(Record):
    """The actions of one effect; ``more`` of them are not listed. ``is_undecided``: each awaits a decision."""

    title: str
    rows: tuple[preview_words.ConsequenceWords, ...]
    more: int
    is_undecided: bool


@attrs.frozen(kw_only=True)
class PreviewPage(Record):
    """A preview as it is shown. ``same`` names the actions with the same outcome; ``digest`` is of all that is shown.

    ``sheets`` are the changed values, by the name of their character.
    """

    tally: tuple[Tally, ...]
    parts: tuple[Part, ...]
    same: tuple[str, ...]
    sheets: tuple[tuple[str, tuple[SheetChange, ...]], ...]
    more_sheets: int
    digest: str

    @classmethod
    def of(
        cls, made: Proposal, before: CampaignState, rulebook: Rulebook, *, words_for_foes: bool = False
    ) -> PreviewPage:
        """The page of a preview of a campaign in state ``before``; with ``words_for_foes`` without their numbers."""
        in_words = foes(made.after) if words_for_foes else frozenset()
        teller = preview_words.preview_teller(rulebook, before, made, in_words)
        parts = tuple(_part(made, effect, teller) for effect in preview_words.TITLES if made.of(effect))
        changes = groupby(made.changes, key=lambda change: (change.character, change.name))
        sheets = tuple((name, tuple(found)) for (_, name), found in changes)
        return cls(
            tally=tuple(_tally(made)),
            parts=parts,
            same=tuple(preview_words.number_ranges(made.same)),
            sheets=sheets[:MOST_SHEETS],
            more_sheets=max(len(sheets) - MOST_SHEETS, 0),
            digest=sha256(repr((made.consequences, made.changes)).encode()).hexdigest()[:24],
        )


def _part(made: Proposal, effect: Effect, teller: Teller) -> Part:
    found = made.of(effect)
    most = len(found) if effect in UNDECIDED else MOST_LISTED
    rows = tuple(preview_words.words_of_consequence(one, teller) for one in found[:most])
    return Part(
        preview_words.TITLES[effect].removesuffix(" after that"), rows, len(found) - len(rows), effect in UNDECIDED
    )


def _tally(made: Proposal) -> Iterator[Tally]:
    """Count the actions of each effect, those with the same outcome, and those that read nothing that changed."""
    for effect in filter(made.of, preview_words.TITLES):
        count = len(made.of(effect))
        yield Tally(count, COUNTED[effect] if count == 1 else SEVERAL.get(effect, COUNTED[effect]))
    if made.same:
        yield Tally(len(made.same), f"come{'s' if len(made.same) == 1 else ''} out the same", quiet=True)
    if made.skipped:
        yield Tally(made.skipped, "read nothing that changed", quiet=True)


TRIES = 3
"""Most attempts at a player's correction when other entries come first; then the GM is asked."""


@attrs.frozen(kw_only=True)
class Looked(Record):
    """A correction that was previewed: its page and the preview itself, or a ``fault``, or a die that is ``needed``.

    ``what`` is the corrected action in words; ``can_draw``: the requester may have that die drawn, as a session is
    open. ``seats`` are the players for whom the GM may correct.
    """

    asked: RequestedCorrection
    what: str
    page: PreviewPage | None
    made: Preview | None = attrs.field(repr=False)
    needed: str
    can_draw: bool
    seats: tuple[str, ...]
    fault: str


def look(book: Book, campaign: CampaignId, seat: SeatName | None, asked: RequestedCorrection) -> Looked:
    """The preview of a correction, for a player's seat or the GM (None)."""
    whole = book.campaign(campaign)
    if seat is None:
        return looked_at(whole, seat, asked)
    in_words = book.page_settings.words_for_foes(campaign)
    return looked_at(Edition(whole, seat, words_for_foes=in_words, to_correct=True), seat, asked)


def looked_at(campaign: CampaignView, seat: SeatName | None, asked: RequestedCorrection) -> Looked:
    """The preview of a correction of a campaign or an edition of it."""
    what = needed = fault = ""
    made = page = None
    try:
        if asked.kind == REVERSE and not asked.action:
            asked = attrs.evolve(asked, action=last_correction(campaign))
        what = what_it_is(campaign, asked)
        made = asked.preview(campaign, seat)
    except DiceNeeded as reason:
        needed = reason.need
    except RollbookError as reason:
        fault = str(reason)
    if made is not None:
        page = PreviewPage.of(
            made if seat is None else without_drift(made),
            campaign.state,
            campaign.session.rulebook,
            words_for_foes=campaign.session.words_for_foes,
        )
    players = [each for each in campaign.state.seats.values() if each.present and each.role is Role.PLAYER]
    session = campaign.state.session
    return Looked(
        asked=asked,
        what=what,
        page=page,
        made=made,
        needed=needed,
        can_draw=seat is None and session is not None and session.is_open,
        seats=tuple(each.name for each in players) if seat is None else (),
        fault=fault,
    )


def what_it_is(campaign: CampaignView, asked: RequestedCorrection) -> str:
    """The corrected action in a few words; for a correction, its reason. Raises NotFound if there is none."""
    if asked.kind == REVERSE:
        correction_of(campaign, asked.action)
        return printable(campaign.session.history.looking_back(lambda history: history.entry(asked.action).reason))
    outcome = campaign.session.history.looking_back(lambda history: history.latest_outcome(asked.action))
    return what_was_done(campaign, outcome)


def apply(book: Book, campaign: CampaignId, looked: Looked, reason: str, command: str) -> bool:
    """Store the preview that the GM saw. False, storing nothing, if it is stale. Raises what appending raises."""
    assert looked.made is not None
    whole = book.campaign(campaign)
    try:
        looked.made.in_(whole.session).because(reason).apply(command=command)
    except StaleHistory:
        return False
    return True


def is_still_so(book: Book, campaign: CampaignId, seat: SeatName, shown: Looked) -> bool:
    """True if the player's preview would be the same now."""
    now = look(book, campaign, seat, shown.asked)
    return (now.page, now.needed, now.fault) == (shown.page, shown.needed, shown.fault)


@attrs.frozen(kw_only=True)
class Wanted(Record):
    """A player's correction, as shown, with its idempotency key. ``must_ask``: the GM is asked without an attempt."""

    seat: SeatName
    asked: RequestedCorrection
    what: str
    command: str
    must_ask: bool = False


def decide(book: Book, campaign: CampaignId, wanted: Wanted) -> CorrectionRequest | None:
    """Make a player's correction if it touches only what is theirs and comes out as shown; else return the request."""
    whole = book.campaign(campaign)
    edition = Edition(whole, wanted.seat, to_correct=True)
    real = _real(edition, wanted.asked)
    for _ in range(0 if wanted.must_ask else TRIES):
        try:
            if _is_made(whole, edition, wanted, real):
                return None
            break
        except StaleHistory:
            whole.refresh()
            edition = Edition(whole, wanted.seat, to_correct=True)
        except RollbookError:  # the GM sees why, and the player must not
            break
    id_ = sha256(f"{wanted.seat}\n{wanted.command}".encode(errors="replace")).hexdigest()[:24]  # one for a command
    return CorrectionRequest(id=id_, seat=wanted.seat, shown=wanted.asked.action, asked=real, what=wanted.what)


def _real(edition: Edition, asked: RequestedCorrection) -> RequestedCorrection:
    """The same correction with the numbers of the whole campaign."""
    return attrs.evolve(
        asked, action=edition.real_entry(asked.action) if asked.kind == REVERSE else edition.real_action(asked.action)
    )


def _is_made(whole: Campaign, edition: Edition, wanted: Wanted, real: RequestedCorrection) -> bool:
    shown = wanted.asked.preview(edition, wanted.seat)
    made = real.preview(whole, wanted.seat)
    if made.entries and not is_as_seen(whole, made, edition, shown, wanted.seat):
        return False
    made.because(real.reason).apply(command=wanted.command)
    return True
