"""The preview of a correction in words, as plain values: terminal and page only give them colours and places."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import attrs

from rollbook.adapters.presentation.plain_text import names_in, printable, seats_in, short_result, shorten
from rollbook.application.lines.performing import unused_words
from rollbook.domain.audit.drift import describe_drift
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import Consequence, Effect, Proposal
from rollbook.domain.entries import Entry
from rollbook.domain.events import ParameterValue
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet_rulings import ADJUST, Adjustment
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.in_words import without_points
from rollbook.projections.log_lines import LogText, Teller

TITLES = {
    Effect.INSERTED: "Inserted",
    Effect.UNDONE: "Undone",
    Effect.REDONE: "Redone",
    Effect.STAYS_UNDONE: "Stays undone, because it is still impossible",
    Effect.AMENDED: "Changed",
    Effect.CHANGED: "Comes out differently after that",
    Effect.ORPHANED: "No longer possible after that",
    Effect.RESTS: "Imported, and rests on that",
    Effect.DRIFTED: "Left as recorded, because the rules have changed since",
}
"""Headings of the effects, in the order in which they are shown."""
GONE = (Effect.UNDONE, Effect.ORPHANED, Effect.STAYS_UNDONE)
NOT_SAID = "–"
"""Stand-in for a parameter that was not given."""
MOST_RUNS = 12
"""Largest number of ranges of actions with the same outcome that are named."""


@attrs.frozen
class OutcomeWords(Record):
    """The outcome of an action in words; ``success`` is 1 for ✓, -1 for ✗, 0 where nothing was at stake."""

    text: str
    success: int = 0

    @property
    def mark(self) -> str:
        """The sign before it: ✓, ✗ or none."""
        return {1: "✓ ", -1: "✗ "}.get(self.success, "")


@attrs.frozen(kw_only=True)
class ConsequenceWords(Record):
    """The consequence for one action, in words. ``seen_by`` is the only one to see it, "" for the table.

    ``differences`` are what was changed in the action itself: its name, before and after. ``taken_out`` and ``adjusted`` are
    adjustments of the GM's. ``before`` and ``after`` are its outcomes, None where one is not to be shown; ``is_gone`` says that
    the one before no longer counts. ``reason`` is why the rules refuse it, ``becomes`` what follows from that.
    """

    action: ActionNumber
    effect: Effect
    who: str
    what: str
    seen_by: str
    differences: tuple[tuple[str, str, str], ...]
    taken_out: tuple[str, ...]
    before: OutcomeWords | None
    after: OutcomeWords | None
    is_gone: bool
    unsaid: str
    adjusted: tuple[str, ...]
    unused: str
    reason: str
    becomes: str
    is_kept: bool


def words_of_consequence(one: Consequence, teller: Teller) -> ConsequenceWords:
    """One consequence in words."""
    before, after, in_words = described(one.before, teller), described(one.after, teller), teller.in_words
    known = before or after
    entry = one.before or one.after
    dice = _only_dice(before, after)
    unsaid = _difference_unsaid(one, before, after, in_words)
    is_left = one.effect is Effect.DRIFTED
    shows_before = before is not None and not unsaid and not is_left
    shows_after = after is not None and one.effect not in (*GONE, Effect.RESTS) and not is_left
    return ConsequenceWords(
        action=one.action,
        effect=one.effect,
        who=printable(known.who) if known else "",
        what=printable(known.what) if known else "",
        seen_by=printable(entry.visibility) if entry else "",
        differences=() if is_left else _asked_otherwise(one),
        taken_out=() if is_left else tuple(_adjustment(each, in_words) for each in unadjusted(one)),
        before=_outcome(before, None, dice=dice) if before and shows_before and (before.result or dice) else None,
        after=_outcome(after, before, dice=dice) if after and shows_after else None,
        is_gone=after is None or one.effect in GONE or (one.effect is Effect.RESTS and not one.is_kept),
        unsaid=unsaid,
        adjusted=() if is_left else tuple(_adjustment(each, in_words) for each in adjusted(one)),
        unused="" if is_left else unused_words(one.unused_faces),
        reason=printable(one.reason),
        becomes=_becomes(one),
        is_kept=one.is_kept,
    )


def teller(rulebook: Rulebook, *moments: CampaignState) -> Teller:
    """The teller of entries of these moments, in the words of the rules."""
    return Teller(names_in(*moments), rulebook, seats=seats_in(*moments))


def preview_teller(rulebook: Rulebook, before: CampaignState, made: Proposal, in_words: Collection[str] = ()) -> Teller:
    """The teller of the entries of a preview, with all characters that it may name."""
    return Teller(names_in(before, made.after), rulebook, in_words, seats_in(before, made.after))


def untouched_words(made: Proposal) -> str:
    """A sentence on later actions that stay as they are: played again and come out the same, or not even looked at."""
    parts = []
    if made.same:
        runs = number_ranges(made.same)
        listed = ", ".join(runs[:MOST_RUNS]) + (", …" if len(runs) > MOST_RUNS else "")
        parts.append(f"Comes out the same: {listed} ({len(made.same):,})")
    if made.skipped:
        others = counted(made.skipped, "other" if made.same else "later action")
        parts.append(f"{others} read nothing that changed")
    return f"{'; '.join(parts)}." if parts else ""


def number_ranges(numbers: Iterable[ActionNumber]) -> list[str]:
    """Ascending numbers of actions, those in a row joined: #13–#18, #21."""
    runs: list[list[ActionNumber]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"#{first}" if first == last else f"#{first}–#{last}" for first, last in runs]


