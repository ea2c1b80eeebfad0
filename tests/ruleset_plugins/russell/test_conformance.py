"""russell keeps what every ruleset promises."""

from __future__ import annotations

from rollbook.testing.conformance.suite import RulesetConformance


class TestRussell(RulesetConformance):
    ruleset = "russell"
    examples = (
        "join Aldo --scores 13,12,9,11,10,14 --templates sellsword --hit-dice 5 --armour chain --shield --weapon melee",
        "join Brenna --scores 9,10,16,14,13,8 --templates delver --hit-dice 4 --armour leather --weapon ranged",
        "join Wat --kind hireling --profile 'HD 1 Mrl 8' --hp 4",
        "join Goblin --kind monster --profile 'HD 1 AC 6 Mrl 7' --hp 4 --group goblins",
        "join Ogre --kind monster --profile 'Mv 9 WS 5 HD 4 AC 5 Att 2' --hp 15",
        "learn brenna stealth",
        "check brenna stealth ! 6",
        "check brenna stealth ! 3",
        "check brenna stealth ! 1",
        "save aldo movement ! 9",
        "begin-encounter aldo,brenna,goblin,ogre --range close ! 6 4 2 1",
        "attack aldo goblin melee --charge ! 12 7 4",
        "end-turn",
        "attack brenna ogre bow --melee aldo ! 20 3",
        "choose brenna critical:ogre double",
        "end-turn",
        "move ogre --to engaged --foes aldo,brenna",
        "end-turn ! 6 3 1",
        "stunt aldo ogre --effect trip ! 19 6",
        "harm aldo 7 ! 3 2",
        "end-turn",
        "stabilise brenna aldo ! 5",
        "end-encounter",
        "award-kills goblin",
        "bring-home party --value 300",
        "award party 2500 the hoard",
        "downtime party --weeks 2 ! 6",
        "level-up aldo --template hedge-mage ! 5",
        "choose aldo primary-class sellsword",
        "practise brenna stealth ! 9",
    )
