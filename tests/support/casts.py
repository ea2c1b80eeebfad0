"""Two characters of each ruleset, and an attack that misses by one."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Cast:
    """Two characters of a game, an attack that misses by one, and the number that was one too low."""

    hero: str
    foe: str
    attack: str
    attacker: str
    number: str


CASTS = {
    "storytoken": Cast(
        hero="join Marian --heritage human --roles thieving,wilderness,noble --scores 11,15,12,14,13,16 --hit-dice 4",
        foe="join Guard --kind npc --hp 40 --armour light --stats to_hit=3",
        attack="attack guard marian light ! 7",
        attacker="guard",
        number="to_hit",
    ),
    "luckpoint": Cast(
        hero="join Rolf --abilities 2,2,2,0,0,0 --skills maneuvers",
        foe="join Hound --kind monster --hp 6 --stats to_hit=3,damage=1",
        attack="attack hound rolf unarmed ! 8",
        attacker="hound",
        number="to_hit",
    ),
    "powers": Cast(
        hero="join Ada 20 --defense 14 --stats strength=3,initiative=2,wis=1 --powers sweep",
        foe="join Wolf 8 --kind monster --defense 12",
        attack="attack ada wolf sweep ! 8",
        attacker="ada",
        number="str",
    ),
    "russell": Cast(
        hero="join Aldo --scores 13,12,9,11,10,14 --templates sellsword --hit-dice 5 --armour chain --shield --weapon melee",
        foe="join Ogre --kind monster --profile 'Mv 9 WS 5 HD 4 AC 5 Att 2' --hp 15",
        attack="attack ogre aldo melee ! 10",
        attacker="ogre",
        number="weapon_skill",
    ),
    "grid": Cast(
        hero="join Tamsin --class-name rogue --weapon sword --off-hand dagger --armour leather --at 0,0",
        foe="join Wolf --kind monster --hp 11 --ac 13 --attack 3 --speed 40 --at 1,0",
        attack="attack wolf tamsin ! 10",
        attacker="wolf",
        number="attack",
    ),
}
