"""Experience over the sessions, a line for each character; of a single session, award by award."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.number_words import counted
from rollbook.domain.events import CharacterJoined, ExperienceAwarded
from rollbook.projections.pictures.picture import Form, Kind, Picture, Points, Series, Step, number, several, value_at


@attrs.frozen
class _Award:
    """The experience of a character after an award."""

    action: int
    session: int
    character: CharacterId
    total: int


@attrs.define
class Experience:
    """The experience of all characters so far."""

    _awards: list[_Award] = attrs.field(factory=list)
    _before: dict[CharacterId, int] = attrs.field(factory=dict)
    _since: dict[CharacterId, int] = attrs.field(factory=dict)
    _totals: dict[CharacterId, int] = attrs.field(factory=dict)
    _sessions: list[int] = attrs.field(factory=list)

    def take(self, step: Step) -> None:
        """Take in one action. Experience from before the first session is that session's."""
        session = max(step.session, 1)
        if step.is_wanted and (not self._sessions or self._sessions[-1] != session):
            self._sessions.append(session)
        for event in step.entry.events:
            if isinstance(event, CharacterJoined):
                self._since[event.character] = session
            elif isinstance(event, ExperienceAwarded):
                self._award(step, session, event.character)

    def _award(self, step: Step, session: int, who: CharacterId) -> None:
        character = step.campaign.characters.get(who)
        if character is None:
            return
        if step.is_wanted:
            self._before.setdefault(who, self._totals.get(who, 0))
            self._awards.append(_Award(step.action, session, who, character.experience))
        self._totals[who] = character.experience

    def pictures(self, names: Mapping[CharacterId, str]) -> list[Picture]:
        """One picture; none without awards."""
        if not self._awards:
            return []
        first, last = min(self._sessions), max(self._sessions)
        return [self._by_award(first, names) if first == last else self._by_session(first, last, names)]

    def _by_award(self, session: int, names: Mapping[CharacterId, str]) -> Picture:
        """The totals after each action with an award, beginning with those before."""
        actions = sorted({award.action for award in self._awards})
        place_of = {action: place for place, action in enumerate(actions, 1)}
        points = {who: [(0, before)] for who, before in self._before.items()}
        for award in self._awards:
            points[award.character].append((place_of[award.action], award.total))
        whole = {who: _up_to(found, len(actions)) for who, found in points.items()}
        labels = ["start", *(f"#{action}" for action in actions)]
        return self._picture(f"Experience in session {session}", whole, list(enumerate(labels)), names, session)

    def _by_session(self, first: int, last: int, names: Mapping[CharacterId, str]) -> Picture:
        """The totals at the end of each session, beginning with the session before a character joined."""
        totals: dict[CharacterId, dict[int, int]] = {}
        for award in self._awards:
            totals.setdefault(award.character, {})[award.session] = award.total
        points = {}
        for who, own in totals.items():
            joined = max(first, min(self._since.get(who, 0), *own))
            points[who] = _up_to([(joined - 1, self._before[who]), *own.items()], last)
        labels = [(session, str(session) if session else "start") for session in range(first - 1, last + 1)]
        return self._picture("Experience over the sessions", points, labels, names)

    def _picture(
        self,
        title: str,
        points: Mapping[CharacterId, Points],
        ticks: list[tuple[int, str]],
        names: Mapping[CharacterId, str],
        session: int = 0,
    ) -> Picture:
        people = sorted(points, key=lambda who: -points[who][-1][1])
        return Picture(
            kind=Kind.EXPERIENCE,
            title=title,
            said=f"{title}: the totals of {counted(len(people), 'character')}, in experience points.",
            form=Form.LINES,
            unit="XP",
            series=merged([(names.get(who, who), points[who]) for who in people]),
            ticks=tuple(ticks),
            across="" if session else "session",
            session=session,
            first=self._awards[0].action,
            last=self._awards[-1].action,
            columns=("after", *(names.get(who, who) for who in people)),
            rows=tuple((label, *(value_at(points[who], place) for who in people)) for place, label in ticks),
        )


def _up_to(points: list[tuple[int, int]], last: int) -> Points:
    """A point for each place to ``last``; without an award it repeats the one before."""
    known, value, filled = dict(points), points[0][1], []
    for place in range(points[0][0], last + 1):
        value = known.get(place, value)
        filled.append((place, value))
    return tuple(filled)


def merged(points: list[tuple[str, Points]]) -> tuple[Series, ...]:
    """A series for each name; equal ones are merged."""
    together: dict[Points, list[str]] = {}
    for name, found in points:
        together.setdefault(found, []).append(name)
    return tuple(
        Series(name=several(names), points=found, said=f"{number(found[-1][1])} XP")
        for found, names in together.items()
    )
