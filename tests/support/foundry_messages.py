"""One message of every sort that Foundry writes, in the shapes of its versions: what mutations begin with."""

from __future__ import annotations

import json
from typing import Any

from tests.support.foundry import ANNA, BEN, GM, GOBLIN, HERO, WorldLog, die, plus, roll

Document = dict[str, Any]


def number(amount: float) -> Document:
    return {"class": "NumericTerm", "options": {}, "evaluated": True, "number": amount}


def operator(sign: str) -> Document:
    return {"class": "OperatorTerm", "options": {}, "evaluated": True, "operator": sign}


def expression(sign: str, *operands: Document) -> Document:
    return {
        "class": "ArithmeticExpression",
        "options": {},
        "evaluated": True,
        "operator": sign,
        "operands": [*operands],
    }


def grouping(term: Document, flavour: str = "") -> Document:
    return {"class": "Grouping", "options": {"flavor": flavour}, "evaluated": True, "term": term}


def instances(*rolls: Document, counted: tuple[int, ...]) -> Document:
    """The pool in which Pathfinder's second edition keeps damage of several sorts."""
    return {
        "class": "InstancePool", "options": {}, "evaluated": True, "terms": [one["formula"] for one in rolls], "modifiers": [],
        "rolls": [*rolls], "results": [{"result": result, "active": True} for result in counted],
    }  # fmt: skip


def instance(formula: str, total: int, *terms: Document, flavour: str = "") -> Document:
    return roll(formula, total, *terms, **{"class": "DamageInstance", "options": {"flavor": flavour}})


ROLLS: dict[str, Document] = {
    "percent": roll("d100 + 80", 143, die(100, 63), *plus(80)),
    "advantage": roll(
        "2d20kh + 4", 21,
        die(20, {"result": 17}, {"result": 3, "active": False, "discarded": True}, modifiers=["kh"]), *plus(4),
    ),
    "exploding": roll(
        "2d6x6", 19,
        die(6, {"result": 6, "exploded": True}, 4, {"result": 6, "exploded": True}, 3, modifiers=["x6"], number=2),
    ),
    "six times exploding": roll("1d6x6", 9, die(6, {"result": 6, "exploded": True}, 3, modifiers=["x6"], number=1)),
    "reroll": roll(
        "2d6r<3", 9, die(6, {"result": 1, "active": False, "rerolled": True}, 5, 4, modifiers=["r<3"], number=2)
    ),
    "minimum": roll("1d20min10", 10, die(20, {"result": 3, "rerolled": True, "count": 10}, modifiers=["min10"])),
    "maximum": roll("1d20max10", 10, die(20, {"result": 17, "rerolled": True, "count": 10}, modifiers=["max10"])),
    "successes": roll(
        "5d10cs>=8", 2,
        die(10, *({"result": face, "success": face >= 8, "count": int(face >= 8)} for face in (8, 10, 3, 1, 5)),
            modifiers=["cs>=8"]),
    ),
    "failures taken off": roll(
        "3d10cs>=8df1", 0,
        die(10, {"result": 9, "success": True, "count": 1}, {"result": 1, "failure": True, "count": -1},
            {"result": 4, "count": 0}, modifiers=["cs>=8", "df=1"]),
    ),
    "fate": roll("4dF + 2", 2, die(3, 1, -1, 0, 0, **{"class": "FateDie"}), *plus(2)),
    "coins": roll("3dc", 2, die(2, 1, 0, 1, **{"class": "Coin"})),
    "pool keep high": roll(
        "{1d8, 1d6}kh", 7,
        {"class": "PoolTerm", "terms": ["1d8", "1d6"], "modifiers": ["kh"], "evaluated": True,
         "rolls": [roll("1d8", 7, die(8, 7)), roll("1d6", 5, die(6, 5))],
         "results": [{"result": 7, "active": True}, {"result": 5, "active": False, "discarded": True}]},
    ),
    "pool of successes": roll(
        "{4d6, 2d8}cs>10", 1,
        {"class": "PoolTerm", "terms": ["4d6", "2d8"], "modifiers": ["cs>10"],
         "rolls": [roll("4d6", 15, die(6, 3, 4, 4, 4)), roll("2d8", 9, die(8, 4, 5))],
         "results": [{"result": 15, "active": True, "success": True, "count": 1},
                     {"result": 9, "active": True, "success": False, "count": 0}]},
    ),
    "parenthesis of version 12": roll(
        "(2d4 + 1) * 3", 15,
        {"class": "ParentheticalTerm", "term": "2d4 + 1", "evaluated": True,
         "roll": roll("2d4 + 1", 5, die(4, 1, 3), *plus(1))},
        operator("*"), number(3),
    ),
    "parenthesis of version 9": roll("(1d4)d6", 11, die(6, 5, 6), dice=[die(4, 2)]),
    "dice of dice in version 12": roll(
        "(1d4)d6", 11, die(6, 5, 6, number={"class": "Roll", "formula": "1d4", "terms": [die(4, 2)], "total": 2})
    ),
    "function": roll(
        "floor((1d8 + 3) / 2)", 4,
        {"class": "FunctionTerm", "fn": "floor", "terms": ["(1d8 + 3) / 2"], "result": 4,
         "rolls": [roll(
             "(1d8 + 3) / 2", 4.5,
             {"class": "ParentheticalTerm", "term": "1d8 + 3", "roll": roll("1d8 + 3", 9, die(8, 6), *plus(3))},
             operator("/"), number(2))]},
    ),
    "function of version 9": roll(
        "max(1d6, 1d8)", 6, {"class": "MathTerm", "fn": "max", "terms": ["1d6", "1d8"]},
        dice=[die(6, 2), die(8, 6)],
    ),
    "text": roll("1d20 + @mod", 12, die(20, 12), operator("+"), {"class": "StringTerm", "term": "@mod", "options": {}}),
    "half": roll("1d5 / 2", 1.5, die(5, 3), operator("/"), number(2)),
    "taken off": roll("1d6 - 1d4 - 1", 1, die(6, 5), operator("-"), die(4, 3), *plus(-1)),
    "strange class": roll("2ds", 2, die(8, 1, 1, **{"class": "SymbolDie"})),
    "nothing rolled": roll("5", 5, number(5)),
    "below nothing": roll("1d4 - 6", -4, die(4, 2), *plus(-6)),
    "old parts": {"class": "Roll", "formula": "1d20 + 2", "dice": [{"class": "Die", "faces": 20, "rolls": [{"roll": 11}]}],
                  "parts": ["_d0", "+", "2"], "result": "11 + 2", "total": 13},
    "instances": roll(
        "{(2d6 + 4)[bludgeoning], 1d6[cold]}", 19,
        instances(
            instance("(2d6 + 4)[bludgeoning]", 13, grouping(expression("+", die(6, 3, 6), number(4)))),
            instance("1d6[cold]", 6, die(6, 6)), counted=(13, 6),
        ),
    ),
    "doubled": roll("{2 * (1d8 + 3)}", 16, instances(
        instance("2 * (1d8 + 3)", 16, expression("*", number(2), grouping(expression("+", die(8, 5), number(3))))),
        counted=(16,),
    )),
    "persistent": roll("{1d8[fire], 1d6[persistent,fire]}", 7, instances(
        instance("1d8[fire]", 7, die(8, 7)), instance("1d6[persistent,fire]", 4, die(6, 4), flavour="persistent,fire"),
        counted=(7, 0),
    )),
    "intermediate": roll(
        "(1 + 1)d6", 9, {"class": "IntermediateDie", "evaluated": True, "die": die(6, 4, 5), "faces": number(6),
                         "number": grouping(expression("+", number(1), number(1)))},
    ),
    "tens and units": roll("1dt + 1d10", 2, die(10, 10, **{"class": "CoC7DecaderDie"}), operator("+"), die(10, 2)),
    "two tens": roll("2dtkl + 1d10", 37, die(10, {"result": 8, "active": False, "discarded": True}, 3, modifiers=["kl"],
                     **{"class": "CoC7DecaderDie"}), operator("+"), die(10, 7)),
    "tiebreaker": roll("1d20 + 2 + 0.14", 16.14, die(20, 14), *plus(2), operator("+"), number(0.14)),
    "taken off a fraction": roll("1d20 - 1.25", 8.75, die(20, 10), operator("-"), number(1.25)),
    "times a half": roll("1d8 * 1.5", 10.5, die(8, 7), operator("*"), number(1.5)),
    "two halves": roll("1d6 + 1.5 + 1.5", 7, die(6, 4), operator("+"), number(1.5), operator("+"), number(1.5)),
    "terms as text": {"class": "Roll", "formula": "1d6 + 2", "terms": [die(6, 4), "+", "2"], "dice": [], "total": 6},
}  # fmt: skip


