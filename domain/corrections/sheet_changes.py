"""Differences between two moments of a campaign on its characters' sheets, value by value."""

from collections.abc import Iterator

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import SHEET_DEPENDENCIES, CampaignState, equal_in_order


@attrs.frozen
class SheetChange(Record):
    """One value of one character that a correction moves."""

    character: str
    name: str
    label: str
    before: str
    after: str


def sheet_changes(before: CampaignState, after: CampaignState, rulebook: Rulebook) -> Iterator[SheetChange]:
    """Every value of every character's sheet that differs between two moments."""
    everywhere = not all(equal_in_order(before.part(key), after.part(key)) for key in SHEET_DEPENDENCIES)
    was_there, is_there = before.characters, after.characters
    for name in {**was_there, **is_there}:
        old, new = was_there.get(name), is_there.get(name)
        if old is new and not everywhere:  # all but a few, after most actions
            continue
        is_same = new is not None and equal_in_order(old, new)
        if is_same and (not everywhere or rulebook.keeps_sheet(name, before, after)):
            continue
        by_key = before.ruleset != after.ruleset
        now = _lines(rulebook.sheet(new, after), by_key=by_key) if new else {}
        was = _lines(rulebook.sheet(old, before), by_key=by_key) if old else {}
        known = old or new
        assert known is not None
        for line in dict.fromkeys((*was, *now)):
            (_, old_text), (label, new_text) = was.get(line, MISSING), now.get(line, MISSING)
            if old_text != new_text:
                yield SheetChange(name, known.name, label or was.get(line, MISSING)[0], old_text, new_text)


MISSING = ("", "–")


def _lines(sheet: Sheet, *, by_key: bool) -> dict[tuple[str, str], tuple[str, str]]:
    """The lines of a sheet with their labels: numbers by their label or, of two games, by the key that they share."""
    numbers = {("number", value.key if by_key else value.label): (value.label, str(value)) for value in sheet.values}
    return numbers | {("words", label): (label, words) for label, words in sheet.words}
