"""The moments of a replay as a page takes them: the status as plain JSON, and the changes from moment to moment.

A change is a merge patch (RFC 7396): what is named is set, what is null is gone, and lists are replaced as a whole. Every so many
steps there is a whole moment, from which a page reaches any other in a few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.entries import RecordedEntry
from rollbook.projections.in_words import POINTS, without_points
from rollbook.projections.replay import Difference, Step
from rollbook.projections.replay.steps import changed, people
from rollbook.projections.status import CharacterStatus, Status

Json = dict[str, Any]
Lane = list[list[int]]

WHOLE_EVERY = 128
"""Steps from one whole moment to the next."""
BESIDES = 1
"""Mark of a condition that the board says in other words: drawn small, but not left out, because the chain has it."""
NEVER = 0
"""Mark of a change that is the same on both courses, in the place of the corrected one."""


class Plain:
    """Statuses as JSON, one after another: what stays of a status is the JSON of the one before."""

    def __init__(self) -> None:
        self._status: Status | None = None
        self._said: Json = {}
        self._everybody: tuple[CharacterStatus, ...] = ()
        self._people: dict[CharacterId, Json] = {}

    def __call__(self, status: Status) -> Json:
        if self._status is not status:
            self._status, self._said = status, plain(status, self._in_json)
        return self._said

    def _in_json(self, everybody: tuple[CharacterStatus, ...]) -> dict[CharacterId, Json]:
        again = _in_json(tuple(changed(self._everybody, everybody)))
        is_same_party = len(self._everybody) == len(everybody) and again.keys() <= self._people.keys()
        self._people = self._people | again if is_same_party else _in_json(everybody)
        self._everybody = everybody
        return self._people


def _in_json(everybody: tuple[CharacterStatus, ...]) -> dict[CharacterId, Json]:
    return {who.character: _person(who) for who in everybody}


def plain(status: Status, in_json: Callable[[tuple[CharacterStatus, ...]], dict[CharacterId, Json]] = _in_json) -> Json:
    """The status as JSON, without what is empty."""
    everybody = people(status)
    said = {
        "scene": status.scene,
        "paused": status.paused,
        "fight": _fight(status),
        "elsewhere": [[scene.name, scene.round, scene.whose] for scene in status.elsewhere],
        "order": [who.character for who in everybody],
        "lines": [list(line) for line in status.lines],
        "people": in_json(everybody),
    }
    return _filled(said)


def _fight(status: Status) -> Json | None:
    fight = status.fight
    if fight is None:
        return None
    said = {"title": fight.title, "round": fight.round, "current": fight.current}
    return _filled({**said, "left": None if fight.left is None else list(fight.left)}, keep=("round",))


def _person(who: CharacterStatus) -> Json:
    said = {
        "name": who.label,
        "kind": who.kind.value,
        "turn": who.turn.value,
        "next": who.is_next,
        "hidden": who.is_hidden,
        "hp": who.hp if who.left is None else "",
        "left": who.left,
        "most": who.most,
        "where": who.where,
        "away": who.away,
        "conditions": [[each.name, each.detail, each.left] for each in who.conditions]
        + [[each.name, each.detail, each.left, BESIDES] for each in who.covered],
        "resources": list(who.resources),
    }
    return _filled(said, keep=("left", "most"))


def _filled(said: Json, keep: Iterable[str] = ()) -> Json:
    """Drop what is empty; under a key of ``keep``, only None is dropped."""
    kept = set(keep)
    return {key: value for key, value in said.items() if value or (key in kept and value is not None)}


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """The merge patch from one value to the other (RFC 7396)."""
    patch: Json = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        was = before.get(key)
        if value is was and value is not None:
            continue
        if isinstance(value, dict) and isinstance(was, dict):
            if inner := merge_patch(was, value):
                patch[key] = inner
        elif value != was or key not in before:
            patch[key] = value
    return patch


@attrs.define
class Moments:
    """The moments of one course, as they are written to a page."""

    _plain: Plain
    changes: list[Json | int] = attrs.field(factory=list)
    whole: dict[str, Json] = attrs.field(factory=dict)
    lanes: dict[str, Lane] = attrs.field(factory=dict)
    _last: Json = attrs.field(factory=dict)
    _status: Status | None = None

    def begin_after(self, status: Status) -> None:
        """Begin after this moment, which is not written itself."""
        self._last, self._status = self._plain(status), status

    def follow(self, status: Status) -> Json:
        """Add a moment. Returns what changed."""
        if status is self._status:
            patch: Json = {}
        else:
            before, self._last, self._status = self._last, self._plain(status), status
            patch = merge_patch(before, self._last)
            self._note(before.get("people", {}), patch)
        if not len(self.changes) % WHOLE_EVERY:
            self.whole[str(len(self.changes))] = self._last
        self.changes.append(patch)
        return patch

    def _note(self, before: Json, patch: Json) -> None:
        """Note changed hit points: the step, what is left and of how many; the step alone once a character is gone."""
        now, changed = self._last.get("people", {}), patch.get("people", {})
        for who in before if changed is None else changed:
            had, has = (hit_points(each.get(who, {})) for each in (before, now))
            if had != has:
                self.lanes.setdefault(who, []).append([len(self.changes), *has])


def hit_points(person: Json) -> list[int]:
    """Hit points left, and of how many, as far as there are any."""
    return [person[key] for key in ("left", "most") if key in person] if "left" in person else []


@attrs.define
class Frames:
    """Both courses. ``people`` are the names and kinds of all who were ever in play, by id."""

    then: Moments = attrs.field(factory=lambda: Moments(Plain()))
    corrected: Moments = attrs.field(factory=lambda: Moments(Plain()))
    people: dict[str, list[str]] = attrs.field(factory=dict)

    def begin_after(self, step: Step) -> None:
        """Begin after this step, which is not written itself."""
        self.then.begin_after(step.then)
        self.corrected.begin_after(step.corrected)

    def follow(self, step: Step) -> None:
        """Add a step."""
        if self.then.follow(step.then) or not self.people:
            self.people |= {who.character: [who.label, who.kind.value] for who in people(step.then)}
        self.corrected.follow(step.corrected)

    def plain(self) -> Json:
        """All frames as JSON. The corrected course is included only where it changes differently."""
        then, corrected = self.then, self.corrected
        others = [NEVER if now == was else now for was, now in zip(then.changes, corrected.changes, strict=True)]
        said: Json = {"people": self.people, "changes": then.changes, "whole": then.whole, "lanes": then.lanes}
        if any(other != NEVER for other in others):
            whole = {at: now for at, now in corrected.whole.items() if now != then.whole[at]}
            everybody = {**then.lanes, **corrected.lanes}
            pairs = {who: (then.lanes.get(who, []), corrected.lanes.get(who, [])) for who in everybody}
            lanes = {who: now for who, (was, now) in pairs.items() if now != was}
            said["corrected"] = {"changes": others, "whole": whole, "lanes": lanes}
        return said


BARE = b"{}\n"
"""The line before those of the entries, where there is no export whose header could stand there."""

_DRAWN_FROM = (events.DiceRolled, events.CheckResolved, events.RulesetAdopted, *POINTS)


def drawn_step(step: Step, sides: Iterable[Difference], place: int = 0) -> Json:
    """One step as JSON, without what is empty.

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
        "are": dict(step.conditions),
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
