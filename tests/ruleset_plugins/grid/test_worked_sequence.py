"""What the rulebook tells of Steve and Jeff, and of the players a, b and z, happens on the map as it is printed."""

from __future__ import annotations

from itertools import product

from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.attack import Attack, Hamstring
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.grid.movement import Move
from rollbook.rulesets.grid.settings import CENTER, SQUARE
from rollbook.rulesets.grid.squares import is_flanked
from rollbook.testing.scenarios import like, rule, scenario, with_dice

CHECK, MOVED = events.CheckResolved, events.Moved
OPENING = "attack of opportunity"


def opening(who: str, against: str, **more):
    return like(CHECK, character=who, check=OPENING, against=against, **more)


@rule("R4.36", "R4.31", "R4.32", "R4.33", "R4.35", "Q4.17")
def test_steve_closes_in_and_hamstrings_and_jeff_casts_and_runs_with_four_openings_in_all(fight) -> None:
    scene = fight({"steve": (0, 0), "jeff": (4, 0)})
    closes = scene.when(Move(who="steve", path=("e", "e", "e"))).rolling(5)
    closes.then(MOVED(character="steve", east=1, cost=1), opening("jeff", "steve", outcome="miss"))
    assert len(closes.events(CHECK)) == 1

    cuts = closes.go_on().when(Hamstring(attacker="steve", target="jeff")).rolling(4, 13, 2)
    cuts.then(
        opening("jeff", "steve", outcome="miss"),
        like(CHECK, character="steve", check="hamstring", success=True),
        like(CHECK, character="jeff", check="Dexterity save", target=13, success=False),
        like(events.ConditionBegan, character="jeff", condition="hamstrung"),
    )

    turn = cuts.go_on().given(EndTurn())
    casts = turn.when(Cast(who="jeff", spell="magic-missile", targets=("steve",))).rolling(12, 1, 10, 3, 2)
    casts.then(
        opening("steve", "jeff", outcome="hit"),
        like(events.DamageTaken, character="jeff", amount=4),
        like(CHECK, character="jeff", check="Concentration save", target=4, total=17, success=True, against=OPENING),
        like(events.DamageTaken, character="steve", amount=4),
        like(events.DamageTaken, character="steve", amount=3),
    )

    runs = casts.go_on().when(Move(who="jeff", path=("e", "e", "e"))).rolling(17, 1)
    runs.then(
        opening("steve", "jeff", outcome="hit"),
        like(events.DamageTaken, character="jeff", amount=4),
        MOVED(character="jeff", east=1, cost=1),
    )
    assert runs.character("jeff").position == (7, 0, 0)
    assert runs.sheet("jeff").amount("hp") == 1
    assert len(runs.events(CHECK)) == 1


@rule("R4.36", "R4.35", "R4.34", "Q4.29")
def test_with_less_concentration_the_spell_is_lost_and_so_is_the_casting(fight) -> None:
    scene = fight({"jeff": (1, 0), "steve": (0, 0)}).given(
        events.StatChanged(character="jeff", stat="max_hp", amount=30)
    )
    fizzles = scene.when(Cast(who="jeff", spell="scorching-ray", targets=("steve",))).rolling(12, 7, 2)
    fizzles.then(
        like(events.DamageTaken, character="jeff", amount=10),
        like(CHECK, check="Concentration save", target=10, total=9, success=False),
    )
    fizzles.never(like(CHECK, check="spell attack"))
    assert fizzles.sheet("jeff").amount("spell:scorching-ray") == 0


BESIDE_BOTH = ((0, 4, 0), (1, 4, 0), (1, 2, 0))
"""Where z may stand so that player a is beside them after three squares up and after one more to the right."""


def placements(geometry: str):
    """Where z and b may stand so that the words hold: no flank after three up, and one after a square to the right."""
    way = {(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (1, 3, 0)}
    for z, (east, north) in product(BESIDE_BOTH, product((-1, 0, 1), repeat=2)):
        b = (z[0] + east, z[1] + north, 0)
        if b not in way and not is_flanked(z, (0, 3, 0), b, geometry) and is_flanked(z, (1, 3, 0), b, geometry):
            yield z, b


@rule("R4.39", "Q4.21")
def test_the_figure_can_be_drawn_by_either_reading_of_the_line() -> None:
    assert list(placements(CENTER)) == [((0, 4, 0), (-1, 5, 0)), ((1, 4, 0), (1, 5, 0)), ((1, 2, 0), (1, 1, 0))]
    assert len(list(placements(SQUARE))) == 2


@rule("R4.39", "R4.37", "R4.38", "R4.31", "Q4.22")
def test_three_up_is_no_flank_and_one_more_to_the_right_is_and_nobody_gets_an_opening() -> None:
    at = {"a": ("0", "0"), "b": ("-1", "5"), "z": ("0", "4")}
    scene = scenario(RULESET).given(
        Join(name="A", hp=20, attack=4, speed=20, at=at["a"]),
        Join(name="B", hp=20, attack=4, at=at["b"]),
        Join(name="Z", kind="monster", hp=60, ac=14, at=at["z"]),
        with_dice(BeginEncounter(participants=("a", "b", "z")), 20, 15, 10),
    )
    up = scene.go_on().when(Move(who="a", path=("n", "n", "n")))
    up.then(like(MOVED, character="a")).never(events.DiceRolled)
    plain = up.go_on().when(Attack(attacker="a", target="z")).rolling(9)
    plain.then(like(CHECK, total=13, success=False))

    right = scene.go_on().when(Move(who="a", path=("n", "n", "n", "e")))
    right.then(like(MOVED, north=1), like(MOVED, east=1)).never(events.DiceRolled)
    flanks = right.go_on().when(Attack(attacker="a", target="z")).rolling(8, 2)
    flanks.then(like(CHECK, total=14, success=True))
    later = flanks.go_on().given(EndTurn()).when(Attack(attacker="b", target="z")).rolling(8, 2)
    later.then(like(CHECK, character="b", total=14, success=True))

    too_far = scene.when(Move(who="a", path=("n", "n", "n", "e", "e")))
    too_far.refused("A moves up to 4 squares", "this way costs 5")
