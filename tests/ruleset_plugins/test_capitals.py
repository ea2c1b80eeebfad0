"""A word that rules compare means the same with other capitals: in every verb of every game, however it is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.application.playing.request import ActionRequest
from rollbook.domain.actions import SHARED
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import ConditionBegan, DamageTaken, ParameterValue
from rollbook.domain.rules.action import Action, is_the_gms, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.spelling import CHARACTER
from rollbook.domain.rules.vocabulary import Speller, Unknown
from rollbook.domain.state.campaign_state import EMPTY
from tests.support.casts import campaign_of
from tests.support.games import INSTALLED_RULESETS

GAMES = discover().rulesets
WORDY = {
    *(ParameterType.TEXT, ParameterType.TEXTS, ParameterType.USE, ParameterType.PAIRS),
    *(ParameterType.AMOUNTS, ParameterType.SETTINGS, ParameterType.GEAR),
    *(ParameterType.CHOICE, ParameterType.CHOICES),
}
PROSE = {
    *("about", "advantage", "against", "anchor", "ask", "at", "at_cost", "bonus", "complication", "damage_bonus"),
    *("detail", "disadvantage", "effect", "goal", "hit_dice", "looks", "means", "mentor", "opponent_advantage"),
    *(
        "opponent_bonus",
        "opponent_disadvantage",
        "pay",
        "personality",
        "profile",
        "promise",
        "reason",
        "save_advantage",
    ),
    *("save_disadvantage", "scores", "shares", "source", "special", "task", "text", "to", "title", "ways", "what"),
    *("why", "wound", "name", "settings", "place", "opponent_place", "abilities", "item", "trigger"),
    *("across", "scene", "alt", "picture", "choices", "chosen", "dice", "foes", "more", "over", "spell"),
}
"""Parameters whose words no rule compares, or compares without capitals by itself: sentences, numbers, people's own words."""


def verbs() -> Iterator[tuple[Ruleset, type[Action]]]:
    for key in sorted(GAMES):
        yield from ((GAMES[key], verb) for verb in (*SHARED, *GAMES[key].actions))


VERBS = [pytest.param(game, verb, id=f"{game.key} {verb.verb}") for game, verb in verbs()]


def wordy(verb: type[Action]) -> list[Parameter]:
    return [each for each in parameters(verb) if each.want in WORDY and not each.hidden]


def value_of(parameter: Parameter, name: str, word: str) -> ParameterValue:
    """A value of that parameter's type in which these words stand: a name by itself, or with its word or a number."""
    nothing = parameter.want.nothing
    if isinstance(nothing, str):
        return name
    return (name,) if isinstance(nothing, tuple) else {name: 1 if parameter.want is ParameterType.AMOUNTS else word}


def known_words(game: Ruleset, subject: str) -> tuple[str, ...]:
    words = game.vocabulary.get(subject)
    return words.known if words else ()


@pytest.mark.parametrize(("game", "verb"), VERBS)
def test_a_known_word_with_capitals_comes_out_in_its_own_spelling(game: Ruleset, verb: type[Action]) -> None:
    speller = Speller(game.vocabulary, EMPTY)
    for parameter in wordy(verb):
        names, _, words = parameter.of.partition("=")
        told = [*filter(None, map(str, parameter.choices)), *known_words(game, names)]
        pairs = [(name, "") for name in told] + [("", word) for word in known_words(game, words)]
        for (name, word), other in product(pairs, (str.upper, str.title, str.swapcase)):
            own, said = (value_of(parameter, *each) for each in ((name, word), (other(name), other(word))))
            meant = {parameter.name: said} | speller.spelled(verb, {parameter.name: said})
            assert meant[parameter.name] == own, f"{verb.verb} --{parameter.option} {said} is not {own}"


@pytest.mark.parametrize(("game", "verb"), VERBS)
def test_every_parameter_of_words_says_whose_words_they_are(game: Ruleset, verb: type[Action]) -> None:
    for parameter in wordy(verb):
        is_said = parameter.of or parameter.fits or parameter.choices or parameter.is_name
        assert is_said or parameter.name in PROSE or parameter.want is ParameterType.GEAR, (
            f"{verb.verb} --{parameter.option}: if a rule compares its words, say of what subject they are (of=…), "
            f"and if none does, name it in PROSE."
        )
        for subject in filter(None, parameter.of.split("=")):
            assert subject in game.vocabulary or subject in ("reader", CHARACTER), (
                f"{game.key} has no words of the subject {subject}."
            )


@pytest.mark.parametrize(("game", "verb"), VERBS)
def test_every_mapping_of_players_says_of_what_its_names_are(game: Ruleset, verb: type[Action]) -> None:
    """Names that are characters are read as such, and so never tell a player who is hidden."""
    for parameter in wordy(verb):
        if isinstance(parameter.want.nothing, Mapping) and not is_the_gms(verb) and not parameter.gm_only:
            assert parameter.of.partition("=")[0], f"{game.key} {verb.verb} --{parameter.option} says of=… nothing"