def described(outcome: Entry | None, teller: Teller) -> LogText | None:
    """An outcome as the log says it, None if there is none."""
    return None if outcome is None else teller.text(outcome)


def adjusted(one: Consequence) -> list[Adjustment]:
    """The GM's adjustments in an action that is amended."""
    return _adjustments(one.after) if one.effect is Effect.AMENDED else []


def unadjusted(one: Consequence) -> list[Adjustment]:
    """The GM's adjustments that were in an action before it was amended, and are taken out of it."""
    left = adjusted(one)
    return [each for each in _adjustments(one.before) if each not in left] if one.effect is Effect.AMENDED else []


def _adjustments(outcome: Entry | None) -> list[Adjustment]:
    thoughts = outcome.intent.second_thoughts if outcome else ()
    return [Adjustment.of(thought) for thought in thoughts if thought.kind == ADJUST]


def _adjustment(of: Adjustment, in_words: Collection[str]) -> str:
    return printable(f"{of.who} {of.what}" if of.who in in_words else f"{of.who} {of.what} {of.by:+d}")


def _asked_otherwise(one: Consequence) -> tuple[tuple[str, str, str], ...]:
    """The changes in the action itself: the new target, the new number."""
    return tuple((printable(each.name), _value(each.before), _value(each.after)) for each in one.differences)


def _value(value: ParameterValue | None) -> str:
    return shorten(NOT_SAID if value is None or value in ("", ()) else typed(value))


def _difference_unsaid(
    one: Consequence, before: LogText | None, after: LogText | None, in_words: Collection[str]
) -> str:
    """The difference in an action that reads the same in the log before and after: what it used of a turn, for one.

    Of an inserted action its place.
    """
    if one.effect is Effect.INSERTED and one.after is not None:
        return f"before #{one.after.before}"
    if one.before is None or one.after is None or one.effect is not Effect.CHANGED:
        return ""
    if before is None or after is None or _read(before) != _read(after):
        return ""
    was, now = (tuple(without_points(outcome.events, in_words)) for outcome in (one.before, one.after))
    return f"as before, but for {describe_drift(was, now) if was != now else 'hit points'}"


def _read(text: LogText) -> OutcomeWords:
    return _outcome(text, None, dice=True)


def _only_dice(before: LogText | None, after: LogText | None) -> bool:
    """True if the dice are all that there is to show: a free roll, or one in which only the dice differ."""
    results = [each.result for each in (before, after) if each is not None]
    if not any(results):
        return True
    return before is not None and after is not None and before.dice != after.dice and before.result == after.result


def _outcome(said: LogText, other: LogText | None, *, dice: bool) -> OutcomeWords:
    """The outcome, with the dice if they alone make the difference, and the deed if that of the ``other`` differs."""
    done = printable(said.what) if other is not None and other.what != said.what else ""
    text = f"{shorten(said.dice) if dice else ''} {short_result(said.result)}".strip()
    text = f"{done}: {text}" if done and text else done or text
    return OutcomeWords(text, said.success)


def _becomes(one: Consequence) -> str:
    """The fate of an action that is no longer possible, or rests on one that is undone."""
    if one.effect is Effect.ORPHANED:
        return "kept as a ruling" if one.is_kept else "undone too"
    if one.effect is Effect.RESTS:
        return "stays as it is imported" if one.is_kept else "undone too"
    return ""
