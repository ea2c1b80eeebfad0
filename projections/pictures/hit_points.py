"""Pictures of hit points through a fight: a lane for each fighter, from the first turn to the last."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.number_words import counted
from rollbook.domain.rulebook import Rulebook
from rollbook.projections.pictures.picture import Form, Kind, Picture, Points, Series, Step, number, value_at

_CHANGES = (
    events.DamageTaken,
    events.HitPointsRestored,
    events.HitPointsCorrected,
    events.CharacterJoined,
    events.LevelGained,
)
"""Kinds of events that may change the hit points of a character."""


@attrs.define
class _Fight:
    """A fight so far: the number of its actions (``beats``), and the hit points of each fighter by action."""

    title: str
    session: int
    first: int
    last: int
    is_wanted: bool = False
    beats: int = 0
    rounds: list[tuple[int, int]] = attrs.field(factory=list)
    points: dict[CharacterId, list[tuple[int, float]]] = attrs.field(factory=dict)
    most: dict[CharacterId, int] = attrs.field(factory=dict)


@attrs.define
class HitPoints:
    """Every fight so far."""

    _rulebook: Rulebook
    _fights: list[_Fight] = attrs.field(factory=list)
    _now: _Fight | None = None
    _scene: int = 0
    _waiting: dict[int, _Fight | None] = attrs.field(factory=dict)

    def take(self, step: Step) -> None:
        """Take in one action."""
        recorded = step.entry.events
        for event in recorded:
            if isinstance(event, events.SceneSetAside):
                self._waiting[self._scene], self._now = self._now, None
            elif isinstance(event, events.SceneResumed):
                self._now = self._waiting.get(event.scene)
        self._scene = step.campaign.scene_number
        began = next((event for event in recorded if isinstance(event, events.EncounterBegan)), None)
        if began is not None:
            self._now = _Fight(began.title or step.campaign.scene, step.session, step.action, step.action)
            self._fights.append(self._now)
        fight = self._now
        if fight is None:
            return
        fight.is_wanted = fight.is_wanted or step.is_wanted
        fight.last = step.action
        fight.beats += 1
        if any(isinstance(event, events.EncounterEnded) for event in recorded):
            self._look(step, list(fight.points))
            self._now = None
            return
        encounter = step.campaign.encounter
        if encounter is None:
            return
        if any(isinstance(event, events.RoundBegan) for event in recorded):
            fight.rounds.append((fight.beats, encounter.round))
        hurt = [event.character for event in recorded if isinstance(event, _CHANGES)]
        new = [who for who in encounter.order if who not in fight.points]
        self._look(step, [*new, *(who for who in hurt if who in fight.points)])

    def _look(self, step: Step, people: list[CharacterId]) -> None:
        fight = self._now
        if fight is None or not people:
            return
        campaign = step.draft.publish()
        for who in dict.fromkeys(people):
            character = campaign.characters.get(who)
            sheet = self._rulebook.sheet(character, campaign) if character else None
            left, most = (sheet.value("hp"), sheet.value("max_hp")) if sheet else (None, None)
            if left is None:
                continue
            points = fight.points.setdefault(who, [])
            if not points or points[-1][1] != left.amount:
                points.append((fight.beats, left.amount))
            if most is not None:
                fight.most[who] = max(most.amount, fight.most.get(who, 0))

    def pictures(self, names: Mapping[CharacterId, str]) -> list[Picture]:
        """A picture for each fight whose fighters have hit points."""
        fights = [(place, each) for place, each in enumerate(self._fights, 1) if each.is_wanted and each.points]
        return [_picture(place, each, names) for place, each in fights]


def _picture(place: int, fight: _Fight, names: Mapping[CharacterId, str]) -> Picture:
    rounds = [(beat, str(number)) for beat, number in fight.rounds] or [(1, "1")]
    title = f"Hit points: {fight.title}" if fight.title else f"Hit points in fight {place}"
    people = list(fight.points)
    said = f"Hit points of {counted(len(people), 'fighter')} through {counted(len(rounds), 'round')}"
    return Picture(
        kind=Kind.HIT_POINTS,
        key=f"{Kind.HIT_POINTS}-{place}",
        title=title,
        said=f"{said}, in session {fight.session}.",
        form=Form.LANES,
        unit="HP",
        series=tuple(_series(who, fight, names) for who in people),
        ticks=(*rounds, (fight.beats, "end")),
        across="round",
        session=fight.session,
        first=fight.first,
        last=fight.last,
        columns=("round", *(names.get(who, who) for who in people)),
        rows=tuple(
            (label, *(value_at(tuple(fight.points[who]), beat) for who in people))
            for beat, label in [*rounds, (fight.beats, "end")]
        ),
    )


def _series(who: CharacterId, fight: _Fight, names: Mapping[CharacterId, str]) -> Series:
    points: Points = tuple(fight.points[who])
    most = fight.most.get(who)
    begun, ended, lowest = points[0][1], points[-1][1], min(value for _, value in points)
    went = number(begun) if begun == ended else f"{number(begun)} → {number(ended)}"
    low = f", lowest {number(lowest)}" if lowest < min(begun, ended) else ""
    return Series(
        name=names.get(who, who),
        points=(*points, (fight.beats, points[-1][1])),
        said=f"{went}{low} of {most}" if most is not None else f"{went}{low}",
        most=most,
    )
