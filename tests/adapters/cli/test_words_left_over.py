"""A word too many never becomes a title, a reason or a name: it is refused by itself, and a number is a count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.leftover_words import text_to_the_end
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import LineError, said_of_several, split_words
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.rules.action import Action, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from tests.support.games import INSTALLED_RULESETS

Short = Callable[[str], str]

FREE_TEXT = {
    *("note", "entropy", "scene", "open-session", "ruling", "grant-dice", "adjust", "award"),
    *("harm", "heal", "act", "ready", "investigate", "take-time", "offer-bargain", "setback", "time-zone"),
    *("copy-spell", "say", "whisper", "handout", "portrait", "meanwhile", "cut-to"),
}
"""The verbs whose text goes on to the end of the line."""

JOINS = {
    "grid": "join {} --kind npc --hp 12 --ac 12 --attack 2 --damage 4",
    "luckpoint": "join {} --kind npc --hp 12 --ac 12",
    "powers": "join {} 12 --kind npc --defense 12 --stats str=2",
    "russell": "join {} --kind npc --hp 12",
    "srd5": "join {} --kind npc --hp 12 --ac 12",
    "storytoken": "join {} --kind npc --hp 12 --ac 12",
}
THING = "rope"
"""Said wherever a thing, a skill or a text is wanted; where it is not one, it is the first wrong word."""
PEOPLE = ("Korra", "Mirel", "Wolf-1", "Wolf-2")


@pytest.fixture(params=INSTALLED_RULESETS)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    yield from table(request.param, tmp_path)


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    yield from table("storytoken", tmp_path)


def table(ruleset: str, folder: Path) -> Iterator[Campaign]:
    with open_book(folder / "rollbook.db", folder / "seeds", create=True) as book:
        campaign = book.new("The Ford", ruleset, {})
        campaign.say("take-seat Ana --role gm")
        campaign.say("open-session First")
        for name in PEOPLE:
            campaign.say(JOINS[ruleset].format(name))
        yield campaign


@pytest.fixture
def short(campaign: Campaign) -> Short:
    return lambda line: in_full(campaign, line)


def in_full(campaign: Campaign, line: str) -> str:
    return written(ShortForms().expand(campaign, split_words(line)))


def said(parameter: Parameter, person: str) -> str:
    """Something that may be said for a parameter."""
    by_type = {
        ParameterType.CHARACTER: person,
        ParameterType.CHARACTERS: person,
        ParameterType.SEAT: "Ana",
        ParameterType.NUMBER: str(max(parameter.minimum or 0, 1)),
        ParameterType.NUMBERS: "1",
        ParameterType.SETTINGS: "rests=no",
    }
    choices = [choice for choice in parameter.choices if choice]
    if parameter.want in (ParameterType.DICE, ParameterType.AMOUNTS):
        return "3"
    return by_type.get(parameter.want) or (choices[0] if choices else THING)


def full_line(verb: type[Action]) -> str:
    people = iter(PEOPLE)
    needed = [parameter for parameter in user_parameters(verb) if parameter.required]
    return " ".join((verb.verb, *(said(parameter, next(people).casefold()) for parameter in needed)))


def test_a_word_that_no_verb_of_any_game_knows_is_named_and_refused(game: Campaign) -> None:
    for name, verb in verbs_of(game).items():
        if name in FREE_TEXT:
            continue
        with pytest.raises(RollbookError, match=f"zzyzx|{THING}"):
            game.say(in_full(game, f"{full_line(verb)} zzyzx"))
        with pytest.raises(RollbookError, match=f"zzyzx|{THING}"):
            game.say(f"{full_line(verb)} zzyzx")


def test_text_to_the_end_of_the_line_is_what_these_verbs_are_about(game: Campaign) -> None:
    found = {name for name, verb in verbs_of(game).items() if text_to_the_end(user_parameters(verb)) is not None}
    assert found <= FREE_TEXT


def test_a_number_after_a_thing_is_its_count(short: Short, campaign: Campaign) -> None:
    assert short("give kor gold 35") == "give korra gold --count 35"
    campaign.say('give korra "healing potion" 2')
    assert campaign.state.characters["korra"].gear["healing potion"].count == 2
    assert short("drop kor healing potion 2") == 'drop korra "healing potion" --count 2'
    campaign.say("drop korra healing potion 2")
    assert campaign.state.characters["korra"].gear["healing potion"].count == 0


def test_a_name_of_several_words_is_quoted(short: Short, campaign: Campaign) -> None:
    for line in ("give korra healing potion", "join Old Rowan", "trait korra keen eyes"):
        with pytest.raises(LineError, match='A name of several words goes in quotation marks: "'):
            campaign.say(line)


def test_text_that_need_not_be_given_is_quoted_or_goes_by_its_name(short: Short, campaign: Campaign) -> None:
    assert short('leave kor "went home"') == 'leave korra --reason "went home"'
    with pytest.raises(
        NotFound, match=r"no character called 'went'\..* Text goes by its name: --reason \"went home\"\."
    ):
        short("leave kor went home")
    campaign.say('leave korra "went home"')
    assert not campaign.state.characters["korra"].present


def test_one_wrong_name_begins_no_fight(short: Short) -> None:
    for line in ("be korra mirell wolf-1", "be korra mirel wofl-1 wolf-2", 'be korra mirell "The ford"'):
        with pytest.raises(NotFound, match=r"There is no character called '(mirell|wofl-1)'\. Did you mean"):
            short(line)


def test_every_game_lets_the_gm_do_to_several_what_a_fight_takes(game: Campaign) -> None:
    several = {name for name, verb in verbs_of(game).items() if said_of_several(verb) is not None}
    assert {"leave", "harm", "heal", "give", "lend", "conceal", "join-encounter", "adjust"} <= several
    ill = {"afflict", "relieve"} if "afflict" in verbs_of(game) else {"condition"}
    assert ill & set(verbs_of(game)) <= several
    assert several.isdisjoint({"attack", "check", "move", "end-turn", "award", "begin-encounter", "join"})


def test_what_the_gm_does_to_one_may_be_done_to_several(short: Short, campaign: Campaign) -> None:
    for line in ("leave kor w1 w2", "leave kor,w1, w2", "leave kor, w1 w2"):
        assert short(line) == "leave korra,wolf-1,wolf-2"
    assert short("h w1 w2 5 falling rock") == 'harm wolf-1,wolf-2 5 --source "falling rock"'
    assert short("give kor mir gold 35") == "give korra,mirel gold --count 35"
    assert short("afflict w1 w2 inv") == "afflict wolf-1,wolf-2 invisible"
    said = campaign.say("harm wolf-1,wolf-2 2")
    assert [entry.actor for entry in said.entries] == ["wolf-1", "wolf-2"]
    assert "undo 8-9 takes them all back" in said.text
    campaign.say("heal wolf-1, wolf-2 1")
    assert {campaign.state.characters[who].lost for who in ("wolf-1", "wolf-2")} == {1}


def test_all_of_them_or_none(campaign: Campaign) -> None:
    campaign.say("harm korra 2")
    before = campaign.head.entry
    with pytest.raises(RollbookError, match="Mirel has lost no hit points"):
        campaign.say("heal korra,mirel 1")
    assert campaign.head.entry == before
    with pytest.raises(LineError, match=r"korra is named twice\."):
        campaign.say("leave korra,korra")


def test_each_gets_as_many_of_the_typed_dice_as_it_takes(campaign: Campaign) -> None:
    campaign.say("harm korra,mirel 2d6 ! 1 2 3 4")
    assert [campaign.state.characters[who].lost for who in ("korra", "mirel")] == [3, 7]
    with pytest.raises(RollbookError, match="is left over"):
        campaign.say("harm korra,mirel 1d6 ! 1 2 3")
    with pytest.raises(RollbookError, match="next comes a d6"):
        campaign.say("harm korra,mirel 1d6 ! 1")


def test_several_actions_of_one_command_happen_once(campaign: Campaign) -> None:
    first = campaign.say("harm korra,mirel 2", command="once")
    again = campaign.say("harm korra,mirel 2", command="once")
    assert [entry.number for entry in again.entries] == [entry.number for entry in first.entries]


def test_the_party_is_every_player_character(tmp_path: Path) -> None:
    for campaign in table("powers", tmp_path):
        campaign.say("join Fenna 10 --kind pc --seat Ana")
        assert [entry.actor for entry in campaign.say("harm party 1").entries] == ["fenna"]
        assert in_full(campaign, "harm party w1 1") == "harm party,wolf-1 1"
        assert [entry.actor for entry in campaign.say("harm party,wolf-1 1").entries] == ["fenna", "wolf-1"]


def test_the_wrong_word_is_the_one_that_is_named(short: Short, campaign: Campaign) -> None:
    campaign.say("give korra longbow --use weapon:medium-ranged")
    campaign.say("begin-encounter korra,wolf-1,wolf-2 ! 15 9 4")
    said = {
        "at wlof-1": "There is no character called 'wlof-1'. Did you mean wolf-1",
        "at wolf-1 longbwo": "There is no weapon called 'longbwo'. Did you mean longbow",
        "at wolf-1!15": "There is no character called 'wolf-1!15'. Did you mean wolf-1",
        "afflict w1 unconscious": "There is no condition called 'unconscious'.",
        "afflict w1 w2 unconscious": "There is no condition called 'unconscious'.",
        "check dex 15": "check has no place for '15'. A number may be meant so: --target 15.",
        "check korra dex 15": "check has no place for '15'. A number may be meant so: --target 15.",
        "harm w1 hard": "amount is a number or dice, not 'hard'.",
    }
    for line, why in said.items():
        with pytest.raises(RollbookError) as refused:
            short(line)
        assert str(refused.value).startswith(why)
    assert short("at w1 !15 4") == "attack korra wolf-1 longbow ! 15 4"
    assert short("at w1 !15,4") == "attack korra wolf-1 longbow ! 15,4"


def test_choose_and_somebody_says_what_is_open(tmp_path: Path) -> None:
    for campaign in table("luckpoint", tmp_path):
        campaign.say("join Kess")
        with pytest.raises(LineError, match=r"^choose also needs: choice\. There are: creation-ability-1, "):
            in_full(campaign, "choose kess")
        choice = next(iter(campaign.state.characters["kess"].choices))
        with pytest.raises(LineError, match=r"^choose also needs: picked\. There are: "):
            in_full(campaign, f"choose kess {choice}")


def test_a_number_is_nobodys_name_in_a_list(short: Short, campaign: Campaign) -> None:
    assert short("harm w1 2") == "harm wolf-1 2"
    assert short("harm w1 w2 1") == "harm wolf-1,wolf-2 1"
    assert short("afflict w1 w2 blinded 2") == "afflict wolf-1,wolf-2 blinded --lasts 2"


def test_a_thing_of_the_first_in_a_list_may_be_short(short: Short, campaign: Campaign) -> None:
    campaign.say("afflict wolf-1,wolf-2 blinded")
    assert short("relieve w1 w2 bli") == "relieve wolf-1,wolf-2 blinded"


def test_numbers_are_those_that_the_verb_may_have_next(tmp_path: Path) -> None:
    for campaign in table("grid", tmp_path):
        assert in_full(campaign, "place w1 3 2") == "place wolf-1 --east 3 --north 2"
        campaign.say("place wolf-1 3 -2")
        assert campaign.state.characters["wolf-1"].position == (3, -2, 0)
        for line in ("place wolf-2 1 2 3 4", "check korra dex 15"):
            with pytest.raises(LineError, match="has no place for"):
                campaign.say(line)
