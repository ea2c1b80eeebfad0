"""grid keeps what every ruleset promises."""

from __future__ import annotations

from ruleset_plugins.testing.conformance.suite import RulesetConformance


class TestGrid(RulesetConformance):
    ruleset = "grid"
    examples = (
        "bring-in steve --at 0,0",
        "bring-in jeff --side foes --at 3,0",
        "join Tamsin --class-name rogue --weapon sword --off-hand dagger --armour leather --at 0,2",
        "join Odo --class-name cleric --weapon club --shield buckler --armour brigandine --at 0,4",
        "join Wolf --kind monster --hp 11 --ac 13 --attack 3 --speed 40 --at 6,6",
        "join Archer --kind npc --side foes --class-name fighter --weapon longbow --sheath axe --at 8,0",
        "join Nobody",
        "choose nobody class wizard",
        "place nobody --east -4 --north 2",
        "check tamsin hide --target 12 ! 9",
        "save odo will ! 11",
        "begin-encounter steve,jeff,tamsin,odo,wolf,archer ! 18 3 16 15 10 1",
        "move steve --to 2,0 ! 4",
        "hamstring steve jeff ! 2 14 4",
        "end-turn",
        "move tamsin --path e,e,se,se",
        "attack tamsin jeff ! 3 4",
        "end-turn",
        "act odo 'sings'",
        "end-turn",
        "move wolf --path sw,sw",
        "end-turn",
        "cast jeff magic-missile --targets steve,tamsin --spare steve,tamsin ! 3 2",
        "move jeff --path n,n --spare tamsin",
        "end-turn",
        "attack archer steve ! 20 3 4 5",
        "end-turn ! 18 16 15 10 3 1",
        "move steve --path n ! 3",
        "trip steve jeff --spare jeff ! 12 1",
        "end-turn",
        "move tamsin --path n,n,n --spare wolf",
        "attack tamsin jeff ! 15 1 1 1 1 1",
        "end-turn",
        "stabilise tamsin jeff --out-of-turn --spare wolf ! 17",
        "cast odo cure-light-wounds --targets odo ! 3",
        "end-turn",
        "harm wolf 15",
        "end-turn",
        "end-turn",
        "sheathe archer longbow --down --out-of-turn",
        "wield archer axe --out-of-turn",
        "condition steve prone",
        "stand steve --out-of-turn --spare archer",
        "sheathe steve sword --down --out-of-turn",
        "wield steve sword --out-of-turn",
        "give odo leather",
        "wear odo leather --out-of-turn",
    )
