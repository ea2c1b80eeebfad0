"""An action of a player's seat names somebody who acts, or is any seat's: asked of every verb when it is taken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.application.playing.request import ActionRequest
from rollbook.domain.actions import SHARED
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.events import ParameterValue, Role, SeatTaken
from rollbook.domain.rules.action import Action, build, is_the_gms, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.playing import check_taken_by
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import fold
from rollbook.rulesets.luckpoint import RULESET as LUCKPOINT
from tests.support.campaigns import memory_book
from tests.support.luckpoint import ADA, GOON

RULESETS = discover().rulesets
SEATED = fold(EMPTY, [SeatTaken(seat=role.value, role=role, number=at) for at, role in enumerate(Role)])
VERBS = [*SHARED, *(verb for game in RULESETS.values() for verb in game.actions)]
OF_ANY_SEAT = {
    *("end-turn", "entropy", "halt", "long-rest", "meal", "note", "rest", "roll", "say", "short-rest", "whisper")
}


def without_actor(verb: type[Action]) -> Action:
    """An action of a verb in which nobody acts."""
    needed = {each.name: _something(each.want, each.choices) for each in parameters(verb) if each.required}
    return build(verb, {**needed, **{each.name: "" for each in parameters(verb) if each.actor}})


def _something(want: ParameterType, choices: tuple[str, ...]) -> ParameterValue:
    known: Mapping[ParameterType, ParameterValue] = {ParameterType.NUMBER: 1, ParameterType.CHARACTERS: ("guard",)}
    return choices[0] if choices and want is ParameterType.CHOICE else known.get(want, want.nothing)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: f"{verb.__module__}:{verb.verb}")
def test_nobody_but_the_gm_takes_an_action_in_which_nobody_acts(verb: type[Action]) -> None:
    action = without_actor(verb)
    for seat in ("gm", "", "a seat that nobody has"):
        check_taken_by(SEATED, seat, action)
    if verb.gm_only:
        return  # which the table itself refuses a player
    for seat in ("player", "spectator"):
        if verb.anonymous or verb.by_any_seat:
            check_taken_by(SEATED, seat, action)
        else:
            with pytest.raises(Refused, match="only the GM can take it"):
                check_taken_by(SEATED, seat, action)


def test_these_verbs_are_any_seats() -> None:
    assert {verb.verb for verb in VERBS if verb.by_any_seat} == OF_ANY_SEAT
    assert not [verb.verb for verb in VERBS if is_the_gms(verb) and not verb.gm_only]


@pytest.fixture
def table(tmp_path: Path) -> Campaign:
    """Ada, whom a player plays, and a goon who lies in wait."""
    campaign = memory_book(tmp_path, ruleset=LUCKPOINT).new("Sherwood", "luckpoint")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.do("take-seat", {"seat": "Mira"})
    campaign.do("take-seat", {"seat": "Watcher", "role": "spectator"})
    for who, seat in ((ADA, "Mira"), (GOON, "")):
        campaign.play(who.__class__(**{**_params(who), "seat": seat}))
    return campaign


def _params(action: Action) -> dict[str, ParameterValue]:
    return {each.name: getattr(action, each.name) for each in parameters(type(action))}


def test_a_player_sets_off_what_their_character_holds_and_nothing_else(table: Campaign) -> None:
    boom = {"targets": ("goon",)}
    for line in ("explosion goon", "explosion ada", "explosion goon --attacker ada"):
        for seat in ("Mira", "Watcher"):
            with pytest.raises(RollbookError):
                table.say(f"{line} ! 2 1 1 1 1", seat=seat)
    with pytest.raises(Refused, match="holds nothing that explodes"):
        table.do("explosion", {**boom, "attacker": "ada"}, seat="Mira", dice=(2, 1, 1, 1, 1))
    table.do("give", {"who": "ada", "item": "two sticks", "use": ("weapon", "explosion")})
    with pytest.raises(Refused, match="says who acts in explosion: --attacker"):
        table.do("explosion", boom, seat="Mira", dice=(2, 1, 1, 1, 1))
    assert table.session.refusal(
        ActionRequest(build(table.session.rulebook.verb(table.state, "explosion"), boom), "Mira")
    )
    taken = table.do("explosion", {**boom, "attacker": "ada"}, seat="Mira", dice=(2, 1, 1, 1, 1))
    assert taken.seat == "Mira"
    with pytest.raises(Refused, match="--attacker"):
        table.corrections.amend(taken.action, {"attacker": ""}, options=_by("Mira"))
    assert table.do("explosion", boom, dice=(2, 1, 1, 1, 1)).seat == "Ana"


def _by(seat: str) -> CorrectionOptions:
    return CorrectionOptions(seat=seat)


def test_what_was_taken_before_there_was_a_door_is_played_again_as_it_was(table: Campaign) -> None:
    gm = table.do("explosion", {"targets": ("goon",)}, dice=(2, 1, 1, 1, 1))
    dice = PhysicalDice((2, 1, 1, 1, 1))
    played = table.session.rulebook.play(table.state, gm.intent, dice, seat="Mira")
    old = Entry(EntryKind.TAKEN, gm.action + 1, played.events, seat="Mira", intent=gm.intent, reads=played.reads)
    told = old._replace(actor=played.actor, ruleset=gm.ruleset, version=gm.version)
    table.session.log.write(table.head, [told])
    table.session.read_again()
    assert not table.session.damage
    assert table.audit()[2].verdict is Verdict.VERIFIED
    table.corrections.undo(gm.action, reason="a dud").apply()
    assert table.audit()[2].verdict is Verdict.VERIFIED
