"""One step of a replay as a page takes it: its line of the log, and those of its events that are drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rollbook.adapters.exports.frames import Json
from rollbook.application.encoding.codec import CODEC
from rollbook.domain import events
from rollbook.domain.entries import RecordedEntry
from rollbook.projections.in_words import POINTS, without_points
from rollbook.projections.replay import Difference, Step

BARE = b"{}\n"
"""The line before those of the entries, where there is no export whose header could stand there."""

_DRAWN_FROM = (events.DiceRolled, events.CheckResolved, events.RulesetAdopted, *POINTS)


def drawn_step(step: Step, sides: Iterable[Difference], place: int = 0) -> Json:
    """One step, without what is empty.

    ``place`` is where its entry is in the chain, if that is not its number. ``sides`` is what a correction changed, at its first
    entry alone: the page shows it at each.
    """
    line = step.line
    said = {
        "no": line.entry,
        "place": place,
        "n": line.action,
        "verb": line.verb,
        "who": line.who,
        "what": line.what,
        "how": step.sentence,
        "text": line.result,
        "ok": line.success,
        "reason": line.reason,
        "why": line.why,
        "seat": line.seat,
        "sees": line.visibility,
        "by": line.corrected_by,
        "of": 0 if step.is_taken else line.revision,
        "first": step.correction,
        "marks": [[mark.kind.value, mark.text] for mark in step.marks],
        "sides": [[each.label, each.what, each.before, each.after] for each in sides],
    }
    counts = {} if step.counted == line.entry else {"counts": step.counted}
    return {**{key: value for key, value in said.items() if value}, **counts}


def bare_line(entry: RecordedEntry, in_words: Collection[str] = ()) -> bytes:
    """The time of an entry, and those of its events that are drawn: in the shape of a line of an export.

    Without the hit points of those who are shown ``in_words``.
    """
    drawn = (event for event in without_points(entry.events, in_words) if isinstance(event, _DRAWN_FROM))
    shown = map(CODEC.encode, drawn)
    return b'{"lines":[["",{"at":%d}]%s]}\n' % (entry.at, b"".join(b",%s" % line for line in shown))
