"""A recorded session is played again: verbs of a game with the dice that fell, and rulings where the rules differ."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.adapters.imports.playing import record_play
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.application.audit import audit_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.playing.recorded_play import OTHER_DICE, OTHER_POINTS, REFUSED, Tally
from rollbook.domain import events
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import RecordedEntry
from rollbook.rulesets.srd5 import RULESET
from tests.support.avrae import Fields
from tests.support.campaigns import memory_book

Play = Callable[[Any], tuple[Campaign, Tally]]


@pytest.fixture
def srd5(tmp_path: Path) -> Book:
    return memory_book(tmp_path, ruleset=RULESET)


@pytest.fixture
def play(srd5: Book, recorded: Any) -> Play:
    def played(recorder: Any) -> tuple[Campaign, Tally]:
        return record_play(srd5, read_avrae(recorded(recorder), "Cellar", play=True))

    return played


def stand(log: Any, tessa: int, rat: int, *, turn: int = 0, number: int = 1, **more: Any) -> Any:
    return number, turn, [log.pc("Tessa", tessa, **more), log.monster("RA1", rat)]


def bite(log: Any, roll: str, armour: int, *harm: Fields, hit: bool = True, crit: bool = False) -> Fields:
    return log.root(log.upon("Tessa", log.attack(roll, armour, *harm, hit=hit, crit=crit)))


def bitten(log: Any, result: Fields, tessa: int, recorder: Any = None) -> Any:
    """The session until the rat has bitten Tessa, out of turn."""
    return (recorder or log.fight()).did(
        "init attack", "!i a bite", stand(log, tessa, 12), caster="RA1", result=result, targets=("Tessa",),
        answer={"title": "RA1 attacks with a Bite!"},
    )  # fmt: skip


def told(campaign: Campaign) -> list[str]:
    """The played entries in words, and those that stand as recorded."""
    return [_told(entry) for entry in campaign.session.log.entries() if entry.provenance == "played" or entry.reason]


def _told(entry: RecordedEntry) -> str:
    said = {name: value for name, value in entry.intent.params.items() if value and (value is True or value != 1)}
    words = " ".join(f"{name}={said[name]}" for name in sorted(said))
    lost = [f"{event.character} -{event.amount}" for event in entry.events if isinstance(event, events.DamageTaken)]
    return " ".join((entry.provenance, entry.intent.verb, words, *lost, entry.reason)).replace("  ", " ").strip()


def only(campaign: Campaign, verb: str) -> RecordedEntry:
    [entry] = [entry for entry in campaign.session.log.entries() if entry.intent.verb == verb]
    return entry


def lost(campaign: Campaign) -> dict[str, int]:
    return {who.id: who.lost for who in campaign.state.characters.values()}


def session(log: Any) -> Any:
    """A session in which everything that is played happens once."""
    recorder = bitten(log, bite(log, "1d20 (9) + 4 = `13`", 12, log.damage(5, "1d4 (3) + 2 [piercing] = `5`")), 13)
    ward = log.root(log.upon("Tessa", {"type": "temphp", "amount": 4, "amount_roll": {"result": "4 = `4`"}}))
    recorder.did("action", "!a ward", stand(log, 13, 12, temp=4), author="Ben", caster="Tessa", result=ward)
    saved = {
        "type": "save", "ability": "dexteritySave", "dc": 12, "save_roll": {"result": "1d20 (8) + 1 = `9`"},
        "did_save": False,
    }  # fmt: skip
    fire = log.root(log.upon("RA1", saved, log.damage(7, "2d6 (3, 4) [fire] = `7`")), spell=True)
    recorder.did(
        "init cast", "!i cast burn", stand(log, 13, 5, temp=4), author="Ben", caster="Tessa", result=fire,
        answer={"title": "Tessa casts Burning Hands!"},
    )  # fmt: skip
    recorder.did("init next", "!i n", stand(log, 13, 5, temp=4, turn=1), author="Ben")
    heal = log.root(log.upon("Tessa", log.damage(-6, "-(1d8 (3) + 3) [heal] = `-6`")))
    recorder.did("action", "!a cure", stand(log, 19, 5, temp=4, turn=1), author="Ben", caster="Tessa", result=heal)
    swing = bite(log, "2d20kh1 (18, ~~4~~) + 4 = `22`", 12, log.damage(6, "1d4 (**4**) + 2 [piercing] = `6`"))
    recorder.did(
        "init attack", "!i a bite adv", stand(log, 17, 5, turn=1), caster="RA1", result=swing,
        answer={"title": "RA1 attacks with a Bite!"},
    )  # fmt: skip
    return log.over(recorder)


def test_a_session_is_played_again(log: Any, play: Play) -> None:
    campaign, tally = play(session(log))
    assert told(campaign) == [
        "played join hp=20 id=tessa kind=pc name=Tessa seat=Ben",
        "played join hp=12 id=ra1 kind=monster name=RA1",
        "played give item=Bite use=('weapon', 'entered', '+4', '1d4+2', 'piercing') who=ra1",
        "played adjust by=2 reason=as recorded what=armour_class who=tessa",
        "played attack attacker=ra1 out_of_turn=True target=tessa weapon=Bite tessa -5",
        "played heal amount=4 source=tessa temporary=True who=tessa",
        "played adjust reason=as recorded what=save_dex who=ra1",
        "played save ability=dex dc=12 who=ra1",
        "played harm amount=2d6 source=tessa tags=('fire',) who=ra1 ra1 -7",
        "played end-turn",
        "played heal amount=1d8 + 3 source=tessa who=tessa",
        "played attack advantage=('as recorded',) attacker=ra1 target=tessa weapon=Bite tessa -2",
        "played end-encounter",
    ]
    assert not tally.standing
    assert lost(campaign) == {"tessa": 3, "ra1": 7}
    assert (campaign.state.ruleset, campaign.state.settings["edition"]) == ("srd5", "2014")


def test_what_was_played_can_be_amended_and_its_future_is_played_again(log: Any, play: Play) -> None:
    campaign, _ = play(session(log))
    first = next(entry for entry in campaign.session.log.entries() if entry.intent.verb == "attack")
    campaign.corrections.amend(first.action, {"cover": "half"}, reason="she stood behind a barrel").apply()
    assert lost(campaign)["tessa"] == 2


def test_the_audit_plays_everything_again_and_finds_no_difference(log: Any, play: Play) -> None:
    campaign, _ = play(session(log))
    chain, dice, rules = audit_of(campaign.session)
    assert (chain.verdict, dice.verdict, rules.verdict) == (Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.UNPROVEN)
    assert rules.checked >= 12


def test_where_the_rules_come_to_other_hit_points_the_record_stands(log: Any, play: Play) -> None:
    halved = bite(log, "1d20 (9) + 4 = `13`", 12, log.damage(2, "1d4 (3) + 2 [piercing] = `5`"))
    campaign, tally = play(log.over(bitten(log, halved, 16)))
    assert tally.standing == {("attack", OTHER_POINTS): 1}
    stands = only(campaign, "attack")
    assert (stands.provenance, stands.reason) == ("imported", f"as recorded: {OTHER_POINTS}")
    assert lost(campaign)["tessa"] == 4


def test_who_is_at_zero_is_down_and_the_rules_refuse_what_they_cannot_do(log: Any, play: Play) -> None:
    recorder = bitten(log, bite(log, "1d20 (9) + 4 = `13`", 12, log.damage(30, "30 [piercing] = `30`")), 0)
    slash = log.root(log.upon("RA1", log.attack("1d20 (15) + 5 = `20`", 12, log.damage(3, "1d6 (3) = `3`"))))
    recorder.did("init attack", "!i a", stand(log, 0, 9), author="Ben", caster="Tessa", result=slash)
    campaign, tally = play(log.over(recorder))
    assert campaign.state.characters["tessa"].has("unconscious")
    assert tally.standing == {("attack", REFUSED): 1}
    assert lost(campaign)["ra1"] == 3


def test_a_monster_below_zero_is_dead_at_zero(log: Any, play: Play) -> None:
    slash = log.root(log.upon("RA1", log.damage(20, "2d12 (8, **12**) = `20`")))
    recorder = log.fight().did("action", "!a slash", stand(log, 18, -8), author="Ben", caster="Tessa", result=slash)
    campaign, tally = play(log.over(recorder))
    assert (lost(campaign)["ra1"], campaign.state.characters["ra1"].has("dead")) == (12, True)
    assert not tally.standing


def test_a_critical_hit_halves_its_dice_to_the_weapon_and_keeps_further_damage(log: Any, play: Play) -> None:
    rolled = "2d4 (3, 1) + 2 [piercing] + 2d6 (5, 2) [poison] = `13`"
    campaign, tally = play(
        log.over(bitten(log, bite(log, "1d20 (**20**) + 4 = `24`", 12, log.damage(13, rolled), crit=True), 5))
    )
    attack = only(campaign, "attack")
    assert (attack.intent.params["more"], tally.standing) == (("1d6 poison",), {})
    assert [event.expression for event in attack.events if isinstance(event, events.DiceRolled)][1:] == [
        "2d4 + 2[Bite]",
        "2d6",
    ]


def test_dice_that_no_sum_explains_stand_apart_and_what_they_came_to_is_played(log: Any, play: Play) -> None:
    halved = log.root(log.upon("Tessa", log.damage(3, "(2d6 (3, 4)) / 2 [cold] = `3`")))
    recorder = log.fight().did("action", "!a fog", stand(log, 15, 12), caster="RA1", result=halved)
    recorder = bitten(
        log, bite(log, "1d20 (9) + 4 = `13`", 12, log.damage(2, "1d4 (4) / 2 [piercing] = `2`")), 13, recorder
    )
    campaign, tally = play(log.over(recorder))
    assert not tally.standing
    assert (only(campaign, "harm").intent.params["amount"], lost(campaign)["tessa"]) == ("3", 7)
    rolls = [
        (e.provenance, roll.expression)
        for e in campaign.session.log.entries()
        for roll in e.events
        if isinstance(roll, events.DiceRolled)
    ]
    assert ("imported", "(2d6) / 2 [cold]") in rolls


def test_resistance_halves_what_was_dealt_but_not_what_was_halved_already(log: Any, play: Play) -> None:
    rat = log.monster("RA1", 12) | {"resistances": {"resist": [{"dtype": "fire"}], "immune": [], "vuln": []}}
    here = (1, 0, [log.pc("Tessa", 18), rat])
    recorder = log.fight().did("init list", "!i list", here)
    for rolled, amount, left in (("2d6 (3, 4) [fire] = `7`", 3, 9), ("(2d6 (3, 4)) / 2 [fire] = `3`", 3, 6)):
        burn = log.root(log.upon("RA1", log.damage(amount, rolled)))
        after = (1, 0, [log.pc("Tessa", 18), rat | {"hp": left}])
        recorder.did("action", "!a burn", after, author="Ben", caster="Tessa", result=burn)
    campaign, tally = play(log.over(recorder))
    assert (campaign.state.characters["ra1"].traits["fire"], lost(campaign)["ra1"]) == ("resistance", 6)
    assert not tally.standing


def test_a_condition_of_the_rules_is_theirs_and_an_effect_of_the_bot_is_not(log: Any, play: Play) -> None:
    recorder = log.fight().did("init effect", "!i effect", stand(log, 18, 12, effects={"Prone": "", "Hexed": ""}))
    campaign, tally = play(log.over(recorder))
    assert {"prone", "Hexed"} <= set(campaign.state.characters["tessa"].conditions)
    assert tally.agreed["condition"] == 1


def test_a_turn_that_needs_a_death_save_stands_and_the_save_itself_is_played(log: Any, play: Play) -> None:
    recorder = bitten(log, bite(log, "1d20 (9) + 4 = `13`", 12, log.damage(18, "18 [piercing] = `18`")), 0)
    recorder.did("init next", "!i n", stand(log, 0, 12, turn=1)).did("init next", "!i n", stand(log, 0, 12, number=2))
    recorder.did(
        "save", "!s death", author="Ben", caster="Tessa",
        answer={"title": "Tessa makes a Death Save!", "words": "1d20 (**20**) + 0 = `20`"},
    )  # fmt: skip
    campaign, tally = play(log.over(recorder))
    assert tally.standing == {("turn", OTHER_DICE): 1}
    assert tally.agreed["death save"] == 1
    assert (lost(campaign)["tessa"], campaign.state.characters["tessa"].has("unconscious")) == (19, False)


@pytest.mark.parametrize(
    ("roll", "hit", "dice"),
    [
        ("1d20 (14) + 4 - 1d4 (3) [bane] = `15`", True, 1),
        ("1d20 (9) + 4 + 1d4 (2) [bless] = `15`", True, 1),
        ("2d20kl1 (**19**, ~~5~~) + 4 = `9`", False, 2),
        ("1d20ro<2 (~~**1**~~, 15) + 4 = `19`", True, 1),
        ("1d20 (**1**) + 30 = `31`", False, 1),
    ],
)
def test_whatever_is_added_to_a_d20_is_a_bonus(log: Any, play: Play, roll: str, hit: bool, dice: int) -> None:
    harm = [log.damage(2, "1d4 (1) + 1 [piercing] = `2`")] if hit else []
    struck = bite(log, roll, 12, *harm, hit=hit)
    struck["results" if "results" in struck else "children"][0]["results"][0]["results"][0]["attack_bonus"] = 4
    campaign, tally = play(log.over(bitten(log, struck, 16 if hit else 18)))
    [to_hit, *_] = [event for event in only(campaign, "attack").events if isinstance(event, events.DiceRolled)]
    assert (tally.standing, len(to_hit.dice), lost(campaign)["tessa"]) == ({}, dice, 4 if hit else 2)


def test_three_d20s_stand_as_recorded(log: Any, play: Play) -> None:
    elven = bite(log, "3d20kh1 (**19**, ~~5~~, ~~4~~) + 4 = `23`", 12, log.damage(2, "2 = `2`"))
    campaign, tally = play(log.over(bitten(log, elven, 16)))
    assert tally.standing == {("attack", "more dice than one or two d20s"): 1}
    assert lost(campaign)["tessa"] == 4


def test_a_save_by_a_command_is_played_where_its_dc_is_on_record(log: Any, play: Play) -> None:
    recorder = log.fight()
    for words in ("**DC 10**\n1d20 (9) + 3 = `12`; Success!", "1d20 (9) + 3 = `12`"):
        answer = {"title": "Tessa makes a Concentration Save!", "words": words}
        recorder.did("save", "!s con", author="Ben", caster="Tessa", answer=answer)
    campaign, tally = play(log.over(recorder))
    assert tally.agreed["save"] == 1
    assert [entry.provenance for entry in campaign.session.log.entries() if entry.intent.verb == "save"] == [
        "played",
        "imported",
    ]


def test_a_long_rest_heals_as_far_as_is_on_record(log: Any, play: Play) -> None:
    recorder = log.over(bitten(log, bite(log, "1d20 (9) + 4 = `13`", 12, log.damage(5, "5 = `5`")), 13))
    recorder.did(
        "game longrest", "!g lr", author="Ben", caster="Tessa",
        answer={"title": "Tessa took a Long Rest!", "Hit_Points": "20/20 (+7)"},
    )  # fmt: skip
    campaign, tally = play(recorder)
    assert lost(campaign)["tessa"] == 0
    assert tally.agreed["rest"] + tally.agreed["healing"] == 1


def test_a_hit_by_hand_is_harm_and_what_was_typed_without_a_number_is_left(log: Any, play: Play) -> None:
    recorder = log.fight().did(
        "init hp", "!i hp tessa -3", stand(log, 15, 12), answer={"content": "Tessa: <15/20 HP> (-3)"}
    )  # fmt: skip
    campaign, tally = play(log.over(recorder))
    assert (only(campaign, "harm").intent.params["amount"], tally.agreed["damage"]) == ("3", 1)
    assert lost(campaign)["tessa"] == 5


def test_a_second_session_goes_on_with_the_same_numbers(log: Any, srd5: Book, tmp_path: Path) -> None:
    first, second = session(log), log.fight()
    second.clock += 90_000
    second.lines = [{**line, "combat_id": "d", "timestamp": line["timestamp"] + 90_000} for line in second.lines]
    one, other = first.write(tmp_path / "one.jsonl.gz"), log.over(second).write(tmp_path / "two.jsonl.gz")
    record_play(srd5, read_avrae(one, "Cellar", play=True))
    again = read_avrae(other, "Cellar", known=lambda name: known_of(srd5, name), play=True)
    campaign, tally = record_play(srd5, again)
    assert tally.agreed["join"] == 1
    assert lost(campaign)["tessa"] == 2
    assert campaign.state.session is not None and campaign.state.session.number == 2


def test_what_was_taken_in_without_rules_cannot_be_played_on(log: Any, srd5: Book, tmp_path: Path) -> None:
    first, second = session(log), log.fight()
    second.lines = [{**line, "combat_id": "d", "timestamp": line["timestamp"] + 90_000} for line in second.lines]
    record_import(srd5, read_avrae(first.write(tmp_path / "one.jsonl.gz"), "Cellar"))
    other = log.over(second).write(tmp_path / "two.jsonl.gz")
    again = read_avrae(other, "Cellar", known=lambda name: known_of(srd5, name), play=True)
    with pytest.raises(RollbookError, match="leave out --play"):
        record_play(srd5, again)
