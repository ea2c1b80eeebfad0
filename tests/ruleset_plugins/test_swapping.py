"""Every two games: a campaign goes over from the one to the other with everybody, and comes back as it was.

The people are those of each game's golden campaign, as they stood at its end.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.actions.adopting import COUNTED, PROGRESS
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.corrections.changes import Effect
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import EntryKind, Intent
from rollbook.domain.events import CharacterCrossed, DamageTaken, ExperienceAwarded, RulesetAdopted, SheetSetAside
from rollbook.domain.rules.crossing import ABILITIES, LEVEL
from rollbook.domain.rules.ruleset import read_settings, settings_fields
from tests.support.comparison import comparable
from tests.support.crossings import GOLDEN, passport, sheets
from tests.support.games import INSTALLED_RULESETS
from tests.support.golden_campaigns import OLDER_RULES
from tests.support.memory_store import MemoryEventStore


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"))


@pytest.fixture
def table(book: Book, old: str) -> Campaign:
    """The old game's campaign, after the last fight."""
    campaign = book.campaign(import_campaign(book, GOLDEN[old]).campaign)
    if campaign.state.encounter is not None:
        campaign.do("end-encounter")
    return campaign


def rules_hold(table: Campaign, old: str) -> bool:
    """Whether the rules give what is recorded; of a campaign that older rules decided, all but what is known to drift."""
    answer, known = table.audit()[2], OLDER_RULES.get(GOLDEN[old].stem)
    if known is None:
        return answer.verdict is Verdict.VERIFIED
    return answer.verdict is Verdict.UNPROVEN and len(answer.findings) <= 1 + len(known)


def test_every_game_of_ours_has_a_campaign_and_a_crossing() -> None:
    assert set(GOLDEN) == set(INSTALLED_RULESETS)
    assert all(discover().ruleset(key).crossing is not None for key in INSTALLED_RULESETS)


PAIRS = pytest.mark.parametrize(("old", "new"), tuple(permutations(INSTALLED_RULESETS, 2)))


@PAIRS
def test_there_and_back_gives_the_same_sheets(table: Campaign, old: str, new: str) -> None:
    before = sheets(table)
    table.do("adopt", {"ruleset": new})
    assert table.state.ruleset == new
    assert set(sheets(table)) == set(before)
    table.do("adopt", {"ruleset": old})
    assert sheets(table) == before
    assert {name: set(who.aside) for name, who in table.state.characters.items()} == {name: {new} for name in before}


def learned(campaign: Campaign) -> dict[str, tuple[int, int]]:
    """Everybody's level and experience."""
    return {name: (who.level, who.experience) for name, who in campaign.state.characters.items()}


@PAIRS
def test_there_and_back_nothing_is_learned_or_forgotten(table: Campaign, old: str, new: str) -> None:
    before = learned(table)
    for third in (None, *(key for key in INSTALLED_RULESETS if key not in (old, new))):
        table.do("adopt", {"ruleset": new})
        if third is not None:
            table.do("adopt", {"ruleset": third})
            table.do("adopt", {"ruleset": new})
        table.do("adopt", {"ruleset": old})
        assert learned(table) == before


@PAIRS
def test_nobody_grows_by_going_over(table: Campaign, old: str, new: str) -> None:
    highest = max(passport(table, table.state, name).level for name in table.state.characters)
    for third in INSTALLED_RULESETS:
        for key in (new, third):
            if table.state.ruleset != key:
                table.do("adopt", {"ruleset": key})
                assert max(level for level, _ in learned(table).values()) <= max(highest, 1)


