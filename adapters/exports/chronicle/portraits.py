"""The pictures of a chronicle: those of a folder, by the name of what they show, and those that the campaign has shown.

The first bytes of a file decide its format, whatever its name. A file that a page cannot show, or that is too large, is
left out with a remark.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import attrs

from rollbook.adapters.local_files.own_files import NO_LINKS, named
from rollbook.adapters.pictures.decoding import as_png
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.number_words import counted
from rollbook.domain.state.lookup import slug

LARGEST = 4_000_000
"""Bytes that one picture may have."""
ALL_OF_THEM = 60_000_000
"""Bytes that all of them may have together."""
MOST = 500
"""Most pictures in a folder; with more, nothing is exported."""
ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


_DIGEST = re.compile("[0-9a-f]{64}")


@attrs.frozen
class Image:
    """A picture as it is embedded: ``kind`` is png, jpeg or webp."""

    kind: str
    data: bytes

    @property
    def media_type(self) -> str:
        """``image/png``."""
        return f"image/{self.kind}"

    @cached_property
    def address(self) -> str:
        """The picture as a data URL."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode()}"


def _none_shown(_: str) -> Image | None:
    return None


@attrs.frozen
class Portraits:
    """The pictures by the name of what they show, and ``remarks`` about files that were left out.

    ``faces`` are the digests of the campaign's portraits, by character. ``shown`` finds one of its pictures by its digest.
    """

    images: Mapping[str, Image] = attrs.field(factory=dict)
    remarks: tuple[str, ...] = ()
    faces: Mapping[CharacterId, str] = attrs.field(factory=dict)
    shown: Callable[[str], Image | None] = _none_shown

    def of(self, *names: str) -> tuple[str, Image] | None:
        """The picture of something by one of its ids or names, or by its digest, with the key that it is known by.

        One of the folder goes before the campaign's own.
        """
        keys = (slug(name) for name in names)
        key = next((key for key in keys if key in self.images), None)
        if key is not None:
            return key, self.images[key]
        digest = self.faces.get(names[0], names[0])
        image = self.shown(digest) if _DIGEST.fullmatch(digest) else None
        return None if image is None else (digest, image)

    def for_books(self) -> Portraits:
        """The pictures that every reader of EPUB shows; before EPUB 3.3 none had to know WebP."""
        shown = {key: image for key, image in self.images.items() if image.kind != "webp"}
        said = (
            f"The picture of {key} was left out: not every reader of EPUB shows WebP. Save it as PNG or JPEG."
            for key in self.images
            if key not in shown
        )
        return attrs.evolve(self, images=shown, remarks=(*self.remarks, *said), shown=self._shown_as_png)

    def _shown_as_png(self, digest: str) -> Image | None:
        """A picture of the campaign; a WebP is encoded as PNG, or left out where that cannot be done."""
        image = self.shown(digest)
        if image is None or image.kind != "webp":
            return image
        made = as_png(image.data)
        return None if made is None else Image("png", made)


def kind_of(data: bytes) -> str:
    """The format of a picture by its first bytes; "" for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return ""


def portraits_in(folder: Path | None) -> Portraits:
    """The pictures of a folder. Raises RollbookError if there is no such folder, or too much in it."""
    if folder is None:
        return Portraits()
    found, remarks, whole = dict[str, Image](), list[str](), 0
    for path in _files(folder):
        image, why = _read(path)
        if image is None:
            remarks.append(f"{named(path)} was left out: {why}.")
            continue
        whole += len(image.data)
        if whole > ALL_OF_THEM:
            raise RollbookError(
                f"The pictures in {named(folder)} have more than {ALL_OF_THEM // 1_000_000} MB together; "
                "nothing was exported. Make them smaller."
            )
        found.setdefault(slug(path.stem), image)
    return Portraits(found, tuple(remarks))


def _files(folder: Path) -> Iterator[Path]:
    try:
        names = sorted(path for path in folder.iterdir() if path.suffix.casefold() in ENDINGS)
    except OSError as error:
        raise RollbookError(
            f"{named(folder)} is not a folder that can be read: {error.strerror}; nothing was exported."
        ) from None
    if len(names) > MOST:
        raise RollbookError(f"{named(folder)} holds {counted(len(names), 'picture')}; at most {MOST} are taken.")
    return iter(names)


def _read(path: Path) -> tuple[Image | None, str]:
    """Read a picture; None, and the reason, if it is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_LINKS | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None, "it is not an ordinary file"
            data = file.read(LARGEST + 1)
    except OSError as error:
        return None, f"it cannot be read ({error.strerror})"
    if len(data) > LARGEST:
        return None, f"it is larger than {LARGEST // 1_000_000} MB"
    kind = kind_of(data)
    return (Image(kind, data), "") if kind else (None, "it is no PNG, JPEG or WebP picture")
