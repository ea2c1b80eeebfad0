"""What the web says of a refusal: verbs by their buttons and options by their fields, and nothing as it would be typed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.pages.templating import worded
from tests.support.forms import form_in
from tests.support.stores import ROOT
from tests.support.web import StoreFiles
from tests.support.web_tables import ROBIN_ON_TURN, in_the_fight

TYPED = re.compile(r"(?<![\w-])--[a-z]|\brollbook (?:do )?(?!is\b|speaks\b)[a-z]+")
"""An option or a command as it is typed."""


@pytest.fixture
def sherwood(tmp_path: Path) -> StoreFiles:
    return in_the_fight(tmp_path, ROBIN_ON_TURN)


def sentences(path: Path) -> Iterator[str]:
    """Every text of a module, with a word in the place of what is filled in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "robin" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_sentence_of_any_game_shows_what_is_typed() -> None:
    texts = [
        text
        for folder in ("domain", "ruleset_plugins", "rollbook/kit")
        for path in (ROOT / folder).rglob("*.py")
        for text in sentences(path)
    ]
    told = [text for text in texts if TYPED.search(text)]
    assert len(told) > 100
    assert [text for text in told if TYPED.search(worded(text))] == []


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Say who goes next, with --next: wolf-2.", "Say who goes next, with “Next”: wolf-2."),
        ("Robin ends it with: end-turn --next ID", "Robin ends it with: “End turn” with “Next”"),
        ("Open one (rollbook do open-session), or type --dice.", "Open one (“Open session”), or type “Real dice”."),
        ("The GM hands some out with: give robin ration", "The GM hands some out with: “Give” robin ration"),
        ("It bears --hp NUMBER, so far.", "It bears “Hp”, so far."),
        ("Something in rollbook is at fault.", "Something in rollbook is at fault."),
        ("A word: nothing else -- and 3 - 1.", "A word: nothing else -- and 3 - 1."),
    ],
)
def test_a_line_is_said_by_its_button(typed: str, shown: str) -> None:
    assert worded(typed, ("end-turn", "give")) == shown


def read(html: str) -> str:
    """What somebody reads on a part of a page."""
    return unescape(re.sub(r"<[^>]*>", " ", html.partition('id="act"')[2].partition("</main>")[0]))


def test_no_form_nor_any_refusal_of_it_shows_what_is_typed(gm: TestClient) -> None:
    panel = gm.get("/c/sherwood/act").text
    verbs = re.findall(r'href="/c/sherwood/do/([a-z-]+)\?', panel)
    assert len(verbs) > 40
    assert not TYPED.search(read(panel))
    refused = 0
    for verb in verbs:
        address = f"/c/sherwood/do/{verb}?roll.as=guard"
        html = gm.get(address).text
        assert not TYPED.search(read(html)), verb
        if verb in ("end-encounter", "close-session", "x-card"):
            continue
        answer = gm.post(address.partition("?")[0], data=form_in(html), follow_redirects=False)
        if answer.status_code != 303:
            refused += 1
            assert not TYPED.search(read(answer.text)), verb
    assert refused > 10
