"""Replay of a campaign in a browser: one page that carries the moments, the log and the chain behind them.

The page holds two packed parts: ``frames``, which is what it draws, worked out here, and ``chain``, which is the reader's export,
line by line. Dice, totals and times are drawn from the chain itself, and the button *Verify* checks the chain, the dice, and
the drawing, which it works out again from the chain. Nothing in ``frames`` says how strictly it is to be checked. With pseudonyms
nothing can be proven, because the hashes cover the names: then ``chain`` is only what is drawn.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping

from rollbook.adapters.exports.exporter import WHOLE, Exported, ExportRequest
from rollbook.adapters.exports.files import ship_verifier, verifier_scripts
from rollbook.adapters.exports.pages import page, part, script, style
from rollbook.adapters.exports.reader_file import Reader, shown_file
from rollbook.adapters.exports.replay_frames import BARE, Frames, Json, bare_line, drawn_step
from rollbook.adapters.exports.texts import escaped
from rollbook.adapters.exports.whole_file import lines as export_lines
from rollbook.adapters.exports.whole_file import summary
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.progress import told
from rollbook.domain.events import PictureShown
from rollbook.projections.replay import Step, both_sides, steps_of
from rollbook.projections.session_log import SqlCondition

MARK = b"<!doctype html>\n<!-- rollbook/replay/"
PARTS = (
    *(
        "elements.js",
        "pictures.js",
        "roll_lines.js",
        "draw_fight.js",
        "draw_board.js",
        "draw_log.js",
        "draw_lanes.js",
        "player.js",
    ),
    *("frames.js", "cards.js"),
)
"""The scripts that draw, in their order."""
PROOF = (
    *("history.js", "folding.js", "acts.js", "sentences.js", "due_steps.js", "due_moments.js", "differences.js"),
    *("drawn.js", "verdict.js"),
)
"""The scripts that work out the drawing again and show the verdict, in their order."""
CONTROLS = "replay.js"
"""The script that starts the page; before it stands the one that supplies the moments."""
DRAWING = (*PARTS, *PROOF, "packed.js", CONTROLS)
"""The scripts of the page after those of the verifier, in their order."""
WATCHED = "watched again"
SHOWING = SqlCondition("verb IN ('handout', 'portrait', 'lay-map')")
UNPROVEN = (
    "The names of people are others here than were recorded, and a hash is of the names: so this page carries no chain, and "
    "there is nothing to verify."
)


def export_replay(request: ExportRequest) -> Exported:
    """Write the page of a campaign, and the verifier beside it. Raises what exporting a campaign raises."""
    lines, chain, places = request.lines(), *_chain_of(request)
    drawn = steps_of(request.campaign.history, request.campaign.session.rulebook, lines)
    steps = list(told(drawn, lambda: len(lines)))
    request.write([_page(request, steps, chain, places)], marks=(MARK,))
    remark = UNPROVEN
    if not request.names.names:
        verifier = ship_verifier(request.target.parent)
        remark = f"Anybody can check it: its button Verify, or python3 {verifier} {request.target}"
    return Exported(path=request.target, entries=len(steps), remarks=(remark,))


def _chain_of(request: ExportRequest) -> tuple[list[bytes], Mapping[EntryNumber, int]]:
    """The lines of the reader's own export, drawn or not, and the place of each entry among them, by its number.

    With pseudonyms, lines of no more than what is drawn, which prove nothing.
    """
    campaign, reader = request.campaign, request.reader
    if request.names.names:
        bare = [BARE, *map(bare_line, campaign.history.entries)]
        return bare, {number: number for number in range(1, len(bare))}
    if reader == WHOLE:
        report = summary(campaign.session.log, request.target)
        return list(export_lines(campaign.session.log, report)), {each: each for each in range(1, report.entries + 1)}
    shown = shown_file(
        campaign.session.log, request.target, Reader(reader.removeprefix("player:").removeprefix("table"))
    )
    at = {hash_: place for place, hash_ in enumerate(shown.hashes, 1)}
    return shown.lines, {entry.number: at[entry.hash] for entry in campaign.history.entries}


def _drawn(steps: list[Step], places: Mapping[EntryNumber, int]) -> Json:
    frames, drawn = Frames(), []
    for at, step in enumerate(steps):
        frames.follow(step)
        place = places[step.number]
        sides = both_sides(steps, at) if step.correction == step.number else ()
        drawn.append(drawn_step(step, sides, 0 if place == step.number else place))
    return {"steps": drawn, **frames.plain()}


def _page(request: ExportRequest, steps: list[Step], chain: list[bytes], places: Mapping[EntryNumber, int]) -> bytes:
    scripts = script((*verifier_scripts(), *map(part, DRAWING)))
    titles = {step.then.session_title for step in steps if step.then.session}
    drawn = json.dumps(_drawn(steps, places), separators=(",", ":"), ensure_ascii=False)
    campaign, title = request.campaign.state.name, titles.pop() if len(titles) == 1 else ""
    words = {
        "title": f"{title or campaign}, {WATCHED}",
        "campaign": campaign,
        "subtitle": f"{title}, {WATCHED}" if title else WATCHED,
        "reader": request.for_reader("for the GM, with all that is secret", "for the table", "for {}"),
        "frames": _packed(drawn.encode(errors="replace")),
        "chain": _packed(b"".join(chain)),
    }
    parts = {"signs": part("replay_signs.html"), "main": part("replay_main.html"), "notice": _notice(request.notices)}
    parts["pictures"] = _pictures(request)
    return page("replay.html", style("style.css", "replay.css"), scripts, words, parts)


def _pictures(request: ExportRequest) -> str:
    """The pictures that the reader may see, by digest: each with its media type, and its bytes in base64. "" for none."""
    campaign, found = request.campaign, dict[str, list[str]]()
    for line in campaign.read_model.log(campaign.id, where=SHOWING, everything=True):
        for event in campaign.history.entry(line.entry).events:
            data = (
                request.picture(event.digest) if isinstance(event, PictureShown) and event.digest not in found else None
            )
            if isinstance(event, PictureShown) and data is not None:
                found[event.digest] = [event.media, b64encode(data).decode()]
    return f'<script type="text/plain" id="pictures">{json.dumps(found)}</script>\n' if found else ""


def _notice(lines: tuple[str, ...]) -> str:
    return f'<footer class="quiet">{"".join(f"<p>{escaped(line)}</p>" for line in lines)}</footer>\n' if lines else ""


def _packed(data: bytes) -> str:
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()
