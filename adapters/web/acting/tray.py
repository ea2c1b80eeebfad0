"""The dice tray, a roll in two taps; and the macros beside it, lines of one's own that are carried out with one."""

import re

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.macros import Macro, Macros
from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.pages.page import RequestContext, done, redirect, render, status_of_fault
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.rules.handles import HandleKind

DICE = (4, 6, 8, 10, 12, 20, 100)
USUAL = 20
MOST_DICE, LARGEST = 40, 999
EASE = {"": "", "advantage": "kh1", "disadvantage": "kl1"}
"""The better and the worse of two dice, as they are written."""
_NUMBER = re.compile(r"[+\-−]?\d{1,3}", re.ASCII)


@attrs.frozen(kw_only=True)
class Tray(Record):
    """The tray as it was filled in: so many dice of some sides, and a number that is added."""

    sides: int = USUAL
    many: int = 1
    plus: int = 0
    ease: str = ""
    secret: bool = False

    @property
    def expression(self) -> str:
        """The dice as they are written."""
        dice = f"2d{self.sides}{EASE[self.ease]}" if self.ease else f"{self.many}d{self.sides}"
        return f"{dice}{self.plus:+d}" if self.plus else dice


def _number(text: str, usual: int, what: str) -> int:
    text = text.strip()
    if text and not _NUMBER.fullmatch(text):
        raise Refused(f"{what} is a whole number, at most {LARGEST}.")
    return int(text.replace("−", "-")) if text else usual


def _sent(context: RequestContext) -> Tray:
    """The tray of a form. Raises Refused for what no tray holds."""
    sent = context.request.sent
    sides, many, ease = _number(sent("die"), USUAL, "A die"), _number(sent("many"), 1, "How many"), sent("ease")
    if sides not in DICE or not 0 < many <= MOST_DICE or ease not in EASE:
        raise Refused(f"The tray has {', '.join(f'd{each}' for each in DICE)}, up to {MOST_DICE} of them.")
    plus = _number(sent("plus"), 0, "What is added")
    return Tray(sides=sides, many=many, plus=plus, ease=ease, secret=sent("secret") == "yes")


def roll(context: RequestContext) -> Response:
    """Roll what lies in the tray. Its total is a card of the log, which arrives by the bell."""
    seat_context, command = seat_context_of(context), context.request.sent("command")
    try:
        _take(seat_context, _sent(context), command)
    except RollbookError as fault:
        return show(context, status_of_fault(fault), fault=str(fault), command=command)
    finally:
        context.view.follow()
    return show(context) if context.request.is_fragment else done(context)


def _take(seat_context: SeatContext, tray: Tray, command: str) -> None:
    found = seat_context.handles.get(HandleKind.ROLL)
    if found is None:
        raise Refused("Loose dice cannot be rolled in this campaign.")
    verb, handle = found
    spoken = ParsedLine(given={handle.what: tray.expression}, secret=tray.secret and seat_context.is_gm)
    turn = turn_of(seat_context.edition, verb, spoken, seat=seat_context.seat, said=lambda _: None)
    seat_context.take(turn, command=command)


def show(context: RequestContext, status: int = 200, *, fault: str = "", command: str = "") -> Response:
    """The tray, with the macros of the seat."""
    template = "acting/tray.html" if context.request.is_fragment else "acting/tray_page.html"
    values = {"fault": fault, "tray_command": command, "own_macros": lambda: macros_of(context), "tray_dice": DICE}
    return render(context, template, status, **values)


def macros_of(context: RequestContext) -> tuple[Macro, ...]:
    """The macros of the requester's seat."""
    return Macros(context.services.macro_notes).of(context.view.campaign.id, context.seated.seat)


def keep(context: RequestContext) -> Response:
    """Keep a line under a name, or with ``drop`` remove one."""
    macros, campaign, seat = Macros(context.services.macro_notes), context.view.campaign.id, context.seated.seat
    try:
        if dropped := context.request.sent("drop"):
            macros.drop(campaign, seat, dropped)
        else:
            macros.keep(campaign, seat, context.request.sent("name"), context.request.sent("line"))
    except RollbookError as fault:
        return show(context, status_of_fault(fault), fault=str(fault))
    return show(context) if context.request.is_fragment else redirect(context.request.here)
