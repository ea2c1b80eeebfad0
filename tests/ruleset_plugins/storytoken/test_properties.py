"""Whatever is typed: events or a sentence, never anything else; tokens and states of health always add up."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Give
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import Hand, NoDice, Request, physical_hand
from rollbook.domain.entries import Intent, SecondThought, second_thought
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.body.hit_points import current_hp, max_hp
from rollbook.rulesets.storytoken.character.creation import BringIn, Join
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.rulesets.storytoken.magic.spells import LearnSpell
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.testing.scenarios import rule, scenario

BOOK = Rulebook({RULESET.key: RULESET})
PEOPLE = ("robin", "dracula", "guard", "marian", "troll", "wolf", "ghost", "mutant", "tuck", "door", "nobody")
WORDS = (
    "",
    "aflame",
    "actions",
    "then dead",
    "easy",
    "hard",
    "12",
    "longbow",
    "signal horn",
    "pick-4",
    "str",
    "+3 luck",
    "to_hit=2",
)
SHARED = ("adjust", "pass-time", "award", "open-session", "close-session", "scene", "trait", "give", "drop")
VERBS = (*RULESET.actions, *(BOOK.verb(CampaignState(), name) for name in SHARED))


class FreshDice:
    """Dice without an end, from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def hand(self, request: Request) -> Hand:
        return physical_hand(request, lambda sides: self._random.randint(1, sides))

    def finish(self) -> None: ...


ANY_WORD = st.sampled_from(WORDS)
ANY_VALUE: dict[ParameterType, Callable[[Parameter], st.SearchStrategy[Any]]] = {
    ParameterType.CHARACTER: lambda _: st.sampled_from(PEOPLE),
    ParameterType.CHARACTERS: lambda _: st.lists(st.sampled_from(PEOPLE[:4]), max_size=4, unique=True).map(tuple),
    ParameterType.NUMBER: lambda wanted: st.integers(
        wanted.minimum or 0, min((wanted.minimum or 0) + 40, wanted.maximum or 10**6)
    ),
    ParameterType.FLAG: lambda _: st.booleans(),
    ParameterType.DICE: lambda _: st.sampled_from(("1d6", "7", "2d6+1", "0", "dragon")),
    ParameterType.CHOICE: lambda wanted: st.sampled_from(wanted.choices),
    ParameterType.CHOICES: lambda wanted: st.lists(st.sampled_from(wanted.choices), max_size=3).map(tuple),
    ParameterType.TEXTS: lambda _: st.lists(ANY_WORD, max_size=2).map(tuple),
    ParameterType.GEAR: lambda wanted: st.sampled_from((*wanted.choices, "longbow", "forest cloak", "spoon")),
}


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    return ANY_VALUE.get(parameter.want, lambda _: ANY_WORD)(parameter)


SENSIBLE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("open-session", {"identity": "00", "commit_table": "00", "commit_screen": "00"}),
    ("join", {"name": "Wolf", "kind": "monster", "hp": 7, "heritage": "animal"}),
    ("join", {"name": "Much", "heritage": "elf", "roles": ("noble", "toughness"), "level": 4}),
    ("choose", {"who": "dracula", "choice": "heritage-ability", "picked": "str"}),
    ("choose", {"who": "much", "choice": "pick-4", "picked": "con+2"}),
    ("begin-encounter", {"participants": ("robin", "dracula", "guard", "marian"), "surprised": ("marian",)}),
    *(("end-turn", {"next": who}) for who in ("", "robin", "dracula", "guard", "marian")),
    *(("attack", {"attacker": who, "target": "guard", "weapon": "light"}) for who in ("robin", "dracula")),
    *(("attack", {"attacker": "guard", "target": who, "weapon": "heavy-melee"}) for who in ("robin", "dracula")),
    ("attack", {"attacker": "robin", "target": "guard", "weapon": "longbow", "carry_to": ("marian", "dracula")}),
    *(("spend-token", {"who": "robin", "benefit": what, "whom": "robin"}) for what in ("revive", "extra-action")),
    ("spend-token", {"who": "robin", "benefit": "revive", "whom": "marian"}),
    ("complicate", {"benefit": "revive", "whom": "guard"}),
    ("pass-time", {"amount": 9, "unit": "hours", "rest": True}),
    ("pass-time", {"amount": 3, "unit": "minutes"}),
    ("begin-encounter", {"participants": ("tuck", "troll", "wolf", "ghost", "mutant")}),
    *(("end-turn", {"next": who}) for who in ("tuck", "troll", "wolf", "ghost", "mutant")),
    *(("afflict", {"who": who, "condition": "aflame"}) for who in ("troll", "ghost", "dracula", "mutant")),
    *(("afflict", {"who": who, "condition": "sunlit", "lasts": 3}) for who in ("troll", "dracula")),
    *(
        ("afflict", {"who": "marian", "condition": what})
        for what in ("suffocating", "infected", "blighted", "confused")
    ),
    *(("harm", {"who": who, "amount": "9", "tags": ("silver", "fire")}) for who in ("wolf", "troll", "mutant", "tuck")),
    *(("manifest", {"who": "ghost", "shape": shape}) for shape in ("body", "ghost")),
    ("change-form", {"who": "wolf", "form": "animal"}),
    ("attack", {"attacker": "wolf", "target": "mutant", "weapon": "unarmed"}),
    ("attack", {"attacker": "guard", "target": "ghost", "weapon": "heavy-melee", "out_of_turn": True}),
    ("rage", {"who": "tuck"}),
    ("rage", {"who": "tuck", "stop": True}),
    ("inspire", {"who": "robin", "how": "rally", "allies": ("marian", "tuck"), "out_of_turn": True}),
    ("turn-undead", {"who": "tuck", "targets": ("dracula",), "out_of_turn": True}),
    ("cast", {"caster": "tuck", "spell": "cure-light-wounds", "targets": ("marian", "ghost"), "heal": "1d6"}),
    ("cast", {"caster": "mutant", "spell": "sleep", "targets": ("guard",), "damage": "2d6", "save": "wis"}),
)


