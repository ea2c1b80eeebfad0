"""The table: standing, log and acting panel, on a page that updates itself; and the room's screen."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from urllib.parse import quote, unquote

import attrs
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import compile_path

from rollbook.adapters.web.acting.panel import panel_of, whose_turn
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.tray import DICE, macros_of
from rollbook.adapters.web.acting.turn_band import turn_band
from rollbook.adapters.web.corrections.pages import requests_for
from rollbook.adapters.web.corrections.requests import ADJUST, AMEND, INSERT, OVERRIDE, REDO, REVERSE, REVISION, UNDO
from rollbook.adapters.web.corrections.second_thoughts import Thinkable, thinkable
from rollbook.adapters.web.live.response_cache import WITH
from rollbook.adapters.web.pages.page import SEATED, FreshPanel, Page, RequestContext, redirect, render
from rollbook.adapters.web.pages.portraits import portraits_of
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.table.cards import Card, CardKind
from rollbook.adapters.web.table.log_pages import LogPage, before, card_of, corrections_of, fitting, newest, news_since
from rollbook.adapters.web.table.players_numbers import seen_as
from rollbook.adapters.web.table.standing import StandingView, standing, status_now
from rollbook.adapters.web.welcome.pages import welcome_to
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.rules.handles import HandleKind
from rollbook.projections.filters import BadFilter
from rollbook.projections.numbers import action_number
from rollbook.projections.status import Status


@attrs.frozen(kw_only=True)
class Tool(Record):
    """A link on a card. ``in_dialog``: with a script it opens as a dialog on the table. ``is_small``: only an icon."""

    label: str
    path: str
    icon: str = ""
    in_dialog: bool = True
    is_small: bool = False


def tools_of(
    card: Card, campaign: str, identity: Identity, *, everything: bool = False, thinks: Thinkable | None = None
) -> Iterator[Tool]:
    """The requester's tools on a card; with ``everything`` the rare ones too. A player corrects only their own actions.

    ``thinks`` is the action that may get a second thought, with the label.
    """
    here = f"/c/{campaign}"
    yield from _correcting(card, here, identity, everything=everything)
    if thinks is not None and card.first.action == thinks.action and card.kind is not CardKind.CORRECTION:
        # A player may have a second thought with a character of their own on another's roll.
        yield Tool(label=thinks.label, path=f"{here}/think-again/{card.first.action}")
    yield from _watching(card, here, everything=everything)


def _correcting(card: Card, here: str, identity: Identity, *, everything: bool) -> Iterator[Tool]:
    if identity.role is Role.SPECTATOR or not (identity.is_gm or card.first.seat == identity.seat):
        return
    if card.kind is CardKind.CORRECTION:
        yield Tool(label="Undo", path=f"{here}/{REVERSE}/{card.first.entry}", icon="undo")
        return
    if identity.is_gm and card.shown.visibility == "gm":
        yield Tool(label="Reveal", path=f"{here}/gm/reveal/{card.first.action}", icon="see")
    if card.is_undone and (identity.is_gm or card.undone_by == identity.seat):
        yield Tool(label="Redo", path=f"{here}/{REDO}/{card.first.action}", icon="redo")
    if everything and identity.is_gm and card.first.place > 1:
        yield Tool(label="Insert before", path=f"{here}/{INSERT}/{card.first.action}")
    if card.is_undone or card.is_final:
        return
    yield Tool(label="Undo", path=f"{here}/{UNDO}/{card.first.action}", icon="undo")
    yield Tool(label="Amend", path=f"{here}/{AMEND}/{card.first.action}", icon="pen")
    if identity.is_gm:
        yield Tool(label="Adjust", path=f"{here}/{ADJUST}/{card.first.action}")
    if everything:
        yield from _seldom(card, here, identity)


def _seldom(card: Card, here: str, identity: Identity) -> Iterator[Tool]:
    """The tools that only the card's own page has, not its line in the log."""
    if identity.is_gm and any(die.origin != "typed" for roll in card.now.rolls for die in roll.dice):
        yield Tool(label="Override dice", path=f"{here}/{OVERRIDE}/{card.first.action}")
    for was in card.before:
        label = f"Count outcome {was.revision} again"
        yield Tool(label=label, path=f"{here}/{REDO}/{card.first.action}?{REVISION}={was.revision}", icon="redo")


