"""A chronicle holds what its reader may see and what was asked for: nothing hidden, nobody's name, no other session."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from rollbook.adapters.exports.chronicle import export_pdf
from rollbook.adapters.presentation.installing import install
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.progress import telling
from rollbook.domain.entries import RecordedEntry
from tests.support.chronicles import UNIQUE, WRITERS, requested, text_of, written
from tests.support.secret_tables import SECRETS, Step, do, played, two_tables

FORMS = pytest.mark.parametrize("form", sorted(WRITERS))
TABLE = [
    do("note", text="zyxel plugh", to="gm"),
    do("join", name="Black Douglas", id="black-douglas", kind="npc", secret=True),
    do("roll", expression="1d20", secret=True),
    do("note", text="the duke did it", to="tom"),
    do("attack", attacker="robin", target="guard", seat="mira"),
    do("scene", title="the road"),
    do("note", text="everybody hears it"),
    do("award", who=("party",), amount=70),
]


def hidden_words(text: str) -> list[str]:
    return [word for word in SECRETS if re.search(rf"\b{word}\b", text, re.IGNORECASE)]


@FORMS
def test_the_tables_chronicle_holds_nothing_hidden_and_the_gms_all_of_it(form: str, tmp_path: Path) -> None:
    campaign = played(TABLE, str(tmp_path))
    assert hidden_words(text_of(written(campaign, form, tmp_path, seat=None))) != []
    assert hidden_words(text_of(written(campaign, form, tmp_path, overwrite=True))) == []
    assert "everybody hears it" in text_of(tmp_path / f"chronicle.{form}")
    assert hidden_words(text_of(written(campaign, form, tmp_path, seat="tom", overwrite=True))) == ["duke"]


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(tables=two_tables())
def test_two_campaigns_that_differ_only_in_secrets_give_the_same_chronicle(
    tables: tuple[list[Step], list[Step]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = []
    for steps in tables:
        folder = tmp_path_factory.mktemp("table")
        text = text_of(written(played(steps, str(folder)), "html", folder))
        found.append(UNIQUE.sub("…", text))
        assert hidden_words(text) == []
    assert found[0] == found[1]


@FORMS
def test_with_pseudonyms_no_name_of_a_seat_is_left(form: str, sherwood: Campaign, tmp_path: Path) -> None:
    text = text_of(written(sherwood, form, tmp_path, seat=None, pseudonyms=True))
    assert not re.search(r"\b(?:Ana|Mira|Jo|Lee)\b", text, re.IGNORECASE)
    assert "Seat 1" in text and "out of reach" in text
    assert "Receipt of the campaign" not in text, "names could be guessed by it"
    assert re.search(r"\bMira\b", text_of(written(sherwood, form, tmp_path, overwrite=True)))


@FORMS
def test_one_session_is_all_there_is(form: str, tmp_path: Path) -> None:
    steps = [do("scene", title="first scene"), do("award", who=("party",), amount=70), do("close-session")]
    steps += [
        do("open-session", title="second"),
        do("scene", title="second scene"),
        do("award", who=("party",), amount=5),
    ]
    campaign = played(steps, str(tmp_path))
    opened = next(entry.number for entry in campaign.history.entries if entry.intent.params.get("title") == "second")

    def in_second(entry: RecordedEntry) -> bool:
        return entry.seat == "Ana" and entry.number >= opened - 1

    text = text_of(written(campaign, form, tmp_path, wanted=in_second, seat=None))
    assert "second scene" in text and "first scene" not in text
    if form != "pdf":
        awards = text.partition('id="experience"')[2].partition("</section>")[0]
        assert ">5<" in awards and ">70<" not in awards


@FORMS
def test_nothing_that_is_typed_becomes_markup(form: str, hostile_campaign: Campaign, tmp_path: Path) -> None:
    path = written(hostile_campaign, form, tmp_path, seat=None)
    if form == "pdf":
        assert path.read_bytes().startswith(b"%PDF-")
        return
    text = text_of(path)
    assert "<script" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert zipfile.is_zipfile(path) == (form == "epub")


def test_without_typst_one_sentence_says_what_to_install(
    sherwood: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollbook.adapters.exports.chronicle.pdf.find_spec", lambda name: None)
    said = re.escape(f"not installed; nothing was exported. Install it: {install('pdf')}.")
    with pytest.raises(RollbookError, match=said):
        export_pdf(requested(sherwood, "pdf", tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_long_work_says_how_far_it_is(tmp_path: Path) -> None:
    campaign = played([do("note", text=f"line {number}") for number in range(150)], str(tmp_path))
    said: list[tuple[int, int]] = []
    campaign.session.history.load()
    with telling(lambda done, whole: said.append((done, whole))):
        written(campaign, "html", tmp_path, seat=None)
    assert [done for done, _ in said[-2:]] == [64, 128]
    assert all(whole == campaign.history.actions for _, whole in said)