CARD = (
    '<div class="chat-card" data-item-id="x"><h3 class="item-name">Bow</h3><div class="midi-qol-attack-roll">'
    '<div class="dice-roll"><div class="dice-result"><div class="dice-formula">1d20 + 6</div>'
    '<div class="dice-tooltip"><div class="dice"><ol class="dice-rolls"><li class="roll die d20">18</li></ol></div></div>'
    '<h4 class="dice-total">24</h4></div></div></div></div>'
)
"""A card whose roll stands nowhere but in its HTML."""


def a_world() -> WorldLog:
    """A world with a message of every sort."""
    world = WorldLog()
    for rolled in ROLLS.values():
        world.roll(rolled, flavor="Stealth Skill Check")
    attack = roll("1d20 + 5", 19, die(20, 14), *plus(5))
    world.roll(attack, GM, GOBLIN, whisper=[GM], flavor="hidden-word-1")
    world.roll(attack, ANNA, whisper=[GM], blind=True, flavor="hidden-word-2")
    world.roll(attack, GM, None, whisper=[BEN], flavor="hidden-word-3")
    world.roll(attack, GM, HERO, whisper=[ANNA, BEN], flavor="hidden-word-4")
    world.say(GM, content="hidden-word-5", whisper=[GM], type=4)
    world.say(ANNA, content="<p>words <b>in</b> the open</p>", type=2, speaker={"actor": HERO, "alias": "Robin"})
    world.say(GM, content=CARD, flags={"midi-qol": {"d20AttackRoll": 18}}, speaker={"actor": HERO, "alias": "Robin"})
    several = world.roll(attack, flavor="Longbow")
    several["rolls"] = [json.dumps(attack), json.dumps(roll("1d8 + 2", 6, die(8, 4), *plus(2)))]
    old = world.roll(attack, BEN, None)
    old["roll"] = json.dumps(json.dumps(attack))
    del old["rolls"]
    new = world.roll(attack)
    new["author"], new["style"], new["type"] = new.pop("user"), 0, "base"
    new["rolls"] = [attack]
    return world