@pytest.fixture
def luckpoint(tmp_path: Path) -> Campaign:
    return campaign_of("luckpoint", tmp_path)


def with_people(game: str, folder: Path) -> Campaign:
    campaign = campaign_of(game, folder)
    for name in ("Ro", "Wolf"):
        campaign.say(f"join {name} --kind npc --hp 9")
    return campaign


@pytest.mark.parametrize("game", ["grid", "powers", "russell", "srd5"])
def test_a_condition_with_a_capital_is_the_condition(game: str, tmp_path: Path) -> None:
    campaign = with_people(game, tmp_path)
    campaign.say("condition ro Prone")
    assert "prone" in campaign.state.characters["ro"].conditions
    campaign.say("condition ro PRONE --ends")
    assert not campaign.state.characters["ro"].conditions


@pytest.mark.parametrize("game", ["grid", "powers"])
def test_a_condition_that_cannot_be_set_is_refused_with_a_capital_too(game: str, tmp_path: Path) -> None:
    campaign = with_people(game, tmp_path)
    with pytest.raises(Refused, match="follows from the game"):
        campaign.say("condition ro Dead")


def test_prone_lowers_the_armour_class_however_it_is_typed(tmp_path: Path) -> None:
    campaign = with_people("grid", tmp_path)
    usual = campaign.sheet("ro").value("ac")
    campaign.do("condition", who="ro", condition="PrOnE")
    prone = campaign.sheet("ro").value("ac")
    assert usual is not None
    assert prone is not None
    assert prone.amount == usual.amount - 5


def test_traits_uses_and_damage_with_capitals_count(tmp_path: Path) -> None:
    campaign = with_people("storytoken", tmp_path)
    campaign.say("trait ro Undead")
    campaign.say("give ro mail --use Armour:Heavy")
    campaign.say("trait wolf Troll --kind Heritage")
    campaign.say("harm wolf 2 --tags Fire")
    people = campaign.state.characters
    assert people["ro"].traits == {"undead": ""}
    assert people["ro"].gear["mail"].use == ("armour", "heavy")
    assert people["wolf"].pools["burns"] == 2


def test_groups_tasks_and_sides_are_the_ones_that_there_are(tmp_path: Path) -> None:
    fights = campaign_of("russell", tmp_path / "russell")
    fights.say("join Orc --kind monster --profile 'HD 1' --hp 4 --group Guards")
    fights.say("join Ogre --kind monster --profile 'HD 3' --hp 9 --group GUARDS")
    assert {who.traits_of("group") for who in fights.state.characters.values()} == {("Guards",)}
    luck = with_people("luckpoint", tmp_path / "luckpoint")
    luck.say("check ro awareness --target Easy --extended 'The old Lock' ! 19")
    said = luck.say("check ro awareness --target easy --extended 'the OLD lock' ! 19")
    assert "success 2 of 3" in said.text
    luck.say("begin-encounter ro,wolf --sides wolf=Foes,ro=PARTY ! 9 8")
    assert luck.state.characters["ro"].conditions["side"].data == {"side": "party"}


def test_what_srd5_compares_by_itself_it_compares_without_capitals(tmp_path: Path) -> None:
    campaign = campaign_of("srd5", tmp_path)
    campaign.say(
        "join Bryn --class-name barbarian --method array --background SOLDIER --increases STR=2,Con=1 "
        "--choices Barbarian-Skill=Perception"
    )
    campaign.say("join Wolf")
    bryn = campaign.state.characters["bryn"]
    assert (bryn.traits["soldier"], bryn.traits["perception"]) == ("background", "skill")
    assert "worth 950" in campaign.say("budget --foes '2 OGRE,WOLF'").text
    struck = campaign.say("attack bryn wolf --weapon unarmed --more '1D6 NECROTIC' ! 19 3").entry
    assert struck is not None
    hurt = [event for event in struck.events if isinstance(event, DamageTaken)]
    assert {tag for event in hurt for tag in event.tags} == {"bludgeoning", "necrotic"}
    campaign.say("harm bryn 3")
    campaign.say("short-rest bryn --dice BRYN=1 ! 5")
    assert not campaign.state.characters["bryn"].lost


def by_a_form(campaign: Campaign, verb: type[Action]) -> None:
    """As the web takes what a form was filled in with."""
    spoken = ParsedLine(given={"who": "ro", "condition": "Prone"})
    campaign.session.take(turn_of(campaign, verb, spoken, seat=None, said=lambda _: None))


SAID = {
    "a line": lambda campaign, _: campaign.say("condition ro Prone"),
    "its parameters": lambda campaign, _: campaign.do("condition", who="ro", condition="Prone"),
    "an action": lambda campaign, verb: campaign.play(verb(who="ro", condition="Prone")),
    "a form": by_a_form,
}


