"""What the dialog of a correction shows: the preview in plain values, in the order of the page."""

from __future__ import annotations

from hashlib import sha256
from itertools import groupby

import attrs

from rollbook.adapters.presentation.preview_words import (
    TITLES,
    ConsequenceWords,
    number_ranges,
    preview_teller,
    words_of_consequence,
)
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import UNDECIDED, Effect, Proposal
from rollbook.domain.corrections.sheet_changes import SheetChange
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.in_words import foes
from rollbook.projections.log_lines import Teller

MOST_LISTED = 100
"""So many actions of one effect are listed, those apart of which something is to be decided; then they are counted."""
MOST_SHEETS = 40
"""So many sheets are listed; then they are counted."""

COUNTED = {
    Effect.UNDONE: "undone",
    Effect.REDONE: "redone",
    Effect.STAYS_UNDONE: "stays undone",
    Effect.AMENDED: "changed",
    Effect.CHANGED: "comes out differently",
    Effect.ORPHANED: "no longer possible",
    Effect.RESTS: "rests on that",
    Effect.DRIFTED: "left as recorded",
}
"""What is said of how many actions, beside the number."""
SEVERAL = {Effect.STAYS_UNDONE: "stay undone", Effect.CHANGED: "come out differently", Effect.RESTS: "rest on that"}
"""The same of more than one, where it differs."""


@attrs.frozen
class Tally(Record):
    """How many actions something is said of."""

    count: int
    words: str
    quiet: bool = False


@attrs.frozen
class Part(Record):
    """The actions of one effect; ``more`` of them are not listed. ``is_undecided`` asks what becomes of each."""

    title: str
    rows: tuple[ConsequenceWords, ...]
    more: int
    is_undecided: bool


@attrs.frozen(kw_only=True)
class PreviewPage(Record):
    """A preview as it is shown. ``same`` names the actions that come out the same; ``digest`` is of all that is shown.

    ``sheets`` are those on which values move, by the name of their character.
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
        """The page of a preview that was made of a campaign as it was ``before``; with ``words_for_foes`` no number of theirs."""
        in_words = foes(made.after) if words_for_foes else frozenset()
        teller = preview_teller(rulebook, before, made, in_words)
        parts = tuple(_part(made, effect, teller) for effect in TITLES if made.of(effect))
        changes = groupby(made.changes, key=lambda change: (change.character, change.name))
        sheets = tuple((name, tuple(found)) for (_, name), found in changes)
        return cls(
            tally=(*_tally(made), *_quiet(made)),
            parts=parts,
            same=tuple(number_ranges(made.same)),
            sheets=sheets[:MOST_SHEETS],
            more_sheets=max(len(sheets) - MOST_SHEETS, 0),
            digest=sha256(repr((made.consequences, made.changes)).encode()).hexdigest()[:24],
        )


def _part(made: Proposal, effect: Effect, teller: Teller) -> Part:
    found = made.of(effect)
    most = len(found) if effect in UNDECIDED else MOST_LISTED
    rows = tuple(words_of_consequence(one, teller) for one in found[:most])
    return Part(TITLES[effect].removesuffix(" after that"), rows, len(found) - len(rows), effect in UNDECIDED)


def _tally(made: Proposal) -> tuple[Tally, ...]:
    counts = ((effect, len(made.of(effect))) for effect in TITLES)
    return tuple(
        Tally(count, COUNTED[effect] if count == 1 else SEVERAL.get(effect, COUNTED[effect]))
        for effect, count in counts
        if count
    )


def _quiet(made: Proposal) -> tuple[Tally, ...]:
    """What is played again and comes out the same, and what need not even be looked at."""
    same = Tally(len(made.same), "comes out the same" if len(made.same) == 1 else "come out the same", quiet=True)
    skipped = Tally(made.skipped, "read nothing that changed", quiet=True)
    return tuple(each for each in (same, skipped) if each.count)
