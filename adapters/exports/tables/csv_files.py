"""CSV for spreadsheets: the log, rolls, experience and sheets, in a folder or a zip file.

Excel and LibreOffice read it as it is: UTF-8 with a mark at its beginning, commas, lines that end as on Windows. Text that a
spreadsheet would take for a formula has an apostrophe before it, as OWASP advises; a number stays a number.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.adapters.exports.files import check_free, in_words, write
from rollbook.adapters.exports.tables.contents import LOG, ROLLS, SHEETS, XP, Cell, Contents, Table
from rollbook.adapters.local_files.own_files import begins_with, make_folder
from rollbook.adapters.presentation.plain_text import as_written
from rollbook.domain.base.errors import RollbookError

TABLES = (LOG, ROLLS, XP, SHEETS)
ABOUT = "README.txt"
BOM = "\ufeff"
ZIP = ".zip"

_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


def write_csv(request: ExportRequest) -> Exported:
    """Write a file for each table, into a folder, or into one zip file if the target is called so."""
    if request.target.suffix.casefold() == ".csv":
        raise RollbookError("A campaign is several tables: name a folder for them, or a file that ends in .zip.")
    contents = Contents(request)
    files = {ABOUT: about(*request.notices).encode()} | {
        f"{table.name}.csv": _file(table, contents) for table in TABLES
    }
    if request.target.suffix.casefold() == ZIP:
        begins = {_zipped({ABOUT: text}, is_whole=False) for text in (files[ABOUT], about().encode())}
        request.write([_zipped(files)], marks=tuple(begins))
    else:
        _write_folder(request.target, files, overwrite=request.overwrite)
    return Exported(path=request.target, entries=len(contents.lines))


def _write_folder(folder: Path, files: Mapping[str, bytes], *, overwrite: bool) -> None:
    """Write all files into a folder, or none that was not there before."""
    ours = {name: begins_with(content[: content.find(b"\n") + 1]) for name, content in files.items()}
    for name, is_ours in ours.items():
        check_free(folder / name, is_ours, overwrite=overwrite)
    with in_words(folder):
        make_folder(folder)
    made: list[Path] = []
    try:
        for name, content in files.items():
            is_new = not (folder / name).exists()
            write(folder / name, [content], ours[name], overwrite=overwrite)
            made += [folder / name] if is_new else []
    except BaseException:
        for path in made:
            path.unlink()
        raise


def _file(table: Table, contents: Contents) -> bytes:
    text = StringIO(newline="")
    text.write(BOM)
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow([column.name for column in table.columns])
    lines.writerows([safe(cell) for cell in row] for row in table.rows(contents))
    return text.getvalue().encode()


def safe(cell: Cell) -> Cell:
    """A cell that is safe in a spreadsheet: no formula, nothing invisible. Numbers are left as they are."""
    if not isinstance(cell, str):
        return cell
    text = as_written(cell)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def about(*notices: str) -> str:
    """The README on what each file holds: the same for every campaign of a game, with its notices."""
    lines = ["A rollbook campaign as tables. Each file is CSV: UTF-8, with commas."]
    for table in TABLES:
        lines += ["", f"{table.name}.csv: {table.words}"]
        lines += [f"  {column.name}: {column.words}" for column in table.columns]
    return "\n".join(
        (*lines, "", "A cell that a spreadsheet would take for a formula has an apostrophe before it.", "", *notices)
    )


def _zipped(files: Mapping[str, bytes], *, is_whole: bool = True) -> bytes:
    """A zip of the files, the same each time; not ``is_whole``: up to the end of its first file."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            info = ZipInfo(name)
            info.external_attr = 0o600 << 16
            archive.writestr(info, content, ZIP_STORED if name == ABOUT else ZIP_DEFLATED)
        end = archive.fp.tell() if archive.fp and not is_whole else None
    return packed.getvalue()[:end]
