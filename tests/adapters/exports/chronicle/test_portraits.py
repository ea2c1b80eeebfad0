"""Pictures of a folder are embedded by the name of what they show; what is no picture is left out, and said."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from rollbook.adapters.exports.chronicle.portraits import LARGEST, portraits_in
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from tests.support.chronicles import files_of, png, text_of, written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "robin-hood.png").write_bytes(png())
    (pictures / "The road through Sherwood.jpg").write_bytes(png(16, 4))
    (pictures / "cover.png").write_bytes(png(4, 4))
    (pictures / "marian.png").write_bytes(b"<svg onload='alert(1)'/>")
    (pictures / "readme.txt").write_bytes(b"no picture, and not called one")
    return pictures


@pytest.mark.parametrize("form", ["html", "epub", "pdf"])
def test_they_are_in_every_format(form: str, sherwood: Campaign, folder: Path, tmp_path: Path) -> None:
    with_pictures = written(sherwood, form, tmp_path, pictures=folder)
    if form == "html":
        text = text_of(with_pictures)
        assert text.count("data:image/png;base64,") == 3
        assert 'alt="Robin Hood"' in text and base64.b64encode(png()).decode() in text
    elif form == "epub":
        files = files_of(with_pictures)
        assert sorted(data for name, data in files.items() if "images/" in name) == sorted(
            [png(), png(16, 4), png(4, 4)]
        )
        assert b'properties="cover-image"' in files["EPUB/package.opf"]
    else:
        assert with_pictures.read_bytes().count(b"/Subtype/Image") == 3


def test_what_is_no_picture_is_left_out_and_said(folder: Path) -> None:
    found = portraits_in(folder)
    assert set(found.images) == {"robin-hood", "the-road-through-sherwood", "cover"}
    assert [remark.rpartition("/")[2] for remark in found.remarks] == [
        "marian.png was left out: it is no PNG, JPEG or WebP picture."
    ]


def test_a_picture_that_not_every_reader_shows_is_left_out_of_a_book_and_said(folder: Path) -> None:
    (folder / "guard.webp").write_bytes(b"RIFF\x00\x00\x00\x00WEBPVP8 ")
    whole = portraits_in(folder)
    assert "guard" in whole.images and "guard" not in whole.for_books().images
    assert "The picture of guard was left out" in whole.for_books().remarks[-1]


def test_a_picture_that_cannot_be_read_is_named_when_a_pdf_is_set(
    sherwood: Campaign, folder: Path, tmp_path: Path
) -> None:
    (folder / "cover.png").write_bytes(png()[:20])
    with pytest.raises(RollbookError, match="typst cannot set this chronicle .*; nothing was exported"):
        written(sherwood, "pdf", tmp_path, pictures=folder)
    assert not (tmp_path / "chronicle.pdf").exists()


def test_one_that_is_too_large_or_a_link_is_left_out(folder: Path) -> None:
    (folder / "guard.png").write_bytes(png() + bytes(LARGEST))
    (folder / "jo.png").symlink_to(folder / "cover.png")
    found = portraits_in(folder)
    assert not {"guard", "jo"} & set(found.images)
    assert "larger than 4 MB" in " ".join(found.remarks) and len(found.remarks) == 3


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RollbookError, match="nowhere is not a folder that can be read"):
        portraits_in(tmp_path / "nowhere")
