"""The command line on the page: lines as at the prompt, short forms included, and completions of unfinished lines.

A player's line is read and answered on the player's edition. Verbs and questions can be typed; corrections are on the
cards, where the numbers are those that the player sees.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from starlette.responses import Response

from rollbook.adapters.web.acting.safety import raise_card
from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.pages.page import RequestContext, done, render, status_of_fault
from rollbook.application.lines.completion import completed, next_words
from rollbook.application.lines.line_commands import ADOPT, COMMANDS_WITH_ID, SHOWN_FIRST, X_CARD
from rollbook.application.lines.performing import turn_of, unused_dice
from rollbook.application.lines.short_forms import written
from rollbook.application.lines.verb_line import LineError, find_seat, parse, split_words
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.history.secrecy import may_see

QUESTIONS = ("status", "sheet", "why", "diff", "log", "xp", "odds", "stats", "verbs")
"""Questions a player may type, because all their answers are in the player's edition."""

SEAT_OPTIONS = ("--seat", "--acting-seat")
MOST_OFFERED = 30
LONGEST = 2_000


def say(context: RequestContext) -> Response:
    """Carry out a line. Its answer is shown under it; entries it records arrive by the bell."""
    seat_context = seat_context_of(context)
    line, command = context.request.sent("line")[:LONGEST], context.request.sent("command")
    try:
        words = seat_context.short.expand(seat_context.edition, split_words(line))
        if not words:
            raise LineError("There is nothing in this line: type a verb, a correction or a question.")
        if words == [X_CARD]:
            return raise_card(context)
        said = (
            _said_by_gm(seat_context, words, command)
            if seat_context.is_gm
            else _said_by_player(seat_context, words, command)
        )
    except RollbookError as fault:
        return _line(context, status_of_fault(fault), typed=line, fault=str(fault), command=command)
    finally:
        context.view.follow()
    return _line(context, said=said) if said or context.request.is_fragment else done(context)


def _line(
    context: RequestContext, status: int = 200, *, said: str = "", typed: str = "", fault: str = "", command: str = ""
) -> Response:
    values = {"said_line": said, "typed": typed, "fault": fault, "line_command": command}
    return render(
        context, "acting/line.html" if context.request.is_fragment else "acting/line_page.html", status, **values
    )


def _said_by_gm(seat_context: SeatContext, words: Sequence[str], command: str) -> str:
    if words[0] == ADOPT and SHOWN_FIRST.isdisjoint(words):
        raise Refused(
            "Another game changes everybody's sheet. See it first with --preview, and add --yes, or go to the GM's room."
        )
    has_id = (words[0] in verbs_of(seat_context.campaign) and words[0] != ADOPT) or words[0] in COMMANDS_WITH_ID
    found = seat_context.campaign.say(written(words), command=command if has_id else "")
    return "" if found.entries else found.text


def _said_by_player(seat_context: SeatContext, words: Sequence[str], command: str) -> str:
    """Take a verb, or answer a question from the player's edition. Raises Refused for the rest and for other seats."""
    assert seat_context.seat is not None
    verbs = verbs_of(seat_context.edition)
    if words[0] in verbs:
        spoken = parse(verbs[words[0]], words[1:])
        if spoken.seat is not None and find_seat(seat_context.edition.state, spoken.seat) != seat_context.seat:
            raise Refused(f"You sit here as {seat_context.seat}, and act as nobody else.")
        turn = turn_of(seat_context.edition, verbs[words[0]], spoken, seat=seat_context.seat, said=lambda _: None)
        entry = seat_context.take(turn, command=command)
        return " ".join(unused_dice(turn, entry)) if may_see(seat_context.seat, entry) else ""
    if words[0] not in QUESTIONS:
        raise Refused(
            f"{words[0]} cannot be typed here. Undo and other corrections are on the cards; the rest is the GM's."
        )
    if any(_names_seat(word) for word in words[1:]):
        raise Refused("A question here is always your own: leave out the seat.")
    return seat_context.edition.ask(written(words)).text


def _names_seat(word: str) -> bool:
    option = word.partition("=")[0]
    return len(option) > len("--") and any(name.startswith(option) for name in SEAT_OPTIONS)


def complete(context: RequestContext) -> Response:
    """List completions of the line, as whole lines, for the browser to show under it."""
    seat_context, line = seat_context_of(context), context.request.query.get("line", "")[:LONGEST]
    begins = len(line)
    found: list[str] = []
    with suppress(RollbookError):
        found = completed(line, begins, partial(next_words, seat_context.edition, seat_context.short))
    return render(context, "acting/words.html", lines=[f"{line}{rest} " for rest in found[:MOST_OFFERED]])
