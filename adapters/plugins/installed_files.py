"""Files that come with rollbook and are not code: sessions to play, and pages to read."""

import site
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from rollbook.domain.base.errors import NotFound

SHARED = Path("share") / "rollbook"
HERE = Path(str(sys.modules["rollbook"].__file__)).resolve().parents[1]


def installed_file(folder: str, name: str) -> Path:
    """A file of a ``folder`` of the project, from the installation or from beside the program. Raises NotFound."""
    for place in _places(folder, name):
        if place.is_file():
            return place
    raise NotFound(f"The file {name} did not come with this installation. Install rollbook again.")


def _places(folder: str, name: str) -> Iterator[Path]:
    yield HERE / folder / name
    with suppress(PackageNotFoundError):
        known = distribution("rollbook").files or ()
        yield from (Path(str(file.locate())) for file in known if file.parts[-2:] == (folder, name))
    for root in (sys.prefix, str(HERE), site.getuserbase()):
        yield Path(root) / SHARED / folder / name
