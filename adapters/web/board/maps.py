"""The picture under the squares of the board: where it is drawn, and the form by which the GM lays one or takes it away."""

from collections.abc import Iterator, Mapping
from math import ceil

import attrs

from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.board.frame import Frame
from rollbook.adapters.web.handouts.showing import has_file, take_showing
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue, PictureShown
from rollbook.domain.rules.board import Square
from rollbook.domain.state.campaign_state import BoardMap
from rollbook.projections.database import COUNTS
from rollbook.projections.session_log import SqlCondition

TENTHS = 10
"""Tenths of a square, in which maps are measured."""
MOST = 50
"""Most pictures that can be chosen: those that were shown last."""
SHOWN = SqlCondition("verb IN ('handout', 'lay-map')") & SqlCondition("status = ?", (COUNTS,))


@attrs.frozen(kw_only=True)
class MapView(Record):
    """The picture on the drawing, in units of it; ``alt`` says what is on it."""

    href: str
    alt: str
    x: float
    y: float
    width: float
    height: float


def map_view(laid: BoardMap, href: str, frame: Frame) -> MapView:
    """The picture where it lies under the squares that are shown."""
    side = frame.side / TENTHS
    return MapView(
        href=href,
        alt=laid.alt,
        x=round(frame.left(0) + laid.west * side, 1),
        y=round(frame.top(-1) - (laid.south + laid.high) * side, 1),
        width=round(laid.across * side, 1),
        height=round(laid.high * side, 1),
    )


def corners_of(laid: BoardMap) -> tuple[Square, Square]:
    """The squares under the lower left and the upper right corner of a map."""
    east, north = laid.west + laid.across - 1, laid.south + ceil(laid.high) - 1
    return (laid.west // TENTHS, laid.south // TENTHS, 0), (east // TENTHS, north // TENTHS, 0)


@attrs.frozen(kw_only=True)
class MapForm(Record):
    """The form of the map: the pictures that can be chosen, by digest with their names, and what is filled in."""

    pictures: tuple[tuple[str, str], ...]
    is_laid: bool
    chosen: str
    across: str
    at: str
    alt: str
    is_secret: bool = False
    fault: str = ""


def map_form(context: RequestContext, fault: str = "") -> MapForm:
    """The form as it was sent, or else as the map lies now."""
    edition, form = context.view.edition, context.request.form
    laid = edition.state.board_map
    usual = {"chosen": "", "across": "", "at": "0,0", "alt": ""}
    if laid is not None:
        at = f"{_squares(laid.west)},{_squares(laid.south)}"
        usual = {"chosen": laid.digest, "across": _squares(laid.across), "at": at, "alt": laid.alt}
    return MapForm(
        pictures=tuple((digest, name) for digest, (name, _) in _pictures(edition).items()),
        is_laid=laid is not None,
        is_secret=bool(form.get("secret")),
        fault=fault,
        **{name: str(form.get(name, value)) for name, value in usual.items()},
    )


def _squares(tenths: int) -> str:
    """Tenths of a square in squares, as they are typed."""
    whole, part = divmod(abs(tenths), TENTHS)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{part}' if part else ''}"


def _pictures(edition: CampaignView) -> Mapping[str, tuple[str, PictureShown]]:
    """The pictures that were shown last, by digest, each with its name: that of its handout, or what is on it."""
    return dict(reversed([*_shown(edition)]))


def _shown(edition: CampaignView) -> Iterator[tuple[str, tuple[str, PictureShown]]]:
    for line in edition.read_model.log(edition.id, last=MOST, where=SHOWN):
        for event in edition.history.entry(line.entry).events:
            if isinstance(event, PictureShown) and event.digest:
                title = line.result.partition("\n")[0] if line.verb == "handout" else ""
                yield event.digest, (title or event.alt or f"the map of #{line.action}", event)


def lay_map(context: RequestContext) -> None:
    """Lay the picture that was sent or chosen under the squares, or take it away. Raises RollbookError."""
    seat_context, sent = seat_context_of(context), context.request.sent
    said: dict[str, ParameterValue] = {}
    if not sent("gone"):
        said = {"across": sent("across").strip(), "at": sent("at").strip() or "0,0", "alt": sent("alt").strip()}
        said |= {} if has_file(context) else _chosen(seat_context.edition, sent("chosen"), said)
    take_showing(context, seat_context, "lay-map", [said], secret=bool(sent("secret")))


def _chosen(edition: CampaignView, digest: str, said: Mapping[str, ParameterValue]) -> dict[str, ParameterValue]:
    if not digest:
        raise Refused("Choose a picture first, or a file.")
    found = _pictures(edition).get(digest)
    if found is None:
        raise NotFound("That picture is not here any more.")
    _, shown = found
    same = {name: getattr(shown, name) for name in ("digest", "media", "width", "height")}
    return {**same, "alt": said["alt"] or shown.alt}
