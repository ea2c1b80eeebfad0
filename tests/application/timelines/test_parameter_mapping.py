"""Parameters of one game in another."""

from __future__ import annotations

import pytest

from rollbook.application.timelines.parameter_mapping import mapped_parameters
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter


@pytest.mark.parametrize(
    ("usual", "choices", "said", "kept"),
    [
        ("none", ("none", "half"), "", {}),
        ("none", ("none", "half"), "half", {"cover": "half"}),
        ("", ("", "half"), "", {"cover": ""}),
    ],
)
def test_a_word_left_empty_is_the_usual_one_of_the_other_game(
    usual: str, choices: tuple[str, ...], said: str, kept: dict[str, ParameterValue]
) -> None:
    cover = Parameter(name="cover", want=ParameterType.CHOICE, help="the cover", default=usual, choices=choices)
    assert mapped_parameters({"cover": said}, {"cover": cover}, {"cover": cover}) == (kept, {})
