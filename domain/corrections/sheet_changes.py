"""What differs between two moments of a campaign on the sheets of its characters, value by value."""

from collections.abc import Iterator

from domain.corrections.changes import SheetChange
from domain.rulebook import Rulebook
from domain.sheet import Sheet
from domain.state import SHEET_DEPENDENCIES, CampaignState, equal_in_order


def sheet_changes(before: CampaignState, after: CampaignState, rulebook: Rulebook) -> Iterator[SheetChange]:
    """Every value of every character's sheet that differs between two moments."""
    everywhere = not all(equal_in_order(before.part(key), after.part(key)) for key in SHEET_DEPENDENCIES)
    for name in dict.fromkeys((*before.characters, *after.characters)):
        old, new = before.characters.get(name), after.characters.get(name)
        if equal_in_order(old, new) and not everywhere:
            continue
        now = _lines(rulebook.sheet(new, after)) if new else {}
        was = _lines(rulebook.sheet(old, before)) if old else {}
        known = old or new
        assert known is not None
        for line in dict.fromkeys((*was, *now)):
            if was.get(line) != now.get(line):
                yield SheetChange(name, known.name, line[1], was.get(line, "–"), now.get(line, "–"))


def _lines(sheet: Sheet) -> dict[tuple[str, str], str]:
    """What is on a sheet: a number and a line of words may have the same name."""
    numbers = {("number", value.label): str(value) for value in sheet.values}
    return numbers | {("words", label): words for label, words in sheet.words}
