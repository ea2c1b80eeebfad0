"""Words that people type, from other tables and other games: each does the same act here, or is answered by its sense."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_commands import PROMPT_COMMANDS
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import LineError, split_words
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import NotFound

ALL = ""
ANSWERS: Mapping[str, Mapping[str, str]] = {
    "damage": {ALL: "harm"},
    "dmg": {ALL: "harm"},
    "hurt": {ALL: "harm"},
    "wound": {ALL: "harm"},
    "hit": {ALL: "? attack"},
    "strike": {ALL: "attack"},
    "shoot": {ALL: "attack"},
    "kill": {ALL: "? harm"},
    "die": {ALL: "? harm"},
    "cure": {ALL: "? heal"},
    "resist": {ALL: "save", "powers": "? check"},
    "save": {ALL: "save", "powers": "? check"},
    "test": {ALL: "? check"},
    "skill": {ALL: "? check"},
    "rest": {ALL: "pass-time 8 hours --rest", "russell": "rest", "srd5": "long-rest"},
    "sleep": {ALL: "pass-time 8 hours --rest", "russell": "sleep", "srd5": "long-rest"},
    "camp": {ALL: "pass-time 8 hours --rest", "russell": "sleep", "srd5": "long-rest"},
    "longrest": {ALL: "pass-time 8 hours --rest", "russell": "sleep", "srd5": "long-rest"},
    "short-rest": {ALL: "pass-time 1 hours --rest", "russell": "rest", "srd5": "short-rest"},
    "shortrest": {ALL: "pass-time 1 hours --rest", "russell": "rest", "srd5": "short-rest"},
    "breather": {ALL: "pass-time 1 hours --rest", "russell": "rest", "srd5": "short-rest"},
    "asleep": {ALL: "? condition", "storytoken": "? afflict"},
    "prone": {ALL: "? condition", "storytoken": "? afflict"},
    "stunned": {ALL: "? condition", "storytoken": "? afflict"},
    "blind": {ALL: "? condition", "storytoken": "? afflict"},
    "poisoned": {ALL: "? condition", "storytoken": "? afflict"},
    "scared": {ALL: "? condition", "storytoken": "? afflict"},
    "down": {ALL: "? condition", "russell": "downtime", "storytoken": "? afflict"},
    "condition": {ALL: "condition", "storytoken": "afflict"},
    "afflict": {ALL: "condition", "storytoken": "afflict"},
    "relieve": {ALL: "condition --ends", "storytoken": "relieve"},
    "effect": {ALL: "? condition", "storytoken": "? afflict"},
    "place": {ALL: "place", "luckpoint": "? move", "powers": "? status", "storytoken": "? distance"},
    "position": {ALL: "? move", "powers": "? status"},
    "teleport": {ALL: "? move", "powers": "? status"},
    "rename": {ALL: "rename"},
    "name": {ALL: "? rename"},
    "delete": {ALL: "? undo"},
    "remove": {ALL: "? leave"},
    "kick": {ALL: "? leave"},
    "lose": {ALL: "? drop"},
    "drop": {ALL: "drop"},
    "recap": {ALL: "recap"},
    "previously": {ALL: "recap"},
    "history": {ALL: "? log"},
    "journal": {ALL: "? log"},
    "oops": {ALL: "? undo"},
    "back": {ALL: "? undo"},
    "revert": {ALL: "? undo"},
    "fix": {ALL: "? amend"},
    "change": {ALL: "? amend", "storytoken": "change-form"},
    "init": {ALL: "? begin-encounter"},
    "initiative": {ALL: "? begin-encounter"},
    "fight": {ALL: "begin-encounter"},
    "combat": {ALL: "begin-encounter"},
    "battle": {ALL: "begin-encounter"},
    "start": {ALL: "? begin-encounter"},
    "begin": {ALL: "begin-encounter"},
    "stop": {ALL: "? end-encounter"},
    "end": {ALL: "! No fight is on, so there "},
    "turn": {ALL: "? end-turn", "storytoken": "turn-undead"},
    "skip": {ALL: "end-turn"},
    "pass": {ALL: "pass-time"},
    "wait": {ALL: "? pass-time"},
    "time": {ALL: "? pass-time"},
    "exp": {ALL: "award"},
    "experience": {ALL: "? award"},
    "level": {ALL: "? award", "russell": "level-up", "srd5": "level-up"},
    "gold": {ALL: "? give"},
    "money": {ALL: "? give"},
    "pay": {ALL: "drop"},
    "spend": {ALL: "drop", "storytoken": "spend-token"},
    "buy": {ALL: "? give", "srd5": "buy"},
    "item": {ALL: "? give"},
    "inventory": {ALL: "? sheet"},
    "loot": {ALL: "? give", "russell": "loot"},
    "equip": {ALL: "? give", "grid": "? wield", "russell": "? hold", "srd5": "? wear"},
    "char": {ALL: "? sheet"},
    "hp": {ALL: "? adjust"},
    "map": {ALL: "map"},
    "token": {ALL: "? join", "storytoken": "? spend-token"},
    "monster": {ALL: "? join"},
    "npc": {ALL: "? join"},
    "summon": {ALL: "? join"},
    "spell": {
        ALL: "? cast",
        "luckpoint": "? ruling",
        "powers": "? use-power",
        "russell": "? ruling",
        "storytoken": "spell-effects",
    },
    "cast": {ALL: "cast", "luckpoint": "? ruling", "powers": "? use-power", "russell": "? ruling"},
    "use": {
        ALL: "? act",
        "luckpoint": "? ruling",
        "powers": "use-power",
        "russell": "use-up",
        "srd5": "use",
        "storytoken": "? spend-token",
    },
    "whisper": {ALL: "whisper"},
    "tell": {ALL: "? whisper"},
    "say": {ALL: "say"},
    "speak": {ALL: "? say"},
    "talk": {ALL: "? say"},
    "chat": {ALL: "? say"},
    "narrate": {ALL: "? scene"},
    "handout": {ALL: "handout"},
    "portrait": {ALL: "portrait"},
    "picture": {ALL: "? portrait"},
    "image": {ALL: "? handout"},
    "who": {ALL: "? status"},
    "players": {ALL: "? status"},
    "list": {ALL: "? status"},
    "hide": {ALL: "? conceal", "srd5": "hide"},
}
"""What each word is in full, in all games but those that are named; after a ?, the first of what it is answered with."""


@pytest.fixture
def wolves(game: Campaign) -> Campaign:
    game.say("open-session")
    game.say(f"join Wolf {'9' if game.state.ruleset == 'powers' else '--hp 9'} --kind monster --count 2")
    return game


def in_full(campaign: Campaign, line: str) -> str:
    return written(ShortForms().expand(campaign, split_words(line)))


def answer(campaign: Campaign, word: str) -> str:
    try:
        full = written(ShortForms().expand(campaign, [word]))
    except LineError as fault:
        return f"! {str(fault)[:25]}"
    if full.split()[0] in (*verbs_of(campaign), *PROMPT_COMMANDS):
        return full
    with pytest.raises(NotFound) as missing:
        campaign.say(word)
    return f"? {missing.value.near[0]}"


def test_sixty_words_and_more_each_with_its_answer(game: Campaign) -> None:
    assert len(ANSWERS) > 60
    found = {word: answer(game, word) for word in ANSWERS}
    assert found == {word: said.get(game.state.ruleset, said[ALL]) for word, said in ANSWERS.items()}


def test_a_rest_is_a_rest_in_every_game(wolves: Campaign) -> None:
    line, ruleset = in_full(wolves, "rest wolf-1 wolf-2"), wolves.state.ruleset
    both = "wolf-1,wolf-2"
    assert line == {"srd5": f"long-rest {both}", "russell": f"rest {both}"}.get(
        ruleset, f"pass-time 8 hours --rest --who {both}"
    )
    assert wolves.say("camp wolf-1").entries[-1].intent.params["who"] == ("wolf-1",)


def test_a_condition_begins_and_ends_by_one_word_in_every_game(wolves: Campaign) -> None:
    for word in ("condition", "afflict"):
        assert wolves.say(f"{word} @wolf stunned").entries
        assert wolves.state.characters["wolf-2"].has("stunned")
        ends = "relieve wolf-1,wolf-2 stunned" if word == "afflict" else "condition wolf-1,wolf-2 stunned --ends"
        assert wolves.say(ends).entries
        assert not wolves.state.characters["wolf-2"].has("stunned")


def test_a_condition_that_is_typed_as_a_verb_says_how_it_is_written(wolves: Campaign) -> None:
    verb = "afflict" if wolves.state.ruleset == "storytoken" else "condition"
    with pytest.raises(NotFound, match=f"There is no verb called 'stunned'. It is a condition: {verb} WHO stunned"):
        wolves.say("stunned wolf-1")
    with pytest.raises(NotFound, match=f"There is no verb called 'asleep'. .*{verb} WHO (unconscious|CONDITION)"):
        wolves.say("asleep wolf-1")
