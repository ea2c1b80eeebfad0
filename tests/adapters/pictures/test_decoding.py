"""Of a picture from outside only its pixels are kept, and nothing that is none, or too large, is kept at all."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from rollbook.adapters.pictures.decoding import MOST_BYTES, decoded, picture_in
from rollbook.domain.base.errors import NotFound, Refused
from tests.support.picture_files import SECRET, bomb, picture_file, with_metadata

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(("kind", "media"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")])
def test_a_picture_is_encoded_again_without_what_else_was_in_its_file(kind: str, media: str) -> None:
    data = with_metadata(kind)
    assert SECRET in data
    made = decoded(data)
    assert (made.media, made.width, made.height) == (media, 8, 5)
    assert SECRET not in made.data
    with Image.open(io.BytesIO(made.data)) as again:
        assert (again.format, again.size, dict(again.getexif())) == (kind, (8, 5), {})


def test_a_picture_that_lies_on_its_side_is_turned_before_its_metadata_goes() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = decoded(picture_file("JPEG", exif=exif))
    assert (made.width, made.height) == (5, 8)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_only_the_first_frame_is_kept(kind: str) -> None:
    later = [Image.new("RGB", (8, 5), "blue")]
    made = decoded(picture_file(kind, save_all=True, append_images=later))
    with Image.open(io.BytesIO(made.data)) as again:
        assert getattr(again, "n_frames", 1) == 1
        assert again.convert("RGB").getpixel((0, 0))[0] > 200  # type: ignore[index] # three bands


def test_what_is_clear_stays_clear() -> None:
    written = io.BytesIO()
    Image.new("RGBA", (2, 2), (0, 0, 0, 0)).save(written, format="PNG")
    with Image.open(io.BytesIO(decoded(written.getvalue()).data)) as again:
        assert again.getpixel((0, 0)) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no picture"),
        (SVG, "no picture"),
        (b"\x89PNG\r\n\x1a\n" + SVG, "no picture|damaged"),
        (picture_file("GIF"), "no picture"),
        (picture_file("BMP"), "no picture"),
        (picture_file("TIFF"), "no picture"),
        (picture_file("PNG")[:45], "damaged|no picture"),
        (bomb(5_000, 5_000), "too many"),
        (bomb(9_000, 10), "too many"),
        (bomb(100_000, 100_000), "too many"),
        (bytes(MOST_BYTES + 1), "larger than 2 MB"),
    ],
    ids=range(11),
)
def test_what_is_no_picture_or_too_large_is_refused_in_a_sentence(data: bytes, why: str) -> None:
    with pytest.raises(Refused, match=why):
        decoded(data)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"mira\.png"):
        picture_in(tmp_path / "mira.png")
    (tmp_path / "mira.png").write_bytes(picture_file())
    assert picture_in(tmp_path / "mira.png").media == "image/png"
