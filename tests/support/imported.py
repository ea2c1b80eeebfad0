"""An imported campaign: Korva has 45 hit points, is wounded, healed by a rest, and wounded again."""

from __future__ import annotations

from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.domain import events


def action(*happened: events.Event) -> ImportedAction:
    return ImportedAction(verb="imported", params={}, seat="", at=0, events=happened, actor="korva")


IMPORTED = Imported(
    name="Cellar",
    actions=(
        action(
            events.CampaignStarted(name="Cellar", identity="00" * 16),
            events.CharacterJoined(character="korva", name="Korva"),
            events.StatChanged(character="korva", stat="max_hp", amount=45),
        ),
        action(events.DamageTaken(character="korva", amount=11, dealt=11)),
        action(events.HitPointsRestored(character="korva", amount=11)),
        action(events.DamageTaken(character="korva", amount=20, dealt=20)),
    ),
    changes_explained=3,
    changes_corrected=0,
    warnings=(),
)
