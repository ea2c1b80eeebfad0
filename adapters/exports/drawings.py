"""Pictures as files: an SVG each, that stands alone."""

from collections.abc import Iterable
from pathlib import Path

from rollbook.adapters.local_files.own_files import begins_with, check_target, make_folder, said_of, write_file
from rollbook.domain.base.errors import RollbookError
from rollbook.projections.pictures import Picture, svg

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
