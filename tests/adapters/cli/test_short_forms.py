"""A line at the prompt may be short: it is read among what the seat may see, and what was left out is filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, without_program, written
from rollbook.application.lines.verb_line import LineError, split_words
from rollbook.domain.base.errors import NotFound

Short = Callable[[str], str]

TABLE = """\
take-seat Ana --role gm
take-seat Mira
open-session First
join "Robin Hood" --id robin --seat Mira --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 ! 5
join Guard --kind npc --hp 18 --ac 12
join "Old Rowan" --id rowan --kind npc --hp 8
join "Sheriff of Nottingham" --id sheriff --kind npc --hp 30
join "Wolf 1" --id wolf-1 --kind monster --hp 5
join "Wolf 3" --id wolf-3 --kind monster --hp 5
give robin longbow --use weapon:medium-ranged
give robin "silver dagger" --use weapon:light
give guard spear --use weapon:medium-melee"""

FIGHT = "begin-encounter robin,guard,wolf-1,wolf-3 ! 15 9 4 3"


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Ambush", "storytoken", {})
        for line in TABLE.splitlines():
            campaign.say(line)
        yield campaign


@pytest.fixture
def short(campaign: Campaign) -> Short:
    """What a line at the prompt is in full."""
    forms = ShortForms()

    def expand(line: str) -> str:
        return written(forms.expand(campaign, without_program(split_words(line))))

    return expand


@pytest.fixture
def fight(campaign: Campaign) -> Campaign:
    campaign.say(FIGHT)
    return campaign


def test_who_has_the_turn_acts_and_the_only_weapon_is_used(fight, short) -> None:
    fight.say("end-turn --next guard")
    assert short("at ro") == "attack guard robin spear"
    assert short("ch str") == "check guard str"


def test_the_weapon_that_was_used_last_is_used_again(fight, short) -> None:
    with pytest.raises(LineError, match=r"attack needs one of these named: longbow, silver dagger\."):
        short("at gu")
    fight.say('attack robin guard "silver dagger" --out-of-turn ! 2')
    assert short("at gu") == 'attack robin guard "silver dagger"'
    assert short("at gu lo") == "attack robin guard longbow"
    fight.say("drop robin 'silver dagger'")
    assert short("at gu") == "attack robin guard longbow"


def test_a_class_of_weapons_that_was_named_last_is_used_again(fight, short) -> None:
    fight.say("attack robin guard unarmed ! 2")
    assert short("at gu") == "attack robin guard unarmed"


def test_outside_a_fight_the_seats_one_character_acts_and_nobody_is_guessed(campaign, short) -> None:
    assert short("ch dex --seat Mira") == "check robin dex --seat Mira"
    campaign.say("check guard str ! 9")
    for line in ("ch dex", "at gu lo"):
        with pytest.raises(
            LineError, match=r"needs one of these named: robin, guard, rowan, sheriff, wolf-1, wolf-3\."
        ):
            short(line)


def test_a_line_in_full_stays_as_it_is(fight, short) -> None:
    for line in (
        "attack robin guard longbow --distance 40 --seat Mira ! 14 4",
        'scene "The road through Sherwood"',
        'note "robin is late"',
        "harm guard 3",
        "give guard rope --count 2",
        "undo 12 --why oops",
        "sheet robin",
        "log verb=attack",
        "frobnicate robin",
    ):
        assert short(line) == line


def test_words_of_every_fight_come_first_and_whole_words_before_all(fight, short) -> None:
    full = {
        "a gu un": "attack robin guard unarmed",
        "h gu 2": "harm guard 2",
        "c in": "check robin int",
        "atti gu fri": "attitude guard friendly",
        "he gu 2": "heal guard 2",
        "no hello": "note hello",
    }
    assert {line: short(line) for line in full} == full


def test_a_beginning_of_several_is_refused_with_all_of_them(fight, short) -> None:
    with pytest.raises(LineError, match="'re' may be any of relieve, rename-seat, rename, redo, reroll"):
        short("re gu")
    with pytest.raises(LineError, match=r"'wo' may be any of wolf-1, wolf-3\. Type more of it\."):
        short("at wo un")
    with pytest.raises(LineError, match="'c' may be any of con, cha"):
        short("check gu c")
    with pytest.raises(LineError, match="'--s' may be any of .*--sight, --seat"):
        short("check gu str --s Mira")


def test_those_in_the_fight_are_meant_before_others(campaign, short) -> None:
    with pytest.raises(LineError, match="'ro' may be any of robin, rowan"):
        short("harm ro 2")
    campaign.say(FIGHT)
    assert short("harm ro 2") == "harm robin 2"
    assert short("harm rowan 2") == "harm rowan 2"
    assert short("harm not 2") == "harm sheriff 2"


def test_a_letter_and_a_number_name_one_of_a_pack(fight, short) -> None:
    assert short("h w3 2") == "harm wolf-3 2"


def test_the_dead_are_named_last(fight, short) -> None:
    fight.say("harm wolf-1 40")
    assert fight.state.characters["wolf-1"].has("dead")
    assert short("h wo 2") == "harm wolf-3 2"
    assert short("h w1 2") == "harm wolf-1 2"


def test_a_seat_sees_no_hidden_character(fight, short) -> None:
    fight.say("conceal guard")
    with pytest.raises(LineError, match="longbow"):
        short("at gu")
    with pytest.raises(
        NotFound, match=r"There is no character called 'gu'\. There are: robin, rowan, sheriff, wolf-1, wolf-3\."
    ):
        short("at gu un --seat Mira")
    assert short("h gu 2") == "harm guard 2"


def test_a_players_seat_is_offered_no_verb_of_the_gms(fight, short) -> None:
    assert short("he gu 2 --seat Mira").split()[0] == "he"
    assert short("he gu 2").split()[0] == "heal"


def test_next_ends_the_turn_and_may_say_who_is_next(fight, short) -> None:
    assert [short(line) for line in ("n", "next", "n gu", "n --to-gm")] == [
        "end-turn",
        "end-turn",
        "end-turn --next guard",
        "end-turn --to-gm",
    ]


def test_u_undoes_the_last_and_u_with_a_number_that_one(short) -> None:
    assert [short(line) for line in ("u", "u --why oops", "u 12", "undo")] == [
        "undo last",
        "undo last --why oops",
        "undo 12",
        "undo",
    ]


def test_among_several_who_are_named_the_one_whom_nobody_knows_is_said(short) -> None:
    with pytest.raises(NotFound, match=r"There is no character called 'wofl-1'. Did you mean wolf-1"):
        short("be rob gu wofl-1")
    with pytest.raises(NotFound, match=r"There is no character called 'ghost'"):
        short("begin-encounter rob ghost gu")


def test_lists_may_have_blanks_or_commas(campaign, short) -> None:
    full = "begin-encounter robin,guard,wolf-1"
    for line in ("be rob gu w1", "begin-encounter rob, gu, w1", "begin-encounter rob,gu w1"):
        assert short(line) == full
    with pytest.raises(LineError, match="'ro' may be any of robin, rowan"):
        short("begin-encounter gu ro w1")


def test_what_binds_people_or_shows_secrets_has_no_short_form(campaign, short) -> None:
    for word in ("x-car", "x-", "clo", "entro", "conc", "redac", "revea", "take-o", "adop", "open", "agr", "grant"):
        assert short(f"{word} guard").split()[0] == word
    assert short("x-card") == "x-card"


def test_the_words_of_the_command_line_may_go_before(fight, short) -> None:
    assert short("rollbook undo last") == "undo last"
    assert short("rollbook do harm gu 2") == "harm guard 2"


def test_questions_are_about_somebody_by_any_clear_name(short) -> None:
    assert [short(line) for line in ("sh not", "w not hp", "sheet")] == ["sheet sheriff", "why sheriff hp", "sheet"]
    with pytest.raises(LineError, match="'ro' may be any of robin, rowan"):
        short("sheet ro")


def test_names_of_several_words_need_no_quotation_marks(fight, short) -> None:
    assert short("at gu silver dagger") == 'attack robin guard "silver dagger"'
    assert short("at gu da") == 'attack robin guard "silver dagger"'


def test_a_misspelt_name_is_no_text_of_somebody_elses(fight, short) -> None:
    assert short("promise 'I shall be back'") == 'promise robin --what "I shall be back"'
    with pytest.raises(NotFound, match=r"There is no character called 'gaurd'\. Did you mean guard\?"):
        short("promise gaurd I shall be back")


def test_options_are_written_in_full_with_the_names_in_them(fight, short) -> None:
    assert short("at gu lo --carry-t w1 --dist 40") == "attack robin guard longbow --carry-to wolf-1 --distance 40"


def test_numbers_may_have_the_minus_sign_of_print(fight) -> None:
    fight.say("adjust guard max_hp \u22122 'a bad night'")
    assert -2 in fight.history.intent_of(fight.history.actions).params.values()
    taken = fight.say("attack robin guard unarmed --bonus '\u22122 fog' ! 10 3").entries[-1]
    assert "\u22122 fog" in str(taken.intent)
