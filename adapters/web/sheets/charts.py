"""How it went for a character: experience, hit points through the fights, the luck of their dice, as drawings and as tables."""

from __future__ import annotations

import attrs
from markupsafe import Markup
from starlette.responses import Response

from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import render
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.records import Record
from rollbook.domain.state.lookup import find_character, shown_names
from rollbook.projections.pictures import Picture, pictures_of, svg, written


@attrs.frozen(kw_only=True)
class Chart(Record):
    """A picture with its drawing, and its numbers as they are written."""

    picture: Picture
    drawing: Markup
    rows: tuple[tuple[str, ...], ...]


def charts_page(context: RequestContext) -> Response:
    """All pictures in which a character is, of what the requester may see."""
    edition = context.view.edition
    who = find_character(edition.state, context.request.path["who"])
    if who in edition.session.in_words:
        raise NotFound(f"The numbers of {edition.state.characters[who].name} are the GM's.")
    name = shown_names(edition.state.characters.values())[who]
    found = pictures_of(edition.history, edition.session.rulebook, in_words=edition.session.in_words)
    return render(
        context,
        "sheets/charts.html",
        campaign_name=edition.state.name,
        title=f"{name}, drawn · {edition.state.name}",
        who=who,
        name=name,
        charts=[_chart(each) for each in (picture.about(name) for picture in found) if each is not None],
    )


def _chart(picture: Picture) -> Chart:
    # The drawing is text of ours: every word of somebody's in it was escaped when it was drawn.
    return Chart(
        picture=picture,
        drawing=Markup(svg(picture)),  # noqa: S704
        rows=tuple(tuple(map(written, row)) for row in picture.rows),
    )
