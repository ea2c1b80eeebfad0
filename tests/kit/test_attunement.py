"""A bond with a thing: begun, kept by few, let go, ended by death."""

from __future__ import annotations

from rollbook.kit import attunement
from rollbook.plugin import Character, Ruleset, Sheet, Table, events
from rollbook.testing.scenarios import Scenario, scenario
from tests.support.bare_table import joined_events, table_after


def check_fits(table: Table, who: Character, item: str) -> None:
    if not who.gear[item].use:
        table.refuse(f"The {item} is no more than a {item}.", "item")


def check_ends(table: Table, _: Character, item: str) -> None:
    if item == "crown":
        table.refuse("The crown is not let go.", "item")


Attune = attunement.attune_verb(check_fits, help="Bind.", most=lambda _: 2, ends=check_ends)
GAME = Ruleset(
    key="game",
    title="Game",
    version="1",
    summary="Bonds.",
    actions=(Attune,),
    sheet=lambda who, _: Sheet(character=who.id, name=who.name),
)


def robin(*attuned: str) -> Scenario:
    """Robin has four things, and a bond with some of them."""
    things = [
        events.GearGained(character="robin", item=item, use=("magic",) if item != "stick" else ())
        for item in ("ring", "crown", "cloak", "stick")
    ]
    bonds = [events.TraitGained(character="robin", trait=item, kind=attunement.ATTUNED) for item in attuned]
    return scenario(GAME).given(*joined_events("robin"), *things, *bonds)


def bound(item: str) -> events.TraitGained:
    return events.TraitGained(character="robin", trait=item, kind=attunement.ATTUNED)


def test_a_bond_begins_with_a_thing_that_has_one() -> None:
    robin().when(Attune(who="robin", item="ring")).then(bound("ring"))  # type: ignore[call-arg]
    robin().when(Attune(who="robin", item="stick")).refused("no more than a stick")  # type: ignore[call-arg]
    robin().when(Attune(who="robin", item="sword")).refused("has no sword")  # type: ignore[call-arg]


def test_nobody_has_more_bonds_than_the_most_or_two_with_one_thing() -> None:
    robin("ring").when(Attune(who="robin", item="ring")).refused("attuned to ring; 2")  # type: ignore[call-arg]
    full = robin("ring", "crown").when(Attune(who="robin", item="cloak"))  # type: ignore[call-arg]
    full.refused("attuned to ring, crown; 2 things are the most")


def test_a_bond_is_let_go_unless_the_game_forbids_it() -> None:
    over = events.TraitLost(character="robin", trait="ring", kind=attunement.ATTUNED)
    robin("ring").when(Attune(who="robin", item="ring", ends=True)).then(over)  # type: ignore[call-arg]
    robin("crown").when(Attune(who="robin", item="crown", ends=True)).refused("not let go")  # type: ignore[call-arg]
    robin("crown").when(Attune(who="robin", item="ring", ends=True)).refused("is attuned to: crown")  # type: ignore[call-arg]


def test_death_ends_all_bonds() -> None:
    alive = (*joined_events("robin"), bound("ring"), bound("cloak"))
    table = table_after(alive)
    attunement.let_go_of_all(table, "robin")
    assert attunement.attuned_to(table.character("robin")) == ("ring", "cloak")
    table = table_after((*alive, events.ConditionBegan(character="robin", condition="dead")))
    attunement.let_go_of_all(table, "robin")
    assert attunement.attuned_to(table.character("robin")) == ()
