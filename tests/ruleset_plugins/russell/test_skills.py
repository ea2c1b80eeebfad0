"""A skill is a d6 and its rank for 6; trying leaves marks, and marks and a week may become a rank."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.skills import Check, Learn, Practise, highest_rank
from rollbook.rulesets.russell.delve.lighting import Place
from rollbook.rulesets.russell.fight.encounter import BeginEncounter
from rollbook.rulesets.russell.wealth.downtime import TakeDowntime
from rollbook.testing.scenarios import like, rule, with_dice

CHECKED, ROLLED, GAINED, SPENT = events.CheckResolved, events.DiceRolled, events.PoolGained, events.PoolSpent
RAISED = events.StatChanged

STEALTH = (Learn(who="brenna", skill="stealth"),)
TRIED = tuple(with_dice(Check(who="brenna", skill="stealth"), 2) for _ in range(3))
WEEK = TakeDowntime(who=("party",))


def ranked(rank: int) -> events.Event:
    return RAISED(character="brenna", stat="rank:stealth", amount=rank)


@rule("R3.27")
@pytest.mark.parametrize(("face", "rank", "passes"), [(6, 0, True), (5, 0, False), (3, 3, True), (2, 3, False)])
def test_a_skill_is_a_d6_and_its_rank_for_6_or_more(dungeon, face: int, rank: int, passes: bool) -> None:
    sneak = Check(who="brenna", skill="stealth")
    dungeon().given(ranked(rank)).when(sneak).rolling(face).then(
        like(CHECKED, check="stealth", total=face + rank, target=6, success=passes)
    )


@rule("R3.28", "Q3.17")
def test_a_die_of_1_always_fails(dungeon) -> None:
    sneak = Check(who="brenna", skill="stealth")
    dungeon().given(ranked(6)).when(sneak).rolling(1).then(like(CHECKED, total=7, success=False, outcome="natural 1"))
    dungeon().given(ranked(5)).when(sneak).rolling(2).then(like(CHECKED, total=7, success=True))


@rule("R3.29")
@pytest.mark.parametrize("face", [1, 6])
def test_every_try_leaves_a_mark_whether_it_works_or_not(dungeon, face: int) -> None:
    played = dungeon().given(*STEALTH).when(Check(who="brenna", skill="stealth")).rolling(face)
    played.then(GAINED(holder="brenna", pool="marks:stealth", amount=1, reason="a try"))
    assert str(played.sheet("brenna").value("skill:stealth")) == "0 (1 mark)"


@rule("R3.25")
def test_there_are_never_more_skills_than_slots(nobody) -> None:
    dull = Join(name="Eve", scores=("10", "10", "10", "4", "10", "10"), hit_dice=("6",))
    full = nobody().given(dull, Learn(who="eve", skill="history"), Learn(who="eve", skill="stealth"))
    full.when(Learn(who="eve", skill="languages")).refused("has 2 skill slots", "history, stealth")
    full.when(Learn(who="eve", skill="history")).refused("has history already")


@rule("R3.25", "R3.50")
def test_a_template_may_make_room_for_one_more(dungeon) -> None:
    value = dungeon().sheet("brenna").value("skill_slots")
    assert [(term.amount, term.label) for term in value.terms] == [(7, "half of INT"), (1, "Jack of Trades")]


@rule("R3.26")
def test_no_rank_is_above_the_level_or_above_6(dungeon) -> None:
    assert [highest_rank(level) for level in (0, 1, 2, 5, 6, 7, 12)] == [0, 1, 2, 5, 6, 6, 6]
    dungeon().when(Learn(who="brenna", skill="stealth", rank=2)).refused("At level 1", "above rank 1")
    learnt = dungeon().when(Learn(who="brenna", skill="stealth", rank=1))
    learnt.never(events.NoteWritten)
    dungeon().when(Learn(who="brenna", skill="alchemy")).then(like(events.NoteWritten))
    assert learnt.sheet("brenna").amount("skill:stealth") == 1
    assert learnt.sheet("brenna").amount("highest_rank") == 1


@rule("R3.32")
def test_untrained_one_tries_only_what_anybody_can_or_what_the_gm_calls_common_knowledge(dungeon) -> None:
    dungeon().when(Check(who="aldo", skill="searching")).rolling(6).then(like(CHECKED, success=True))
    dungeon().when(Check(who="aldo", skill="history")).refused("takes training", "--untrained")
    dungeon().when(Check(who="aldo", skill="history", untrained=True)).rolling(6).then(like(CHECKED, success=True))


@rule("R3.32")
def test_that_it_is_common_knowledge_only_the_gm_says(dungeon) -> None:
    seats = (
        events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1),
        events.ControlPassed(character="aldo", seat="Mira"),
    )
    known = Check(who="aldo", skill="history", untrained=True)
    dungeon().given(*seats).when(known, seat="Mira").refused("--untrained is a ruling")


@rule("R3.33")
def test_a_skill_may_be_called_anything(dungeon) -> None:
    baked = dungeon().given(Learn(who="brenna", skill="baking", rank=1))
    baked.when(Check(who="brenna", skill="baking")).rolling(5).then(like(CHECKED, check="baking", success=True))


@rule("R3.62")
def test_nobody_uses_a_skill_in_the_dark(dungeon) -> None:
    dungeon().given(Place(light="dark")).when(Check(who="brenna", skill="stealth")).refused("is in the dark")


@rule("R3.36")
def test_a_heavy_load_hampers_stealth_and_physical_skills_and_no_others(dungeon) -> None:
    loaded = dungeon().given(events.GearGained(character="brenna", item="anvil", use=("large", "20")))
    loaded.when(Check(who="brenna", skill="stealth")).rolling(6, 2).then(like(ROLLED, expression="2d6kl1[overloaded]"))
    loaded.when(Check(who="brenna", skill="climbing")).rolling(6, 2).then(like(CHECKED, total=2))
    loaded.when(Check(who="brenna", skill="searching")).rolling(6).then(like(CHECKED, total=6))


@rule("R3.74")
def test_in_a_fight_a_skill_takes_the_action(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("brenna", "ogre")), 6, 1))
    used = fight.given(with_dice(Check(who="brenna", skill="searching"), 3))
    used.when(Check(who="brenna", skill="searching")).refused("has acted already")


@rule("R3.30", "Q3.16")
def test_three_marks_and_a_week_let_one_save_with_intelligence_for_a_rank(dungeon) -> None:
    ready = dungeon().given(*STEALTH, *TRIED, WEEK)
    practice = Practise(who="brenna", skill="stealth")
    made = ready.when(practice).rolling(14)
    made.then(
        SPENT(holder="brenna", pool="marks:stealth", amount=3, reason="practice"),
        like(CHECKED, check="Intelligence save", target=14, success=True, against="stealth"),
        RAISED(character="brenna", stat="rank:stealth", amount=1, reason="practice"),
    )
    failed = ready.when(practice).rolling(15).never(RAISED)
    assert failed.character("brenna").pools["marks:stealth"] == 0, "the marks are erased either way"


@rule("Q3.16")
def test_fewer_marks_do_unless_the_table_wants_three(dungeon) -> None:
    practice = Practise(who="brenna", skill="stealth")
    dungeon().given(*STEALTH, *TRIED[:2], WEEK).when(practice).refused("2 marks", "takes 3")
    eager = dungeon(skill_marks_needed=0).given(*STEALTH, WEEK)
    eager.when(practice).rolling(10).then(like(RAISED, stat="rank:stealth"))


@rule("R3.31")
def test_a_mentor_gives_advantage_and_another_occupation_leaves_no_time(dungeon) -> None:
    taught = Practise(who="brenna", skill="stealth", mentor="the old fox")
    dungeon().given(*STEALTH, *TRIED, WEEK).when(taught).rolling(18, 12).then(like(CHECKED, total=12, success=True))
    busy = dungeon().given(*STEALTH, *TRIED, TakeDowntime(who=("party",), busy=("brenna",)))
    busy.when(taught).refused("something else, full-time")


@rule("R3.30", "Q3.16")
def test_a_skill_has_one_test_a_week_and_only_while_there_is_downtime(dungeon) -> None:
    practice = Practise(who="brenna", skill="stealth")
    eager = dungeon(skill_marks_needed=0).given(*STEALTH, Learn(who="brenna", skill="history"))
    eager.when(practice).refused("no week of downtime left")
    week = eager.given(WEEK, with_dice(practice, 19))
    week.when(practice).refused("no week of downtime left")
    week.when(Practise(who="brenna", skill="history")).rolling(19).then(like(CHECKED, success=False))
    fortnight = eager.given(TakeDowntime(who=("party",), weeks=2), with_dice(practice, 19))
    fortnight.when(practice).rolling(19).then(like(CHECKED, success=False))
    eager.given(WEEK, PassTime(amount=1, unit="hours")).when(practice).refused("no week of downtime left")
    week.given(WEEK).when(practice).rolling(19).then(like(CHECKED, success=False))


@rule("R3.26", "R3.30")
def test_practice_stops_at_the_level(dungeon) -> None:
    ready = dungeon().given(*STEALTH, ranked(1), *TRIED, WEEK)
    ready.when(Practise(who="brenna", skill="stealth")).refused("the highest at level 1")
    dungeon().given(WEEK).when(Practise(who="brenna", skill="stealth")).refused("learn brenna stealth")
