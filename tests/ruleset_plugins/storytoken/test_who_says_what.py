"""What the GM says, what the state of the game says, and what a player says: no player rules about their own roll."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import ChangeTrait, Give, Lend
from rollbook.plugin import Action, events, second_thought
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.body.harm import Hazard
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Promise
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.rulesets.storytoken.character.role_powers import Inspire
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.storytoken.magic.casting import Cast
from rollbook.rulesets.storytoken.magic.spells import LearnSpell, SetSpellEffects
from rollbook.rulesets.storytoken.magic.turning import TurnUndead
from rollbook.rulesets.storytoken.story.social import Influence
from rollbook.rulesets.storytoken.story.spending import OwnSetback, SpendToken
from rollbook.rulesets.storytoken.story.tokens import Bargain, OfferBargain
from rollbook.rulesets.storytoken.tasks.checks import Check, Oppose
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.storytoken import expert

ROLLED, HURT, HEALED, CHECKED = events.DiceRolled, events.DamageTaken, events.HitPointsRestored, events.CheckResolved
SEATS = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"))


def token(who: str) -> events.PoolBecame:
    return events.PoolBecame(holder=who, pool="token", amount=1)


@pytest.fixture
def table(sherwood):
    """Vera is the GM; Ann plays Robin, Dracula, a mage and an expert in nearly everything."""
    mage = Join(name="Mage", id="mage", kind="npc", level=5, roles=("arcane", "turn-undead"), hp=30, scores=("18",) * 6)
    roles = ("assassination", "eldritch", "medical", "science", "beast-bond", "noble")
    hers = ("robin", "dracula", "mage", "expert")

    def begin(*happened) -> Scenario:
        lent = [Lend(who=who, to="Ann") for who in hers]
        learned = (LearnSpell(who="mage", spell="magic-missile"), LearnSpell(who="mage", spell="sleep"))
        return sherwood().given(SEATS, mage, expert(*roles), *lent, *learned, *happened)

    return begin


def shot(**more) -> Attack:
    return Attack(attacker="robin", target="guard", weapon="longbow", **more)


RULINGS: tuple[Action, ...] = (
    Check(who="robin", ability="dex", at_cost="a sprained ankle"),
    Check(who="robin", ability="dex", target="easy"),
    Check(who="robin", ability="dex", bonus=("+2 high ground",)),
    Check(who="robin", ability="dex", advantage=("a rope",)),
    Check(who="robin", ability="dex", spared=("afraid",)),
    Check(who="robin", ability="dex", out_of_turn=True),
    Oppose(who="robin", ability="dex", opponent="guard", opponent_ability="wis", opponent_bonus=("-9 asleep",)),
    Save(who="robin", ability="wis", target="easy"),
    Save(who="robin", ability="wis", caster="guard"),
    Save(who="robin", ability="wis", promised=True),
    shot(tags=("silver",)),
    shot(damage_bonus=("+9 poison",)),
    Attack(attacker="dracula", target="holmes", weapon="bite", grappled=True),
    Cast(caster="mage", spell="magic-missile", targets=("guard",), damage="9d6"),
    Cast(caster="mage", spell="magic-missile", targets=("guard",), heal="9d6"),
    Cast(caster="mage", spell="magic-missile", targets=("guard",), effect="they burst"),
    Cast(caster="mage", spell="magic-missile", targets=("guard",), tags=("fire",)),
    Cast(caster="mage", spell="sleep", targets=("guard",), save_disadvantage=("drowsy",)),
    Cast(caster="mage", spell="sleep", wordless=True),
    Influence(who="robin", target="guard", beast=True),
    Influence(who="robin", target="guard", again=True),
    TurnUndead(who="mage", targets=("dracula",), without_symbol=True),
    Bargain(who="robin", answer="accept", complication="nothing much"),
)


@pytest.mark.parametrize("said", RULINGS, ids=lambda said: said.verb)
@rule("R0.18", "R0.101", "R0.157", "R0.160", "R0.176", "R0.179", "Q0.66")
def test_a_player_rules_nothing_for_a_character_of_their_own(table, said: Action) -> None:
    table().when(said, seat="Ann").refused("is a ruling, so the GM says it; Ann can ask for it")


@rule("R0.21")
def test_the_gm_says_what_a_hazard_is(table) -> None:
    table().when(Hazard(who="robin", level=1, ability="dex"), seat="Ann").refused("Only the GM can hazard")


@rule("R0.99", "R0.193")
def test_a_thing_helps_with_the_one_task_that_it_is_made_for(table) -> None:
    sneak = Check(who="robin", ability="dex", topic="native stealth", using="forest cloak")
    table().when(sneak, seat="Ann").rolling(3, 9).then(like(CHECKED, total=22))
    climb = Check(who="robin", ability="str", topic="climb", using="forest cloak")
    table().when(climb, seat="Ann").refused("--using is a ruling unless the topic is what forest cloak is made for")
    table().when(climb, seat="Vera").rolling(3, 9).then(CHECKED)
    found = SpendToken(who="robin", benefit="item", what="lock picks", task="locks")
    game = table(token("robin")).given(found)
    assert game.character("robin").gear["lock picks"].use == ("advantage", "locks")
    game.when(Check(who="robin", ability="dex", topic="locks", using="lock picks"), seat="Ann").rolling(3, 9).then(
        CHECKED
    )
    game.when(Check(who="robin", ability="dex", using="lock picks"), seat="Ann").refused("--using is a ruling")
    table(token("robin")).when(SpendToken(who="robin", benefit="item", what="longbow")).refused("holds longbow already")


@rule("R0.171")
def test_an_analysis_helps_against_the_one_who_was_analysed(table) -> None:
    study = Inspire(who="expert", how="analysis", allies=("robin",), target="guard")
    game = table(study)
    assert dict(game.sheet("robin").words)["Conditions"].startswith("informed (+2: Guard")
    game.when(shot(informed=True), seat="Ann").rolling(9, 3).then(like(ROLLED, total=9 + 3 + 8 + 2))
    other = Attack(attacker="robin", target="deputy", weapon="longbow", informed=True)
    game.when(other, seat="Ann").refused(
        "--informed is a ruling unless the analysis is of the one whom this is against"
    )
    game.when(other, seat="Vera").rolling(2).then(like(ROLLED, total=15))
    game.when(Influence(who="robin", target="guard", informed=True), seat="Ann").rolling(9).then(like(ROLLED, total=13))
    words = table(Inspire(who="expert", how="analysis", allies=("robin",), about="the lock"))
    words.when(Check(who="robin", ability="dex", informed=True), seat="Ann").refused("--informed is a ruling")
    words.when(Check(who="robin", ability="dex", informed=True), seat="Vera").rolling(9).then(like(ROLLED, total=14))
    table().when(Inspire(who="expert", how="analysis", allies=("robin",))).refused("--about", "--target")


@rule("R0.157")
@pytest.mark.parametrize("state", ["grappled", "enthralled", "willing"])
def test_a_bite_feeds_on_those_who_are_held_enthralled_or_willing(table, state: str) -> None:
    hungry = HURT(character="dracula", amount=20, dealt=20)
    bite = Attack(attacker="dracula", target="holmes", weapon="bite")
    table(hungry).when(bite, seat="Ann").rolling(10, 4).then(like(HURT, character="holmes")).never(HEALED)
    held = table(hungry, Afflict(who="holmes", condition=state))
    held.when(bite, seat="Ann").rolling(10, 4).then(like(HEALED, character="dracula", tags=("blood",)))
    fist = Attack(attacker="dracula", target="holmes", weapon="unarmed")
    held.when(fist, seat="Ann").rolling(10, 4).never(HEALED)
    bones = table(hungry, ChangeTrait(who="holmes", trait="undead"), Afflict(who="holmes", condition=state))
    bones.when(bite, seat="Ann").rolling(10, 4).never(HEALED)


@rule("R0.159", "R0.163")
def test_who_knows_nothing_of_an_attack_is_surprised_or_unconscious_unless_the_gm_rules(table) -> None:
    stab = Attack(attacker="expert", target="guard", weapon="light", unaware=("attack",))
    table().when(stab, seat="Ann").refused("--unaware is a ruling unless an attack comes at somebody who is surprised")
    table().when(stab, seat="Vera").rolling(15, 3).then(like(HURT, dealt=2 + 12))
    for state in ("surprised", "unconscious"):
        off_guard = table(events.ConditionBegan(character="guard", condition=state))
        off_guard.when(stab, seat="Ann").rolling(15, 3).then(like(HURT, dealt=2 + 12))
    secret = Attack(attacker="expert", target="guard", weapon="light", unaware=("insight",))
    off_guard.when(secret, seat="Ann").refused("--unaware is a ruling")


@rule("R0.168")
def test_a_moment_is_critical_in_a_fight_or_when_the_gm_says_so(table) -> None:
    stitch = Check(who="expert", ability="wis", topic="surgery", pressure=True)
    table().when(stitch, seat="Ann").refused("--pressure is a ruling unless Expert is in a fight")
    table().when(stitch, seat="Vera").rolling(5).then(like(ROLLED, total=13))
    fight = table(with_dice(BeginEncounter(participants=("expert", "guard")), 15, 3))
    fight.when(stitch, seat="Ann").rolling(5).then(like(ROLLED, total=13))


@rule("R0.147")
def test_a_faerie_gives_and_breaks_promises_and_the_gm_says_when_they_are_kept_again(table) -> None:
    puck = Join(name="Puck", id="puck", kind="npc", heritage="faerie", hp=9)
    game = table(puck, Lend(who="puck", to="Ann"), Promise(who="puck", what="silence"))
    game.given(Promise(who="puck", how="broken"))
    for how in ("kept", "released"):
        game.when(Promise(who="puck", how=how), seat="Ann").refused("--how is a ruling unless it is given or broken")
        game.when(Promise(who="puck", how=how), seat="Vera").then(events.ConditionEnded)


@rule("R0.12", "Q0.66")
def test_what_was_learned_is_cast_by_charisma_with_a_pact_or_a_song(table) -> None:
    sung = Cast(caster="mage", spell="sleep", ability="cha")
    table().when(sung, seat="Ann").refused("--ability is a ruling unless Mage has the trait pact or song")
    table().when(sung, seat="Vera").rolling(9).then(CHECKED)
    table(ChangeTrait(who="mage", trait="pact")).when(sung, seat="Ann").rolling(9).then(CHECKED)


@rule("R0.179", "Q0.66")
def test_what_the_gm_has_said_of_a_spell_stands_for_every_casting(table) -> None:
    missile = Cast(caster="mage", spell="magic-missile", targets=("deputy",))
    table().when(missile, seat="Ann").rolling(15).then(CHECKED).never(HURT)
    game = table(SetSpellEffects(who="mage", spell="magic-missile", damage="1d6+1", tags=("force",)))
    game.when(missile, seat="Ann").rolling(15, 4).then(
        HURT(character="deputy", amount=15, dealt=15, tags=("force", "magic"), source="mage")
    )
    assert dict(game.sheet("mage").words)["Spell effects"] == "magic-missile: damage 1d6+1, tags force"
    ruled = Cast(caster="mage", spell="magic-missile", targets=("deputy",), damage="1")
    game.when(ruled, seat="Vera").rolling(15).then(like(HURT, dealt=11, tags=("magic",)))
    table().when(SetSpellEffects(who="mage", spell="sleep")).refused("Say what sleep does")
    table().when(SetSpellEffects(who="mage", spell="sleep", effect="sleep"), seat="Ann").refused("Only the GM")


@rule("R0.101", "Q0.37", "Q0.43")
def test_a_devils_bargain_is_offered_by_the_gm_and_answered_by_the_player(table) -> None:
    offer = OfferBargain(who="robin", complication="the Sheriff holds Marian")
    game = table(offer)
    taken = game.when(Bargain(who="robin", answer="accept"), seat="Ann")
    reason = "takes a devil's bargain: the Sheriff holds Marian"
    taken.then(events.PoolGained(holder="robin", pool="token", amount=1, reason=reason))
    taken.go_on().when(Bargain(who="robin", answer="accept"), seat="Ann").refused("has been offered no bargain")
    chosen = game.when(Choose(who="robin", choice="bargain", picked="accept"), seat="Ann")
    chosen.then(events.PoolGained(holder="robin", pool="token", amount=1, reason=reason))
    refused = game.when(Bargain(who="robin", answer="refuse"), seat="Ann")
    refused.then(events.ChoiceMade, events.NoteWritten).never(events.PoolGained)
    game.when(offer).refused("has still to answer another bargain")
    table().when(offer, seat="Ann").refused("Only the GM")
    full = events.PoolBecame(holder="robin", pool="token", amount=8)
    table(full).when(offer).refused("cannot gain a story token")


@rule("R0.100")
def test_a_setback_may_cost_a_thing_at_random(sherwood) -> None:
    fall = OwnSetback(who="robin", complication="the saddlebag tears", at_random=True)
    lost = sherwood().when(fall).rolling(3)
    lost.then(
        like(ROLLED, expression="1d8", purpose="what is lost"),
        events.GearLost(character="robin", item="leather jerkin"),
    )
    both = OwnSetback(who="robin", complication="it tears", at_random=True, loses="longbow")
    sherwood().when(both).refused("--loses 'longbow' says which thing it is")
    poor = OwnSetback(who="marian", complication="it tears", at_random=True)
    sherwood().given(events.LevelGained(character="marian", levels=1)).when(poor).refused("Marian has nothing to lose")


@rule("R0.95", "Q0.38")
def test_a_token_rolls_again_only_what_its_spender_can_see(sherwood) -> None:
    blow = Attack(attacker="guard", target="holmes", weapon="light")
    worse = second_thought("reroll", "robin", keep="worst")
    sherwood().given(token("robin")).when(blow, worse).rolling(15, 2).then(like(CHECKED, success=False))
    unseen = sherwood().given(token("robin"), Afflict(who="guard", condition="invisible"))
    unseen.when(blow, worse).rolling(15, 15, 2, 2).refused("Guard is invisible, so Robin Hood cannot see that roll")
    blind = sherwood().given(token("robin"), Afflict(who="robin", condition="blinded"))
    blind.when(blow, worse).rolling(15, 2).refused("Robin Hood is blinded and sees nobody else roll")
    own = Check(who="robin", ability="str")
    blind.when(own, second_thought("reroll", "robin")).rolling(5, 9).then(like(CHECKED, total=10))
    points = events.PoolGained(holder="", pool="complication", amount=1)
    unseen.given(points).when(blow, second_thought("reroll")).rolling(2, 3, 15, 16, 4).then(like(CHECKED, success=True))


@rule("R0.165")
def test_what_is_left_of_a_blow_goes_on_to_those_in_range_alone(sherwood) -> None:
    sweep = Attack(attacker="robin", target="guard", weapon="medium-melee", carry_to=("marian",), carry_distance=7)
    sherwood().when(sweep).refused("goes on to nobody 7 feet away", "medium-melee reaches 6")
    arrow = shot(carry_to=("marian",), carry_distance=330)
    sherwood().when(arrow).rolling(15, 6).then(like(HURT, character="guard"), like(HURT, character="marian"))
    sherwood().when(shot(carry_to=("marian",), carry_distance=331)).refused("goes on to nobody 331 feet away")


LANCE = Give(who="robin", item="sun lance", use=("weapon", "heavy-ranged", "long-astronomical"))


@rule("R0.91", "R0.92", "R0.88")
@pytest.mark.parametrize(
    ("band", "dice"), [("medium-astronomical", 1), ("long-astronomical", 2), ("distant-astronomical", 0), ("parsec", 0)]
)
def test_weapons_of_astronomical_reach_strike_in_bands_without_feet(sherwood, band: str, dice: int) -> None:
    beam = Attack(attacker="robin", target="guard", weapon="sun lance", band=band)
    game = sherwood().given(LANCE).when(beam)
    if not dice:
        game.refused(f"Guard is in the band {band}", "Robin Hood's sun lance reaches the band long-astronomical")
        return
    assert len(game.rolling(*(1,) * dice).events(ROLLED)[0].dice) == dice


@rule("R0.91")
def test_a_band_stands_for_the_feet_and_feet_reach_as_far_as_ever(sherwood) -> None:
    game = sherwood().given(LANCE)
    far = Attack(attacker="robin", target="guard", weapon="sun lance", distance=3_000_000)
    assert len(game.when(far).rolling(1).events(ROLLED)[0].dice) == 1
    both = Attack(attacker="robin", target="guard", weapon="sun lance", distance=30, band="parsec")
    game.when(both).refused("not with both")
    game.when(shot(band="parsec")).refused("longbow reaches 330")


@rule("R0.95", "Q0.38")
def test_a_player_does_not_reach_the_roll_of_somebody_hidden_or_learn_that_there_is_one(table) -> None:
    begin = with_dice(BeginEncounter(participants=("robin", "guard", "deputy")), 15, 9, 3)
    game = table(token("robin"), begin, events.CharacterHidden(character="deputy"))
    game.given(EndTurn(next="guard"), EndTurn())
    mine, theirs = second_thought("reroll", "robin", keep="old"), second_thought("reroll", "robin", roll=2)
    game.when(EndTurn(), mine).rolling(15, 4, 9, 3).then(like(events.PoolSpent, holder="robin"))
    said = "There is no roll 2 to roll again: this action rolled 2 d20s, rolls 0 to 1"
    assert game.when(EndTurn(), theirs).rolling(15, 9, 3).refused("There is no roll 2") == f"{said}."
    points = events.PoolGained(holder="", pool="complication", amount=1)
    game.given(points).when(EndTurn(), second_thought("reroll", roll=2)).rolling(15, 9, 3, 18).then(
        like(ROLLED, roller="deputy", purpose="initiative rerolled")
    )


@rule("R0.192", "R0.99")
def test_street_informants_are_an_advantage_in_finding_things_out(table) -> None:
    game = table(Lend(who="holmes", to="Ann"))
    ask = Check(who="holmes", ability="cha", topic="covert intelligence", using="street informants")
    game.when(ask, seat="Ann").rolling(3, 12).then(like(ROLLED, natural=12))
    climb = Check(who="holmes", ability="str", topic="climb", using="street informants")
    game.when(climb, seat="Ann").refused("--using is a ruling")
