"""The HTTP API is asked for what its document allows, hundreds of times at each endpoint: it answers as the document says.

No answer is a fault of the program, and none to a player's token has a word that is hidden from the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest
from httpx2 import get
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from tests.support.api import API, token_of
from tests.support.needs import needs
from tests.support.web import SHERWOOD, Running, StoreFiles, copied, running, sherwood_played

__all__ = ["sherwood_played"]
MUCH = Rate(burst=1e9, a_second=1e9)
HIDDEN, WORDS = "Zyxel Plughman", ("zyxel", "plugh", "quux")
EXAMPLES = 80
"""Requests to each endpoint from each seat."""
STREAM = "/api/v1/campaigns/{campaign}/events"
KNOWN: Mapping[str, Sequence[Any]] = {
    "who": ("robin-hood", "guard", "sheriff"),
    "verb": ("attack", "roll", "note", "check", "whisper"),
    "kind": ("undo", "redo", "amend", "undo-correction", "adjust", "override", "insert"),
    "action": tuple(range(1, 60)),
}
"""Values by which an odd request gets further; half of the time what was drawn stays."""
ROLL = {"expression": "1d20 + 3[DEX]"}


@pytest.fixture(scope="module")
def fuzzed(
    sherwood_played: StoreFiles, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Running, StoreFiles]]:
    """A server of a campaign with somebody hidden in it, and with words for the GM alone."""
    files = copied(sherwood_played, tmp_path_factory.mktemp("fuzzed"))
    with files.book() as book:
        campaign = book.campaign(SHERWOOD)
        campaign.do("open-session", {"title": "The mill"})
        campaign.do("join", {"name": HIDDEN, "kind": "npc", "hp": 9}, secret=True)
        campaign.do("note", {"text": "quux", "to": "gm"})
    with running(files, Door(limits=Limits(reading=MUCH, acting=MUCH))) as server:
        yield server, files


def further(case: Any, draw: Any) -> None:
    """Have a request name what there is: the campaign always, the rest at times."""
    if "campaign" in case.path_parameters:
        case.path_parameters["campaign"] = SHERWOOD
    for place in (case.path_parameters, case.body):
        for name, values in KNOWN.items():
            if isinstance(place, dict) and name in place and draw(st.booleans()):
                place[name] = draw(st.sampled_from(values))

    if draw(st.booleans()):  # a verb whose parameters are there, and actions of the player's own
        if "verb" in case.path_parameters:
            case.path_parameters["verb"], case.query = "roll", dict(ROLL)
        if isinstance(case.body, dict) and "verb" in case.body:
            case.body |= {"verb": "roll", "params": dict(ROLL), "dice": [draw(st.integers(0, 21))]}
        if isinstance(case.body, dict) and "kind" in case.body:
            case.body = {"kind": "undo", "action": draw(st.sampled_from((20, 36)))}


def at_random(operation: Any, told: Callable[[Any], None]) -> None:
    """Make requests to an operation, and tell each."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), data=st.data())
    def asked(case: Any, data: st.DataObject) -> None:
        further(case, data.draw)
        told(case)

    asked()


@pytest.mark.slow
@needs("schemathesis")
@pytest.mark.parametrize("seat", ["Mira", "Ana"])
def test_whatever_is_asked_is_answered_as_the_document_says(fuzzed: tuple[Running, StoreFiles], seat: str) -> None:
    server, files = fuzzed
    openapi = import_module("schemathesis.openapi")
    checks = import_module("schemathesis.specs.openapi.checks")
    said = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]
    document = get(f"{server.address}{API}/openapi.json").json()
    del document["paths"][STREAM]
    with files.book() as book:
        headers = {"Authorization": f"Bearer {token_of(server.app, book.campaign(SHERWOOD), seat)}"}
    statuses: dict[str, set[int]] = {}

    def told(case: Any) -> None:
        answer = case.call(base_url=server.address, headers=headers)
        label = case.operation.label
        statuses.setdefault(label, set()).add(answer.status_code)
        assert answer.status_code < 500, (label, answer.text)
        case.validate_response(answer, checks=said, headers=headers)
        hidden = [word for word in WORDS if word in answer.text.casefold()]
        assert seat == "Ana" or not hidden, (label, hidden)

    for found in openapi.from_dict(document).get_all_operations():
        at_random(found.ok(), told)
    asked = {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item}
    assert set(statuses) == asked
    assert {label for label, seen in statuses.items() if not seen & {200, 202}} == {
        label for label in asked if "{job}" in label
    }
