"""The sheets as they are now: one row a character, and one row for every value with the terms it is made of."""

import json
from collections.abc import Iterable

from domain.identifiers import CampaignId
from domain.rulebook import Rulebook
from domain.sheet import Sheet
from domain.state import SHEET_DEPENDENCIES, CampaignState, Character, equal_in_order
from projections.database import Database
from projections.tables import insert_named

SHEETS, VALUES = "sheets", "sheet_values"


def create(db: Database) -> None:
    """The two tables, and the view that shows them side by side."""
    db.table(SHEETS).create(
        {
            "campaign": str,
            "character": str,
            "name": str,
            "title": str,
            "kind": str,
            "seat": str,
            "present": int,
            "level": int,
            "experience": int,
            "hit_points_lost": int,
            "words": str,
        },
        pk=("campaign", "character"),
    )
    db.table(VALUES).create(
        {"campaign": str, "character": str, "key": str, "label": str, "amount": int, "shown": str, "terms": str},
        pk=("campaign", "character", "key"),
    )
    db.create_view(
        "sheet_terms",
        "SELECT v.campaign, v.character, v.label, v.shown, "
        "json_extract(t.value, '$.amount') AS amount, json_extract(t.value, '$.label') AS term, "
        "json_extract(t.value, '$.rule') AS rule FROM sheet_values v, json_each(v.terms) t",
    )


def changed(before: CampaignState | None, after: CampaignState) -> Iterable[Character]:
    """The characters whose sheets may read differently than they did at ``before``."""
    if before is None or not all(equal_in_order(before.part(key), after.part(key)) for key in SHEET_DEPENDENCIES):
        return after.characters.values()
    was = before.characters
    return [who for key, who in after.characters.items() if not equal_in_order(was.get(key), who)]


def gone(before: CampaignState | None, after: CampaignState) -> Iterable[str]:
    """The characters whose arrival was undone."""
    return () if before is None else [key for key in before.characters if key not in after.characters]


def write(
    db: Database, campaign: CampaignId, state: CampaignState, characters: Iterable[Character], rulebook: Rulebook
) -> None:
    """Write the sheets of these characters again."""
    for who in characters:
        remove(db, campaign, who.id)
        sheet = rulebook.sheet(who, state)
        insert_named(db, SHEETS, [_sheet_row(campaign, who, sheet)])
        insert_named(db, VALUES, _value_rows(campaign, sheet))


def remove(db: Database, campaign: CampaignId, character: str) -> None:
    """Take a character's sheet out."""
    for table in (SHEETS, VALUES):
        db.execute(f"DELETE FROM {table} WHERE campaign = ? AND character = ?", [campaign, character])  # noqa: S608


def _sheet_row(campaign: CampaignId, who: Character, sheet: Sheet) -> dict[str, object]:
    return {
        "campaign": campaign,
        "character": who.id,
        "name": who.name,
        "title": sheet.title,
        "kind": str(who.kind),
        "seat": who.seat,
        "present": int(who.present),
        "level": who.level,
        "experience": who.experience,
        "hit_points_lost": who.lost,
        "words": json.dumps(dict(sheet.words), ensure_ascii=False),
    }


def _value_rows(campaign: CampaignId, sheet: Sheet) -> list[dict[str, object]]:
    rows = {}
    for value in sheet.values:
        terms = [{"amount": t.amount, "label": t.label, "rule": t.rule, "path": t.path} for t in value.terms]
        rows[value.key] = {
            "campaign": campaign,
            "character": sheet.character,
            "key": value.key,
            "label": value.label,
            "amount": value.amount,
            "shown": str(value),
            "terms": json.dumps(terms, ensure_ascii=False),
        }
    return list(rows.values())