def _watching(card: Card, here: str, *, everything: bool) -> Iterator[Tool]:
    watched = f"{here}/replay?at={card.first.entry}#@{card.first.entry}"
    yield Tool(label="Watch from here", path=watched, icon="play", in_dialog=False, is_small=not everything)
    if not everything and card.kind is not CardKind.CORRECTION:
        yield Tool(label="More", path=f"{here}/card/{card.first.action}", icon="more", is_small=True)


MOST = 6
"""Most panels in an answer."""


class Panels:
    """The pages of the route table that fill a panel."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = [(compile_path(page.path)[0], page) for page in pages if page.panel]

    def asked(self, context: RequestContext) -> tuple[FreshPanel, ...]:
        """The panels that a request asks for besides its page, each made by its own page.

        One that cannot be made now stays as it is; a request for it alone gets the fault.
        """
        addresses = dict.fromkeys(context.request.query.getlist(WITH)) if context.request.is_fragment else ()
        made = (self._fresh(context, address) for address in islice(addresses, MOST))
        return tuple(panel for panel in made if panel is not None)

    def _fresh(self, context: RequestContext, address: str) -> FreshPanel | None:
        written, _, query = address.partition("?")
        path = unquote(written)
        found = ((page, pattern.match(path)) for pattern, page in self._pages)
        page, match = next((each for each in found if each[1]), (None, None))
        if page is None or match is None or match["campaign"] != context.request.campaign_id:
            return None
        if context.seated.role not in page.roles:
            return None
        try:
            answer = page.handler(context.at(path, query, match.groupdict()))
        except RollbookError:
            return None
        assert isinstance(answer, Response)
        # Its own page made it: users' words in it were escaped there.
        return (page.panel, Markup(bytes(answer.body).decode())) if answer.status_code == 200 else None  # noqa: S704


SEATING = ("take-seat", "leave-seat")
"""Verbs that the room's screen leaves out, as they are no part of the story."""
EARLIER = 5
"""Results below the latest one on the room's screen."""


def table_page(context: RequestContext) -> Response:
    """Show the whole page."""
    act = panel_of(context) if context.seated.role in SEATED else None
    values = _values(context, _log(context.view.edition))
    asked = {"requests": requests_for(context), "welcome": welcome_to(context)}
    return render(context, "table/page.html", page_name="Table", act=act, **asked, **values)


def live(context: RequestContext) -> Response:
    """Send the news after a cursor, to a page that has all before it: new cards, replaced ones, and the standing."""
    edition = context.view.edition
    news = news_since(edition, edition.read_up_to(context.request.query.get("after", "")))
    act = whose_turn(seat_context_of(context)) if context.seated.role in SEATED else None
    values = _values(context, newest(edition) if news.is_whole else LogPage(cards=()))
    return render(context, "table/news.html", news=news, act=act, panels=context.services.panels(context), **values)


def log(context: RequestContext) -> Response:
    """Show older lines of the log, or those that fit a filter. htmx gets the log's panel, or lines to put on top."""
    sought, number = context.request.query.get("q", "").strip(), action_number(context.request.query.get("before", ""))
    page = _log(context.view.edition, sought, number or 0)
    part = "table/log_rows.html" if number else "table/log.html"
    return render(
        context,
        part if context.request.is_fragment else "table/log_page.html",
        422 if page.wrong else 200,
        page_name="Log",
        requests=requests_for(context),
        **_values(context, page, number or 0),
    )


