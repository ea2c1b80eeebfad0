"""The page of the replay: a session of the campaign as the requester may see it, from any of its cards on."""

from __future__ import annotations

from urllib.parse import urlencode

import attrs
from markupsafe import Markup
from starlette.responses import Response

from rollbook.adapters.exports.frames import Json
from rollbook.adapters.exports.pages import part as part_of_page
from rollbook.adapters.exports.replay import CONTROLS, PARTS
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import render
from rollbook.adapters.web.replay.chunks import PART, chunk, is_again, part_of, parts_of, session_of, stretch, written
from rollbook.adapters.web.table.standing import StandingView, standing
from rollbook.application.replays import Replay
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.records import Record
from rollbook.projections.replay import Course
from rollbook.projections.session_log import LogLine

MOST_DIGITS = 12
LOOKED_THROUGH = 64
"""In so many entries of a stretch somebody is looked for to begin with."""
SHOWN = 12
"""So many lines of the log stand beside a moment where there are no scripts."""


@attrs.frozen(kw_only=True)
class Watching(Record):
    """What is watched: a session (0: all there is), which of its parts, and the place in it to begin at."""

    session: int
    part: int
    parts: int
    place: int
    replay: Replay

    @property
    def query(self) -> str:
        """The stretch as an address has it."""
        return urlencode({"session": self.session or "all", "part": self.part})


@attrs.frozen(kw_only=True)
class Moment(Record):
    """One moment for those who have no scripts."""

    stand: StandingView
    lines: tuple[LogLine, ...]
    before: int | None
    after: int | None


def replay_page(context: RequestContext) -> Response:
    """The player, which fetches the moments itself; without scripts one moment, with links to the next and the one before."""
    edition = context.view.edition
    if not edition.head.entry:
        raise NotFound("Nothing has happened yet.")
    watching = _watching(context)
    known = edition.state.session.number if edition.state.session else 0
    return render(
        context,
        "replay/page.html",
        campaign_name=edition.state.name,
        page_name="Replay",
        watching=watching,
        sessions=range(1, known + 1),
        scripts=("digests.js", *PARTS, "live_moments.js", CONTROLS),
        # Both are files of the package, without a word of anybody's.
        signs=Markup(part_of_page("replay_signs.html")),  # noqa: S704
        player=Markup(part_of_page("replay_main.html")),  # noqa: S704
        moment=_moment(watching),
        cursor=context.view.cursor,
        title=f"{edition.state.name}, watched again",
    )


def moments(context: RequestContext) -> Response:
    """Some moments of a stretch, about one place, and how far they come; or that all ``after`` a cursor has to be read again."""
    edition, after = context.view.edition, context.request.query.get("after", "")
    said: Json = {"again": True}
    if not after or not is_again(edition, after):
        said = chunk(_watching(context).replay, _number(context, "from"), edition.session.in_words)
        said["cursor"] = context.view.cursor
    return Response(written(said), media_type="application/json", headers={"Cache-Control": "no-store"})


def _number(context: RequestContext, name: str) -> int:
    text = context.request.query.get(name, "").lstrip("@")
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else 0


def _watching(context: RequestContext) -> Watching:
    """The stretch that is asked for: the session of an entry ``at``, or of that number, or the last one. Raises NotFound."""
    edition, at = context.view.edition, _number(context, "at")
    session: int | None = _number(context, "session") or None
    everything = context.request.query.get("session") == "all"
    if at and not everything:
        session = session_of(edition, at)
        everything = session is None
    first, last = stretch(edition, session, everything=everything)
    if session is None and not everything:
        session = edition.state.session.number if edition.state.session else 0
        if session > 1 and first == last:  # it was opened, and that is all there is of it
            session -= 1
            first, last = stretch(edition, session)
    part = (at - first) // PART if at else _number(context, "part")
    found = part_of(edition, first, last, part)
    return Watching(
        session=0 if everything else session or 0,
        part=min(part, parts_of(first, last) - 1),
        parts=parts_of(first, last),
        place=found.place_of(at) if at else _first_seen(found),
        replay=found,
    )


def _first_seen(found: Replay) -> int:
    """The first place at which somebody is there to be seen, 0 if there is none."""
    statuses = (found.moments.status(number, Course.THEN) for number in found.numbers[:LOOKED_THROUGH])
    return next((place for place, each in enumerate(statuses) if each.fight or each.characters), 0)


def _moment(watching: Watching) -> Moment:
    found, place = watching.replay, watching.place
    status = found.moments.status(found.numbers[place], Course.THEN)
    return Moment(
        stand=standing(status),
        lines=tuple(found.line(each) for each in range(max(place - SHOWN + 1, 0), place + 1)),
        before=found.numbers[place - 1] if place else None,
        after=found.numbers[place + 1] if place + 1 < len(found) else None,
    )


PAGES = (
    Page(path="/c/{campaign}/replay", handler=replay_page),
    Page(path="/c/{campaign}/replay/moments", handler=moments),
)
