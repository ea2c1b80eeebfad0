"""The pictures of a campaign as a chronicle has them: drawings, what each shows, and its numbers as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from rollbook.adapters.exports.texts import clean
from rollbook.adapters.local_files.own_files import begins_with, check_target, make_folder, said_of, write_file
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.projections.chronicle.model import Figure, Table
from rollbook.projections.pictures import STYLE, Picture, pictures_of, svg, written
from rollbook.projections.pictures.picture import Wanted

_END_OF_GROUND = "/* ---------------------------------------------------------------- head of the page */"
_END_OF_DAY = "@media (prefers-color-scheme: dark)"


@cache
def ground() -> str:
    """The tokens and the ground of the style sheet that all pages share, without comments."""
    whole = files("rollbook.adapters.exports").joinpath("pages/style.css").read_text(encoding="utf-8")
    return smaller(whole.partition(_END_OF_GROUND)[0])


@cache
def colours() -> Mapping[str, str]:
    """The colours by day, by their names."""
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,8});", ground().partition(_END_OF_DAY)[0]))


def smaller(css: str) -> str:
    """A style sheet without comments and indentation."""
    return re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)).strip()


def figures_of(history: History, rulebook: Rulebook, wanted: Wanted) -> Iterator[Figure]:
    """The figures of which there is anything to show."""
    for picture in pictures_of(history, rulebook, wanted):
        yield Figure(title=picture.title, said=picture.said, svg=svg(picture), numbers=_numbers(picture))


def _numbers(picture: Picture) -> Table:
    numeric = tuple(
        bool(picture.rows) and not any(isinstance(row[at], str) for row in picture.rows)
        for at in range(len(picture.columns))
    )
    rows = tuple(tuple(clean(written(cell)) for cell in row) for row in picture.rows)
    return Table(title="", columns=picture.columns, rows=rows, numeric=numeric)


@cache
def style_by_day() -> str:
    """The style of the drawings for readers that know no variables: the colours of the style sheet by day."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours()[found[1]], STYLE)


def alone(drawing: str) -> str:
    """A drawing with a style sheet of its own."""
    return drawing.replace(">", f"><style>{style_by_day()}</style>", 1)


OUTCOME = "nothing was drawn"
IS_DRAWING = begins_with(b'<svg xmlns="http://www.w3.org/2000/svg" class="pic"')


def write_drawings(pictures: Iterable[Picture], folder: Path, *, overwrite: bool) -> list[Path]:
    """Write each picture into a folder, under its key; with ``overwrite`` in the place of earlier ones.

    Raises RollbookError if one of the names is taken, before anything is written, or if one cannot be written.
    """
    files = {folder / f"{picture.key}.svg": picture for picture in pictures}
    is_ours = IS_DRAWING if overwrite else None
    with said_of(folder, OUTCOME):
        make_folder(folder)
    for path in files:
        check_target(path, OUTCOME, is_ours=is_ours)
    for path, picture in files.items():
        try:
            with said_of(path, "it was not drawn"):
                write_file(path, [svg(picture, alone=True).encode()], is_ours=is_ours)
        except FileExistsError:
            raise RollbookError(f"{path} was made by another program meanwhile. Choose another folder.") from None
    return list(files)
