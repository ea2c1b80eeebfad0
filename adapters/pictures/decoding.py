"""Decoding of pictures by Pillow, within bounds, and encoding them again without what else was in the file.

Nothing of a file is kept but its pixels: no metadata (a camera's place and owner), no second frame, no bytes after the
picture. So what is served is always a picture of the type that it says.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollbook.adapters.presentation.installing import install
from rollbook.application.pictures import Picture
from rollbook.domain.base.errors import NotFound, Refused, RollbookError, note_failure

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 2 * 1024 * 1024
"""Most bytes of a picture, as it comes and as it is kept."""
MOST_PIXELS = 16_000_000
"""Most pixels: a picture of few bytes may unpack to billions."""
LONGEST_SIDE = 8_000
FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
"""The formats that are read, and their media types. Pillow looks for no other: SVG and the rest are never decoded."""
WAYS: dict[str, tuple[dict[str, Any], ...]] = {
    "PNG": ({"optimize": True},),
    "JPEG": ({"quality": 90}, {"quality": 75}),
    "WEBP": ({"quality": 90}, {"quality": 75}),
}
"""The ways to encode a format again, the best first; the next is taken if a picture is too large."""
KINDS = "A picture is a PNG, a JPEG or a WebP of up to 2 MB."


def picture_in(path: Path) -> Picture:
    """The picture in a file. Raises NotFound, and what ``decoded`` raises."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1) if path.is_file() else b""
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as fault:
        raise RollbookError(f"{path} cannot be read ({fault.strerror}).") from None
    return decoded(data)


def decoded(data: bytes) -> Picture:
    """A picture from the bytes of a file, encoded again. Raises Refused for what is none, or is too large.

    Raises RollbookError if Pillow is not installed.
    """
    if len(data) > MOST_BYTES:
        raise Refused(f"That file is larger than 2 MB. {KINDS}")
    try:
        from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise RollbookError(f"Pictures need one more package: {install('pictures')}") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=tuple(FORMATS)) as image:
                return _encoded(image)
    except Refused:
        raise
    except UnidentifiedImageError:
        raise Refused(f"That file is no picture that can be shown here. {KINDS}") from None
    except Image.DecompressionBombError:
        raise Refused(f"That picture has far too many pixels. {KINDS}") from None
    except Exception as fault:  # noqa: BLE001 - a hostile file may end in any error of the decoder
        note_failure("pictures", "a file cannot be decoded", fault)
        raise Refused(f"That picture is damaged. {KINDS}") from None


def _encoded(image: Image) -> Picture:
    """The first frame of an image that is not decoded yet, encoded in its own format."""
    kind, (width, height) = str(image.format), image.size
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise Refused(
            f"That picture has {width} by {height} pixels, which are too many: it may have {MOST_PIXELS // 1_000_000} million, "
            f"and {LONGEST_SIDE:,} on a side."
        )
    bare = _pixels(image, has_alpha=kind != "JPEG")
    for how in WAYS[kind]:
        written = io.BytesIO()
        bare.save(written, format=kind, **how)
        if written.tell() <= MOST_BYTES:
            return Picture(written.getvalue(), FORMATS[kind], *bare.size)
    raise Refused(f"Encoded again, that picture is larger than 2 MB: make it smaller. {KINDS}")


def _pixels(image: Image, *, has_alpha: bool) -> Image:
    """The pixels of the first frame, upright, and nothing else."""
    from PIL import ImageOps  # noqa: PLC0415 - an extra, and slow to import

    image.seek(0)
    image.load()
    upright = ImageOps.exif_transpose(image)
    is_clear = has_alpha and ("A" in upright.getbands() or "transparency" in upright.info)
    bare = upright.convert("RGBA" if is_clear else "RGB")
    bare.info.clear()
    return bare


def as_png(data: bytes) -> bytes | None:
    """A picture of the campaign as PNG; None if it cannot be decoded, or Pillow is not installed."""
    try:
        from PIL import Image  # noqa: PLC0415 - an extra, and slow to import

        written = io.BytesIO()
        with Image.open(io.BytesIO(data), formats=tuple(FORMATS)) as image:
            image.save(written, format="PNG", optimize=True)
    except Exception as fault:  # noqa: BLE001 - a hostile file may end in any error of the decoder
        note_failure("pictures", "a picture cannot be encoded as PNG", fault)
        return None
    return written.getvalue()
