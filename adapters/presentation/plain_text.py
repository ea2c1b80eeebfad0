"""Values in plain words for people to read: printable, shortened, and in one wording for terminal and page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rollbook.domain.state.lookup import shown_names

if TYPE_CHECKING:
    from rollbook.domain.state.campaign_state import CampaignState


def printable(text: str) -> str:
    """Text that is safe for a terminal, as one paragraph with minus signs of one kind."""
    return with_minus_signs(paragraph(text))


def paragraph(text: str) -> str:
    """A person's words as one paragraph, so that no line of theirs stands where one of the program's could begin."""
    return _BREAKS.sub(" ", as_written(text)).strip(" ") if "\n" in text else as_written(text)


_BREAKS = re.compile(r"\s*\n\s*")


def as_written(text: str) -> str:
    """A person's words, safe for a terminal: nothing moves the cursor or changes colours; line breaks are kept."""
    if text.isprintable():
        return text
    return "\n".join("".join(letter if letter.isprintable() else " " for letter in line) for line in text.split("\n"))


def with_minus_signs(text: str) -> str:
    """Text with minus signs before numbers below 0; hyphens stay in words, dates, ranges and dice as they are typed."""
    return MINUS.sub("−", text) if "-" in text else text


MINUS = re.compile(r"(?<![\w.\-/=#@:)\]])-(?=\d)")
"""A hyphen before a number, after a blank or at the beginning."""

MOST_PHRASES = 12
LONGEST = 48


def seats_in(*moments: CampaignState) -> dict[str, str]:
    """Names of people by seat, for those who have another name than the one that their seat was taken by."""
    return {name: seat.called for moment in moments for name, seat in moment.seats.items() if seat.called}


def names_in(*moments: CampaignState) -> dict[str, str]:
    """Names of characters by id, no two of them the same."""
    names: dict[str, str] = {}
    for moment in moments:
        names.update(shown_names(moment.characters.values()))
    return names


def short_result(result: str) -> str:
    """A result without a long tail."""
    phrases = result.split("; ")
    more = len(phrases) - MOST_PHRASES
    return printable("; ".join(phrases[:MOST_PHRASES]) + (f"; and {more} more" if more > 0 else ""))


def value_change(before: str, after: str) -> str:
    """The change of a value; of a list, the items that came and went; of a sentence, the words that changed."""
    if PROSE.search(before) and PROSE.search(after):
        return shorten(_changed_words(before.split(), after.split()))
    was, now = before.split(", "), after.split(", ")
    if len(was) + len(now) > 2 and set(was) & set(now):
        came = [f"+ {item}" for item in now if item not in was]
        went = [f"− {item}" for item in was if item not in now]
        return shorten(", ".join((*went, *came)))
    return f"{shorten(before)} → {shorten(after)}"


PROSE = re.compile(r";|\.(?:\s|$)")
"""Sentences have a full stop or a semicolon; lists of things have commas alone."""


def _changed_words(was: list[str], now: list[str]) -> str:
    """The words of a sentence that changed: ``+3 → +4``, with those that came and went."""
    from difflib import SequenceMatcher

    said: dict[str, None] = {}
    for how, low, high, first, last in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        gone, new = " ".join(was[low:high]), " ".join(now[first:last])
        if how != "equal":
            said[f"{gone} → {new}" if gone and new else f"+ {new}" if new else f"− {gone}"] = None
    return ", ".join(said)


def shorten(text: str, longest: int = LONGEST) -> str:
    """Text on one line, cut where it gets long."""
    text = printable(text)
    return text if len(text) <= longest else text[: longest - 1] + "…"
