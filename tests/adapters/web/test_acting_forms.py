"""Every verb of every game has a form that can be filled in with what it offers, and it means what would have been typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.application.forms.fields import Control, Field
from rollbook.application.forms.verb_form import DICE, SECRET, WHY, Filled, VerbForm, blamed, form_of, read
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.verbs import verbs_of
from rollbook.application.visibility.editions.edition import Edition
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.rules.action import Action, intent_of
from tests.support.casts import CastCampaign, book_of_games
from tests.support.filled_forms import filled_in

GAMES = tuple(discover().keys)


class Sent:
    """A form as it is sent."""

    def __init__(self, values: dict[str, list[str]]) -> None:
        self.values = values

    def getlist(self, key: str) -> list[str]:
        return self.values.get(key, [])


@pytest.fixture(params=GAMES)
def cast(request: pytest.FixtureRequest, tmp_path: Path) -> CastCampaign:
    """Two characters of a game, of whom Mira plays the first."""
    made = CastCampaign(request.param, book_of_games(tmp_path))
    made.take("take-seat mira")
    made.take(f"lend {hero(made)} --to mira")
    return made


def hero(cast: CastCampaign) -> str:
    return cast.who(cast.hero)


def foe(cast: CastCampaign) -> str:
    return cast.who(cast.foe)


def forms(campaign: Campaign, seat: str | None) -> Iterator[tuple[type[Action], VerbForm]]:
    """The form of every verb that a seat may say."""
    edition = campaign if seat is None else Edition(campaign, seat)
    short = ShortForms(seat)
    for verb in verbs_of(campaign).values():
        form = form_of(edition, verb, seat, short)
        if form is not None:
            yield verb, form


@pytest.mark.parametrize("seat", [None, "mira"])
def test_every_form_that_is_filled_with_what_it_offers_is_read_without_fault(cast: CastCampaign, seat) -> None:
    seen = 0
    for verb, form in forms(cast.campaign, seat):
        sent = filled_in(verb, form)
        for field in form.fields:
            for value in (*(offer.value for offer in field.offers), ""):
                if value or not field.is_required:
                    one = read(
                        cast.campaign, verb, Filled.of(Sent(sent | {field.name: [value]}), verb), known_only=True
                    )
                    assert one.is_sound, (verb.verb, field.name, value, one)
                    seen += 1
        whole = read(cast.campaign, verb, Filled.of(Sent(sent), verb), known_only=True)
        turn = turn_of(cast.campaign, verb, whole.spoken, seat=seat, said=lambda _: None)
        assert type(turn.action) is verb
    assert seen > 30


PLAYED = {
    "storytoken": {"attack", "check", "save", "roll", "note", "afflict", "harm"},
    "luckpoint": {"attack", "check", "save", "roll", "note"},
    "powers": {"attack", "check", "roll", "note"},
    "russell": {"attack", "check", "save", "roll", "note"},
    "grid": {"attack", "check", "save", "roll", "note", "harm", "act"},
    "srd5": {"attack", "check", "save", "roll", "note", "harm", "act"},
}


def test_the_rules_take_what_the_forms_say(cast: CastCampaign) -> None:
    """What the rules have against the others is a rule of the game: no fight goes on, no spell is known."""
    refused, taken = {}, set()
    for verb, form in forms(cast.campaign, None):
        whole = read(cast.campaign, verb, Filled.of(Sent(filled_in(verb, form)), verb), known_only=False)
        turn = turn_of(cast.campaign, verb, whole.spoken, seat=None, said=lambda _: None)
        if reason := cast.campaign.session.refusal(turn):
            refused[verb.verb] = str(reason)
        else:
            taken.add(verb.verb)
    game = cast.campaign.state.ruleset
    assert taken >= PLAYED[game], {verb: refused.get(verb) for verb in PLAYED[game] - taken}
    assert len(taken) >= len(refused) / 2


def test_an_attack_by_form_is_the_attack_that_would_have_been_typed(cast: CastCampaign) -> None:
    stored = cast.latest(cast.take(cast.cast.attack)).intent
    assert stored is not None
    verb = verbs_of(cast.campaign)["attack"]
    form = form_of(cast.campaign, verb, None, ShortForms())
    assert form is not None
    given = {field.name: list(field.values) for field in form.fields} | {DICE: ["7"], WHY: ["because"], SECRET: ["yes"]}
    whole = read(cast.campaign, verb, Filled.of(Sent(given), verb), known_only=False)
    turn = turn_of(cast.campaign, verb, whole.spoken, seat=None, said=lambda _: None)
    assert (turn.dice, turn.reason, turn.secret) == ((7,), "because", True)
    assert intent_of(turn.action) == stored


def test_who_acts_with_what_and_at_whom_is_filled_in_as_at_the_prompt(cast: CastCampaign) -> None:
    cast.take(cast.cast.attack)
    verb = verbs_of(cast.campaign)["attack"]
    form = form_of(cast.campaign, verb, None, ShortForms())
    assert form is not None and form.actor is not None
    assert form.actor.value == cast.cast.attacker
    others = {hero(cast), foe(cast)} - {cast.cast.attacker}
    assert {value for field in form.plain if field.name.startswith("target") for value in field.values} == others


def test_a_player_with_one_character_is_not_asked_who_acts(cast: CastCampaign) -> None:
    form = form_of(Edition(cast.campaign, "mira"), verbs_of(cast.campaign)["attack"], "mira", ShortForms("mira"))
    assert form is not None and form.actor is not None
    assert form.actor.is_fixed
    assert form.actor.value == hero(cast)
    assert not form.rulings
    assert not form.may_be_secret


def test_a_player_is_offered_nobody_hidden_and_no_verb_of_the_gms(cast: CastCampaign) -> None:
    cast.take(f"{cast.cast.foe.replace('--at 1,0', '--at 5,5')} --secret")
    hidden = next(who.id for who in cast.campaign.state.characters.values() if who.hidden)
    offered = [
        offer.value for _, form in forms(cast.campaign, "mira") for field in form.fields for offer in field.offers
    ]
    assert offered
    assert hero(cast) in offered
    assert hidden not in offered
    assert form_of(Edition(cast.campaign, "mira"), verbs_of(cast.campaign)["scene"], "mira", ShortForms()) is None


def test_what_cannot_be_read_is_said_beside_its_field_and_stays(cast: CastCampaign) -> None:
    verb = verbs_of(cast.campaign)["pass-time"]
    filled = Filled.of(Sent({"amount": ["many"], DICE: ["fish"]}), verb)
    found = read(cast.campaign, verb, filled, known_only=False)
    assert "many" in found.faults["amount"]
    assert found.faults["unit"] == "unit is needed."
    assert "fish" in found.dice_fault
    form = form_of(cast.campaign, verb, None, ShortForms(), filled)
    assert form is not None
    amount = next(field for field in form.with_faults(found.faults).plain if field.name == "amount")
    assert (amount.value, amount.fault) == ("many", found.faults["amount"])


def test_a_refusal_stands_beside_the_field_that_is_at_fault() -> None:
    def form(*names: str) -> VerbForm:
        fields = tuple(Field(name=name, label=name, hint="", control=Control.TEXT) for name in names)
        return VerbForm(
            verb="move",
            summary="",
            plain=fields,
            more=(),
            rulings=(),
            order_of_dice="",
            may_roll=True,
            may_type=True,
            must_type=False,
            may_be_secret=False,
            is_asked_why=True,
            filled=Filled(),
        )

    far = "Robin Hood cannot move that far: 300 feet, and 60 of 60 feet are left."
    of_feet = Refused(far, parameter="feet")
    assert [field.fault for field in blamed(form("who", "feet"), of_feet).plain] == ["", far]
    assert blamed(form("who", "feet"), Refused(far)).fault == far
    assert blamed(form("who"), of_feet).fault == far


def test_words_of_ones_own_count_before_the_offers_beside_them(cast: CastCampaign) -> None:
    verb = verbs_of(cast.campaign)["note"]
    filled = Filled.of(Sent({"text": ["one"], "text.own": ["another"]}), verb)
    assert read(cast.campaign, verb, filled, known_only=False).spoken.given == {"text": "another"}


def test_what_is_wrong_with_a_turn_is_an_error_of_the_engine_and_nothing_else(cast: CastCampaign) -> None:
    for verb, form in forms(cast.campaign, None):
        for field in form.fields:
            filled = Filled.of(Sent(filled_in(verb, form) | {field.name: ["\x1b[31m, =,,"]}), verb)
            found = read(cast.campaign, verb, filled, known_only=False)
            if found.is_sound:
                try:
                    cast.campaign.session.refusal(
                        turn_of(cast.campaign, verb, found.spoken, seat=None, said=lambda _: None)
                    )
                except RollbookError as reason:
                    assert str(reason)
