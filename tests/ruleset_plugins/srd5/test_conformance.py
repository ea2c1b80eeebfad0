"""srd5 keeps what every ruleset promises."""

from __future__ import annotations

from rollbook.testing.conformance.suite import RulesetConformance


class TestSrd5(RulesetConformance):
    ruleset = "srd5"
    examples = (
        "join Kara --class-name fighter --level 5 --scores 16,14,14,10,12,8 --weapons longsword,longbow --at 0,0",
        "join Odo --class-name cleric --scores 10,12,14,10,16,8 --armour chain-shirt --shield --weapons mace --at 0,1",
        'join "Goblin Warrior" --count 2 --at 3,0',
        "join Ogre --at 5,5",
        "join Wolf --at 4,4",
        "join Nobody",
        "join Bryn --class-name barbarian --species goliath --background soldier --method array --increases str=2,con=1",
        "choose bryn barbarian-skill-1 perception",
        "choose bryn giant-ancestry-1 tumble",
        "bring-in pim",
        "award bryn 300",
        "level-up bryn",
        "use bryn rage --targets bryn",
        "use kara second-wind ! 4",
        "check kara athletics --dc hard ! 12 9",
        "save odo wis --dc 12 ! 11",
        "begin-encounter kara,odo,goblin-warrior-1,goblin-warrior-2,ogre,wolf ! 18 11 15 12 9 5",
        "move kara --to 2,0",
        "attack kara goblin-warrior-1 --weapon longsword ! 15 4",
        "attack kara goblin-warrior-1 --weapon longsword ! 2",
        "drop-prone kara",
        "end-turn",
        "end-turn",
        "attack goblin-warrior-1 kara --weapon scimitar ! 20 19 3 3 2 2",
        "end-turn",
        "end-turn",
        "harm kara 40 --tags fire",
        "stabilise odo kara --kit --out-of-turn ! 3",
        "end-turn",
        "condition odo poisoned --lasts '1 minute'",
        "place wolf 1,2",
        "attack wolf odo --out-of-turn ! 16 4",
        "end-turn",
        "heal kara 5",
        "stand kara --out-of-turn",
        "end-turn",
        "side ogre party",
        "place ogre 8,8",
        "condition wolf exhaustion --levels 2",
        "end-encounter",
        "short-rest odo --dice odo=1 ! 5",
        "long-rest odo",
    )
