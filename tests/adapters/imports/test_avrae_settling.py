"""What the record says of hit points has a cause wherever the recording holds one, in whatever way the table changed them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.imports import Imported
from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.domain import events
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from rollbook.projections.log_lines import Teller


def folded(imported: Imported) -> CampaignState:
    return fold(EMPTY, [event for action in imported.actions for event in action.events])


def standing(imported: Imported, name: str = "tessa") -> tuple[int, int, int]:
    """Hit points, their maximum and temporary ones."""
    who = folded(imported).characters[name]
    return who.stats["max_hp"] - who.lost, who.stats["max_hp"], who.pools.get("temp_hp", 0)


def fully_explained(imported: Imported) -> bool:
    return imported.changes_corrected == 0 and "correction" not in {action.verb for action in imported.actions}


def rat(log: Any) -> Any:
    return log.monster("RA1", 12)


def test_a_group_that_is_called_like_the_beginning_of_a_name_takes_nobodys_numbers(log: Any, recorded: Any) -> None:
    group = {"type": "group", "name": "Tessa", "init": 20, "id": "g", "combatants": [log.pc("Tessa's hawk", 3, 7)]}
    hurt = log.root(log.upon("Tessa", log.damage(3, "3 = `3`")))
    recorder = log.fight().did("init madd", "!i madd hawk", (1, 1, [group, log.pc("Tessa", 18), rat(log)]))
    recorder.did("action", "!a claw", (1, 1, [group, log.pc("Tessa", 15), rat(log)]), caster="RA1", result=hurt)
    imported = read_avrae(recorded(log.over(recorder)))
    assert standing(imported) == (15, 20, 0)
    assert standing(imported, "tessa-s-hawk") == (3, 7, 0)
    assert fully_explained(imported)


def test_a_name_with_notes_is_told_from_a_longer_name(log: Any, recorded: Any) -> None:
    units = [log.pc("Orc (big)", 9, 9, init=12), log.pc("Orc", 5, 8, init=11), log.pc("Tessa", 18), rat(log)]
    imported = read_avrae(recorded(log.over(log.fight().did("init madd", "!i madd orc", (1, 2, units)))))
    assert (standing(imported, "orc"), standing(imported, "orc-big")) == ((5, 8, 0), (9, 9, 0))


@pytest.mark.parametrize(("gives", "highest"), [({"max_hp_bonus": "5"}, 25), ({"max_hp_value": 40}, 40)])
def test_a_maximum_that_an_effect_gives_comes_and_goes_with_it(
    log: Any, recorded: Any, gives: dict[str, Any], highest: int
) -> None:
    grown = [log.pc("Tessa", 18, highest, gives={"Aid": gives}), rat(log)]
    recorder = log.fight().did("init effect", "!i effect tessa Aid -maxhp +5", (1, 0, grown))
    whole = read_avrae(recorded(log.over(recorder)))
    assert (standing(whole), fully_explained(whole)) == ((18, highest, 0), True)
    recorder = log.fight().did("init effect", "!i effect tessa Aid -maxhp +5", (1, 0, grown))
    recorder.did("init re", "!i re tessa Aid", (1, 0, [log.pc("Tessa", 18, 20), rat(log)]))
    over = read_avrae(recorded(log.over(recorder)))
    assert (standing(over), fully_explained(over)) == ((18, 20, 0), True)
    changes = [event for action in over.actions for event in action.events if isinstance(event, events.StatChanged)]
    assert [change.reason for change in changes if change.reason != "as recorded"] == ["Aid", "end of Aid"]


@pytest.mark.parametrize(
    ("typed", "hp", "highest", "said"),
    [
        ("-max 40", 18, 40, "Tessa maximum +20 HP, hit points stay"),
        ("-max 40", 40, 40, "Tessa maximum +20 HP, +22 HP"),
        ("-hp +20 -max +20", 38, 40, "Tessa maximum +20 HP, +20 HP"),
        ("-max 12", 12, 12, "Tessa maximum −8 HP, −6 HP"),
        ("-name Tessa", 18, 40, "Tessa maximum +20 HP, hit points stay"),
    ],
)
def test_the_log_tells_a_changed_maximum_as_such(
    log: Any, recorded: Any, typed: str, hp: int, highest: int, said: str
) -> None:
    recorder = log.fight().did("init opt", f"!i opt tessa {typed}", (1, 0, [log.pc("Tessa", hp, highest), rat(log)]))
    imported = read_avrae(recorded(log.over(recorder)))
    lines = [
        Teller({"tessa": "Tessa"}).text(
            Entry(EntryKind.TAKEN, 1, events=action.events, seat=action.seat, provenance="imported",
                  intent=Intent(verb=action.verb, params=action.params)))
        for action in imported.actions if action.verb in ("options", "correction")
    ]  # fmt: skip
    results = "; ".join(line.result for line in lines)
    assert said in results
    assert "corrected" not in results


def test_a_spell_that_raises_the_maximum_and_heals_is_one_cause(log: Any, recorded: Any) -> None:
    healed = log.root(log.upon("Tessa", log.damage(-5, "-5 [heal] = `-5`")), spell=True)
    grown = [log.pc("Tessa", 23, 25, gives={"Aid": {"max_hp_bonus": 5}}), rat(log)]
    recorder = log.fight().did("init cast", "!i cast aid", (1, 0, grown), caster="RA1", result=healed)
    imported = read_avrae(recorded(log.over(recorder)))
    assert (standing(imported), fully_explained(imported)) == ((23, 25, 0), True)


def test_a_renamed_combatant_is_the_same_one_under_the_new_name(log: Any, recorded: Any) -> None:
    king = [log.pc("Tessa", 18), log.monster("Rat King", 12, key="RA1")]
    recorder = log.fight().did("init opt", "!i opt ra1 -name 'Rat King'", (1, 0, king))
    recorder.did("init hp", "!i hp king -5", (1, 0, [log.pc("Tessa", 18), log.monster("Rat King", 7, key="RA1")]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert folded(imported).characters["ra1"].name == "Rat King"
    assert (standing(imported, "ra1"), fully_explained(imported)) == ((7, 12, 0), True)


def test_the_log_calls_somebody_who_was_renamed_by_the_new_name(
    log: Any, recorded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    king = [log.pc("Tessa", 18), log.monster("Rat King", 12, key="RA1")]
    recorder = log.fight().did("init opt", "!i opt ra1 -name 'Rat King'", (1, 0, king))
    recorder.did("init hp", "!i hp king -5", (1, 0, [log.pc("Tessa", 18), log.monster("Rat King", 7, key="RA1")]))
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    assert main(["import", str(recorded(log.over(recorder))), "--from", "avrae"]) == 0
    capsys.readouterr()
    assert main(["log"]) == 0
    shown = capsys.readouterr().out
    assert "called Rat King from now on" in shown
    assert re.search(r"Rat King +changes hit points +−5 HP", shown)


@pytest.mark.parametrize(
    ("typed", "hp", "highest"),
    [
        ("-hp 7", 7, 20),
        ("-hp -3", 15, 20),
        ("-max 30", 18, 30),
        ("-max +5 -hp +5", 23, 25),
        ("-max 30", 30, 30),
        ("-hp +2 -max +2", 20, 22),
        ("-hp +22 -max +20", 40, 40),
        ("-hp 5 -max 40", 5, 40),
        ("-hp 30 -max 30", 30, 30),
    ],
)
def test_options_of_a_combatant_are_a_cause(log: Any, recorded: Any, typed: str, hp: int, highest: int) -> None:
    recorder = log.fight().did("init opt", f"!i opt tessa {typed}", (1, 0, [log.pc("Tessa", hp, highest), rat(log)]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert (standing(imported), fully_explained(imported)) == ((hp, highest, 0), True)


@pytest.mark.parametrize(
    ("command", "content", "hp", "highest", "temporary"),
    [
        ("init hp max", "!i hp max tessa 30", 18, 30, 0),
        ("init hp", "!i hp tessa max 30", 30, 30, 0),
        ("init hp", "!i hp tessa max", 20, 20, 0),
        ("init hp", "!i hp tessa +10", 28, 20, 0),
        ("init thp", "!i thp tessa 6", 18, 20, 6),
        ("init thp", "!i thp tessa 1d8", 18, 20, 5),
    ],
)
def test_hit_points_that_were_typed_are_a_cause(
    log: Any, recorded: Any, command: str, content: str, hp: int, highest: int, temporary: int
) -> None:
    units = [log.pc("Tessa", hp, highest, temp=temporary), rat(log)]
    imported = read_avrae(recorded(log.over(log.fight().did(command, content, (1, 0, units)))))
    assert (standing(imported), fully_explained(imported)) == ((hp, highest, temporary), True)


@pytest.mark.parametrize(
    ("command", "content", "caster", "answer", "hp"),
    [
        ("game hp max", "!g hp max", "Tessa", "Tessa: <20/20 HP> (+2)", 20),
        ("game hp", "!g hp max", "", "Tessa: <20/20 HP> (+2)", 20),
        ("game hp", "!g hp -1d8", "Tessa", "Tessa: <13/20 HP> (-1d8 (5))", 13),
        ("game hp set", "!g hp set 4", "Tessa", "Tessa: <4/20 HP> (-14)", 4),
    ],
)
def test_hit_points_typed_for_ones_own_sheet_show_in_the_next_update(
    log: Any, recorded: Any, command: str, content: str, caster: str, answer: str, hp: int
) -> None:
    recorder = log.fight().did(command, content, author="Ben", caster=caster, answer={"content": answer})
    recorder.did("init next", "!i n", (1, 1, [log.pc("Tessa", hp), rat(log)]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert (standing(imported)[0], fully_explained(imported)) == (hp, True)


@pytest.mark.parametrize(
    ("command", "content", "answer"),
    [
        ("game hp max", "!g hp max", {"content": "Hugh: <348/348 HP> (+19)"}),
        ("game hp", "!g hp -5", {"content": "Hugh: <343/348 HP> (-5)"}),
        ("game thp", "!g thp 5", {"content": "Hugh: (+5 temp)"}),
        ("game longrest", "!g lr", {"title": "Hugh took a Long Rest!"}),
    ],
)
def test_a_change_of_somebody_who_is_not_in_the_combat_is_nobodys_there(
    log: Any, recorded: Any, command: str, content: str, answer: dict[str, str]
) -> None:
    recorder = log.fight().did(command, content, author="Ben", caster="Hugh", answer=answer)
    recorder.did("init next", "!i n", (1, 1, [log.pc("Tessa", 18), rat(log)]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert (standing(imported), fully_explained(imported)) == ((18, 20, 0), True)
    assert not [action for action in imported.actions if action.verb in ("hp", "rest")]


def test_a_sheet_under_another_name_is_that_of_the_combatant_whom_the_bot_names(log: Any, recorded: Any) -> None:
    recorder = log.fight().did(
        "game hp max",
        "!g hp max",
        author="Ben",
        caster="Tessa of the Hills",
        answer={"content": "Tessa: <20/20 HP> (+2)"},
    )
    recorder.did("init next", "!i n", (1, 1, [log.pc("Tessa", 20), rat(log)]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert (standing(imported), fully_explained(imported)) == ((20, 20, 0), True)


@pytest.mark.parametrize("title", ["Tessa is burning!", "The fire hurts Tessa"])
def test_hit_points_in_a_field_of_a_script_are_those_of_whom_the_title_names(
    log: Any, recorded: Any, title: str
) -> None:
    said = {"title": title, "Hit_Points": "11/20 (-7)"}
    units = [log.pc("Tessa", 11), rat(log)]
    imported = read_avrae(recorded(log.over(log.fight().did("embed", "!burn", (1, 0, units), answer=said))))
    assert (standing(imported)[0], fully_explained(imported)) == (11, True)
    other = {**said, "title": "Tessandra is burning!"}
    imported = read_avrae(recorded(log.over(log.fight().did("embed", "!burn", (1, 0, units), answer=other))))
    assert imported.changes_corrected == 1


@pytest.mark.parametrize(("succeeded", "outcome"), [(True, "success"), (False, "failure"), (None, "tie")])
def test_both_rolls_of_a_contest_are_kept_each_by_who_rolled(
    log: Any, recorded: Any, succeeded: bool | None, outcome: str
) -> None:
    contest = {
        "type": "check", "skill_name": "Acrobatics", "check_roll": {"result": "1d20 (16) + 2 = `18`"}, "dc": None,
        "contest_skill_name": "Athletics", "contest_roll": {"result": "1d20 (6) + 12 = `18`"}, "did_succeed": succeeded,
    }  # fmt: skip
    both = (1, 0, [log.pc("Tessa", 18), rat(log)])
    result = log.root(log.upon("Tessa", contest))
    imported = read_avrae(
        recorded(log.over(log.fight().did("action", "!a grapple", both, caster="RA1", result=result)))
    )
    (action,) = [action for action in imported.actions if action.verb == "use"]
    rolls = [event for event in action.events if isinstance(event, events.DiceRolled)]
    assert [(one.roller, one.purpose, one.total) for one in rolls] == [
        ("tessa", "acrobatics check", 18), ("ra1", "athletics check", 18),
    ]  # fmt: skip
    (check,) = [event for event in action.events if isinstance(event, events.CheckResolved)]
    assert (check.character, check.target, check.outcome, check.against) == ("tessa", 18, outcome, "ra1")


def test_a_long_rest_ends_temporary_hit_points(log: Any, recorded: Any) -> None:
    recorder = log.fight().did("init thp", "!i thp tessa 6", (1, 0, [log.pc("Tessa", 18, temp=6), rat(log)]))
    recorder.did("game longrest", "!g lr -h", author="Ben", caster="Tessa", answer={"title": "Tessa took a Long Rest!"})
    recorder.did("init next", "!i n", (1, 1, [log.pc("Tessa", 20), rat(log)]))
    imported = read_avrae(recorded(log.over(recorder)))
    assert (standing(imported), fully_explained(imported)) == ((20, 20, 0), True)


def test_what_a_script_of_the_table_did_is_explained_by_its_answer(log: Any, recorded: Any) -> None:
    said = {"title": "The roof comes down!", "words": "Tessa: <11/20 HP>"}
    units = [log.pc("Tessa", 11), rat(log)]
    imported = read_avrae(recorded(log.over(log.fight().did("embed", "!embed -title …", (1, 0, units), answer=said))))
    assert (standing(imported)[0], fully_explained(imported)) == (11, True)


def test_a_list_of_everybody_is_no_cause(log: Any, recorded: Any) -> None:
    units = [log.pc("Tessa", 11), rat(log)]
    said = {"content": "**Initiative 10 (round 1)**: Tessa\n```md\nTessa <11/20 HP> (AC 15)```"}
    imported = read_avrae(recorded(log.over(log.fight().did("init next", "!i n", (1, 1, units), answer=said))))
    assert imported.changes_corrected == 1


def test_a_file_of_another_format_says_which_importer_takes_it(
    log: Any, recorded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = recorded(log.over(log.fight()))
    assert main(["import", str(path)]) == 1
    assert f"It looks like a file for: rollbook import {path} --from avrae" in capsys.readouterr().err
    assert main(["import", str(path), "--from", "avrae"]) == 0
    assert main(["export", str(tmp_path / "own.jsonl")]) == 0
    capsys.readouterr()
    assert main(["import", str(tmp_path / "own.jsonl"), "--from", "avrae"]) == 1
    assert "own.jsonl --from rollbook" in capsys.readouterr().err
