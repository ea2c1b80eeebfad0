"""Picture of damage: for each character who dealt any, the amount that each of the others took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.number_words import counted
from rollbook.domain.events import DamageTaken
from rollbook.projections.pictures.picture import Bar, Form, Kind, Picture, Step, number, only

MOST = 36
"""Most bars that are drawn; the table has all pairs."""
UNKNOWN = "Nobody in particular"


@attrs.define
class Damage:
    """All damage so far, by its dealer and its taker, without that of takers whose hit points are ``in_words``."""

    _in_words: Collection[CharacterId] = ()

    _dealt: Counter[tuple[str, CharacterId]] = attrs.field(factory=Counter)
    _blows: Counter[tuple[str, CharacterId]] = attrs.field(factory=Counter)
    _actions: list[int] = attrs.field(factory=list)
    _sessions: set[int] = attrs.field(factory=set)

    def take(self, step: Step) -> None:
        """Take in one action."""
        if not step.is_wanted:
            return
        for event in step.entry.events:
            if isinstance(event, DamageTaken) and event.amount > 0 and event.character not in self._in_words:
                pair = event.source, event.character
                self._dealt[pair] += event.amount
                self._blows[pair] += 1
                self._actions.append(step.action)
                self._sessions.add(step.session)

    def pictures(self, names: Mapping[CharacterId, str]) -> list[Picture]:
        """One picture; none without damage."""
        if not self._dealt:
            return []
        by: Counter[str] = Counter()
        for (source, _), amount in self._dealt.items():
            by[source] += amount
        pairs = sorted(self._dealt, key=lambda pair: (-by[pair[0]], pair[0], -self._dealt[pair]))
        called = {source: names.get(source, source) or UNKNOWN for source in by}
        total, more = sum(by.values()), len(pairs) - MOST
        rest = f" {counted(more, 'more pair')} of them only the table has." if more > 0 else ""
        return [
            Picture(
                kind=Kind.DAMAGE,
                title="Damage by and to whom",
                said=f"{counted(total, 'hit point')} of damage: who took how much of whom.{rest}",
                form=Form.BARS,
                unit="HP",
                bars=tuple(
                    Bar(
                        name=names.get(taker, taker),
                        value=self._dealt[source, taker],
                        said=f"{number(self._dealt[source, taker])} HP · {self._blows[source, taker]}×",
                        group=called[source],
                        total=f"{number(by[source])} HP",
                    )
                    for source, taker in pairs[:MOST]
                ),
                session=only(self._sessions),
                first=min(self._actions),
                last=max(self._actions),
                columns=("by", "to", "hit points", "times"),
                rows=tuple(
                    (called[source], names.get(taker, taker), self._dealt[source, taker], self._blows[source, taker])
                    for source, taker in pairs
                ),
            )
        ]
