"""A sheet is made again as soon as something changes that it was made from, and not before."""

from __future__ import annotations

from collections import Counter

import attrs
import pytest

from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.plugin import Sheet
from tests.support.toy import TOY
from tests.support.toy_table import ToyTable


class Counted:
    """A table whose sheets are counted; each looks at one part of the campaign."""

    def __init__(self, looks_at: str) -> None:
        self.made, self._looks_at = Counter[str](), looks_at
        self.table = ToyTable(attrs.evolve(TOY, sheet=self._sheet))
        self.shown()

    def _sheet(self, who: Character, campaign: CampaignState) -> Sheet:
        self.made[who.id] += 1
        looked = getattr(campaign, self._looks_at)
        words = (("looked at", str({**looked} if self._looks_at == "characters" else looked)),)
        return Sheet(character=who.id, name=who.name, title="", values=(), words=words)

    def shown(self) -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
        """The name and the words of every sheet now."""
        state = self.table.state
        sheets = {who.id: self.table.rulebook.sheet(who, state) for who in state.characters.values()}
        return {name: (sheet.name, sheet.words) for name, sheet in sheets.items()}

    def made_for(self, verb: str, **params: object) -> tuple[dict[str, int], set[str]]:
        """How many sheets an action has made, and on whose something is different."""
        before, self.made = self.table.state, Counter[str]()
        self.table.do(verb, **params)  # type: ignore[arg-type]
        changed = {each.character for each in sheet_changes(before, self.table.state, self.table.rulebook)}
        self.shown()
        return dict(self.made), changed


def test_a_turn_makes_no_sheet_again_that_does_not_look_at_the_fight() -> None:
    counted = Counted("settings")
    assert counted.made_for("fight", who=("robin", "guard")) == ({}, set())
    assert counted.made_for("gain-token", who="robin")[0].keys() <= {"robin"}


@pytest.mark.parametrize(
    ("looks_at", "verb", "params"),
    [
        ("settings", "house-rules", {"settings": {"start": 5}}),
        ("clock", "pass-time", {"amount": 1, "unit": "hours"}),
        ("encounter", "fight", {"who": ("robin", "guard")}),
        ("characters", "gain-token", {"who": "robin"}),
    ],
)
def test_all_sheets_are_made_again_when_what_they_look_at_has_changed(
    looks_at: str, verb: str, params: dict[str, object]
) -> None:
    counted = Counted(looks_at)
    made, _ = counted.made_for(verb, **params)
    assert made.keys() == counted.table.state.characters.keys()


def test_a_name_that_two_have_shows_on_a_sheet_that_was_not_made_again() -> None:
    counted = Counted("settings")
    made, _ = counted.made_for("join", name="Guard", id="guard-2")
    assert made.keys() == {"guard-2"}
    assert counted.shown()["guard"][0] == "Guard (guard)"


def test_a_reader_who_is_told_less_hears_of_what_changes_in_what_they_are_told() -> None:
    table, words = Counted("settings").table, {True: (("fought", "yes"),), False: (("fought", "no"),)}
    reader = table.rulebook.telling(lambda sheet, _, now: attrs.evolve(sheet, words=words[now.encounter is not None]))
    before = table.state
    assert [reader.sheet(who, before).words for who in before.characters.values()] == [words[False]] * 3
    table.do("fight", who=("robin", "guard"))
    assert {each.character for each in sheet_changes(before, table.state, reader)} == before.characters.keys()
