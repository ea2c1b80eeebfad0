"""Stretches of a campaign for the player, a few moments at a time: in the shape in which a replay file has all of them."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from rollbook.adapters.exports.frames import Frames, Json, Moments, bare_line, drawn_step
from rollbook.application.replays import Replay, session_stretch
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.projections import replay

if TYPE_CHECKING:
    from rollbook.application.view import CampaignView
    from rollbook.application.visibility.editions.live import AnyEdition

CHUNK = 64
"""So many moments come at once: they take about a tenth of a second to work out."""
PART = 1_024
"""So many entries of a session are one page; a longer one has several."""

_MOMENTS: WeakKeyDictionary[CampaignView, tuple[str, replay.Moments]] = WeakKeyDictionary()
"""The moments that were looked at last, by edition, as long as nothing is added to it."""


def moments_of(edition: CampaignView) -> replay.Moments:
    """The moments of an edition as it is now."""
    at = f"{edition.head.entry} {edition.head.hash}"
    known = _MOMENTS.get(edition)
    if known is None or known[0] != at:
        known = _MOMENTS[edition] = (at, replay.Moments(edition.session.history.look_back(), edition.session.rulebook))
    return known[1]


def is_again(edition: AnyEdition, cursor: str) -> bool:
    """Whether who has read up to a cursor has to read all of it again, because some of it is shown otherwise or was corrected."""
    known = edition.read_up_to(cursor)
    return known is None or any(entry.is_correction for entry in edition.session.history.entries_after(known))


def session_of(edition: CampaignView, entry: EntryNumber) -> int | None:
    """The session in which an entry was made, None if in none. Raises NotFound if there is no such entry."""
    edition.session.history.look_back().entry(entry)
    line = edition.read_model.line(edition.id, entry)
    return line.session or None if line is not None else None


def stretch(edition: CampaignView, session: int | None, *, everything: bool = False) -> tuple[EntryNumber, EntryNumber]:
    """The entries of a session (None: the last one), or of all there is. Raises NotFound."""
    return (1, edition.head.entry) if everything else session_stretch(edition, edition.read_model, session)


def part_of(edition: CampaignView, first: EntryNumber, last: EntryNumber, part: int) -> Replay:
    """One part of a stretch, counted from 0; the last one if there are fewer."""
    begin = first + min(max(part, 0), parts_of(first, last) - 1) * PART
    return Replay(edition.id, moments_of(edition), edition.read_model, begin, min(begin + PART - 1, last))


def parts_of(first: EntryNumber, last: EntryNumber) -> int:
    """How many parts a stretch has."""
    return max((last - first) // PART + 1, 1)


def chunk(watched: Replay, begin: int, in_words: Collection[str] = ()) -> Json:
    """The moments of a part about one place. Each course is said by itself, the second only where it differs.

    ``in_words`` are the characters of whose hit points no number is said.
    """
    begin -= begin % CHUNK
    places = range(begin, min(begin + CHUNK, len(watched)))
    frames, steps, chain = Frames(), [], []
    if begin and places:
        frames.begin_after(watched.step(begin - 1))
    for place in places:
        step = watched.step(place)
        frames.follow(step)
        sides = _sides(watched, step) if step.correction == step.number else ()
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


def _sides(watched: Replay, step: replay.Step) -> tuple[replay.Difference, ...]:
    """What a correction changed."""
    known, (first, last) = watched.moments, watched.moments.stretch(watched.moments.history.entry(step.number))
    return replay.differences(known.status(first - 1, replay.Course.THEN), known.status(last, replay.Course.THEN))


def _course(moments: Moments) -> Json:
    return {"changes": moments.changes, "whole": moments.whole, "lanes": moments.lanes}


def written(said: Json) -> bytes:
    """A stretch as it is sent, with nothing in it that anybody could take for markup."""
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").encode(errors="replace")
