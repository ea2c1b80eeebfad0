"""A parameter that is given badly is refused with its name, in every verb of every game, and no sentence has to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.forms.verb_form import form_of
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.lines.verb_line import LineError, parse, read_parameters, read_value
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action, build, parameters, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.value_checks import LONGEST
from tests.support.casts import CastCampaign, book_of_games
from tests.support.filled_forms import filled_in

GAMES = tuple(discover().keys)
NOBODY = "nobody-of-that-name"

TYPED_BADLY = {
    ParameterType.CHARACTER: NOBODY,
    ParameterType.CHARACTERS: NOBODY,
    ParameterType.NUMBER: "many",
    ParameterType.NUMBERS: "1,many",
    ParameterType.FLAG: "perhaps",
    ParameterType.CHOICE: "none of these",
    ParameterType.CHOICES: "none of these",
    ParameterType.DICE: "1d6kh0",
    ParameterType.AMOUNTS: "=",
    ParameterType.PAIRS: "=",
    ParameterType.SETTINGS: "=",
    ParameterType.TEXTS: "x" * (LONGEST + 1),
    ParameterType.USE: "x" * (LONGEST + 1),
    ParameterType.GEAR: "x" * (LONGEST + 1),
    ParameterType.SEAT: "x" * (LONGEST + 1),
}
"""Texts that cannot be meant, by type; free text can be anything."""


@pytest.fixture(params=GAMES)
def cast(request: pytest.FixtureRequest, tmp_path: Path) -> CastCampaign:
    """Two characters of a game."""
    return CastCampaign(request.param, book_of_games(tmp_path))


def verbs(cast: CastCampaign) -> list[type[Action]]:
    return list(verbs_of(cast.campaign).values())


def bad_text(parameter: Parameter) -> str:
    return "x" * (LONGEST + 1) if parameter.is_name else TYPED_BADLY.get(parameter.want, "")


def test_what_is_typed_badly_is_refused_with_the_name_of_the_parameter(cast: CastCampaign) -> None:
    tried = 0
    for verb in verbs(cast):
        for parameter in user_parameters(verb):
            if text := bad_text(parameter):
                with pytest.raises(RollbookError) as refused:
                    read_value(parameter, text, cast.campaign.state)
                assert refused.value.parameter == parameter.name, (verb.verb, str(refused.value))
                tried += 1
    assert tried > 100


def test_a_value_of_another_type_is_refused_with_the_name_of_the_parameter(cast: CastCampaign) -> None:
    wrong: dict[bool, ParameterValue] = {True: 1.5, False: -7}  # type: ignore[dict-item]
    for verb in verbs(cast):
        for parameter in parameters(verb):
            value = wrong[parameter.want is ParameterType.NUMBER]
            with pytest.raises(RollbookError) as refused:
                build(verb, {parameter.name: value})
            assert refused.value.parameter == parameter.name, (verb.verb, str(refused.value))


def test_what_is_left_out_is_named(cast: CastCampaign) -> None:
    for verb in verbs(cast):
        needed = [parameter.name for parameter in user_parameters(verb) if parameter.required]
        if needed:
            with pytest.raises(LineError) as refused:
                parse(verb, [])
            assert refused.value.parameter == needed[0]
            with pytest.raises(RollbookError) as built:
                build(verb, {})
            assert built.value.parameter == next(each.name for each in parameters(verb) if each.required)


def test_the_rules_name_the_parameter_that_names_nobody(cast: CastCampaign) -> None:
    """A refusal that comes before the rules look at that parameter stays the same."""
    tried = 0
    for verb in verbs(cast):
        good = _filled(cast, verb)
        before = _refused(cast, verb, good)
        for parameter in user_parameters(verb):
            if parameter.want in (ParameterType.CHARACTER, ParameterType.CHARACTERS):
                bad = (NOBODY,) if parameter.want is ParameterType.CHARACTERS else NOBODY
                fault = _refused(cast, verb, good | {parameter.name: bad})
                assert fault is not None or not parameter.required, (verb.verb, parameter.name)
                if fault is not None and NOBODY in str(fault):
                    assert fault.parameter == parameter.name, (verb.verb, str(fault))
                    tried += 1
                elif fault is not None and before is None:
                    assert fault.parameter, (verb.verb, parameter.name, str(fault))
    assert tried > 20


def _filled(cast: CastCampaign, verb: type[Action]) -> dict[str, ParameterValue]:
    form = form_of(cast.campaign, verb, None, ShortForms())
    assert form is not None
    given = {name: ",".join(values) for name, values in filled_in(verb, form).items() if any(values)}
    return read_parameters(verb, given, cast.campaign.state)


def _refused(cast: CastCampaign, verb: type[Action], params: dict[str, ParameterValue]) -> RollbookError | None:
    campaign = cast.campaign
    try:
        campaign.try_out(verb.verb, **params)
    except RollbookError as fault:
        return fault
    return None
