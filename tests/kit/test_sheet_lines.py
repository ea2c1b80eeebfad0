"""The lines that most sheets have."""

from __future__ import annotations

import attrs

from rollbook.domain.events import Event
from rollbook.kit import sheet_lines
from rollbook.plugin import Character, Term, events
from tests.support.bare_table import joined_events, table_after


@attrs.frozen
class Weapon:
    item: str


def robin(*more: Event) -> Character:
    return table_after((*joined_events("robin"), *more)).character("robin")


def test_hit_points_are_what_is_left_of_the_most() -> None:
    who = robin(events.DamageTaken(character="robin", amount=15, dealt=15))
    line = sheet_lines.hit_points(who, 12, rules=("R9.1", "R9.2"), path="stat.max_hp", group="Body")
    assert (line.key, line.amount, str(line), line.group) == ("hp", -3, "-3 of 12", "Body")
    assert line.terms == (Term(12, "maximum", "R9.1", "stat.max_hp"), Term(-15, "lost", "R9.2", "lost"))


def test_experience_is_what_was_awarded() -> None:
    who = robin(events.ExperienceAwarded(character="robin", amount=1_500, reason="dragon"))
    assert str(sheet_lines.experience(who, group="Progress")) == "1,500"
    line = sheet_lines.experience(who, rule="R9.3", group="Progress")
    assert (line.key, str(line), line.terms) == ("xp", "1,500", (Term(1_500, "awards", "R9.3", "experience"),))


def test_nobody_in_particular_has_no_lines() -> None:
    assert [*sheet_lines.conditions(robin()), *sheet_lines.gear(robin()), *sheet_lines.open_choices(robin())] == []


def test_conditions_are_told_with_what_they_are_about() -> None:
    who = robin(
        events.ConditionBegan(character="robin", condition="wounded", detail="a broken arm"),
        events.ConditionBegan(character="robin", condition="prone"),
    )
    assert list(sheet_lines.conditions(who)) == [("Conditions", "wounded (a broken arm), prone")]
    assert sheet_lines.with_detail("prone", "") == "prone"


def test_gear_is_counted_and_what_is_gone_or_told_already_is_left_out() -> None:
    gained = (("bow", 1), ("arrow", 20), ("hat", 1), ("sword", 1))
    gear = [events.GearGained(character="robin", item=item, count=count) for item, count in gained]
    who = robin(*gear, events.GearLost(character="robin", item="hat", count=1))
    assert list(sheet_lines.gear(who, except_for=("sword",))) == [("Gear", "bow, arrow x 20")]


def test_open_choices_are_named() -> None:
    offered = [
        events.ChoiceOffered(
            character="robin", choice=name, options=(events.Option(key="a"), events.Option(key="b")), reason=""
        )
        for name in ("one", "two")
    ]
    assert list(sheet_lines.open_choices(robin(*offered))) == [("Open choices", "one, two")]


def test_what_somebody_strikes_with_comes_first_without_a_name_and_then_by_name() -> None:
    bow, club = Weapon("longbow"), Weapon("club")
    assert list(sheet_lines.unnamed_then_named((bow, club))) == [
        ("", "", bow),
        (":longbow", " with longbow", bow),
        (":club", " with club", club),
    ]


def test_a_level_is_what_was_gained() -> None:
    who = robin(events.LevelGained(character="robin", levels=3), events.LevelGained(character="robin", levels=-1))
    line = sheet_lines.level(who, rule="R9.4", group="Progress")
    assert (line.key, line.amount, line.terms) == ("level", 2, (Term(2, "levels gained", "R9.4", "level"),))