@st.composite
def intents(draw: st.DrawFn) -> Intent:
    if draw(st.booleans()):
        verb, sensible = draw(st.sampled_from(SENSIBLE))
        return Intent(verb=verb, params=sensible)
    action: type[Action] = draw(st.sampled_from(VERBS))
    params = {}
    for parameter in parameters(action):
        if parameter.required or (not parameter.hidden and draw(st.integers(0, 3)) == 0):
            params[parameter.name] = draw(values(parameter))
    thoughts: tuple[SecondThought, ...] = ()
    if draw(st.integers(0, 4)) == 0:
        spender, keep = draw(st.sampled_from(("robin", "dracula", ""))), draw(st.sampled_from(("", "new", "worst")))
        kind = draw(st.sampled_from(tuple(RULESET.second_thoughts)))
        thoughts = (second_thought(kind, spender, roll=draw(st.integers(0, 1)), keep=keep),)
    return Intent(verb=action.verb, params=params, second_thoughts=thoughts)


def beginning() -> CampaignState:
    return (
        scenario(RULESET)
        .given(
            BringIn(who="robin-hood", id="robin"),
            BringIn(who="count-dracula", id="dracula"),
            Join(name="Guard", id="guard", kind="monster", ac=13, hp=9),
            Join(name="Marian", id="marian", kind="npc", hp=8),
            Join(name="Door", id="door", kind="thing", hp=5),
            Join(name="Troll", id="troll", kind="monster", heritage="troll", hp=20),
            Join(name="Wolf", id="wolf", kind="monster", heritage="werebeast", hp=12),
            Join(name="Ghost", id="ghost", kind="npc", heritage="spirit", level=2, hp=8),
            Join(name="Mutant", id="mutant", kind="npc", heritage="mutant", hp=9),
            Choose(who="mutant", choice="innate-spell", picked="sleep"),
            Join(name="Tuck", id="tuck", kind="npc", level=3, roles=("divine", "berserker", "turn-undead"), hp=14),
            LearnSpell(who="tuck", spell="cure-light-wounds"),
            Give(who="tuck", item="silver ankh", use=("holy symbol",)),
        )
        .before
    )


BEGINNING = beginning()


def check_sums(campaign: CampaignState) -> None:
    house = Settings.of(campaign)
    assert all(amount >= 0 for amount in campaign.pools.values()), campaign.pools
    for who in campaign.characters.values():
        assert all(amount >= 0 for amount in who.pools.values())
        assert who.pools.get("burns", 0) <= max(who.lost, 0) or who.has("dead")
        assert who.pools.get("thirst", 0) <= max(who.lost, 0) or who.has("dead")
        most, left = max_hp(who, house), current_hp(who, house)
        assert most >= 1
        assert left <= most or who.lost < 0, "only a ruling gives more than the maximum"
        if not who.has("dead"):
            assert who.has("unconscious") == (left <= 0)
        sheet = RULESET.sheet(who, campaign)
        for value in sheet.values:
            assert not value.terms or sum(term.amount for term in value.terms) == value.amount


@settings(max_examples=150, deadline=None)
@given(st.lists(intents(), max_size=12), st.integers(0, 2**32))
def test_play_only_ever_records_events_or_refuses_with_a_sentence(intents: list[Intent], seed: int) -> None:
    campaign = BEGINNING
    for number, intent in enumerate(intents):
        played = played_or_refused(campaign, intent, seed + number)
        if played is None:
            continue
        again = BOOK.play(campaign, intent, RecordedDice([played.events], NoDice()))
        assert again.events == played.events
        campaign = played.campaign
        check_sums(campaign)


def played_or_refused(campaign: CampaignState, intent: Intent, seed: int) -> Played | None:
    said = ""
    try:
        return BOOK.play(campaign, intent, FreshDice(seed))
    except RollbookError as refusal:
        said = str(refusal)
    assert len(said.split()) > 3, said
    return None


@rule("R0.57", "Q0.21")
@given(hp=st.integers(1, 200), lost=st.integers(0, 500))
def test_every_number_of_hit_points_has_its_state(hp: int, lost: int) -> None:
    campaign = scenario(RULESET).given(Join(name="Ox", id="ox", kind="monster", hp=hp)).before
    harm = Intent(verb="harm", params={"who": "ox", "amount": str(lost)})
    after = BOOK.play(campaign, harm, FreshDice(0)).campaign
    left = hp - lost
    expected = "Dead" if left <= -hp else "Unconscious" if left <= 0 else "Full Health" if lost == 0 else "Injured"
    assert dict(RULESET.sheet(after.characters["ox"], after).words)["Status"] == expected


@pytest.mark.parametrize("verb", [action.verb for action in RULESET.actions])
def test_every_verb_can_be_refused_without_a_trace(verb: str) -> None:
    with pytest.raises(RollbookError):
        BOOK.play(BEGINNING, Intent(verb=verb, params={"nonsense": 1}), NoDice("no dice"))
