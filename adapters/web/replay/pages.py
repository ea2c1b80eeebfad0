"""The page of the replay: a session as the requester may see it, from any of its cards on."""

import json
from collections.abc import Collection
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

import attrs
from markupsafe import Markup
from starlette.responses import Response

from rollbook.adapters.exports.pages import part as part_of_page
from rollbook.adapters.exports.replay import CONTROLS, PARTS
from rollbook.adapters.exports.replay_frames import Frames, Json, Moments, bare_line, drawn_step
from rollbook.adapters.web.pages.page import RequestContext, render
from rollbook.adapters.web.table.standing import standing
from rollbook.application.replays import Replay, session_stretch
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.live import AnyEdition
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.records import Record
from rollbook.projections import replay
from rollbook.projections.numbers import action_number
from rollbook.projections.replay import Course

CHUNK = 64
"""Number of moments in one answer: they take about a tenth of a second to compute."""
PART = 1_024
"""Most entries of a session on one page; a longer session has several."""

_MOMENTS: WeakKeyDictionary[CampaignView, tuple[str, replay.Moments]] = WeakKeyDictionary()
"""The latest moments by edition, until entries are added to it."""


def moments_of(edition: CampaignView) -> replay.Moments:
    """The moments of an edition as it is now."""
    at = f"{edition.head.entry} {edition.head.hash}"
    known = _MOMENTS.get(edition)
    if known is None or known[0] != at:
        known = _MOMENTS[edition] = (at, replay.Moments(edition.session.history.look_back(), edition.session.rulebook))
    return known[1]


def is_again(edition: AnyEdition, cursor: str) -> bool:
    """True if a reader at a cursor must read all of it again, because some was corrected or is shown differently."""
    known = edition.read_up_to(cursor)
    return known is None or any(entry.is_correction for entry in edition.session.history.entries_after(known))


def chunk(watched: Replay, begin: int, in_words: Collection[str] = ()) -> Json:
    """The moments of a part around one place. Each course has its own, the corrected one only if it differs.

    ``in_words`` are the characters whose hit points are not shown as numbers.
    """
    begin -= begin % CHUNK
    places = range(begin, min(begin + CHUNK, len(watched)))
    frames, steps, chain = Frames(), [], []
    if begin and places:
        frames.begin_after(watched.step(begin - 1))
    for place in places:
        step = watched.step(place)
        frames.follow(step)
        sides = watched.moments.sides(step.number) if step.correction == step.number else ()
        steps.append(drawn_step(step, sides))
        chain.append(bare_line(watched.moments.history.entry(step.number), in_words).decode())
    then, corrected = _course(frames.then), _course(frames.corrected)
    said: Json = {
        "from": begin,
        "size": CHUNK,
        "total": len(watched),
        "people": frames.people,
        "steps": steps,
        "chain": chain,
    }
    return {**said, "then": then, "corrected": corrected if corrected != then else None}


def _course(moments: Moments) -> Json:
    return {"changes": moments.changes, "whole": moments.whole, "lanes": moments.lanes}


LOOKED_THROUGH = 64
"""Number of entries of a stretch that are searched for the first with a character."""
SHOWN = 12
"""Number of log lines beside a moment, without scripts."""


@attrs.frozen(kw_only=True)
class Watching(Record):
    """A stretch to watch: a session (0: the whole history), its part, and the place in it to begin at."""

    session: int
    part: int
    parts: int
    place: int
    replay: Replay

    @property
    def query(self) -> str:
        """The stretch as an address has it."""
        return urlencode({"session": self.session or "all", "part": self.part})


def replay_page(context: RequestContext) -> Response:
    """Show the player, which fetches the moments itself; without scripts one moment, with links to its neighbours."""
    edition = context.view.edition
    if not edition.head.entry:
        raise NotFound("Nothing has happened yet.")
    watching = _watching(context)
    known = edition.state.session.number if edition.state.session else 0
    return render(
        context,
        "replay/page.html",
        page_name="Replay",
        watching=watching,
        sessions=range(1, known + 1),
        scripts=("digests.js", *PARTS, "live_moments.js", CONTROLS),
        # Both are files of the package, without users' words.
        signs=Markup(part_of_page("replay_signs.html")),  # noqa: S704
        player=Markup(part_of_page("replay_main.html")),  # noqa: S704
        moment=_moment(watching),
        cursor=context.view.cursor,
        title=f"{edition.state.name}, watched again",
    )


def moments(context: RequestContext) -> Response:
    """Send the moments of a stretch around one place, with the cursor; or that all must be read again (``after``)."""
    edition, after = context.view.edition, context.request.query.get("after", "")
    said: Json = {"again": True}
    if not after or not is_again(edition, after):
        said = chunk(_watching(context).replay, _number(context, "from"), edition.session.in_words)
        said["cursor"] = context.view.cursor
    # Nothing in it may be taken for markup, and users' words may hold letters that cannot be encoded.
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return Response(text.encode(errors="replace"), media_type="application/json", headers={"Cache-Control": "no-store"})


def _number(context: RequestContext, name: str) -> int:
    return action_number(context.request.query.get(name, "").lstrip("@")) or 0


def _watching(context: RequestContext) -> Watching:
    """The requested stretch: the session of an entry ``at``, that of a number, or the last one. Raises NotFound."""
    edition, at = context.view.edition, _number(context, "at")
    session: int | None = _number(context, "session") or None
    everything = context.request.query.get("session") == "all"
    if at and not everything:
        edition.session.history.look_back().entry(at)
        line = edition.read_model.line(edition.id, at)
        session = line.session or None if line is not None else None
        everything = session is None
    first, last = (1, edition.head.entry) if everything else session_stretch(edition, edition.read_model, session)
    if session is None and not everything:
        session = edition.state.session.number if edition.state.session else 0
        if session > 1 and first == last:  # the session has only its opening
            session -= 1
            first, last = session_stretch(edition, edition.read_model, session)
    parts = max((last - first) // PART + 1, 1)
    part = min(max((at - first) // PART if at else _number(context, "part"), 0), parts - 1)
    begin = first + part * PART
    found = Replay(edition.id, moments_of(edition), edition.read_model, begin, min(begin + PART - 1, last))
    return Watching(
        session=0 if everything else session or 0,
        part=part,
        parts=parts,
        place=found.place_of(at) if at else _first_seen(found),
        replay=found,
    )


def _first_seen(found: Replay) -> int:
    """The first place at which a character or a fight is shown, 0 if there is none."""
    statuses = (found.moments.status(number, Course.THEN) for number in found.numbers[:LOOKED_THROUGH])
    return next((place for place, each in enumerate(statuses) if each.fight or each.characters), 0)


def _moment(watching: Watching) -> dict[str, object]:
    found, place = watching.replay, watching.place
    status = found.moments.status(found.numbers[place], Course.THEN)
    return {
        "stand": standing(status),
        "lines": [found.line(each) for each in range(max(place - SHOWN + 1, 0), place + 1)],
        "before": found.numbers[place - 1] if place else None,
        "after": found.numbers[place + 1] if place + 1 < len(found) else None,
    }
