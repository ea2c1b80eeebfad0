"""What a catalogue says of somebody lasts as long as the condition that refers to it, and is never copied."""

from __future__ import annotations

import attrs

from rollbook.kit import data, lasting
from rollbook.plugin import Character, Condition, events
from tests.support.bare_table import table_with


class Blessing(data.Kinds):
    """An effect of a small game."""


class Bonus(Blessing, kind="bonus"):
    by: int
    within: tuple[Blessing, ...] = ()


class Ward(Blessing, kind="ward"):
    against: str


TEA = (Bonus(by=1), Bonus(by=3, within=(Ward(against="cold"),)))
HAT = Ward(against="rain")


def effects_of(origin: str) -> tuple[Blessing, ...]:
    return TEA if origin == "tea" else ()


def drank(*paths: str, origin: str = "tea", name: str = "warm") -> events.ConditionBegan:
    """Robin has had something."""
    held: events.Data = {lasting.OF: origin, lasting.AT: paths, "strong": name == "hot"}
    return events.ConditionBegan(character="robin", condition=name, source="marian", data=held)


def robin(*more: events.Event) -> Character:
    return table_with(*more).character("robin")


def test_effects_are_found_by_their_paths_under_what_brings_them() -> None:
    game = lasting.Lasting(effects_of)
    who = robin(drank("0", "1/within/0"))
    assert [(held.label, held.effect, held.source) for held in game.on(who, "bonus")] == [("warm", TEA[0], "marian")]
    assert [held.effect.against for held in game.on(who, "ward")] == ["cold"]
    assert game.on(who, "ward")[0].data["strong"] is False
    assert game.on(who, "curse") == game.on(robin(), "bonus") == ()


def test_what_the_catalogue_does_not_have_is_nothing() -> None:
    game = lasting.Lasting(effects_of)
    for paths, origin in ((("7",), "tea"), (("0/by",), "tea"), (("1/without/0",), "tea"), (("0",), "coffee")):
        assert not list(game.laid_on(robin(drank(*paths, origin=origin))))
    assert game.at("tea", "1/within/0") == Ward(against="cold")
    assert game.at("tea", "0/by") is None


def test_a_game_may_change_what_lies_on_somebody_or_leave_it_out() -> None:
    def laid(who: Character, condition: Condition, effect: Bonus) -> lasting.Held | None:
        better = attrs.evolve(effect, by=9) if condition.data["strong"] else effect  # type: ignore[misc]
        return lasting.Held(condition.name, better, condition) if len(who.conditions) < 2 else None

    game = lasting.Lasting(effects_of, laid)
    assert game.on(robin(drank("0", name="hot")), "bonus")[0].effect.by == 9
    assert game.on(robin(drank("0", name="hot"), drank("0")), "bonus") == ()


def test_what_somebody_always_has_comes_after_what_lies_on_them() -> None:
    game = lasting.Lasting(effects_of)

    @game.standing
    def hat(who: Character) -> list[lasting.Held]:
        return [lasting.Held("hat", HAT)] if "hat" in who.gear else []

    who = robin(events.GearGained(character="robin", item="hat", count=1), drank("1/within/0"))
    assert [held.label for held in game.on(who, "ward")] == ["warm", "hat"]
    assert game.on(who, "ward")[1].source == "" and game.on(who, "ward")[1].data == {}
    assert hat(robin()) == []
