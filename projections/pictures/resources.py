"""Picture of tokens and resources: a lane for each pool that was gained or spent, as it rose and fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.number_words import counted
from rollbook.domain.events import PoolBecame, PoolGained, PoolSpent
from rollbook.projections.pictures.picture import Form, Kind, Picture, Series, Step, number

_Of = tuple[CharacterId, str]
"""The holder and the name of a pool."""
GM = "GM"


@attrs.define
class _Pool:
    """One pool so far: its amount, action by action, and the sums gained and spent."""

    points: list[tuple[int, float]]
    gained: int = 0
    spent: int = 0


@attrs.define
class Resources:
    """Every pool so far."""

    _pools: dict[_Of, _Pool] = attrs.field(factory=dict)
    _known: dict[_Of, int] = attrs.field(factory=dict)
    _sessions: list[tuple[int, str]] = attrs.field(factory=list)
    _steps: int = 0
    _actions: list[int] = attrs.field(factory=list)

    def take(self, step: Step) -> None:
        """Take in one action."""
        if step.is_wanted:
            self._steps += 1
            if step.session and (not self._sessions or self._sessions[-1][1] != str(step.session)):
                self._sessions.append((self._steps, str(step.session)))
        for event in step.entry.events:
            if isinstance(event, PoolGained | PoolSpent | PoolBecame):
                self._change(step, event)

    def _change(self, step: Step, event: PoolGained | PoolSpent | PoolBecame) -> None:
        key = (event.holder, event.pool)
        holder = step.campaign.characters.get(event.holder) if event.holder else step.campaign
        now = holder.pools.get(event.pool, 0) if holder else 0
        if step.is_wanted:
            pool = self._pools.setdefault(key, _Pool([(self._steps, self._known.get(key, 0))]))
            pool.gained += event.amount if isinstance(event, PoolGained) else 0
            pool.spent += event.amount if isinstance(event, PoolSpent) else 0
            pool.points.append((self._steps, now))
            self._actions.append(step.action)
        self._known[key] = now

    def pictures(self, names: Mapping[CharacterId, str]) -> list[Picture]:
        """One picture; none without resources."""
        pools = self._in_order()
        if not pools:
            return []
        is_single = len(self._sessions) < 2
        end = (self._steps, "end")
        return [
            Picture(
                kind=Kind.RESOURCES,
                title="Tokens and resources",
                said=f"{counted(len(pools), 'resource')} as they were gained and spent, action by action.",
                form=Form.LANES,
                unit="",
                series=tuple(self._series(key, pool, names) for key, pool in pools.items()),
                ticks=((1, "start"), end) if is_single else (*self._sessions, end),
                across="" if is_single else "session",
                session=int(self._sessions[0][1]) if len(self._sessions) == 1 else 0,
                first=self._actions[0],
                last=self._actions[-1],
                columns=("whose", "what", "at first", "gained", "spent", "at the end"),
                rows=tuple(
                    (_whose(who, names), name, pool.points[0][1], pool.gained, pool.spent, pool.points[-1][1])
                    for (who, name), pool in pools.items()
                ),
            )
        ]

    def _in_order(self) -> dict[_Of, _Pool]:
        """The pools that ever held anything: those of one name together, the names that changed most often first."""
        held = {key: pool for key, pool in self._pools.items() if any(value for _, value in pool.points)}
        changes: Counter[str] = Counter()
        for (_, name), pool in held.items():
            changes[name] += len(pool.points)
        return dict(sorted(held.items(), key=lambda each: (-changes[each[0][1]], each[0][1], -len(each[1].points))))

    def _series(self, key: _Of, pool: _Pool, names: Mapping[CharacterId, str]) -> Series:
        who, name = key
        begun, left = pool.points[0][1], pool.points[-1][1]
        said = [number(begun)] if begun else []
        said += [f"+{number(pool.gained)}"] if pool.gained else []
        said += [f"{number(-pool.spent)}"] if pool.spent else []
        start = [(1, begun)] if pool.points[0][0] > 1 else []
        return Series(
            name=f"{_whose(who, names)}: {name}",
            points=(*start, *pool.points[1:], (self._steps, left)),
            said=f"{' '.join(said)}, {number(left)} left" if said else f"{number(left)} left",
        )


def _whose(who: CharacterId, names: Mapping[CharacterId, str]) -> str:
    return names.get(who, who) or GM
