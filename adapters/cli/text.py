"""Plain text for terminals: printable, shortened, and in one wording."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from domain.lookup import shown_names

if TYPE_CHECKING:
    from domain.state import CampaignState


def printable(text: str) -> str:
    """Text as a terminal may have it: nothing that moves the cursor or changes colours, lines kept."""
    return "\n".join("".join(letter if letter.isprintable() else " " for letter in line) for line in text.split("\n"))


def without_endless_words(text: str) -> str:
    """Text in which nothing without a blank is longer than any path or code is: the rest of such a word is left out."""
    return ENDLESS.sub(lambda found: f"{found[0][:100]}…", text)


ENDLESS = re.compile(r"\S{300,}")

MOST_PHRASES = 12
LONGEST = 48


def local_time(at: int) -> str:
    """Microseconds since 1970 as a date and a time on this computer's clock."""
    return f"{datetime.fromtimestamp(at / 1_000_000, UTC).astimezone():%Y-%m-%d %H:%M}"


def names_in(*moments: CampaignState) -> dict[str, str]:
    """What characters are called, each as nobody else is."""
    return {key: name for moment in moments for key, name in shown_names(moment).items()}


def result_without_name(who: str, result: str) -> str:
    """A result without the name that the line begins with, and without a long tail."""
    phrases = [phrase.removeprefix(f"{who} ") for phrase in result.split("; ")]
    more = len(phrases) - MOST_PHRASES
    return printable("; ".join(phrases[:MOST_PHRASES]) + (f"; and {more} more" if more > 0 else ""))


def value_change(before: str, after: str) -> str:
    """What became of a value; of a list, what came and what went."""
    was, now = before.split(", "), after.split(", ")
    if len(was) + len(now) > 2 and set(was) & set(now):
        came = [f"+ {item}" for item in now if item not in was]
        went = [f"− {item}" for item in was if item not in now]
        return shorten(", ".join((*went, *came)))
    return f"{shorten(before)} → {shorten(after)}"


def shorten(text: str, longest: int = LONGEST) -> str:
    """Text on one line, cut where it gets long."""
    text = printable(text)
    return text if len(text) <= longest else text[: longest - 1] + "…"
