"""What roles can do besides adding to rolls: rage, rallies, questions, gadgets, ships, beasts, riders on blows."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import ChangeTrait
from rollbook.domain.actions.sessions import FrameScene
from rollbook.plugin import SecondThought, events, second_thought
from rollbook.rulesets.storytoken.body.harm import Harm, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.role_powers import Gadget, Investigate, Manoeuvre, Rage
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndEncounter, EndTurn
from rollbook.rulesets.storytoken.story.social import Influence, SetAttitude
from rollbook.rulesets.storytoken.story.spending import Complicate, SpendToken
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.storytoken import expert, wait

ROLLED, HURT, HEALED = events.DiceRolled, events.DamageTaken, events.HitPointsRestored
BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


def token(who: str) -> events.PoolBecame:
    return events.PoolBecame(holder=who, pool="token", amount=1)


# Topics.


TOPICS = {
    "assassination": ("climb", "identify poison", "listen", "locks", "stealth", "traps"),
    "beast-bond": ("calm animals", "direct animals", "read animals", "train animals"),
    "eldritch": ("occult symbols", "otherworldly beings", "resist mind-altering", "rituals", "supernatural"),
    "espionage": (
        "blend in",
        "body language",
        "covert intelligence",
        "detect surveillance",
        "false identity",
        "locks",
        "resist interrogation",
        "security systems",
        "urban stealth",
    ),
    "investigation": ("clues", "detect lies", "evidence", "question witnesses", "reconstruct events", "track people"),
    "leadership": ("coordinate", "inspire", "morale", "negotiate", "strategy"),
    "medical": ("biohazards", "diagnose", "medicate", "radiation", "stabilize", "surgery", "toxins"),
    "noble": ("command respect", "diplomacy", "etiquette", "heraldry", "politics", "social standing"),
    "obscurity": ("avoid detection", "conceal motives", "exploit inattention", "shadows", "stay unnoticed"),
    "science": (
        "assess impact",
        "data analysis",
        "experiments",
        "explain phenomena",
        "patterns",
        "scientific reasoning",
    ),
    "starship": (
        "emergency fixes",
        "identify ships",
        "navigate space",
        "operate starship",
        "pilot",
        "power distribution",
        "repair starship",
    ),
    "technology": (
        "artificial intelligence",
        "digital signals",
        "drones",
        "electronic security",
        "identify devices",
        "improvise devices",
        "repair machines",
    ),
    "thieving": ("climb", "forgery", "lies", "locks", "stealth", "traps"),
    "wilderness": (
        "calm animals",
        "follow tracks",
        "identify nature",
        "native stealth",
        "predict weather",
        "survival",
        "train animals",
    ),
}


@rule(
    "R0.159", "R0.160", "R0.163", "R0.164", "R0.166", "R0.167", "R0.168", "R0.169", "R0.170", "R0.171", "R0.172",
    "R0.173", "R0.174", "R0.177", "QG.14",
)  # fmt: skip
@pytest.mark.parametrize("role", TOPICS)
def test_a_role_adds_to_its_own_tasks(nobody, role: str) -> None:
    game = nobody().given(expert(role))
    bonus = 2 if role == "assassination" else 6
    for topic in TOPICS[role]:
        game.when(Check(who="expert", ability="int", topic=topic)).rolling(10).then(like(ROLLED, total=10 + bonus))
    other = "brewing"
    game.when(Check(who="expert", ability="int", topic=other)).rolling(10).then(like(ROLLED, total=10))


# Blows.


@rule("R0.159", "R0.174", "R0.163", "Q0.50")
@pytest.mark.parametrize(
    ("roles", "unaware", "to_hit", "damage"),
    [
        (("assassination",), ("attack",), 4, 12),
        (("thieving",), ("attack",), 2, 8),
        (("eldritch",), ("insight",), 2, 8),
        (("assassination", "thieving"), ("attack",), 6, 20),
        (("assassination", "eldritch"), ("attack", "insight"), 6, 20),
        (("fighting", "assassination"), ("attack",), 8, 16),
        (("assassination",), ("insight",), 0, 0),
        (("assassination",), (), 0, 0),
    ],
)
def test_what_a_target_knows_nothing_of_hits_harder(sherwood, roles, unaware, to_hit: int, damage: int) -> None:
    blow = Attack(attacker="expert", target="deputy", weapon="medium-melee", unaware=unaware)
    played = sherwood().given(expert(*roles)).when(blow).rolling(18, 3)
    played.then(like(ROLLED, purpose="to hit", total=18 + to_hit), like(HURT, dealt=3 + damage))


@rule("R0.163")
def test_an_insight_helps_to_influence_anyone_who_knows_nothing_of_it(sherwood) -> None:
    talk = Influence(who="expert", target="marian", unaware=("insight",))
    sherwood().given(expert("eldritch")).when(talk).rolling(10).then(like(ROLLED, total=12))


def raging(game, *, level: int = 4, **more):
    game.given(expert("berserker", level=level, **more), Join(name="Foe", id="foe", kind="monster", hp=90))
    return game.given(with_dice(BeginEncounter(participants=("expert", "foe")), 15, 3))


@rule("R0.161", "Q0.53", "Q0.51")
def test_rage_makes_strength_attacks_and_saves_easier_and_melee_harder_hitting(nobody) -> None:
    game = raging(nobody()).given(Rage(who="expert"))
    assert game.character("expert").conditions["raging"].until == 40, "as many rounds as levels"
    for deed, dice in (
        (Check(who="expert", ability="str"), 2),
        (Check(who="expert", ability="dex"), 1),
        (Save(who="expert", ability="wis"), 2),
    ):
        roll = game.when(deed).rolling(*(3,) * dice).events(ROLLED)[0]
        assert len(roll.dice) == dice
    axe = Attack(attacker="expert", target="foe", weapon="medium-melee")
    game.when(axe).rolling(4, 14, 3).then(like(HURT, dealt=3 + 2))
    bow = Attack(attacker="expert", target="foe", weapon="medium-ranged", distance=30)
    game.when(bow).rolling(4, 14, 3).then(like(HURT, dealt=3))


@rule("R0.161", "Q0.53", "QG.1")
def test_blows_do_half_harm_to_the_raging_and_fire_all_of_it(nobody) -> None:
    game = raging(nobody()).given(Rage(who="expert"))
    blow = Attack(attacker="foe", target="expert", weapon="medium-melee", out_of_turn=True)
    game.when(blow).rolling(15, 5).then(like(HURT, character="expert", amount=2, dealt=5))
    game.when(Harm(who="expert", amount="7", source="a fall")).then(like(HURT, amount=3, dealt=7))
    game.when(Harm(who="expert", amount="7", tags=("fire",))).then(like(HURT, amount=7, dealt=7))
    up = raging(nobody(rounding="ceil")).given(Rage(who="expert"))
    up.when(blow).rolling(15, 5).then(like(HURT, amount=3))


@rule("R0.161", "Q0.53")
def test_the_end_of_rage_costs_a_hit_point_a_level_however_it_ends(nobody) -> None:
    game = raging(nobody(), level=1).given(Rage(who="expert"), EndTurn())
    over = game.when(EndTurn()).rolling(15, 3)
    over.then(
        ENDED(character="expert", condition="raging"), HURT(character="expert", amount=1, dealt=1, tags=("rage",))
    )
    calm = raging(nobody()).given(Rage(who="expert"))
    calm.when(Rage(who="expert", stop=True)).then(ENDED, like(HURT, amount=4))
    felled = calm.when(Harm(who="expert", amount="31", tags=("fire",)))
    felled.then(BEGAN(character="expert", condition="unconscious"), ENDED, like(HURT, amount=4))
    assert felled.sheet("expert").amount("hp") == -5, "it can take hit points below 0"
    calm.when(EndEncounter()).then(
        ENDED(character="expert", condition="raging"), like(HURT, amount=4, tags=("rage",)), events.EncounterEnded
    )


@rule("Q0.53", "Q0.70")
def test_rage_is_free_or_for_once_a_day(nobody) -> None:
    stop = Rage(who="expert", stop=True)
    raging(nobody()).given(Rage(who="expert"), stop).when(Rage(who="expert")).then(BEGAN)
    once = raging(nobody(rage_per_day="once")).given(Rage(who="expert"), stop)
    once.when(Rage(who="expert")).refused("has used rage already", "1 day")
    once.given(wait(24, "hours")).when(Rage(who="expert")).then(BEGAN)


@rule("R0.161")
def test_rage_is_for_berserkers_in_a_fight(sherwood, nobody) -> None:
    sherwood().when(Rage(who="robin")).refused("it takes the role Berserker")
    nobody().given(expert("berserker")).when(Rage(who="expert")).refused("No encounter is being fought")
    game = raging(nobody()).given(Rage(who="expert"))
    game.when(Rage(who="expert")).refused("raging already")
    raging(nobody()).when(Rage(who="expert", stop=True)).refused("is not raging")


# Experts.


@rule("R0.166", "R0.192", "Q0.70")
def test_once_a_day_a_lead_gets_half_a_level_of_questions_answered(sherwood) -> None:
    four = ("Who, and with whom?", "What?", "Where?", "When")
    ask = Investigate(who="holmes", about="the murder", ask=" ".join(four))
    played = sherwood().when(ask)
    assert [event.text for event in played.events(events.NoteWritten)] == [
        f"Sherlock Holmes asks about the murder: {question}" for question in four
    ]
    sherwood().when(Investigate(who="holmes", about="it", ask=" ".join(four) + "? How?")).refused(
        "up to 4 questions, and 5"
    )
    sherwood().when(Investigate(who="holmes", about="it", ask=" ")).refused("up to 4 questions, and 0")
    again = sherwood().given(ask, wait(23, "hours"))
    again.when(ask).refused("has used questions already", "1 hour")
    again.given(wait(1, "hours")).when(ask).then(events.PowerUsed)


@rule("R0.164")
def test_a_spy_has_as_many_gadgets_as_levels(nobody) -> None:
    game = nobody().given(expert("espionage", level=2))
    game.given(Gadget(who="expert", item="smoke pen"), Gadget(who="expert", item="lock pick"))
    assert dict(game.sheet("expert").words)["Gadgets"] == "2 of 2 are out"
    game.when(Gadget(who="expert", item="umbrella")).refused("has 2 gadgets, and 2 are out")
    game.given(events.GearLost(character="expert", item="smoke pen"))
    game.when(Gadget(who="expert", item="umbrella")).then(like(events.GearGained, item="umbrella", use=("gadget",)))
    nobody().given(expert("noble")).when(Gadget(who="expert", item="pen")).refused("takes the role Espionage Expert")
    fresh = nobody().given(expert("espionage"), Gadget(who="expert", item="pen"))
    fresh.when(Gadget(who="expert", item="pen")).refused("holds pen already")


@rule("R0.168", "R0.173", "Q0.50")
def test_a_physician_under_pressure_rolls_and_heals_better_and_a_mechanic_mends_more(sherwood) -> None:
    game = sherwood().given(
        expert("medical", "technology"), Harm(who="marian", amount="7"), Harm(who="door", amount="9")
    )
    stitch = Check(who="expert", ability="wis", topic="surgery")
    game.when(stitch).rolling(5).then(like(ROLLED, total=11))
    hurried = Check(who="expert", ability="wis", topic="surgery", pressure=True)
    game.when(hurried).rolling(5).then(like(ROLLED, total=13))
    calm = Heal(who="marian", amount="1d6", healer="expert")
    game.when(calm).rolling(2).then(like(HEALED, amount=2, source="expert"))
    pressed = Heal(who="robin", amount="1d6", healer="expert", pressure=True)
    game.given(Harm(who="robin", amount="30")).when(pressed).rolling(2).then(like(HEALED, amount=10))
    mend = Heal(who="door", amount="1d6", healer="expert", means="a carpenter's bench")
    game.when(mend).rolling(2).then(like(HEALED, amount=6))
    game.when(Heal(who="robin", amount="1", pressure=True)).refused("Say with --healer who heals")
    game.when(Heal(who="robin", amount="1", healer="robin", pressure=True)).refused("it takes the role Medical Expert")


@rule("R0.173", "R0.168", "Q0.50")
def test_an_android_is_technology_to_a_mechanic_and_a_patient_to_a_physician(nobody) -> None:
    android = Join(name="Unit", id="unit", kind="npc", heritage="android", hp=40)
    cyborg = Join(name="Borg", id="borg", kind="npc", heritage="cyborg", hp=40)
    game = nobody().given(expert("technology"), android, cyborg, Harm(who="unit", amount="30"))
    game.given(Harm(who="borg", amount="30"))
    game.when(Heal(who="unit", amount="1d6", healer="expert")).rolling(2).then(like(HEALED, amount=6))
    game.when(Heal(who="borg", amount="1d6", healer="expert")).rolling(2).then(like(HEALED, amount=2))
    both = nobody().given(expert("technology", "medical"), android, Harm(who="unit", amount="30"))
    both.when(Heal(who="unit", amount="1d6", healer="expert", pressure=True)).rolling(2).then(like(HEALED, amount=14))


@rule("R0.56")
def test_a_thing_is_mended_with_parts_tools_or_in_a_facility(sherwood) -> None:
    game = sherwood().given(Harm(who="door", amount="9"), Harm(who="marian", amount="3"))
    game.when(Heal(who="door", amount="3")).refused("Oak door is mended with parts, tools or in a facility", "--means")
    game.when(Heal(who="door", amount="3", healer="robin")).refused("--means")
    game.when(Heal(who="door", amount="3", means="planks")).then(like(HEALED, amount=3))
    game.when(Heal(who="door", amount="3", by="magic")).then(like(HEALED, amount=3))
    game.when(Heal(who="marian", amount="3")).then(like(HEALED, amount=3))
    saw = events.GearGained(character="robin", item="saw and nails", use=("tools",))
    game.given(saw).when(Heal(who="door", amount="3", healer="robin")).then(like(HEALED, amount=3))


@rule("R0.172")
def test_a_pilot_flies_a_ship_to_evade_or_to_strike_each_turn(nobody) -> None:
    ship = Join(name="Falcon", id="falcon", kind="thing", hp=40, ac=15)
    foe = Join(name="Raider", id="raider", kind="thing", hp=40, ac=12)
    game = nobody().given(expert("starship", level=5), ship, foe, ChangeTrait(who="falcon", trait="ship"))
    game.given(with_dice(BeginEncounter(participants=("expert", "falcon", "raider")), 18, 9, 5))
    evade, strike = (
        Manoeuvre(who="expert", ship="falcon", how="evade"),
        Manoeuvre(who="expert", ship="falcon", how="strike"),
    )
    hidden = game.when(evade)
    hidden.then(like(BEGAN, character="falcon", condition="evasive", source="expert", detail="+2", until=20))
    assert hidden.sheet("falcon").amount("ac") == 17
    hidden.go_on().when(strike).refused("has chosen a manoeuvre this turn")
    armed = game.given(strike, EndTurn(next="falcon"))
    blow = Attack(attacker="falcon", target="raider", weapon="heavy-ranged", distance=900)
    armed.when(blow).rolling(9, 9, 2, 2).then(like(ROLLED, total=14), like(HURT, dealt=4 + 5))
    armed.given(EndTurn())
    over = armed.when(EndTurn()).rolling(18, 9, 5)
    over.then(events.TurnBegan(character="expert"), ENDED(character="falcon", condition="on-attack-course"))
    nobody().given(expert("starship"), ship).when(evade).refused("No encounter is being fought")


@rule("R0.160")
def test_a_token_and_a_bond_recruit_a_beast_for_the_scene(sherwood) -> None:
    wolf = Join(name="Wolf", id="wolf", kind="monster", heritage="animal", hp=8)
    game = sherwood().given(expert("beast-bond"), wolf, token("expert"), FrameScene(title="the den"))
    recruit = SpendToken(who="expert", benefit="recruit", whom="wolf")
    won = game.when(recruit)
    won.then(
        events.PoolSpent(holder="expert", pool="token", amount=1, reason="recruit"),
        like(BEGAN, character="wolf", condition="recruited", source="expert"),
    )
    later = won.go_on().given(FrameScene(title="the road"))
    later.when(wait(1, "minutes")).then(ENDED(character="wolf", condition="recruited"))
    game.when(SpendToken(who="expert", benefit="recruit", whom="guard")).refused(
        "Guard is no beast", "trait guard beast"
    )
    drone = ChangeTrait(who="door", trait="beast")
    sherwood().given(expert("beast-bond"), token("expert"), drone).when(
        SpendToken(who="expert", benefit="recruit", whom="door")
    ).then(like(BEGAN, character="door", condition="recruited"))
    game.when(SpendToken(who="expert", benefit="recruit", whom="robin")).refused("Robin Hood is a player's")
    game.given(SetAttitude(who="wolf", attitude="hostile"))
    game.when(recruit).refused("Wolf is hostile")
    game.given(token("robin")).when(SpendToken(who="robin", benefit="recruit", whom="wolf")).refused("Beast Bond")
    points = events.PoolGained(holder="", pool="complication", amount=1)
    game.given(points).when(Complicate(benefit="recruit", whom="wolf")).refused("Beast Bond")


@rule("R0.160", "Q0.69", "Q0.70")
def test_once_a_day_a_failed_attempt_with_a_beast_is_rolled_again(sherwood) -> None:
    talk = Influence(who="expert", target="guard", beast=True)
    bond = second_thought("beast-bond", "expert", roll=0)
    game = sherwood().given(expert("beast-bond"), FrameScene(title="the den"))
    again = game.when(talk, bond).rolling(3, 16)
    again.then(
        events.PowerUsed(character="expert", power="beast-bond"),
        like(ROLLED, purpose="influence rerolled"),
        like(events.CheckResolved, success=True),
    )
    tired = again.go_on().given(FrameScene(title="later"), SetAttitude(who="guard", attitude="neutral"))
    tired.when(talk, bond).rolling(3, 16).refused("has used beast-bond already")
    game.when(talk, bond).rolling(16, 3).refused("for failed attempts to influence a beast")
    game.when(Influence(who="expert", target="guard"), bond).rolling(3, 16).refused(
        "for failed attempts to influence a beast"
    )
    own = Influence(who="robin", target="guard", beast=True)
    game.when(own, SecondThought(kind="beast-bond", character="robin")).rolling(3, 16).refused("Beast Bond")


@rule("R0.177")
def test_a_ranger_knows_north_and_how_far_it_was(sherwood) -> None:
    assert "always knows north and the distance travelled" in dict(sherwood().sheet("robin").words)["Wilderness Expert"]


# Sheets.


@rule("R0.192", "R0.193", "R0.194", "R0.158", "R0.165")
@pytest.mark.parametrize(
    ("who", "powers"),
    [
        (
            "holmes",
            {
                "questions": 4,
                "rally": 4,
                "rally_hours": 8,
                "rally_rounds": 8,
                "hidden_armour_class": 4,
                "analysis": 4,
                "analysis_allies": 4,
            },
        ),
        ("robin", {"rally": 4, "rally_hours": 8, "rally_rounds": 8}),
        ("dracula", {"arcane_spells": 12, "spell_damage": 24, "prestige_hours": 6, "hidden_armour_class": 6}),
    ],
)
def test_the_published_sheets_show_the_numbers_of_their_powers(sherwood, who: str, powers: dict[str, int]) -> None:
    shown = {value.key: value.amount for value in sherwood().sheet(who).values if value.group == "Powers"}
    assert shown == powers


@rule("Q0.50")
def test_riders_of_two_roles_stand_on_the_sheet_as_one_sum(nobody) -> None:
    value = nobody().given(expert("assassination", "thieving")).sheet("expert").value("unaware_damage")
    assert (value.amount, [term.rule for term in value.terms]) == (20, ["R0.159", "R0.174"])
