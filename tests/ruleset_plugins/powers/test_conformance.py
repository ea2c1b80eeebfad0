"""Powers keeps what every ruleset promises."""

from __future__ import annotations

from rollbook.testing.conformance.suite import RulesetConformance


class TestPowers(RulesetConformance):
    ruleset = "powers"
    examples = (
        "join Ada 20 --defense 14 --stats strength=3,initiative=2,wis=1 --powers sweep,patch-up,cheer --rerolls 2",
        "join Bo 12 --stats dex=2,cha=4,wis=0,str=0 --powers shoot,feint",
        "join Wolf 8 --kind monster --defense 12 --stats cha=1,wis=0,str=2",
        'define-power wolf "Howl" --attack --rolls cha --against wis --most 0 --condition scared',
        "check bo dex --target hard",
        "begin-encounter ada,bo,wolf ! 15 9 12",
        "attack ada wolf,bo sweep ! 10 2 3",
        "end-turn --next bo",
        "interrupt wolf",
        "attack wolf ada,bo howl ! 14",
        "end-turn --next bo",
        "attack bo ada feint ! 8",
        "attack bo wolf shoot ! 19 3",
        "end-turn --next bo",
        "interrupt ada",
        "use-power ada patch-up ! 15 4",
        "condition bo scared --ends",
    )
