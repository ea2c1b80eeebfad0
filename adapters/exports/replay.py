"""A campaign to be watched again in a browser: one page that carries the moments, the log and the chain behind them.

The page holds two packed parts: ``frames``, which is what it draws, worked out here, and ``chain``, which is the reader's export,
line by line. Dice, totals and times are drawn from the chain itself, and the button *Verify* checks the chain, the dice, and
the drawing against both. With pseudonyms nothing can be proven, because a hash is of the
names: then ``chain`` is only what is drawn.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from adapters.exports import WHOLE, Exported, ExportRequest
from adapters.exports.drawn_steps import BARE, bare_line, drawn_step
from adapters.exports.files import ship_verifier, verifier_scripts
from adapters.exports.frames import Frames, Json, hit_points, plain
from adapters.exports.jsonl import lines as export_lines
from adapters.exports.jsonl import summary
from adapters.exports.pages import page, part, script, style
from adapters.exports.shown import Reader, shown_file
from domain import events
from domain.events import Event
from domain.identifiers import EntryNumber
from domain.progress import told
from domain.records import Record
from projections.replay import Course, Step, both_sides, steps_of

FORMAT = "rollbook/replay/1"
MARK = b"<!doctype html>\n<!-- rollbook/replay/"
PARTS = (
    *("elements.js", "draw_fight.js", "draw_board.js", "draw_log.js", "draw_lanes.js", "player.js"),
    *("frames.js", "cards.js", "drawn.js", "verdict.js"),
)
"""The scripts that draw, in their order."""
CONTROLS = "replay.js"
"""The script that begins: before it stands the one that says where the moments come from."""
DRAWING = (*PARTS, "packed.js", CONTROLS)
"""The scripts of the page after those of the verifier, in their order."""
UNPROVEN = (
    "The names of people are others here than were recorded, and a hash is of the names: so this page carries no chain, and "
    "there is nothing to verify."
)


@attrs.frozen(kw_only=True)
class Chain(Record):
    """What is packed beside the moments: lines, and the place of each entry among them, by its number."""

    lines: list[bytes]
    places: dict[EntryNumber, int]


def export_replay(request: ExportRequest) -> Exported:
    """Write the page of a campaign, and the verifier beside it. Raises what exporting a campaign raises."""
    written, entries = replay_page(request)
    request.write([written], marks=(MARK,))
    if request.names.names:
        return Exported(path=request.target, entries=entries, remarks=(UNPROVEN,))
    verifier = ship_verifier(request.target.parent)
    remark = f"Anybody can check it: its button Verify, or python3 {verifier} {request.target}"
    return Exported(path=request.target, entries=entries, remarks=(remark,))


def replay_page(request: ExportRequest) -> tuple[bytes, int]:
    """The page, and how many entries are drawn in it."""
    campaign, lines = request.campaign, request.lines()
    chain = chain_of(request)
    drawn = steps_of(campaign.load_history(), campaign.rulebook, lines)
    steps = list(told(drawn, lambda: len(lines)))
    said = {**_head(request, chain, steps), **_drawn(request, chain, steps)}
    return _written(request, said, chain), len(steps)


def chain_of(request: ExportRequest) -> Chain:
    """The lines of the reader's own export, from the first entry on, whichever of them are drawn.

    Where people have other names, lines of what is drawn from them, which prove nothing.
    """
    campaign, reader = request.campaign, request.reader
    if request.names.names:
        bare = [BARE, *map(bare_line, campaign.load_history().entries)]
        return Chain(lines=bare, places={number: number for number in range(1, len(bare))})
    if reader == WHOLE:
        report = summary(campaign.log, request.target)
        return Chain(
            lines=list(export_lines(campaign.log, report)), places={each: each for each in range(1, report.entries + 1)}
        )
    shown = shown_file(campaign.log, request.target, Reader(reader.removeprefix("player:").removeprefix("table")))
    at = {hash_: place for place, hash_ in enumerate(shown.hashes, 1)}
    entries = campaign.load_history().entries
    return Chain(lines=shown.lines, places={entry.number: at[entry.hash] for entry in entries})


# What is drawn.


def _head(request: ExportRequest, chain: Chain, steps: list[Step]) -> Json:
    titles = {step.then.session_title for step in steps if step.then.session}
    said = {
        "format": FORMAT,
        "campaign": request.campaign.state.name,
        "title": titles.pop() if len(titles) == 1 else "",
        "reader": request.reader,
        "complete": len(steps) == len(chain.places),
    }
    return {**said, "unproven": UNPROVEN} if request.names.names else said


def _drawn(request: ExportRequest, chain: Chain, steps: list[Step]) -> Json:
    frames = Frames()
    for step in steps:
        frames.follow(step)
    said = [_step(steps, at, chain.places) for at in range(len(steps))]
    return {"steps": said, **frames.plain(), "loose": list(_loose(request, steps))}


def _step(steps: list[Step], at: int, places: dict[EntryNumber, int]) -> Json:
    step = steps[at]
    place = places[step.number]
    sides = both_sides(steps, at) if step.correction == step.number else ()
    return drawn_step(step, sides, 0 if place == step.number else place)


def _loose(request: ExportRequest, steps: list[Step]) -> Iterator[list[Any]]:
    """Changes of hit points that do not follow from the events of their entry alone: the entry, whose they are, and the course.

    The page compares all others when it verifies; these it counts, and says so. As corrected, the entry is the one that counts.
    """
    for at, course in enumerate(Course):
        yield from ([number, who, at] for number, who in _loose_on(course, request, steps))


def _loose_on(course: Course, request: ExportRequest, steps: list[Step]) -> Iterator[tuple[EntryNumber, str]]:
    history, before = request.campaign.load_history(), dict[str, list[int]]()
    for step in steps:
        after = {who: hit_points(person) for who, person in plain(step.status(course)).get("people", {}).items()}
        counts = step.number if course is Course.THEN else step.counted
        due = hit_points_due(history.entry(counts).events if counts else ())
        for who, now in after.items():
            was = before.get(who, [])
            if was and now and step.is_taken and was[1:] == now[1:] and now[0] - was[0] != due.get(who, 0):
                yield step.number, who
        before = after


def hit_points_due(recorded: Iterable[Event]) -> dict[str, int]:
    """By how much the events of an entry say that hit points change, by character."""
    due: dict[str, int] = {}
    for event in recorded:
        match event:
            case events.DamageTaken():
                due[event.character] = due.get(event.character, 0) - event.amount
            case events.HitPointsRestored() | events.HitPointsCorrected():
                due[event.character] = due.get(event.character, 0) + event.amount
    return due


# The page.


def _written(request: ExportRequest, said: Json, chain: Chain) -> bytes:
    scripts = script((*verifier_scripts(), *map(part, DRAWING)))
    watched = "watched again"
    words = {
        "title": f"{said['title'] or said['campaign']}, {watched}",
        "campaign": said["campaign"],
        "subtitle": f"{said['title']}, {watched}" if said["title"] else watched,
        "reader": _for_whom(request.reader),
        "frames": _packed(_json(said)),
        "chain": _packed(b"".join(chain.lines)),
    }
    parts = {"signs": part("replay_signs.html"), "main": part("replay_main.html")}
    return page("replay.html", style("style.css", "replay.css"), scripts, words, parts)


def _for_whom(reader: str) -> str:
    if reader == WHOLE:
        return "for the GM, with all that is secret"
    return "for the table" if reader == "table" else f"for {reader.removeprefix('player:')}"


def _packed(data: bytes) -> str:
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _json(said: Json) -> bytes:
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
