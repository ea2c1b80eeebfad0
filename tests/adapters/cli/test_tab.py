"""Tab at the prompt offers what may be said there, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.prompt import completed
from rollbook.application.campaign import Campaign
from rollbook.application.lines.completion import word_start
from rollbook.application.lines.short_forms import ShortForms
from tests.support.terminal import Terminal

Offered = Callable[[str], list[str]]

TABLE = """\
take-seat Ana --role gm
take-seat Mira
open-session First
join "Robin Hood" --id robin --seat Mira --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 ! 5
join Guard --kind npc --hp 18 --ac 12
join "The Assassin" --id assassin --kind npc --hp 8 --secret
join Gone --kind npc --hp 8
leave gone
give robin longbow --use weapon:medium-ranged
give robin "heavy flail" --use weapon:heavy-melee
give robin rope --count 2
give guard halberd --use weapon:heavy-melee"""


@pytest.fixture
def cli(home: Path) -> Iterator[CliContext]:
    cli = CliContext()
    cli.store = str(home / "rollbook.db")
    try:
        cli.select_campaign(cli.book(create=True).new("The Ambush", "storytoken", {}))
        for line in TABLE.splitlines():
            cli.campaign().say(line)
        yield cli
    finally:
        cli.close()


@pytest.fixture
def campaign(cli: CliContext) -> Campaign:
    return cli.campaign()


@pytest.fixture
def offered(cli: CliContext) -> Offered:
    """What stands in the place of the last word of a line."""
    short = ShortForms()

    def offer(line: str) -> list[str]:
        start = max(line.rfind(" "), line.rfind("\t")) + 1
        return completed(cli, short, line, start)

    return offer


def test_gear_is_what_the_actor_of_the_line_holds_and_what_fits(offered) -> None:
    assert offered("attack robin guard ") == ['"heavy flail"', "longbow"]
    assert offered("attack guard robin ") == ["halberd"]
    assert offered("attack guard robin --weapon ") == ["halberd"]
    assert offered("drop robin ro") == ["rope"]


def test_classes_of_weapons_are_offered_where_nothing_held_begins_so(offered) -> None:
    assert offered("attack robin guard una") == ["unarmed"]
    assert "medium-melee" in offered("attack robin guard med")


def test_what_has_blanks_is_quoted_and_an_open_quotation_is_closed(offered) -> None:
    assert offered("attack robin guard he") == ['"heavy flail"']
    assert offered('attack robin guard "he') == ['"heavy flail"']
    assert offered('attack robin guard "heavy fl') == ['flail"']


def test_a_line_of_short_forms_is_completed_too(campaign, offered) -> None:
    campaign.say("begin-encounter robin,guard ! 15 9")
    assert offered("at gu ") == sorted(['"heavy flail"', "longbow", "hidden-assassin", "guard", "robin"])
    assert offered("at gu l") == ["longbow"]
    assert offered("ch st") == ["str"]
    assert offered("n g") == ["guard"]
    assert offered("rollbook do harm gu") == ["guard"]


def test_characters_are_those_who_are_there_and_whom_the_seat_sees(offered) -> None:
    assert offered("harm ") == ["guard", "hidden-assassin", "robin"]
    assert "hidden-assassin" not in offered("check --seat Mira ")


def test_a_players_line_is_offered_what_a_player_may_say(offered) -> None:
    assert "--target" in offered("check robin dex --") and "--target" not in offered("check robin dex --seat Mira --")
    assert "--cover" in offered("attack robin guard --seat Mira --")
    assert offered("check robin dex --spared a") == ["afraid"]
    assert offered("check robin dex --seat Mira --spared a") == []
    assert offered("check robin --seat=Mira ") == ["cha", "con", "dex", "int", "str", "wis"]
    assert offered("harm ro") == ["robin"] and offered("harm --seat Mira ro") == [], "a verb of the GM's"
    assert offered("check robin dex --seat Ana --spared a") == ["afraid"]


def test_a_shell_offers_a_player_no_more(cli, completions) -> None:
    store = f"--store {cli.store} -c the-ambush"
    cli.close()
    assert completions(f"rollbook do {store} check robin dex --spared a") == ["afraid"]
    assert completions(f"rollbook do {store} check robin dex --seat Mira --spared a") == [""]
    assert completions(f"rollbook do {store} attack hidd") == ["hidden-assassin"]
    assert completions(f"rollbook do {store} attack --seat Mira hidd") == [""]
    assert "--target" not in completions(f"rollbook do {store} check --seat Mira --")


def test_lists_go_on_with_blanks_and_commas(offered) -> None:
    assert offered("begin-encounter robin,g") == ["robin,guard"]
    assert offered("begin-encounter robin g") == ["guard"]


def test_numbers_and_free_words_get_nothing(offered) -> None:
    assert offered("attack robin guard longbow --distance ") == []
    assert offered("note ") == []
    assert offered("scene ") == []


def test_choices_seats_and_options_are_offered(offered) -> None:
    assert offered("check robin ") == ["cha", "con", "dex", "int", "str", "wis"]
    assert offered("check robin int --topic clu") == ["clues"]
    assert offered("check robin int --seat ") == ["Ana", "Mira"]
    assert offered("check robin int --tar") == ["--target"]
    assert offered("bring-in robin-hood --seat M") == ["Mira"]


def test_verbs_are_those_of_the_moment(campaign, offered) -> None:
    assert offered("be") == ["begin-encounter"]
    assert "end-turn" not in offered("")
    campaign.say("begin-encounter robin,guard ! 15 9")
    assert offered("be") == []
    assert offered("end-") == ["end-encounter", "end-turn"]
    assert offered("ne") == ["next"]
    assert offered("sheet ro") == ["robin"]
    assert offered("help att") == ["attack", "attitude"]


def test_what_cannot_be_read_gets_nothing(offered) -> None:
    assert offered("frobnicate ") == []
    assert offered("wo ") == []


def test_a_word_begins_after_a_blank_that_no_quotation_holds() -> None:
    assert [word_start(line) for line in ("", "at", "at gu", 'at "a b', 'at "a b" c')] == [0, 0, 3, 3, 9]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_tab_is_pressed_at_a_terminal(table) -> None:
    table("do give robin 'heavy flail' --use weapon:heavy-melee")
    terminal = Terminal.running("play", columns=80)
    terminal.answer("> ", "att\ta\trob\tgua\the\t! 2")
    terminal.until("strikes at Guard")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
    assert table("log -n 1 --json").data["verb"] == "attack"
