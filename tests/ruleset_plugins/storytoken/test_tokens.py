"""How many tokens there are, and how they are earned and spent."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.sessions import CloseSession, OpenSession
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter
from rollbook.rulesets.storytoken.story.spending import Complicate, OwnSetback, SpendToken, TemptFate
from rollbook.rulesets.storytoken.story.tokens import Bargain
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import like, rule, with_dice

GAINED, SPENT, BECAME = events.PoolGained, events.PoolSpent, events.PoolBecame


def tokens(who: str, amount: int) -> events.PoolBecame:
    return BECAME(holder=who, pool="token", amount=amount)


def open_session() -> OpenSession:
    return OpenSession(identity="00", commit_table="00", commit_screen="00")


@rule("R0.93", "Q0.35", "Q0.36")
@pytest.mark.parametrize(("before", "set2", "raised"), [(0, 2, 2), (1, 2, 2), (5, 2, 5)])
def test_a_session_begins_with_2_tokens_or_raises_to_2(sherwood, before: int, set2: int, raised: int) -> None:
    given = tokens("robin", before)
    assert sherwood().given(given).when(open_session()).character("robin").pools["token"] == set2
    table = sherwood(token_session_start="raise_to_2").given(given)
    assert table.when(open_session()).character("robin").pools["token"] == raised


@rule("R0.93", "Q0.35")
def test_only_player_characters_get_them_even_above_their_cap(nobody) -> None:
    novice = Join(
        name="Much", id="much", heritage="elf", roles=("noble", "medical"), scores=("9",) * 6, hit_dice=("3",)
    )
    extra = Join(name="Rat", id="rat", kind="monster", hp=1)
    played = nobody().given(novice, extra).when(open_session())
    assert played.character("much").pools["token"] == 2 > played.character("much").level
    assert "token" not in played.character("rat").pools


@rule("R0.93")
def test_anyone_who_joins_in_the_middle_of_a_session_has_theirs(nobody) -> None:
    novice = Join(
        name="Much", id="much", heritage="elf", roles=("noble", "medical"), scores=("9",) * 6, hit_dice=("3",)
    )
    nobody().given(open_session()).when(novice).then(like(BECAME, holder="much", amount=2))


@rule("R0.94", "Q0.35", "Q0.37")
def test_a_gain_at_the_cap_is_refused_before_anything_happens(sherwood) -> None:
    setback = OwnSetback(who="robin", complication="the bow string tears", loses="longbow")
    full = sherwood().given(tokens("robin", 8))
    assert "nothing has happened yet" in full.when(setback).refused("Robin Hood holds 8, and level 8")
    full.when(Bargain(who="robin", answer="accept", complication="a feast")).refused("cannot gain a story token")
    free = sherwood(token_cap="none").given(tokens("robin", 8))
    free.when(setback).then(events.GearLost(character="robin", item="longbow"), GAINED)


@rule("R0.94")
def test_below_the_level_tokens_can_be_gained(sherwood) -> None:
    played = sherwood().given(tokens("robin", 7)).when(OwnSetback(who="robin", complication="rain"))
    played.then(GAINED(holder="robin", pool="token", amount=1, reason="owns a setback: rain"), only=True)


@rule("R0.96")
def test_a_token_brings_somebody_back_to_exactly_1(sherwood) -> None:
    down = sherwood().given(tokens("robin", 1), Harm(who="marian", amount="12"))
    played = down.when(SpendToken(who="robin", benefit="revive", whom="marian"))
    played.then(
        SPENT(holder="robin", pool="token", amount=1, reason="revive"),
        events.HitPointsRestored(character="marian", amount=5, tags=("token",), source="robin"),
        events.ConditionEnded(character="marian", condition="unconscious"),
    )
    assert played.sheet("marian").amount("hp") == 1


@rule("R0.96", "Q0.44")
def test_somebody_else_must_spend_for_the_unconscious(sherwood) -> None:
    down = sherwood().given(tokens("robin", 2), Harm(who="robin", amount="40"))
    down.when(SpendToken(who="robin", benefit="revive")).refused(
        "is unconscious and cannot spend", "Somebody who is awake"
    )


def test_a_character_above_0_needs_no_reviving(sherwood) -> None:
    game = sherwood().given(tokens("robin", 1))
    game.when(SpendToken(who="robin", benefit="revive", whom="marian")).refused("Marian has 8 hit points")


@rule("Q0.39", "QG.9")
def test_tokens_do_not_raise_the_dead_unless_the_table_allows_it_in_the_same_round(sherwood) -> None:
    def dead(**settings):
        game = sherwood(**settings).given(tokens("robin", 1))
        game.given(with_dice(BeginEncounter(participants=("robin", "guard")), 18, 2))
        return game.given(Harm(who="marian", amount="20"))

    revive = SpendToken(who="robin", benefit="revive", whom="marian")
    dead().when(revive).refused("Marian is dead")
    played = dead(token_revives_dead="same_round").when(revive)
    played.then(events.ConditionEnded(character="marian", condition="dead"))
    assert played.sheet("marian").amount("hp") == 1
    late = dead(token_revives_dead="same_round").given(events.TimePassed(seconds=10))
    late.when(revive).refused("Marian is dead")


@rule("R0.98")
def test_a_token_gets_a_question_answered(sherwood) -> None:
    ask = SpendToken(who="holmes", benefit="question", what="Who paid the coachman?")
    sherwood().given(tokens("holmes", 1)).when(ask).then(
        SPENT(holder="holmes", pool="token", amount=1, reason="question: Who paid the coachman?"), only=True
    )
    wordless = SpendToken(who="holmes", benefit="question")
    sherwood().given(tokens("holmes", 1)).when(wordless).refused("Say with --what which question")


@rule("R0.99")
def test_a_token_finds_the_thing_for_the_task(sherwood) -> None:
    buy = SpendToken(who="robin", benefit="item", what="climbing spikes")
    game = sherwood().given(tokens("robin", 1)).given(buy)
    assert game.character("robin").gear["climbing spikes"].use == ("advantage", "climbing spikes")
    task = Check(who="robin", ability="str", using="climbing spikes")
    game.when(task).rolling(2, 16).then(like(events.CheckResolved, success=True))


def test_no_token_no_benefit(sherwood) -> None:
    sherwood().when(SpendToken(who="robin", benefit="question", what="?")).refused("holds none")


@rule("R0.100")
def test_a_setback_may_cost_a_thing_or_an_ability_until_a_long_rest(sherwood) -> None:
    lost = OwnSetback(who="robin", complication="it falls in the river", loses="signal horn")
    played = sherwood().when(lost).then(events.GearLost(character="robin", item="signal horn"), GAINED)
    assert played.character("robin").gear["signal horn"].count == 0
    played.go_on().when(lost).refused("has no 'signal horn' to lose")
    insult = OwnSetback(who="robin", complication="insults the reeve", disadvantage="cha")
    game = sherwood().given(insult)
    game.when(Check(who="robin", ability="cha")).rolling(18, 4).then(like(events.DiceRolled, total=6))
    game.when(Check(who="robin", ability="str")).rolling(18).then(like(events.DiceRolled, total=19))


@rule("R0.101", "Q0.43")
def test_a_devils_bargain_pays_if_taken_and_costs_nothing_if_refused(sherwood) -> None:
    taken = Bargain(who="robin", answer="accept", complication="the archery contest is a trap")
    sherwood().when(taken).then(like(GAINED, holder="robin", amount=1))
    left = Bargain(who="robin", answer="refuse", complication="the archery contest is a trap")
    sherwood().when(left).then(events.NoteWritten).never(GAINED, SPENT)


@rule("R0.102", "Q0.41")
def test_tempting_fate_gains_and_spends_at_once_and_gives_the_gm_two_points(sherwood) -> None:
    full = sherwood().given(tokens("robin", 8))
    played = full.when(TemptFate(who="robin", benefit="item", what="a rope ladder"))
    played.then(GAINED, like(GAINED, holder="", pool="complication", amount=2), SPENT, events.GearGained)
    assert played.character("robin").pools["token"] == 8
    assert played.after.pools == {"complication": 2}


@rule("R0.103", "Q0.42")
def test_complication_points_do_for_the_gm_what_tokens_do_and_stay(sherwood) -> None:
    game = sherwood().given(TemptFate(who="robin", benefit="item", what="a ladder"))
    game.given(open_session(), CloseSession(), open_session())
    assert game.after.pools["complication"] == 2, "they do not expire"
    game.when(Complicate(benefit="trouble", what="reinforcements")).then(
        SPENT(holder="", pool="complication", amount=1, reason="trouble: reinforcements"), only=True
    )
    game.when(Complicate(benefit="trouble", what="a siege", points=3)).refused("The GM holds no complication points")
    down = game.given(Harm(who="guard", amount="10"))
    down.when(Complicate(benefit="revive", whom="guard")).then(like(events.HitPointsRestored, amount=2))
    down.when(Complicate(benefit="revive")).refused("Say with --whom")
