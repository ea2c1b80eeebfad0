"""Concentration holds one thing, and all of it ends at once."""

from __future__ import annotations

from rollbook.kit import concentration, conditions, lasting
from rollbook.plugin import Condition, Table, events
from tests.support.bare_table import joined_events, recorded_events, table_after

FOLLOWED: list[str] = []


def follow(table: Table, name: str, held: Condition) -> None:
    FOLLOWED.append(f"{table.character(name).name}: {held.name}")


GAME = concentration.Concentration(follow)


def blessed(name: str) -> events.ConditionBegan:
    """Somebody is under a blessing that Robin holds."""
    data = {lasting.OF: "blessing", concentration.BY: "robin"}
    return events.ConditionBegan(character=name, condition="blessed", source="robin", data=data)


def holding(*more: events.Event) -> Table:
    """Robin holds a blessing."""
    table = table_after((*joined_events("robin", "marian", "tuck"), *more))
    GAME.hold(table, "robin", "Blessing", {lasting.OF: "blessing"}, until=60)
    FOLLOWED.clear()
    return table


def test_what_is_held_is_on_record_with_its_end() -> None:
    who = holding().character("robin")
    held = who.conditions[concentration.CONCENTRATING]
    assert (GAME.of(who), held.detail, held.until) == ("blessing", "Blessing", 60)
    assert GAME.of(holding().character("marian")) == ""


def test_something_new_ends_what_was_held_before_and_the_same_does_not() -> None:
    table = holding(blessed("marian"), blessed("tuck"))
    GAME.hold(table, "robin", "Blessing, longer", {lasting.OF: "blessing"}, still=True)
    assert not FOLLOWED
    GAME.hold(table, "robin", "Curse", {lasting.OF: "curse"})
    assert FOLLOWED == ["Marian: blessed", "Tuck: blessed"]
    assert GAME.of(table.character("robin")) == "curse"
    assert not concentration.held_by(table.character("tuck"), "robin")


def test_who_holds_nothing_has_nothing_to_end() -> None:
    table = holding()
    assert GAME.end(table, "robin")
    recorded = len(recorded_events(table))
    table = holding()
    GAME.end(table, "robin")
    assert not GAME.end(table, "robin")
    assert len(recorded_events(table)) == recorded


def test_the_last_that_ends_ends_the_concentration() -> None:
    table = holding(blessed("marian"), blessed("tuck"))
    for name, still_holds in (("marian", True), ("tuck", False)):
        GAME.finish_last(table, name, table.character(name).conditions["blessed"])
        assert bool(GAME.of(table.character("robin"))) is still_holds
    assert FOLLOWED == ["Marian: blessed", "Tuck: blessed"]


def test_a_concentration_on_something_else_goes_on() -> None:
    table = holding()
    GAME.end_empty(table, "robin", "curse")
    GAME.end_empty(table, "nobody", "blessing")
    assert table.character("robin").has(concentration.CONCENTRATING)
    GAME.end_empty(table, "robin", "blessing")
    assert not table.character("robin").has(concentration.CONCENTRATING)


def test_of_conditions_with_several_causes_each_has_a_name() -> None:
    table = table_after(
        (*joined_events("robin"), events.ConditionBegan(character="robin", condition="held", source="net"))
    )
    who = table.character("robin")
    assert conditions.name_by(who, "held", "net", "") == "held"
    assert conditions.name_by(who, "held", "web", "sticky") == "held (sticky)"
    assert conditions.name_by(who, "held", "web", "") == "held by web"
    assert conditions.name_by(who, "held", "", "") == "held, 2"
    assert conditions.name_by(who, "free", "web", "sticky") == "free"
    assert conditions.plain_name(Condition(name="held by web", since=0, data={conditions.IS: "held"})) == "held"
    assert conditions.plain_name(who.conditions["held"]) == "held"


def test_a_flag_of_a_condition_is_set_or_not() -> None:
    assert conditions.flag(Condition(name="held", since=0, data={"fast": True}), "fast")
    assert not conditions.flag(Condition(name="held", since=0, data={"fast": 1}), "fast")
    assert not conditions.flag(None, "fast")
