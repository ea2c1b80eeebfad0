"""Who comes in, as a sentence: "Robin Hood comes in at level 8 with a longbow and eight more things", "Four wolves join"."""

from collections.abc import Mapping, Sequence

from rollbook.domain import events
from rollbook.domain.events import CharacterJoined, Event
from rollbook.domain.rules.sentences import with_article
from rollbook.projections.acts import Act
from rollbook.projections.outcomes import things
from rollbook.projections.people import grouped, people

Names = Mapping[str, str]

BROUGHT = (
    *(events.CharacterJoined, events.GearGained, events.GearLost, events.LevelGained),
    *(events.PoolBecame, events.PoolGained, events.ExperienceAwarded, events.Moved),
)
"""What a newcomer brings along: it is in the sentence, or on the sheet."""


def arrival_of(happened: Sequence[Event], names: Names) -> Act | None:
    """The sentence of those who join with these events; None if nobody does."""
    arrived = [event for event in happened if isinstance(event, CharacterJoined)]
    if not arrived:
        return None
    who = [names.get(event.character, event.name) for event in arrived]
    if len(arrived) == 1:
        brings = _level(happened) + _equipped(happened)
        by = f", played by {arrived[0].seat}" if arrived[0].seat else ""
        return Act(who[0], f"comes in{by}{',' if by and brings else ''}{brings}")
    together = people(who)
    group = grouped(who)
    return Act(together[:1].upper() + together[1:] if len(group) == 1 else together, "join")


def is_brought(event: Event) -> bool:
    """Whether it belongs to what a newcomer brings along."""
    return isinstance(event, BROUGHT)


def _level(happened: Sequence[Event]) -> str:
    level = sum(event.levels for event in happened if isinstance(event, events.LevelGained))
    return f" at level {level}" if level > 0 else ""


def _equipped(happened: Sequence[Event]) -> str:
    said = things([event for event in happened if isinstance(event, events.GearGained)], _thing)
    return f" with {said}" if said else ""


def _thing(gained: events.GearGained) -> str:
    """A weapon has an article, as far as it can have one."""
    is_one = gained.use[:1] == ("weapon",) and not gained.item.endswith("s")
    return with_article(gained.item) if is_one and gained.item[:1] != gained.item[:1].upper() else gained.item
