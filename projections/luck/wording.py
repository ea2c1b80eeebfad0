"""Words for luck: totals, the range of fair dice, and rarity. Never a verdict, and never about a person.

Look often enough and there is always a player with bad luck, so a share is always that of whole parties. A series too short
to say anything is reported as too short.
"""

from math import exp, log
from typing import Final

from rollbook.domain.base.number_words import counted
from rollbook.projections.luck.against_odds import TWO_OF_THREE, Hits, Luck, fair, party_share
from rollbook.projections.luck.patterns import FEWEST_CHOICES, SHOWN_FROM, Count, Selectivity
from rollbook.projections.luck.report import FaceSeries, Typed

TOO_FEW: Final = "too few to say anything"
TYPED_FROM: Final = 200
"""Fewest typed dice from which a record that looks even is called even."""

POWER: Final = "Slightly uneven dice take 30 to 50 sessions to show; silence proves nothing."

_COMPANIES: Final = {
    "seat": "parties of {}",
    "character": "parties of {}",
    "session": "campaigns of {} sessions",
    "kind": "campaigns with {} kinds of roll",
}


def luck(found: Luck, by: str, many: int) -> str:
    """The rarity of totals, among ``many`` groups of their sort."""
    if not found.is_enough:
        return TOO_FEW
    if abs(found.z) <= TWO_OF_THREE:
        return "as two of three fair series"
    there = "this low" if found.z < 0 else "this high"
    share = party_share(found.z, max(many, 1))
    few = share < FINEST
    rarity = f"fewer than {one_of(FINEST)}" if few else one_of(share)
    if many < 2:
        return f"{rarity} fair series {'are' if few else 'is'} {there}"
    has = "have" if few or share > MOST else "has"
    return f"{rarity} {_COMPANIES[by].format(many)} {has} one {there}"


MOST: Final = 2 / 3
FINEST: Final = 1 / 100
"""Smallest share reported: luck is looked at every session, and only an e-value may be believed however often."""


def one_of(share: float) -> str:
    """A share as people say it: "1 of 4"."""
    if share > MOST:
        return "most"
    return f"1 of {round(1 / share):,}" if share > RAREST else "1 of a million"


RAREST: Final = 1e-6


def totals(found: Luck) -> str:
    """The total of all rolls, and the range of fair dice."""
    low, high = found.band
    about = "about " if found.is_approximate else ""
    return f"{found.total:,} (fair dice: {about}{low:,.0f} to {high:,.0f})".replace("-", "−")


def targets(found: Hits) -> str:
    """The number of targets met; "" if none was known."""
    if not found.checks:
        return ""
    low, high = fair(found.expected, found.variance)
    due = f"{low:.0f} to {high:.0f}" if found.is_enough else f"{found.expected:.1f} expected"
    return f"met {found.met} of {found.checks} targets ({due})"


def mean(faces: FaceSeries) -> str:
    """The mean face, beside that of fair dice."""
    low, high = faces.fair_mean
    return f"mean {faces.mean:.1f} (fair dice: {low:.1f} to {high:.1f})"


def fair_mean(faces: FaceSeries) -> str:
    """The mean face, with an explanation of the fair range."""
    return f"{mean(faces)[:-1]} in two of three series of this length)"


def dice(faces: FaceSeries) -> str:
    """The number and size of dice: ``214 d20``."""
    return f"{len(faces.faces):,} d{faces.sides}"


def is_said(found: Typed) -> bool:
    """True if there is anything to say of typed dice: enough of them, or something uneven."""
    enough = len(found.faces.faces) >= TYPED_FROM
    return enough or max(found.directional, found.shape) >= log(SHOWN_FROM)


def typed(found: Typed, records: int) -> list[str]:
    """Lines about the dice of one size that one seat typed in, which is one of ``records`` such records."""
    own = f"{found.seat or 'Nobody in particular'}, {dice(found.faces)} typed in"
    if not is_said(found):
        return [f"{own}; {TOO_FEW}"]
    leaning = "It leans high" if found.faces.mean > (found.faces.sides + 1) / 2 else "It leans low"
    uneven = [(e, how) for e, how in ((found.directional, leaning), (found.shape, _FACES)) if e >= log(SHOWN_FROM)]
    if not uneven:
        return [f"{own}: {fair_mean(found.faces)}; nothing uneven shows"]
    lines = [f"{own}: {fair_mean(found.faces)}."]
    for e, how in uneven:
        lines.append(f"{how}: at most 1 honest record in {value(e)} ever looks this uneven (e = {value(e)}).")
    share = 2 * records * exp(-max(e for e, _ in uneven))
    if records > 1 and share < 1:
        has = "have" if share > MOST else "has"
        lines.append(f"{records} records are kept here: up to {one_of(share)} honest tables {has} one like it.")
    lines.append("A worn die does the same. Swap the die, or roll the next session from the stream.")
    return lines


_FACES: Final = "Some faces come too often"


def value(e: float) -> str:
    """An e-value as text, from its logarithm."""
    return f"{int(exp(e)):,}" if e < log(1_000_000) else "a million and more"


def count(what: str, found: Count) -> str:
    """A count in a series, beside the range of fair dice."""
    low, high = found.band
    return f"{what}: {found.seen} (fair dice: {low} to {high}, nineteen times of twenty)"


def selective(seat: str, found: Selectivity) -> str:
    """A line about the rolls that one seat chose to set aside."""
    who = seat or "Nobody in particular"
    chosen = f"{who} set aside {counted(found.rolls, 'roll')} that had been seen"
    if not found.is_enough:
        return f"{chosen}; {TOO_FEW} ({FEWEST_CHOICES} are needed)"
    low, high = fair(0.5, 1 / (12 * found.rolls))
    return (
        f"{chosen}: mean rank {found.rank:.2f}, where 0 is the lowest they could have been and 1 the highest "
        f"({low:.2f} to {high:.2f} in two of three lists that nobody chose). "
        f"A mistake is noticed sooner on a roll that hurts"
    )
