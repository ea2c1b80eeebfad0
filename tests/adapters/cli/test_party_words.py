"""``all``, ``pcs``, ``foes`` and ``@wolf`` name several wherever characters are named; what is recorded are ids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import PEOPLE, LineError, read_parameters, said_of_several, split_words
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.rules.action import Action, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.state.lookup import one_only
from tests.support.games import INSTALLED_RULESETS

PCS, WOLVES = ("korra", "tam"), ("wolf-1", "wolf-2", "wolf-3")
MEANT = {"pcs": PCS, "foes": WOLVES, "@wolf": WOLVES, "@wo": WOLVES, "all": (*PCS, *WOLVES)}


@pytest.fixture(params=INSTALLED_RULESETS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    """Two whom players play, and three wolves; nobody fights yet."""
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Salt Road", request.param, {})
        hp = "{}" if request.param == "powers" else "--hp {}"
        for line in ("take-seat Ana --role gm", "take-seat Mira", "take-seat Jo"):
            campaign.say(line)
        for name, seat in (("Korra", "Mira"), ("Tam", "Jo")):
            campaign.say(f"join {name} {hp.format(12)} --kind hireling --seat {seat} --acting-seat Ana")
        if request.param == "luckpoint":
            campaign.say("open-session")
        campaign.say(f"join Wolf {hp.format(9)} --kind monster --count 3")
        yield campaign


def people_of(verb: type[Action]) -> Iterator[Parameter]:
    for parameter in user_parameters(verb):
        if parameter.want in PEOPLE or parameter.names_people:
            yield parameter


def read(campaign: Campaign, verb: type[Action], parameter: Parameter, text: str) -> object:
    side = campaign.session.rulebook.side
    return read_parameters(verb, {parameter.name: text}, campaign.state, side=side)[parameter.name]


def test_every_parameter_that_names_characters_takes_party_words_or_says_why_not(table: Campaign) -> None:
    lists = 0
    for name, verb in verbs_of(table).items():
        for parameter in people_of(verb):
            for word, meant in MEANT.items():
                where = f"{name} --{parameter.option} {word}"
                if parameter.want is ParameterType.CHARACTERS:
                    lists += 1
                    assert read(table, verb, parameter, word) == meant, where
                    assert read(table, verb, parameter, f"wolf-2,{word}") == tuple(dict.fromkeys(("wolf-2", *meant))), (
                        where
                    )
                elif parameter.want is ParameterType.CHARACTER:
                    with pytest.raises(LineError) as refused:
                        read(table, verb, parameter, word)
                    assert str(refused.value) == one_only(word), where
    assert lists


def test_what_is_said_of_several_is_recorded_of_each_by_id(table: Campaign) -> None:
    said = [name for name, verb in verbs_of(table).items() if said_of_several(verb)]
    assert "harm" in said
    for word in ("@wolf", "foes"):
        entries = table.say(f"harm {word} 1").entries
        assert [table.history.intent_of(entry.action).params["who"] for entry in entries] == list(WOLVES)
    entries = table.say("leave pcs").entries
    assert [table.history.intent_of(entry.action).params["who"] for entry in entries] == list(PCS)


def test_a_short_line_says_in_full_who_is_meant(table: Campaign) -> None:
    def in_full(line: str) -> str:
        return written(ShortForms().expand(table, split_words(line)))

    assert in_full("be pcs @wo") == f"begin-encounter {','.join((*PCS, *WOLVES))}"
    assert in_full("h foes 3") == f"harm {','.join(WOLVES)} 3"
    assert in_full("h tam,@wolf w1 3") == "harm tam,wolf-2,wolf-3,wolf-1 3"
    with pytest.raises(NotFound, match="no kind of character called 'owl'"):
        in_full("h @owl 3")


def test_only_one_may_stand_in_questions_and_corrections_too(table: Campaign) -> None:
    table.say("harm wolf-1 1")
    for line in ("sheet foes", "why pcs hp", "reveal all", "amend last who=@wolf --why so", "adjust pcs hp 1 so"):
        if line.startswith("adjust"):
            assert [entry.actor for entry in table.say(line).entries]
            continue
        with pytest.raises(RollbookError) as refused:
            table.say(line)
        assert "names several characters" in str(refused.value) or "nor the number" in str(refused.value), line


def test_in_a_fight_they_are_those_in_it_who_live(table: Campaign) -> None:
    if table.state.session is None:
        table.say("open-session")
    place = " --place" if table.state.ruleset == "grid" else ""
    table.say(f"begin-encounter korra,wolf-1,wolf-2{place}")
    side = table.session.rulebook.side
    verb = verbs_of(table)["award"]
    for word, meant in {"all": ("korra", *WOLVES[:2]), "pcs": ("korra",), "foes": WOLVES[:2]}.items():
        assert read_parameters(verb, {"who": word}, table.state, side=side)["who"] == meant


def test_one_who_is_called_so_is_meant(table: Campaign) -> None:
    hp = "5" if table.state.ruleset == "powers" else "--hp 5"
    table.say(f"join All {hp} --kind monster")
    assert table.say("harm all 1").entries[0].actor == "all"


def test_a_player_names_nobody_who_is_hidden(table: Campaign) -> None:
    hp = "5" if table.state.ruleset == "powers" else "--hp 5"
    table.say(f"join Wolf {hp} --kind monster --secret")
    hidden = next(who.id for who in table.state.characters.values() if who.hidden)
    verb, side = verbs_of(table)["award"], table.session.rulebook.side
    for known_only in (True, False):
        for word, meant in MEANT.items():
            found = read_parameters(verb, {"who": word}, table.state, known_only=known_only, side=side)["who"]
            assert found == meant
    assert hidden not in MEANT["all"]


def test_one_who_is_hidden_and_called_so_changes_nothing_for_a_player(table: Campaign) -> None:
    hp = "5" if table.state.ruleset == "powers" else "--hp 5"
    table.say(f"join All {hp} --kind monster --secret")
    verb, side = verbs_of(table)["award"], table.session.rulebook.side
    found = read_parameters(verb, {"who": "all"}, table.state, known_only=True, side=side)["who"]
    assert found == MEANT["all"]
    assert read_parameters(verb, {"who": "all"}, table.state, side=side)["who"] == ("hidden-all",)
