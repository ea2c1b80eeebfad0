"""Rows of sheets: the characters whose sheets may have changed, and the rows that are written for them."""

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import compress
from operator import is_not

import msgspec

from rollbook.domain.base.identifiers import CampaignId, CharacterId
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import SHEET_DEPENDENCIES, CampaignState, Character, equal_in_order
from rollbook.domain.state.lookup import changed_people, shown_names
from rollbook.projections.database import Database, insert_named
from rollbook.projections.sheet_questions import LOOKS, SHEETS, VALUES, Party, SetAside

NOTED_PARTS = ("clock", "encounter")
"""Parts that may change at any moment: sheets that read them are noted. After any other part all are written again."""


class Since:
    """Two moments of a campaign, and the characters that differ: very few of the thousands in a long campaign."""

    def __init__(self, before: CampaignState, after: CampaignState) -> None:
        self.before, self.after = before, after
        was, now = before.characters, after.characters
        same = changed_people(was, now)
        self.gone = frozenset[CharacterId]() if same is not None else was.keys() - now.keys()
        """The characters whose arrival was undone."""
        others = same if same is not None else compress(now.values(), map(is_not, map(was.get, now), now.values()))
        self.otherwise = tuple(others)
        """The characters that are not the same object as before."""
        self.is_same_party = same is not None
        """True if the same characters are there, in the same order and under the same names."""
        self.is_same_list = self.is_same_party and before.ruleset == after.ruleset
        """True if their list is the same, by the same game."""


def changed(db: Database, campaign: CampaignId, since: Since) -> Iterable[Character]:
    """The characters whose sheets may read differently than before."""
    before, after = since.before, since.after
    moved = {key for key in SHEET_DEPENDENCIES if not equal_in_order(before.part(key), after.part(key))}
    if not moved.issubset(NOTED_PARTS):
        return after.characters.values()
    asked = "SELECT character FROM sheet_looks WHERE campaign = ? AND part = ?"
    looked = {who for part in moved for (who,) in db.execute(asked, [campaign, part])}
    was = before.characters.get
    found = [who for who in since.otherwise if who.id not in looked and not equal_in_order(was(who.id), who)]
    found += [after.characters[key] for key in looked if key in after.characters]
    if since.is_same_party:
        return found
    return [*found, *_called_otherwise(before, after, {who.id for who in found})]


def _called_otherwise(before: CampaignState, after: CampaignState, but: Collection[CharacterId]) -> Iterator[Character]:
    """Yield the characters, ``but`` for some, whose shown name changed: others took the same name or gave it up."""
    was = shown_names(before.characters.values())
    for key, name in shown_names(after.characters.values()).items():
        if key not in but and was.get(key) != name:
            yield after.characters[key]


def _known(who: Character) -> tuple[CharacterId, str, bool, bool]:
    return (who.id, who.name, who.hidden, who.present)


def write(
    db: Database, campaign: CampaignId, state: CampaignState, characters: Iterable[Character], rulebook: Rulebook
) -> None:
    """Write the sheets of these characters again."""
    for who in characters:
        remove(db, campaign, who.id)
        said = rulebook.said_sheet(who, state)
        insert_named(db, SHEETS, [_sheet_row(campaign, who, said.sheet) | {"rules": said.stamp}])
        insert_named(db, VALUES, _value_rows(campaign, said.sheet))
        parts = filter(said.looked_at.__contains__, NOTED_PARTS)
        insert_named(db, LOOKS, [{"campaign": campaign, "part": part, "character": who.id} for part in parts])


def write_party(db: Database, campaign: CampaignId, state: CampaignState, rulebook: Rulebook) -> None:
    """Write the list of characters, and the rules by which it and the sheets are."""
    rules = rulebook.stamp(state)
    people = [_known(who) for who in state.characters.values()]
    db.execute(
        "INSERT OR REPLACE INTO parties (campaign, ruleset, rules, overview, people) VALUES (?, ?, ?, ?, ?)",
        [campaign, state.ruleset, rules, json.dumps(rulebook.overview(state)), json.dumps(people, ensure_ascii=False)],
    )


def remove(db: Database, campaign: CampaignId, character: str) -> None:
    """Remove a character's sheet."""
    for table in (SHEETS, VALUES, LOOKS):
        db.execute(f"DELETE FROM {table} WHERE campaign = ? AND character = ?", [campaign, character])  # noqa: S608


def set_aside(who: Character) -> SetAside:
    """The parts of a character set aside for games that the campaign played before."""
    return tuple(
        (game, (*left.traits, *left.conditions, *(f"{pool} {many}" for pool, many in left.pools.items() if many)))
        for game, left in who.aside.items()
    )


def party_of(state: CampaignState, rulebook: Rulebook) -> Party:
    """All characters at a moment, by the rules of ``rulebook``."""
    people = state.characters
    return Party(
        people=people,
        overview=rulebook.overview(state),
        sheet=lambda who: rulebook.sheet(people[who], state),
        set_aside=lambda who: set_aside(people[who]),
    )


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
        "sheet": msgspec.json.encode(sheet).decode(),
        "set_aside": msgspec.json.encode(set_aside(who)).decode(),
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
