"""Luckpoint keeps what every ruleset promises."""

from __future__ import annotations

from ruleset_plugins.testing import RulesetConformance


class TestLuckpoint(RulesetConformance):
    ruleset = "luckpoint"
    examples = (
        "bring-in fighter",
        "join Ada --abilities 3,2,2,0,1,-1 --skills maneuvers,endurance --weapon sword",
        "join Ben --creation alternate --special lucky --skills medical,location:trieste --armour light",
        "join Wolf --kind monster --hp 8 --ac 12 --stats to_hit=3",
        "choose ben creation-ability-1 int",
        "check ada maneuvers --disadvantage ice --luck ! 12",
        "save ben will --by-effect lore ! 9",
        "opposed ada str wolf dex ! 15 3",
        "begin-encounter ada,ben,wolf ! 15 9",
        "attack ada wolf sword --cover half ! 14 2",
        "end-turn",
        "attack wolf ada unarmed --opportunity ! 11 4",
        "explosion wolf,ada --attacker ben ! 16 3 2 3 4 5",
        "end-turn",
        "end-turn ! 11 8",
        "medical-aid ben ada ! 17",
    )