@pytest.mark.parametrize("way", SAID)
def test_it_is_the_same_however_it_is_said(way: str, tmp_path: Path) -> None:
    campaign = with_people("grid", tmp_path)
    verb = GAMES["grid"].verb("condition")
    assert verb is not None
    SAID[way](campaign, verb)
    assert list(campaign.state.characters["ro"].conditions) == ["prone"]
    assert campaign.history.intent_of(campaign.head.actions).params["condition"] == "prone"


def test_a_trial_and_the_refusal_in_advance_go_by_the_meaning(tmp_path: Path) -> None:
    campaign = with_people("grid", tmp_path)
    verb = GAMES["grid"].verb("condition")
    assert verb is not None
    assert "follows from the game" in str(campaign.session.refusal(ActionRequest(verb(who="ro", condition="DEAD"))))
    tried = campaign.try_out("condition", who="ro", condition="Prone")
    assert "prone" in tried.after.characters["ro"].conditions


def test_an_amendment_is_spelled_like_the_action(tmp_path: Path) -> None:
    campaign = with_people("grid", tmp_path)
    entry = campaign.do("condition", who="ro", condition="hidden")
    campaign.corrections.amend(entry.action, {"condition": "Prone"}).apply()
    assert list(campaign.state.characters["ro"].conditions) == ["prone"]


def test_odds_and_the_dice_that_are_asked_for_go_by_the_meaning(tmp_path: Path) -> None:
    campaign = with_people("luckpoint", tmp_path)
    odds = campaign.odds("check", who="ro", skill="awareness", target="Hard")
    assert odds == campaign.odds("check", who="ro", skill="Awareness", target="hard")


def test_a_player_learns_no_word_of_others(tmp_path: Path) -> None:
    campaign = with_people("luckpoint", tmp_path)
    campaign.say("take-seat mira")
    campaign.say("check wolf awareness --target easy --extended 'The secret Door' ! 19")
    speller = campaign.session.rulebook.speller(campaign.state, "mira")
    check = GAMES["luckpoint"].verb("check")
    assert check is not None
    assert not speller.spelled(check, {"extended": "the secret door"})
    assert campaign.session.rulebook.speller(campaign.state, "").spelled(check, {"extended": "the secret door"})


def test_an_old_history_with_capitals_is_played_again_and_found_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = with_people("grid", tmp_path)
    with monkeypatch.context() as before_words_were_spelled:
        before_words_were_spelled.setattr(Speller, "spelled", lambda *_: {})
        campaign.do("condition", who="ro", condition="Prone")
    assert list(campaign.state.characters["ro"].conditions) == ["Prone"]
    assert campaign.audit()[2].verdict is Verdict.VERIFIED
    campaign.do("condition", who="ro", condition="Prone", ends=True)
    assert not campaign.state.characters["ro"].conditions
    played = campaign.session.rulebook.play(
        campaign.state, Intent(verb="condition", params={"who": "wolf", "condition": "Prone"}), PhysicalDice(())
    )
    assert [event.condition for event in played.events if isinstance(event, ConditionBegan)] == ["Prone"]


REMARKED = {
    "grid": (
        ("give ro mail --use armor:leather", "armour"),
        ("give ro stick --use weapon:banana", "banana"),
        ("condition ro pron", "prone"),
        ("harm ro 1 --tags silvr", "silver"),
    ),
    "luckpoint": (("give ro mail --use armor:light", "armour"),),
    "powers": (("condition ro defated", "defeated"),),
    "russell": (
        ("give ro skin --use usage:12", "usage:d12"),
        ("give ro stick --use weapon:banana", "banana"),
        ("give ro mail --use armor:chain", "armour"),
    ),
    "srd5": (
        ("condition ro pron", "prone"),
        ("harm ro 1 --tags slshing", "slashing"),
        ("give ro mail --use armor:x", "armour"),
    ),
    "storytoken": (("harm ro 1 --tags silvr", "silver"), ("trait ro undaed", "undead")),
}


@pytest.mark.parametrize(
    ("game", "line", "hint"), [(game, *each) for game in INSTALLED_RULESETS for each in REMARKED[game]]
)
def test_a_word_that_no_rule_knows_is_kept_and_remarked_on(game: str, line: str, hint: str, tmp_path: Path) -> None:
    campaign = with_people(game, tmp_path)
    said = campaign.say(line)
    assert said.entry is not None
    assert any(hint in remark for remark in said.warnings), said.warnings


@pytest.mark.parametrize("game", GAMES)
def test_words_of_the_game_bring_no_remark(game: str, tmp_path: Path) -> None:
    campaign = with_people(game, tmp_path)
    for line in ("give ro mail --use Armour", "harm ro 1 --tags Fire", "adjust ro HP +1 'a gift'"):
        assert not campaign.say(line).warnings


def test_what_people_coin_brings_no_remark(luckpoint: Campaign) -> None:
    assert {each.unknown for game in GAMES.values() for each in game.vocabulary.values()} == set(Unknown)
    luckpoint.say("join Ro --kind npc --hp 9")
    assert not luckpoint.say("check ro awareness --extended 'A tunnel' --target easy ! 19").warnings
