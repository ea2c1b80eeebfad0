"""Every verb has an example in its help, which can be typed as it stands; help says only what the table can meet."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.lines.examples import example_of
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.verbs import verbs_of
from rollbook.domain.rules.action import build


@pytest.fixture
def game(game: Campaign) -> Campaign:
    """The same with a player."""
    game.say("take-seat Mira")
    return game


def people(campaign: Campaign) -> None:
    hp = "{}" if campaign.state.ruleset == "powers" else "--hp {}"
    campaign.say(f"join Korra {hp.format(12)} --kind hireling --seat Mira --acting-seat Ana")
    campaign.say("open-session")
    campaign.say(f"join Wolf {hp.format(9)} --kind monster --count 2")


def read(campaign: Campaign, line: str) -> None:
    """Read a line as it is typed, short and in full."""
    name, *rest = split_words(line)
    verb, side = verbs_of(campaign)[name], campaign.session.rulebook.side
    for words in (rest, ShortForms().expand(campaign, [name, *rest])[1:]):
        given = read_parameters(verb, parse(verb, words).given, campaign.state, side=side)
        assert build(verb, {**placeholders(verb), **given})


def test_every_verb_has_an_example_that_can_be_typed(game: Campaign) -> None:
    people(game)
    for verb in verbs_of(game).values():
        example = example_of(game, verb)
        assert example.startswith(verb.verb)
        read(game, example)
        assert f"For example:\n  {example}" in game.say(f"verbs {verb.verb}").text


def test_before_anybody_is_there_every_verb_has_one_too(game: Campaign) -> None:
    for verb in verbs_of(game).values():
        assert example_of(game, verb).startswith(verb.verb)


def test_an_example_in_a_fight_begins_with_who_has_the_turn(game: Campaign) -> None:
    people(game)
    place = " --place" if game.state.ruleset == "grid" else ""
    game.say(f"begin-encounter korra,wolf-1,wolf-2{place}")
    line = example_of(game, verbs_of(game)["attack"])
    assert line.startswith(f"attack {game.state.encounter.current} ")


def test_help_has_no_lists_of_what_the_table_has_none_of(game: Campaign) -> None:
    people(game)
    for verb in verbs_of(game).values():
        told = game.say(f"verbs {verb.verb}").text
        if game.state.ruleset == "storytoken":
            assert "spirit" not in told.partition("Typed dice")[2].partition("\n\n")[0]
            assert "mutant" not in told.partition("Typed dice")[2].partition("\n\n")[0]
        assert max(line.count(", ") for line in told.splitlines()) < 40
