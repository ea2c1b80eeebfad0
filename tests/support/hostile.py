"""A campaign in which every text is hostile, and the texts: what a terminal, a table or a page would take for a command.

The texts go past every check of what is typed: a campaign is played with harmless words, and then written once more, entry by
entry, with others in their place. Its chain is whole.
"""

from __future__ import annotations

RAW = (
    *("\x1b[6n", "\x1b]0;taken\x07", "\x1b[2J", "\x9b6n", "\x9d0;taken\x9c"),
    *("\x00", "\x08", "\r", "\x7f", "\x0b", "\u202e", "\u2066", "\u200f", "\u2028", "\ufeff", "\U000e0041"),
)
"""Escape sequences of both kinds, control characters, marks that turn the direction of writing, and what cannot be seen."""
HALVES = "\udcff\ud83d"
"""Halves of letters: they can be typed, and no store holds them."""
ELSEWHERE = (
    "=cmd|'/c calc'!A0 <script>alert(1)</script> [x](javascript:x) '; DROP TABLE session_log; -- %s {0} $(id) `id`"
)
"""A formula, a program, a link or a statement in other places."""
STORED = "".join(RAW) + ELSEWHERE
TYPED = STORED + HALVES

MARK = "Zz"
OF_ROBIN = "--heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17"
SCRIPT = f"""\
campaign "Hostile Campaign" storytoken
take-seat {MARK}ana --role gm
take-seat {MARK}mira
open-session {MARK}first
scene {MARK}mill
join {MARK}robin --id {MARK.lower()}robin --seat {MARK}mira {OF_ROBIN} ! 5
join {MARK}guard --kind npc --hp 18 --ac 12
give {MARK.lower()}robin {MARK}bow --use weapon:medium-ranged
trait {MARK.lower()}robin {MARK}trait
attack {MARK.lower()}robin {MARK}guard {MARK}bow --distance 40 --seat {MARK}mira ! 14 4
attack {MARK.lower()}robin {MARK}guard {MARK}bow --distance 40 --seat {MARK}mira ! 12 3
note "{MARK} shouts."
award {MARK.lower()}robin 200 --why {MARK}quest
adjust {MARK}guard hp -3 --why {MARK}wound
roll 2d6 --why {MARK}dice --seat {MARK}mira
undo 10 --why {MARK}oops
amend 11 distance=50 --why {MARK}far
begin-encounter {MARK.lower()}robin,{MARK.lower()}guard
"""


def hostile_text(text: str) -> str:
    """A text with the hostile one wherever the mark was."""
    return text.replace("Hostile Campaign", STORED).replace(MARK, STORED).replace(MARK.lower(), STORED)
