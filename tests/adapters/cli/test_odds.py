"""The odds of an action are asked for with the action's own line, and asking leaves no trace."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.prompt import complete
from rollbook.adapters.line_commands.commands import odds
from rollbook.application.lines.short_forms import ShortForms
from rollbook.domain.forecast.search import forecast
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import intent_of
from rollbook.plugin import Action, Ruleset, Sheet, Table, characters, events, number
from rollbook.testing.scenarios import scenario
from tests.support.processes import ROOT, run

SHOT = "attack robin guard longbow --distance 40"


def test_every_outcome_has_its_percent_and_its_fraction(table) -> None:
    answer = table(f"odds {SHOT}")
    assert (answer.code, answer.err) == (0, "")
    first, *rows = answer.out.splitlines()
    assert first == "Robin Hood  attack against Guard"
    assert re.search(r"^  ✓ hit +\d\d\.\d %  \d+/\d+$", answer.out, re.MULTILINE)
    assert re.search(r"^  ✗ natural 1 +5\.0 %  1/20$", answer.out, re.MULTILINE)
    assert re.search(r"^  succeeds +\d\d\.\d %  \d+/\d+$", answer.out, re.MULTILINE)
    assert re.match(r"Guard  −\d+(\.\d)? HP on average, 0 to \d+ · unconscious \d", rows[-1])


def test_json_has_fractions_that_add_up(table) -> None:
    data = table(f"odds {SHOT} --json").data
    (check,) = data["checks"]
    assert sum(Fraction(each["chance"]) for each in check["outcomes"]) == 1
    assert {each["outcome"]: each["percent"] for each in check["outcomes"]}["natural 20"] == 5.0
    assert check["success"]["percent"] == pytest.approx(float(Fraction(check["success"]["chance"]) * 100))
    (damage,) = data["amounts"]
    totals = {each["total"]: Fraction(each["chance"]) for each in damage["totals"]}
    assert sum(totals.values()) == 1
    assert sum(total * chance for total, chance in totals.items()) == Fraction(damage["mean"])
    assert sum(Fraction(story["chance"]) for story in data["stories"]) == 1
    assert (data["campaign"], data["verb"], data["not_followed"]["chance"]) == ("test-table", "attack", "0")


def test_asking_leaves_no_trace(table, stored, home: Path) -> None:
    before = stored()
    seeds = sorted(path.read_bytes() for path in home.rglob("*.json") if "seeds" in str(path))
    for line in (SHOT, "opposed robin dex guard dex", "open-session", "x-card", "roll 2d6", "adopt storytoken"):
        assert table(f"odds {line}").code in (0, 4), line
    assert stored() == before
    assert sorted(path.read_bytes() for path in home.rglob("*.json") if "seeds" in str(path)) == seeds


def test_no_session_need_be_open(table) -> None:
    table("do close-session")
    assert table(f"do {SHOT}").code == 4
    assert table(f"odds {SHOT}").code == 0
    assert table("odds open-session Second").out == "No die falls: what comes of it is certain.\n"


def test_what_the_rules_refuse_is_refused(table) -> None:
    for line, code in (
        ("attack robin robin longbow", 4),
        ("attack guard robin unarmed --seat Mira", 4),
        ("attack robin nobody longbow", 3),
        ("frobnicate", 3),
        ("attack robin", 2),
        (f"{SHOT} --seat Nobody", 3),
        ("draw-for", 3),
        ("check robin dex --seat Mira", 0),
    ):
        answer = table(f"odds {line}")
        assert answer.code == code, (line, answer)
        assert answer.err == table(f"do {line} ! 3").err or not code


def test_dice_have_not_fallen_yet(table) -> None:
    for line in (f"odds {SHOT} ! 14 4", f"odds {SHOT} --dice 14,4"):
        answer = table(line)
        assert (answer.code, answer.err) == (2, "Odds are asked for before the dice fall: leave the dice out.\n")


def test_too_much_is_refused_with_what_to_do(table) -> None:
    answer = table("odds --json roll 1d1000000")
    assert (answer.code, answer.error["code"]) == (4, "refused")
    assert answer.error["message"].endswith("fewer targets, or fewer dice.")


def test_a_roll_shows_its_totals(table) -> None:
    lines = table("odds roll 2d4 --who robin").out.splitlines()
    assert lines[0] == "Robin Hood  roll 2d4"
    assert lines[4] == "  5  25.0 %  1/4"
    assert lines[-1] == "  5 on average"
    assert "140 on average, 40 to 240" in table("odds roll 40d6").out


def test_the_same_line_works_in_a_session(table, home: Path) -> None:
    script = home / "asked.session"
    script.write_text(f"odds {SHOT}\nnote after\nodds frobnicate\n", encoding="utf-8")
    answer = table(f"play {script}")
    assert answer.code == 3
    assert answer.out.startswith("Robin Hood  attack against Guard\n")
    assert answer.err.startswith("Line 3: There is no verb called 'frobnicate'.")
    assert [line["verb"] for line in table("log -n 1 --json").lines] == ["note"]


def test_every_verb_has_help_that_speaks_of_no_dice(table) -> None:
    assert "Verbs of storytoken" in table("odds --help").out
    out = table("odds attack --help").out
    assert "ATTACKER TARGET WEAPON" in out
    assert "DICE" not in out
    assert "--why" not in out
    assert "--seat" in out


def test_completion_knows_the_verbs_and_their_words(table, completions) -> None:
    assert completions("rollbook od") == ["odds"]
    assert completions("rollbook odds att") == ["attack", "attitude"]
    assert completions("rollbook odds attack ro") == ["robin"]
    desk = CliContext()
    desk.store = os.environ["ROLLBOOK_STORE"]
    try:
        assert "odds" in list(complete(desk, ShortForms(), [], "o"))
        assert "attack" in list(complete(desk, ShortForms(), ["odds"], "att"))
        assert list(complete(desk, ShortForms(), ["odds", "attack"], "ro")) == ["robin"]
    finally:
        desk.close()


def test_bars_are_for_terminals(table) -> None:
    plain = run("odds", *SHOT.split()).stdout
    assert "█" not in plain
    assert "\x1b" not in plain
    assert not [line for line in plain.splitlines() if line != line.rstrip()]
    drawn = run("odds", *SHOT.split(), FORCE_COLOR="1", COLUMNS="100").stdout
    assert "█" in drawn
    assert "\x1b[32m" in drawn


# Games with more to show.


class Storm(Action, verb="storm"):
    """Everybody saves; some are pushed about, and the lot says who goes first."""

    who: tuple[str, ...] = characters("whom it strikes")
    least: int = number("what is refused", default=0)

    def resolve(self, table: Table) -> None:
        hard = table.roll("2d4x", roller="", purpose="how hard").total
        if hard < self.least:
            table.refuse("A breeze is no storm.")
        table.record(events.PoolGained(holder="", pool="doom", amount=hard))
        for name in (*self.who, self.who[0]):
            saved = table.roll("1d20", roller=name, purpose="save").total >= 11
            table.record(
                events.CheckResolved(character=name, check="save", total=0, target=11, success=saved, against="wind")
            )
            if not saved:
                table.record(events.ConditionBegan(character=name, condition="prone"))
        if len(self.who) == 1:
            table.record(events.ConditionEnded(character=self.who[0], condition="calm"))


WINDS = Ruleset(
    key="winds",
    title="Winds",
    version="1",
    summary="A game for tests.",
    actions=(Storm,),
    sheet=lambda who, _: Sheet(character=who.id, name=who.name, title="", values=(), words=()),
)


def storm(*who: str, least: int = 0) -> Any:
    joined = [events.CharacterJoined(character=name, name=name.title()) for name in who]
    campaign = scenario(WINDS).given(*joined).before
    return forecast(Rulebook({"winds": WINDS}), campaign, intent_of(Storm(who=who, least=least)))


def test_several_checks_have_a_row_each_and_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    names = {"ann": "Ann", "bob": "Bob", "cay": "Cay"}
    odds.show_odds(CliContext(), "storm", storm("ann", "bob", "cay", least=4), names)
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Succeeds"
    assert [line.split("  ")[1] for line in out[1:4]] == ["Ann", "Bob", "Cay"]
    assert "Ann  save against wind (2)" in out[4]
    together = out.index("All together")
    assert out[together + 1].startswith("  ✗ Ann  ✗ Bob") or out[together + 1].startswith("  ✓ Ann")
    assert any(line.startswith("  … and 8 more: ") for line in out)
    assert any(line.startswith("GM   +") and "doom on average" in line for line in out)
    assert any(line.startswith("Ann  prone ") for line in out)
    assert any(line.startswith("Refused 18.8 % ") and line.endswith("A breeze is no storm.") for line in out)
    assert out[-1].startswith("Not followed: 0.0000")


def test_what_ends_is_told_as_no_longer(capsys: pytest.CaptureFixture[str]) -> None:
    odds.show_odds(CliContext(), "storm", storm("ann"), {"ann": "Ann"})
    assert "Ann  no longer calm 100.0 % · prone 75.0 % 3/4\n" in capsys.readouterr().out


def test_who_begins_is_told(table) -> None:
    out = table("odds begin-encounter robin,guard").out.splitlines()
    assert out[0] == "Who begins"
    assert re.fullmatch(r"  Robin Hood  \d\d\.\d %.*", out[1])
    assert re.fullmatch(r"  Guard +\d\d\.\d %.*", out[2])


def test_percent_is_never_certain_of_what_is_not() -> None:
    assert odds.percent(Fraction(0)) == "0.0 %"
    assert odds.percent(Fraction(1, 10_000)) == "<0.1 %"
    assert odds.percent(Fraction(9_999, 10_000)) == ">99.9 %"
    assert odds.percent(Fraction(1)) == "100.0 %"
    assert odds.percent(Fraction(1, 16)) == "6.3 %"
    assert odds.fraction(Fraction(1, 400)) == "1/400"
    assert odds.fraction(Fraction(1, 401)) == ""
    assert odds.small_percent(Fraction(1, 3_000_000)) == "0.00003 %"
    assert odds.small_percent(Fraction(1, 10**15)) == "less than 0.000000001 %"
    assert odds.chance_bar(Fraction(1, 1000)) == "▏"
    assert odds.chance_bar(Fraction(1)) == "█" * 20


def test_what_the_page_about_odds_shows_is_what_is_said(rollbook) -> None:
    page = (ROOT / "docs" / "odds.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\n\$ rollbook (.*?)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    begun = re.findall(r"^rollbook (.*)$", page, re.MULTILINE)
    assert (len(begun), len(shown)) == (4, 3)
    assert [rollbook(words).code for words in begun] == [0] * 4
    for words, out in shown:
        assert rollbook(words).out == out


def test_somebody_may_ask_before_it_is_their_turn(table) -> None:
    table("do begin-encounter robin,guard ! 2 19")
    assert table("do attack robin guard longbow ! 14 4").code == 4
    assert "succeeds" in table("odds attack robin guard longbow --distance 40").out
    assert table("odds attack robin guard longbow --distance 40 --seat Mira").code == 4
