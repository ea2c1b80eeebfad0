"""What was shown in a campaign is in its chronicle, for those who may see it; what was removed leaves its mark."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from rollbook.adapters.pictures.decoding import decoded
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.pictures import Picture, keeping
from rollbook.application.redaction import redact
from tests.support.campaigns import begin_campaign, file_book
from tests.support.chronicles import check_book, files_of, needs_epubcheck, printed, text_of, written
from tests.support.formats import exported
from tests.support.picture_files import picture, picture_file

MILL, LETTER, PIT, FACE = (
    picture("green"),
    picture("white"),
    picture("black"),
    decoded(picture_file("WEBP", colour="red")),
)
REMOVED = "(the picture was removed)"


def shown(book: Book, campaign: Campaign, what: Picture, verb: str, **params: str) -> int:
    with keeping(book.store, campaign.id, what):
        campaign.do(verb, {**params, **what.parameters})
    return campaign.head.actions


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Campaign]:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    shown(book, campaign, FACE, "portrait", who="robin")
    shown(book, campaign, MILL, "handout", title="The mill", alt="a mill & its pond")
    shown(book, campaign, LETTER, "handout", title="A letter <for you>", to="mira")
    shown(book, campaign, PIT, "lay-map", across="8", alt="a pit")
    yield campaign
    book.close()


def embedded(path: Path) -> set[bytes]:
    """The pictures in a page or a book."""
    if path.suffix == ".html":
        return {base64.b64decode(each) for each in re.findall(r"data:image/\w+;base64,([\w+/=]+)", path.read_text())}
    return {data for name, data in files_of(path).items() if name.startswith("EPUB/images/")}


@pytest.mark.parametrize(("seat", "sees"), [(None, True), ("mira", True), ("", False)])
@pytest.mark.parametrize("form", ["html", "epub"])
def test_a_reader_has_the_pictures_that_they_may_see(
    form: str, seat: str | None, sees: bool, played: Campaign, tmp_path: Path
) -> None:
    path = written(played, form, tmp_path, seat=seat)
    found, text = embedded(path), text_of(path)
    assert {MILL.data, PIT.data} <= found
    assert (LETTER.data in found) == sees == ('alt="A letter &lt;for you&gt;"' in text)
    assert 'alt="a mill &amp; its pond"' in text and 'alt="a pit"' in text
    assert len(found) == 3 + sees
    if form == "html":
        assert FACE.data in found
    else:
        (face,) = found - {MILL.data, PIT.data, LETTER.data}
        with Image.open(io.BytesIO(face)) as image:
            assert (image.format, image.size) == ("PNG", (8, 5))


def test_a_pdf_has_them_too(played: Campaign, tmp_path: Path) -> None:
    for seat, many in ((None, 4), ("", 3)):
        path = written(played, "pdf", tmp_path, seat=seat, overwrite=True)
        assert path.read_bytes().count(b"/Subtype/Image") == many
        assert b"/Alt(a pit)" in path.read_bytes() or "a pit" in "".join(printed(path))


@pytest.mark.parametrize("form", ["html", "epub", "pdf"])
def test_a_removed_picture_leaves_its_mark(form: str, played: Campaign, tmp_path: Path) -> None:
    book = file_book(tmp_path)
    number = played.head.actions
    redact(book, book.campaign(played.id), number, why="a slip")
    path = written(book.campaign(played.id), form, tmp_path)
    assert REMOVED in " ".join(text_of(path).split())
    if form != "pdf":
        assert PIT.data not in embedded(path)
        assert "a pit" not in text_of(path)
    book.close()


@pytest.mark.parametrize("form", ["html", "epub"])
def test_with_other_names_for_people_there_are_no_faces_and_words_in_the_place_of_pictures(
    form: str, played: Campaign, tmp_path: Path
) -> None:
    path = written(played, form, tmp_path, pseudonyms=True)
    assert embedded(path) == set()
    assert "(a picture: a pit)" in text_of(path)


@pytest.mark.parametrize(("seat", "sees"), [(None, True), ("", False)])
def test_a_vault_has_them_as_files(played: Campaign, tmp_path: Path, seat: str | None, sees: bool) -> None:
    folder = tmp_path / "vault"
    exported(played, "markdown", folder, seat)
    files = {path.name: path.read_bytes() for path in (folder / "Pictures").iterdir() if path.suffix != ".svg"}
    assert files["Robin.webp"] == FACE.data
    assert files["a pit.png"] == PIT.data
    assert (LETTER.data in files.values()) == sees
    told = "\n".join(path.read_text() for path in folder.rglob("*.md"))
    assert told.count("![[a pit.png]]") == told.count("![[Robin.webp]]") == 1


def test_a_vault_of_a_removed_picture_says_so(played: Campaign, tmp_path: Path) -> None:
    book = file_book(tmp_path)
    redact(book, book.campaign(played.id), played.head.actions, why="a slip")
    exported(book.campaign(played.id), "markdown", tmp_path / "vault", None)
    told = "\n".join(path.read_text() for path in (tmp_path / "vault").rglob("*.md"))
    assert REMOVED in told
    book.close()


@needs_epubcheck
def test_epubcheck_finds_nothing_wrong_with_them(played: Campaign, tmp_path: Path) -> None:
    check_book(written(played, "epub", tmp_path, seat=None))
