"""Of a file for each of their words both verifiers say these: what they refuse of the dice, and what loosens nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollbook.domain.history.chain import canonical
from tests.attacks.refusals import ALL, CLOSED, COUNTED, LEVELS, REFUSED, ROLLED, file_for, headed, whole
from tests.support.exports import rechained
from tests.support.javascript import SCRIPTS, JavaScriptVerifier, needs_node, same
from tests.support.shown_again import shown_again

pytestmark = needs_node


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScriptVerifier]:
    with closing(JavaScriptVerifier()) as made:
        yield made


@pytest.mark.parametrize("words", ALL)
def test_of_a_file_for_these_words_both_say_them(javascript: JavaScriptVerifier, tmp_path: Path, words: str) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(ALL[words]())
    said = same(javascript, path)
    assert words in said
    assert ("FAILED" in said) is (words in REFUSED) or words in LEVELS


def sentences(script: Path) -> list[str]:
    """What a script says, as patterns: its texts of four words and more."""
    lines = re.sub(
        r"(?:^|  )//.*", "", script.read_text(encoding="utf-8").partition('"use strict"')[2], flags=re.MULTILINE
    )
    found = [text or template for text, template in re.findall(r'"([^"\n]*)"|`([^`\n]*)`', lines)]
    parts = [re.split(r"\$\{[^}]*\}", text) for text in found if len(text.split()) > 3 and "${lines" not in text]
    return [".*".join(map(re.escape, each)) for each in parts]


def test_every_sentence_about_dice_is_said_of_a_file_here(javascript: JavaScriptVerifier, tmp_path: Path) -> None:
    said, path = "", tmp_path / "file.jsonl"
    for make in ALL.values():
        path.write_bytes(make())
        said += javascript.verify(path)[1]
    wanted = sentences(SCRIPTS[1])
    assert len(wanted) > 30
    assert [each for each in wanted if not re.search(each, said)] == []


FORGED = "sherwood\ndice   VERIFIED  9 dice\u2028\u0085\r\x1b[2J\u202e~1"
"""A name that would be a line of its own, with signs that a terminal obeys."""


@pytest.mark.parametrize("name", ["for", "campaign"])
@pytest.mark.parametrize("reader", [None, "mira"])
def test_the_first_line_of_a_file_writes_no_line_of_the_answer(
    javascript: JavaScriptVerifier, tmp_path: Path, name: str, reader: str | None
) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(headed(file_for(reader), **{name: FORGED}))
    said = same(javascript, path)
    assert "\ndice   VERIFIED  9" not in said
    assert [letter for letter in said if not letter.isprintable() and letter != "\n"] == []


def test_a_timeline_without_a_number_is_none(javascript: JavaScriptVerifier, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(whole(len, campaign="sherwood~what if")())
    assert "FAILED    after 0 good entries" in same(javascript, path, plain=False)


def test_a_receipt_and_a_name_write_no_line_of_their_own(javascript: JavaScriptVerifier, tmp_path: Path) -> None:
    path = tmp_path / "a\nfile.jsonl"
    path.write_bytes(file_for(None))
    assert same(javascript, path, f"a\n{'0' * 26}").count("\n") == 1
    path.write_bytes(b"nothing\n")
    assert same(javascript, path).count("\n") == 1


INSIDE = (-1, 0, 1, 2, 6, 20, 2**32, 2**53, 2**53 + 1, 2**64, "", "mira", "stream", "override", "physical", True, False)
"""What is put into the lists of dice, sources, places and counts."""


def inside(value: object) -> list[tuple[list[Any], int]]:
    """Every slot of the lists in a value."""
    if isinstance(value, dict):
        return [slot for each in value.values() for slot in inside(each)]
    if not isinstance(value, list):
        return []
    return [slot for at, each in enumerate(value) for slot in (inside(each) or [(value, at)])]


@pytest.mark.parametrize("reader", [None, "mira", ""])
@pytest.mark.parametrize("part", range(2))
def test_of_forged_dice_places_and_counts_both_say_the_same(
    javascript: JavaScriptVerifier, tmp_path: Path, part: int, reader: str | None
) -> None:
    first, *lines = file_for(reader).splitlines(keepends=True)
    chance, path = Random(part), tmp_path / "file.jsonl"
    for _ in range(60):
        said = [json.loads(line) for line in lines]
        fields = [fields for entry in said for name, fields in entry["lines"] if name.partition("@")[0] in LISTED]
        slots = inside(chance.choice(fields))
        for _ in range(chance.choice((1, 1, 2)) if slots else 0):
            held, at = chance.choice(slots)
            is_counted = type(held[at]) is int and chance.random() < 0.4
            held[at] = held[at] + chance.choice((-1, 1)) if is_counted else chance.choice(INSIDE)
        if reader is None:
            head, made = rechained(first, [canonical(each) + b"\n" for each in said])
            path.write_bytes(head + b"".join(made))
        else:
            path.write_bytes(shown_again(first, said))
        same(javascript, path, plain=False)


LISTED = (ROLLED, CLOSED, COUNTED, "FreshDiceGranted")
