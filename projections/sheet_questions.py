"""The sheets as they are now: one row a character, and one row for every value with the terms it is made of.

A sheet is kept whole beside them, with the stamp of the rules that made it, so that it can be shown again without them.
``sheet_rows`` makes the rows.
"""

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

import attrs
import msgspec

from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.identifiers import CampaignId, CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.lookup import Somebody
from rollbook.projections.database import Database

SHEETS, VALUES, PARTIES, LOOKS = "sheets", "sheet_values", "parties", "sheet_looks"

SetAside: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The parts of a character set aside for games that the campaign played before and may return to, by game."""
with DESCRIBING:
    _SHEET, _SET_ASIDE = msgspec.json.Decoder(Sheet), msgspec.json.Decoder(SetAside)


@attrs.frozen
class Known(Record):
    """A character, as far as is needed to find it by name."""

    id: CharacterId
    name: str
    hidden: bool
    present: bool


@attrs.frozen
class Party(Record):
    """All characters at one moment, in the order in which they joined, with their sheets.

    ``overview`` is the values of each sheet that a table of the whole party shows.
    """

    people: Mapping[CharacterId, Somebody]
    overview: tuple[str, ...]
    sheet: Callable[[CharacterId], Sheet]
    set_aside: Callable[[CharacterId], SetAside]


def create(db: Database) -> None:
    """The tables, and the view that shows values with their terms."""
    db.table(PARTIES).create(
        {"campaign": str, "ruleset": str, "rules": str, "overview": str, "people": str}, pk="campaign"
    )
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
            "sheet": str,
            "set_aside": str,
            "rules": str,
        },
        pk=("campaign", "character"),
    )
    db.table(VALUES).create(
        {"campaign": str, "character": str, "key": str, "label": str, "amount": int, "shown": str, "terms": str},
        pk=("campaign", "character", "key"),
    )
    db.table(LOOKS).create(
        {"campaign": str, "part": str, "character": str}, pk=("campaign", "part", "character")
    ).create_index(("campaign", "character"))
    db.create_view(
        "sheet_terms",
        "SELECT v.campaign, v.character, v.label, v.shown, "
        "json_extract(t.value, '$.amount') AS amount, json_extract(t.value, '$.label') AS term, "
        "json_extract(t.value, '$.rule') AS rule FROM sheet_values v, json_each(v.terms) t",
    )


ASKED = """\
SELECT p.ruleset, p.rules, p.overview, p.people, s.character, s.sheet, s.set_aside, s.rules
FROM parties p LEFT JOIN sheets s USING (campaign) WHERE campaign = ?"""


def party(db: Database, campaign: CampaignId, stamp: Callable[[str], str]) -> Party | None:
    """All characters as of the last projection; None unless the installed rules made all sheets.

    ``stamp`` gives the stamp of the installed rules by the ruleset's key, "" if it is not known.
    """
    rows = db.execute(ASKED, [campaign]).fetchall()
    if not rows:
        return None
    ruleset, rules, overview, people = rows[0][:4]
    written = [row[4:] for row in rows if row[4] is not None]
    if not rules or {rules, stamp(ruleset)} | {row[3] for row in written} != {rules}:
        return None
    known = {who.id: who for who in (Known(*each) for each in json.loads(people))}
    sheets = {who: (_SHEET.decode(sheet), _SET_ASIDE.decode(aside)) for who, sheet, aside, _ in written}
    if sheets.keys() != known.keys():
        return None
    return Party(
        people=known,
        overview=tuple(json.loads(overview)),
        sheet=lambda who: sheets[who][0],
        set_aside=lambda who: sheets[who][1],
    )
