"""Style sheets and scripts, each under the digest of its bytes, so that browsers cache it, and compressed once."""

import gzip
import mimetypes
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import attrs
from starlette.responses import Response

from rollbook.adapters.exports.replay import CONTROLS, PARTS
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.projections.pictures import STYLE

FOLDER = Path(__file__).parents[1] / "static"
EXPORTS = Path(__file__).parents[2] / "exports"
SHARED = ("digests.js", *(f"pages/{name}" for name in ("style.css", "replay.css", *PARTS, CONTROLS)))
"""Files of exported pages, which the web's own pages use as they are."""
MADE = {"pictures.css": STYLE}
"""Files that are generated, by name."""
LASTING = "public, max-age=31536000, immutable"
LEAST = 512
"""Bytes below which compressing gains nothing."""


@attrs.frozen(slots=False)
class StaticFile:
    """One file, as it is served."""

    name: str
    data: bytes

    @cached_property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()[:16]

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.data, 9, mtime=0)

    @cached_property
    def kind(self) -> str:
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"


class StaticFiles:
    """The files of the folder, read once."""

    def __init__(self) -> None:
        paths = (path for path in sorted(FOLDER.rglob("*")) if path.is_file())
        found = [StaticFile(path.relative_to(FOLDER).as_posix(), path.read_bytes()) for path in paths]
        found += [StaticFile(Path(name).name, (EXPORTS / name).read_bytes()) for name in SHARED]
        found += [StaticFile(name, text.encode()) for name, text in MADE.items()]
        self._files = {file.name: file for file in found}

    def address(self, name: str) -> str:
        """The path under which a file is served. Raises KeyError."""
        return f"/static/{self._files[name].digest}/{name}"

    async def answer(self, context: RequestContext) -> Response:
        """Send a file; under an old digest it is the current file, and not cached."""
        asked, headers = context.request.path, context.request.http.headers
        file = self._files.get(asked["file"])
        if file is None:
            return Response("There is no such file.", 404, media_type="text/plain")
        kept = LASTING if asked["digest"] == file.digest else "no-cache"
        said = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
        if len(file.data) >= LEAST and "gzip" in headers.get("accept-encoding", ""):
            return Response(file.compressed, media_type=file.kind, headers={**said, "Content-Encoding": "gzip"})
        return Response(file.data, media_type=file.kind, headers=said)