def one_card(context: RequestContext) -> Response:
    """Show one action by its number, with all its outcomes and corrections."""
    edition, number = context.view.edition, context.request.path["number"]
    found = card_of(edition, action_number(number) or 0)
    if found is None:
        raise NotFound(f"There is no action #{number} at this table.")
    everything = _tools(context, everything=True)
    values = {**_values(context), "tools_of": everything}
    corrections = corrections_of(edition, found)
    if not context.request.is_fragment:
        return render(context, "table/card_page.html", card=found, corrections=corrections, **values)
    alone = [attrs.evolve(each, id=f"alone-{each.id}") for each in (found, *corrections)]  # each is on the table, too
    return render(context, "table/card_dialog.html", card=alone[0], corrections=alone[1:], **values)


def screen(context: RequestContext) -> Response:
    """Show the room's screen: the table's edition, to all who open it, in large type."""
    edition = context.view.table.edition("")
    cards = list(reversed(newest(edition).cards))
    shown = [
        card for card in cards if card.shown.verb not in SEATING and not (card.kind is CardKind.LINE and card.title)
    ]
    latest = next((card for card in shown if card.kind is not CardKind.CORRECTION), None)
    values = {
        "stand": standing(status_now(edition), portraits_of(context, edition.state)),
        "latest": latest,
        "earlier": [card for card in shown if card is not latest][:EARLIER],
        "title": f"{edition.state.name}, on the room’s screen",
        "cursor": context.view.cursor,
    }
    return render(context, "table/screen_now.html" if context.request.is_fragment else "table/screen.html", **values)


def foes(context: RequestContext) -> Response:
    """Set whether players see the health of foes in words or in numbers, as the GM chooses."""
    context.services.settings.say_foes_in_words(
        context.view.campaign.id, wanted=context.request.form.get("words") == "yes"
    )
    return redirect(context.request.here)


def _values(context: RequestContext, page: LogPage | None = None, number: int = 0) -> dict[str, object]:
    """The standing, and values that every card needs; with a ``page`` of the log before a number (0: at its end)."""
    edition, identity = context.view.edition, context.seated
    status = status_now(edition)
    stand = standing(status, portraits_of(context, edition.state))
    older = f"before={page.older}" + (f"&q={quote(page.sought)}" if page.sought else "") if page else ""
    return {
        "stand": stand,
        "band": turn_band(seat_context_of(context), status.fight) if identity.role in SEATED else None,
        "own_macros": lambda: macros_of(context),
        "tray_dice": DICE,
        "order_verb": _order_verb(context) if status.fight else None,
        "title": _title(status, stand, identity.seat if identity.audience else ""),
        "cursor": context.view.table.cursor(identity.audience),
        "seat": identity.audience or "",
        "tools_of": _tools(context),
        "seen_as": seen_as(context),
        "foes_in_words": context.view.table.words_for_foes,
        "page": page,
        "older": older,
        "is_newest": not number,
    }


def _order_verb(context: RequestContext) -> tuple[str, str, str] | None:
    """The verb that moves somebody in the order of turns, and its parameters of whom and before whom; None if not here."""
    if context.seated.role not in SEATED:
        return None
    found = seat_context_of(context).handles.get(HandleKind.REORDER)
    return (found[0].verb, found[1].who, found[1].what) if found is not None else None


def _title(status: Status, stand: StandingView, seat: str) -> str:
    """The title of the page, which begins with whose turn it is: "Your turn", or a character's."""
    fight = status.fight
    current = next((who for who in fight.fighters if who.character == fight.current), None) if fight else None
    if current is None:
        return f"{status.campaign} · rollbook"
    return f"{'Your' if seat and current.seat == seat else f'{stand.whose}’s'} turn · {status.campaign} · rollbook"


def _log(edition: CampaignView, sought: str = "", number: int = 0) -> LogPage:
    """A stretch of the log before a number; for a bad filter, its fault."""
    try:
        return fitting(edition, sought, number) if sought else before(edition, number)
    except BadFilter as fault:
        return LogPage(cards=(), sought=sought, wrong=str(fault))


def _tools(context: RequestContext, *, everything: bool = False) -> Callable[[Card], Iterator[Tool]]:
    identity = context.seated
    thinks = None if identity.role not in SEATED else thinkable(context.view.edition, identity)
    return lambda card: tools_of(card, context.request.campaign_id, identity, everything=everything, thinks=thinks)
