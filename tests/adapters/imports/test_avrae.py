"""A recording of Avrae becomes the actions of a campaign: who did what, the dice, and what came of it."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.domain import events
from rollbook.domain.dice.record import Source
from rollbook.domain.events import CharacterKind, Event, Role
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, Character
from rollbook.domain.state.fold import fold

E = TypeVar("E", bound=Event)


def folded(imported: Imported, *, without: ImportedAction | None = None) -> CampaignState:
    return fold(EMPTY, [event for action in imported.actions if action is not without for event in action.events])


def only(imported: Imported, verb: str) -> ImportedAction:
    [action] = [action for action in imported.actions if action.verb == verb]
    return action


def of(action: ImportedAction, kind: type[E]) -> list[E]:
    return [event for event in action.events if isinstance(event, kind)]


def hp(who: Character) -> int:
    return who.stats["max_hp"] - who.lost


def stand(log: Any, tessa: int, rat: int, **more: Any) -> tuple[int, int, list[Any]]:
    return 1, 0, [log.pc("Tessa", tessa, **more), log.monster("RA1", rat)]


def bite(log: Any, *children: Any, hit: bool = True) -> Any:
    return log.root(log.upon("Tessa", log.attack("1d20 (9) + 4 = `13`", 12, *children, hit=hit)))


def test_it_begins_with_a_campaign_and_a_session(log: Any, recorded: Any) -> None:
    imported = read_avrae(recorded(log.over(log.fight())))
    first, second = imported.actions[:2]
    assert imported.name == "cellar"
    assert (first.verb, second.verb) == ("start-campaign", "open-session")
    assert of(first, events.CampaignStarted)[0].name == "cellar"
    assert len(bytes.fromhex(of(first, events.CampaignStarted)[0].identity)) == 16
    assert of(second, events.SessionOpened)[0].session == 1
    assert not folded(imported).session.is_open  # type: ignore[union-attr]


def test_importing_twice_gives_the_same_campaign_however_it_is_compressed(log: Any, tmp_path: Any) -> None:
    recorder = log.over(log.fight())
    packed, plain = recorder.write(tmp_path / "a.jsonl.gz"), recorder.write(tmp_path / "a.jsonl")
    assert read_avrae(packed) == read_avrae(plain)
    assert folded(read_avrae(plain, "Rats!")).name == "Rats!"


def test_who_begins_the_combat_leads_it(log: Any, recorded: Any) -> None:
    seats = folded(read_avrae(recorded(log.over(log.fight())))).seats
    assert {name: (seat.role, seat.number) for name, seat in seats.items()} == {
        "Ann": (Role.GM, 0),
        "Ben": (Role.PLAYER, 1),
    }


def test_messages_become_notes_but_commands_and_answers_to_the_bot_do_not(log: Any, recorded: Any) -> None:
    recorder = log.fight().says("Owl", "*hoots*", bot=True)
    imported = read_avrae(recorded(log.over(recorder)))
    notes = [note.text for action in imported.actions for note in of(action, events.NoteWritten)]
    assert notes == ["A noise in the cellar?", "*hoots*"]
    assert folded(imported).seats["Owl"].role is Role.SPECTATOR


def test_somebody_joins_with_hit_points_and_initiative(log: Any, recorded: Any) -> None:
    imported = read_avrae(recorded(log.over(log.fight())))
    campaign = folded(imported)
    tessa, rat = campaign.characters["tessa"], campaign.characters["ra1"]
    assert (hp(tessa), tessa.stats["max_hp"], tessa.kind, tessa.seat) == (18, 20, CharacterKind.PLAYER_CHARACTER, "Ben")
    assert (hp(rat), rat.kind, rat.seat) == (12, CharacterKind.MONSTER, "")
    joins = [action for action in imported.actions if action.verb == "join"]
    assert [(rolled.roller, rolled.total) for join in joins for rolled in of(join, events.DiceRolled)] == [
        ("tessa", 10),
        ("ra1", 5),
    ]
    assert of(joins[-1], events.TurnOrderSet) == [events.TurnOrderSet(order=("tessa", "ra1"), scores=(10, 5))]


def test_an_attack_is_one_action_with_its_dice_and_its_damage(log: Any, recorded: Any) -> None:
    recorder = log.fight().did(
        "init attack", "!i a bite -t tess", stand(log, 13, 12), caster="RA1",
        result=bite(log, log.damage(5, "1d4 (3) + 2 [piercing] = `5`")), targets=("Tessa",),
        answer={"title": "RA1 attacks with a Bite!"},
    )  # fmt: skip
    imported = read_avrae(recorded(log.over(recorder)))
    attack = only(imported, "attack")
    assert attack.params == {"attacker": "ra1", "target": "tessa", "weapon": "Bite", "typed": "!i a bite -t tess"}
    assert attack.seat == "Ann"
    to_hit, harm = of(attack, events.DiceRolled)
    assert (to_hit.purpose, to_hit.natural, to_hit.sources) == ("to hit", 9, (Source("imported", 1),))
    assert (harm.purpose, harm.total) == ("damage", 5)
    [check] = of(attack, events.CheckResolved)
    assert (check.total, check.target, check.success, check.outcome, check.against) == (13, 12, True, "hit", "tessa")
    assert of(attack, events.DamageTaken) == [
        events.DamageTaken(character="tessa", amount=5, dealt=5, tags=("piercing",), source="ra1")
    ]
    assert (imported.changes_explained, imported.changes_corrected) == (1, 0)
    assert hp(folded(imported).characters["tessa"]) == 13
    assert hp(folded(imported, without=attack).characters["tessa"]) == 18


def test_temporary_hit_points_go_first_and_a_player_character_stops_at_zero(log: Any, recorded: Any) -> None:
    shield = log.root(log.upon("Tessa", {"type": "temphp", "amount": 4, "amount_roll": {"result": "4 = `4`"}}))
    recorder = log.fight()
    recorder.did("action", "!a ward", stand(log, 18, 12, temp=4), author="Ben", caster="Tessa", result=shield)
    recorder.did(
        "init attack", "!i a crush", stand(log, 0, 12), caster="RA1", result=bite(log, log.damage(99, "99 = `99`"))
    )
    imported = read_avrae(recorded(log.over(recorder)))
    [harm] = of(only(imported, "attack"), events.DamageTaken)
    assert (harm.amount, harm.dealt) == (18, 99)
    assert folded(imported).characters["tessa"].pools["temp_hp"] == 0
    assert (imported.changes_explained, imported.changes_corrected) == (1, 0)


def test_a_monster_goes_below_zero_and_leaves_when_it_is_removed(log: Any, recorded: Any) -> None:
    slash = log.root(log.upon("RA1", log.damage(20, "2d12 (8, **12**) = `20`")))
    recorder = log.fight().did("action", "!a slash", stand(log, 18, -8), author="Ben", caster="Tessa", result=slash)
    recorder.did("init remove", "!i remove ra1", (1, 0, [log.pc("Tessa", 18)]))
    recorder.did("init madd", "!i madd rat", stand(log, 18, 12))
    imported = read_avrae(recorded(log.over(recorder)))
    characters = folded(imported).characters
    assert (hp(characters["ra1"]), characters["ra1"].present) == (-8, False)
    assert (hp(characters["ra1-2"]), characters["ra1-2"].present) == (12, True)
    assert imported.changes_explained == 1


def test_a_player_character_who_comes_back_is_the_same_one(log: Any, recorded: Any) -> None:
    recorder = log.fight()
    recorder.did("init remove", "!i remove tessa", (1, 0, [log.monster("RA1", 12)]))
    recorder.did("init join", "!i join", (1, 0, [log.pc("Tessa", 18, key="new"), log.monster("RA1", 12)]), author="Ben")
    imported = read_avrae(recorded(log.over(recorder)))
    assert list(folded(imported).characters) == ["tessa", "ra1"]
    assert hp(folded(imported).characters["tessa"]) == 18
    assert (imported.changes_explained, imported.changes_corrected) == (0, 0)


def test_two_of_one_name_have_ids_of_their_own(log: Any, recorded: Any) -> None:
    twins = [log.pc("Tessa", 18), log.monster("RA1", 12), log.monster("RA1", 9, key="other")]
    imported = read_avrae(recorded(log.over(log.fight().did("init madd", "!i madd rat", (1, 0, twins)))))
    characters = folded(imported).characters
    assert (hp(characters["ra1"]), hp(characters["ra1-2"])) == (12, 9)


@pytest.mark.parametrize(
    ("content", "tessa"),
    [
        ("!i hp tes -5", 13),
        ("!i hp “Tessa” +1", 19),
        ('!i hp "Tessa" +50', 20),
        ("!i hp set tessa 7", 7),
        ("!i hp tessa -1d6", 16),
    ],
)
def test_hit_points_typed_by_hand_are_a_cause(log: Any, recorded: Any, content: str, tessa: int) -> None:
    imported = read_avrae(recorded(log.over(log.fight().did("init hp", content, stand(log, tessa, 12)))))
    assert only(imported, "hp").params["who"] == "tessa"
    assert only(imported, "hp").seat == "Ann"
    assert (imported.changes_explained, imported.changes_corrected) == (1, 0)
    assert hp(folded(imported).characters["tessa"]) == tessa


def test_what_no_cause_explains_becomes_a_correction_that_says_so(log: Any, recorded: Any) -> None:
    recorder = log.fight().did("init hp", "!i hp tessa -5", stand(log, 11, 12))
    imported = read_avrae(recorded(log.over(recorder)))
    [correction] = of(only(imported, "correction"), events.HitPointsCorrected)
    assert correction.amount == -2
    assert correction.reason == "the causes on record come to 13 hit points, recorded are 11"
    assert (imported.changes_explained, imported.changes_corrected) == (0, 1)
    assert hp(folded(imported).characters["tessa"]) == 11


def test_a_maximum_that_grows_without_a_cause_is_corrected(log: Any, recorded: Any) -> None:
    recorder = log.fight().did("init next", "!i n", (1, 1, [log.pc("Tessa", 18, 25), log.monster("RA1", 12)]))
    imported = read_avrae(recorded(log.over(recorder)))
    tessa = folded(imported).characters["tessa"]
    assert (hp(tessa), tessa.stats["max_hp"]) == (18, 25)
    assert imported.changes_corrected == 1


def test_a_save_for_half_and_an_effect(log: Any, recorded: Any) -> None:
    save = {
        "type": "save", "dc": 13, "ability": "dexteritySave", "save_roll": {"result": "1d20 (12) + 2 = `14`"},
        "did_save": True, "children": [log.damage(3, "(2d6 (3, 4)) / 2 = `3`")],
    }  # fmt: skip
    effect = {"type": "ieffect", "effect": {"name": "Smelly", "buttons": [{"automation": [{"type": "damage"}]}]}}
    recorder = log.fight().did(
        "init cast", "!i cast stench -t tessa", stand(log, 15, 12, effects={"Smelly": "RA1"}), caster="RA1",
        result=log.root(log.upon("Tessa", save, effect), spell=True), targets=("Tessa",),
        answer={"title": "RA1 casts Stench!"},
    )  # fmt: skip
    recorder.did("init next", "!i n", (1, 1, stand(log, 15, 12)[2]))
    imported = read_avrae(recorded(log.over(recorder)))
    cast = only(imported, "cast")
    assert cast.params["spell"] == "Stench"
    [check] = of(cast, events.CheckResolved)
    assert (check.check, check.outcome, check.against) == ("dexterity save", "saved", "ra1")
    assert of(cast, events.ConditionBegan) == [
        events.ConditionBegan(character="tessa", condition="Smelly", source="ra1")
    ]
    assert of(imported.actions[-3], events.ConditionEnded) == [
        events.ConditionEnded(character="tessa", condition="Smelly")
    ]
    assert imported.changes_explained == 1


def test_a_button_heals(log: Any, recorded: Any) -> None:
    recorder = log.fight()
    recorder.add("button_press", interaction_id=900, author_name="Ben", author_id="Ben", button_label="Second Wind")
    recorder.ran(900, "Tessa", log.root(log.upon("Tessa", log.damage(-2, "-2 [heal] = `-2`"))))
    recorder.shows(900, *stand(log, 20, 12))
    imported = read_avrae(recorded(log.over(recorder)))
    use = only(imported, "use")
    assert (use.seat, use.params["what"]) == ("Ben", "Second Wind")
    assert of(use, events.HitPointsRestored) == [
        events.HitPointsRestored(character="tessa", amount=2, tags=("heal",), source="tessa")
    ]


def test_checks_and_saves_are_read_from_the_answer(log: Any, recorded: Any) -> None:
    recorder = log.fight()
    recorder.did(
        "save", "!s con", author="Ben", caster="Tessa",
        answer={"title": "Tessa makes a Constitution Save!", "words": "**DC 12**\n1d20 (3) + 1 = `4`; Failure!"},
    )  # fmt: skip
    recorder.did("roll", "!r 2d6", answer={"content": "**Result**: 2d6 (2, 5)\n**Total**: 7"})
    imported = read_avrae(recorded(log.over(recorder)))
    [check] = of(only(imported, "save"), events.CheckResolved)
    assert (check.character, check.check, check.target, check.success) == ("tessa", "constitution save", 12, False)
    assert [rolled.total for rolled in of(only(imported, "roll"), events.DiceRolled)] == [7]


def test_a_natural_twenty_against_death_brings_back_one_hit_point(log: Any, recorded: Any) -> None:
    recorder = log.fight().did(
        "init attack", "!i a crush", stand(log, 0, 12), caster="RA1", result=bite(log, log.damage(18, "18 = `18`"))
    )
    recorder.did(
        "save", "!s death", author="Ben", caster="Tessa",
        answer={"title": "Tessa makes a Death Save!", "words": "1d20 (**20**) + 0 = `20`"},
    )  # fmt: skip
    recorder.did("init next", "!i n", (1, 1, stand(log, 1, 12)[2]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert (imported.changes_explained, imported.changes_corrected) == (2, 0)


def test_a_rest_after_the_combat_heals(log: Any, recorded: Any) -> None:
    recorder = log.over(log.fight()).did(
        "game longrest", "!g lr", author="Ben", caster="Tessa",
        answer={"title": "Tessa took a Long Rest!", "Hit_Points": "20/20 (+2)"},
    )  # fmt: skip
    imported = read_avrae(recorded(recorder))
    assert hp(folded(imported).characters["tessa"]) == 20
    assert only(imported, "rest").seat == "Ben"


def test_turns_rounds_and_going_back(log: Any, recorded: Any) -> None:
    units = stand(log, 18, 12)[2]
    recorder = log.fight()
    for name, content, number, current in (
        ("init next", "!i n", 1, 1),
        ("init prev", "!i prev", 1, 0),
        ("init next", "!i n", 1, 1),
        ("init next", "!i n", 2, 0),
        ("init prev", "!i prev", 1, 1),
        ("init next", "!i n", 2, 0),
    ):
        recorder.did(name, content, (number, current, units))
    imported = read_avrae(recorded(log.over(recorder)))
    told = [event for action in imported.actions for event in action.events]
    turns = [event.character for event in told if isinstance(event, events.TurnBegan)]
    assert turns == ["tessa", "ra1", "tessa", "ra1", "tessa", "ra1", "tessa"]
    assert sum(isinstance(event, events.RoundBegan) for event in told) == 2
    back = [action for action in imported.actions if action.verb == "previous-turn"]
    assert [type(event) for action in back for event in action.events] == [events.TurnBegan, events.TurnBegan]


def test_a_group_moves_together(log: Any, recorded: Any) -> None:
    group = {"type": "group", "name": "Riders", "init": 9, "combatants": [log.pc("Tessa", 18), log.monster("Pony", 8)]}
    units = [group, log.monster("RA1", 12)]
    recorder = log.fight().did("init next", "!i n", (2, 0, units)).did("init next", "!i n", (2, 1, units))
    imported = read_avrae(recorded(log.over(recorder)))
    assert of(imported.actions[-3], events.TurnEnded) == [
        events.TurnEnded(character="tessa"),
        events.TurnEnded(character="pony"),
    ]


def test_a_counter_tells_how_much_there_was(log: Any, recorded: Any) -> None:
    used = {"type": "counter", "counter_name": "1", "used_amount": 1, "counter_remaining": 2, "skipped": False}
    recorder = log.fight().did(
        "action", "!a smite", stand(log, 18, 12), author="Ben", caster="Tessa", result=log.root(used)
    )
    imported = read_avrae(recorded(log.over(recorder)))
    assert folded(imported).characters["tessa"].pools == {"spell slots 1": 2}


def test_anyone_who_acts_with_a_foreign_stat_block_enters_as_a_monster(log: Any, recorded: Any) -> None:
    recorder = log.fight().did(
        "monattack", "!ma pony kick -t ra1", stand(log, 18, 9), caster="Pony",
        result=log.root(log.upon("RA1", log.attack("1d20 (9) + 2 = `11`", 10, log.damage(3, "1d4 (3) = `3`")))),
        answer={"title": "A Pony attacks with Kick!"},
    )  # fmt: skip
    imported = read_avrae(recorded(log.over(recorder)))
    assert only(imported, "attack").params["weapon"] == "Kick"
    assert folded(imported).characters["pony"].kind is CharacterKind.MONSTER


def test_somebody_whose_hit_points_are_never_shown_has_none(log: Any, recorded: Any) -> None:
    hidden = [*stand(log, 18, 12)[2], log.pc("Stranger", None)]
    imported = read_avrae(recorded(log.over(log.fight().did("init add", "!i add 3 Stranger", (1, 0, hidden)))))
    assert folded(imported).characters["stranger"].stats == {}


def test_a_step_that_nobody_knows_is_a_warning(log: Any, recorded: Any) -> None:
    recorder = log.fight().did(
        "action", "!a odd", stand(log, 18, 12), author="Ben", caster="Tessa",
        result=log.root({"type": "teleport"}, {"type": "roll", "roll": {"result": "a lot"}, "hidden": False}),
    )  # fmt: skip
    warnings = read_avrae(recorded(log.over(recorder))).warnings
    assert len(warnings) == 2
    assert "'teleport'" in warnings[0]
    assert "'a lot'" in warnings[1]
