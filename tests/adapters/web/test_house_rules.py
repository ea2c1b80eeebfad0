"""House rules on pages are sentences, in every game: what each decides, what holds here, and what another choice would change."""

from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.presentation.house_rules import answers_to, question_of, what_holds
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import settings_fields
from tests.support.web import SHERWOOD, StoreFiles

RULES = [(key, rule) for key, game in discover().rulesets.items() for rule in settings_fields(game)]
ROOM = f"/c/{SHERWOOD}/gm"


@pytest.mark.parametrize(("key", "rule"), RULES, ids=lambda value: value if isinstance(value, str) else value.name)
def test_every_house_rule_is_said_in_sentences_and_no_key_is_shown(key: str, rule: Parameter) -> None:
    said = [what_holds(rule, value) for value, _ in answers_to(rule)] or [what_holds(rule, rule.default)]
    assert len(set(said)) == len(said)
    for sentence in said:
        assert sentence[0].isupper() and sentence.endswith(".") and "_" not in sentence and len(sentence.split()) > 2
    assert not re.search(r"\([QR]", question_of(rule))
    if rule.want is ParameterType.CHOICE and not all(re.search(r"\d", choice) for choice in rule.choices):
        assert len(rule.means) == len(rule.choices), f"{key}: say of each choice of {rule.name} what then holds"


def test_the_gms_room_says_what_is_not_as_usual_first_and_changes_it(gm: TestClient, sherwood: StoreFiles) -> None:
    assert "All house rules are as usual" in gm.get(ROOM).text
    page = gm.get(f"{ROOM}/rules").text
    assert "The six 3d6 go to the abilities as the player likes." in page and "in_order" not in _words(page)
    done = gm.post(f"{ROOM}/rules", data={"setting.assign": "free", "why": "new people"}, follow_redirects=False)
    assert done.status_code == 303, done.text
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        assert campaign.state.settings["assign"] == "free"
    held = re.search(r'<ul class="rules-held">(.*?)</ul>', gm.get(ROOM).text, re.DOTALL)
    assert held and re.findall("<li>(.*?)</li>", held[1]) == ["The six 3d6 go to the abilities as the player likes."]
    same = gm.post(f"{ROOM}/rules", data={"setting.assign": "free"})
    assert same.status_code == 422 and "Nothing was changed" in same.text
    wrong = gm.post(f"{ROOM}/rules", data={"setting.round_seconds": "many"})
    assert wrong.status_code == 422 and 'value="many"' in wrong.text


def _words(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def test_games_are_offered_by_what_they_are(gm: TestClient) -> None:
    page = _words(gm.get("/new").text)
    for game in discover().rulesets.values():
        assert game.title in page and game.summary in page