@PAIRS
def test_half_a_level_that_is_earned_elsewhere_is_half_a_level_at_home(table: Campaign, old: str, new: str) -> None:
    home, away = (table.session.rulebook.rulesets[key].crossing for key in (old, new))
    assert home is not None and away is not None
    people = {name: who for name, who in table.state.characters.items() if who.present and who.level > 0}
    if home.levels is None or away.levels is None or not people:
        pytest.skip("only levels tell what experience is worth elsewhere")
    before, at_home = (
        table.state,
        {name: home.levels.progress(who.experience, table.state) for name, who in people.items()},
    )
    table.do("adopt", {"ruleset": new})
    for name in people:
        who, now = table.state.characters[name], table.state
        more = away.levels.experience_at(away.levels.progress(who.experience, now) + LEVEL // 2, now) - who.experience
        table.do("award", {"who": (name,), "amount": more})
    table.do("adopt", {"ruleset": old})
    for name in people:
        grown = home.levels.progress(table.state.characters[name].experience, table.state) - at_home[name]
        point = LEVEL // 200
        assert LEVEL // 2 - point <= grown <= LEVEL // 2 + LEVEL // 5, (name, grown, before.ruleset)
        assert table.state.characters[name].experience > before.characters[name].experience


@PAIRS
def test_what_was_recorded_when_points_crossed_is_still_what_the_rules_give(
    table: Campaign, old: str, new: str
) -> None:
    game = table.session.rulebook.rulesets[new]
    params = {"ruleset": new, "version": game.version, "settings": dict(read_settings(game, {}))}
    raw = table.session.rulebook.play(table.state, Intent(verb="adopt", params=params), NoDice())
    assert {who.experience for who in raw.campaign.characters.values()} == {
        who.experience for who in table.state.characters.values()
    }
    crossed = [event.measures for event in raw.events if isinstance(event, CharacterCrossed)]
    assert crossed
    assert all({PROGRESS, COUNTED}.isdisjoint(measures) for measures in crossed)


@PAIRS
def test_what_both_games_know_goes_over(table: Campaign, old: str, new: str) -> None:
    before = table.state
    table.do("adopt", {"ruleset": new})
    after = table.state
    door = table.session.rulebook.rulesets[new].crossing
    assert door is not None
    for name, who in before.characters.items():
        was, now = passport(table, before, name), passport(table, after, name)
        known = [ability for ability in ABILITIES if ability in was.modifiers and ability in now.modifiers]
        assert {key: now.modifiers[key] for key in known} == {key: was.modifiers[key] for key in known}, name
        left, left_now = was.max_hp - who.lost, now.max_hp - after.characters[name].lost
        assert (left > 0) == (left_now > 0), name
        if left > 0:
            assert left_now == max(1, left * now.max_hp // was.max_hp), name
        assert now.luck == (min(was.luck, door.luck_cap(after.characters[name], after)) if door.luck else 0), name
        assert {meaning for meaning in was.conditions if meaning in door.conditions} <= set(now.conditions), name
        levels = door.levels
        if levels is not None and was.level:
            level = min(was.level, levels.highest(after))
            assert after.characters[name].level == level, name
            assert after.characters[name].experience == levels.experience_for(level, after), name
        else:
            assert after.characters[name].experience == who.experience
        if was.is_entered:
            assert now.armour_class == was.armour_class, name
        elif not now.is_entered:
            assert (now.armour, bool(now.shield)) == (was.armour, bool(was.shield)), name


@PAIRS
def test_going_over_is_undone_like_any_action_and_past_events_stay(
    table: Campaign, book: Book, old: str, new: str
) -> None:
    before, stored = comparable(table.state), list(book.store.read(table.id))
    entry = table.do("adopt", {"ruleset": new})
    adopted = next(event for event in entry.events if isinstance(event, RulesetAdopted))
    assert (adopted.ruleset, adopted.package) == (new, "rollbook")
    assert sum(isinstance(event, SheetSetAside) for event in entry.events) == len(table.state.characters)
    assert list(book.store.read(table.id))[: len(stored)] == stored
    assert rules_hold(table, old)
    table.corrections.undo(entry.action, reason="we liked it better before").apply()
    assert comparable(attrs.evolve(table.state, dice_requests={})) == comparable(
        attrs.evolve(table.history.state, dice_requests={})
    )
    assert comparable(table.state) == before


@pytest.mark.parametrize("old", INSTALLED_RULESETS)
def test_the_house_rules_of_last_time_count_on_coming_back(table: Campaign, old: str) -> None:
    other = next(key for key in INSTALLED_RULESETS if key != old)
    table.do("adopt", {"ruleset": other})
    named = [field for field in settings_fields(table.session.rulebook.rulesets[old]) if isinstance(field.default, int)]
    first = named[0]
    assert not isinstance(first.default, tuple | str | None)
    odd = (not first.default) if isinstance(first.default, bool) else first.default + 1
    table.do("adopt", {"ruleset": old, "settings": {first.name: odd}})
    table.do("adopt", {"ruleset": other})
    table.do("adopt", {"ruleset": old})
    assert table.state.settings[first.name] == odd
    assert set(table.state.settings) == {field.name for field in settings_fields(table.session.rulebook.rulesets[old])}


@PAIRS
def test_a_correction_from_before_is_followed_through_the_change_of_rules(table: Campaign, old: str, new: str) -> None:
    before = sheets(table)
    table.do("adopt", {"ruleset": new})
    hurt = next(
        entry.action
        for entry in reversed(table.history.entries)
        if entry.kind is EntryKind.TAKEN
        and table.history.effective(entry.action) is entry
        and entry.action < table.head.actions
        and any(isinstance(event, ExperienceAwarded | DamageTaken) for event in entry.events)
    )
    made = table.corrections.undo(hurt, reason="it never happened")
    assert table.head.actions in {consequence.action for consequence in made.of(Effect.CHANGED)}, (
        "going over comes out again"
    )
    made.apply()
    table.do("adopt", {"ruleset": old})
    assert sheets(table) != before
    assert rules_hold(table, old)
