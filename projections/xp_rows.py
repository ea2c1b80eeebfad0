"""The rows of the XP timeline that an entry makes: see ``xp_timeline``."""

from collections.abc import Iterable, Iterator

from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import ExperienceAwarded, LevelGained
from rollbook.projections.context import Context
from rollbook.projections.xp_timeline import XpLine

_AWARDS = frozenset((ExperienceAwarded, LevelGained))


def rows(campaign: CampaignId, entry: RecordedEntry, context: Context) -> Iterable[XpLine]:
    """The rows of one entry, if it awards anything."""
    return () if _AWARDS.isdisjoint(map(type, entry.events)) else _rows(campaign, entry, context)


def _rows(campaign: CampaignId, entry: RecordedEntry, context: Context) -> Iterator[XpLine]:
    for part, event in enumerate(entry.events):
        if isinstance(event, (ExperienceAwarded, LevelGained)):
            yield XpLine(
                campaign=campaign,
                entry=entry.number,
                part=part,
                action=entry.action,
                revision=entry.revision,
                session=context.session,
                at=entry.at,
                character=event.character,
                name=context.shown_names.get(event.character, event.character),
                xp=event.amount if isinstance(event, ExperienceAwarded) else 0,
                levels=event.levels if isinstance(event, LevelGained) else 0,
                reason=event.reason if isinstance(event, ExperienceAwarded) else "",
                status="counts",
            )
