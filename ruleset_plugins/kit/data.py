"""Data files beside the rules: JSON rows read into classes; a bad one is refused by file, row and field."""

import json
from importlib import resources
from typing import Any, TypeVar

import cattrs
from cattrs.v import format_exception

from domain.errors import RulesetBroken

_Row = TypeVar("_Row")


def _exactly(wanted: type) -> Any:
    def structure(value: object, _: type) -> object:
        if type(value) is not wanted:
            raise ValueError(f"expected {wanted.__name__}, found {value!r}")
        return value

    return structure


_READER = cattrs.Converter(forbid_extra_keys=True)
for _plain in (int, str, bool):
    _READER.register_structure_hook(_plain, _exactly(_plain))


def load(package: str, file: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows of ``data/FILE`` of the nearest package at or above ``package`` that has it; ``package`` is ``__package__``.

    Raises RulesetBroken with the file, the row and the field that is wrong.
    """
    return parse(file, _text(package, file), row)


def _text(package: str, file: str) -> str:
    while package:
        found = resources.files(package).joinpath("data", file)
        if found.is_file():
            return found.read_text(encoding="utf-8")
        package = package.rpartition(".")[0]
    raise RulesetBroken(f"There is no data file {file}.")


def parse(file: str, text: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows in the text of a data file, each as a ``row``; see ``load``."""
    try:
        raw = json.loads(text)
    except ValueError as fault:
        raise RulesetBroken(f"{file} is not JSON: {fault}.") from None
    if not isinstance(raw, list):
        raise RulesetBroken(f"{file} is not a list of rows.")
    rows = tuple(structure(f"{file}, row {number}", entry, row) for number, entry in enumerate(raw, 1))
    keys = [key for each in rows if (key := getattr(each, "key", None)) is not None]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise RulesetBroken(f"{file} has the key {', '.join(sorted(twice))} more than once.")
    return rows


def structure(place: str, entry: object, row: type[_Row]) -> _Row:
    """An object of plain values as a ``row``. Raises RulesetBroken with the ``place`` and the field that is wrong."""
    if not isinstance(entry, dict):
        raise RulesetBroken(f"{place}: expected an object with the row's fields, found {entry!r}.")
    try:
        return _READER.structure(entry, row)
    except (cattrs.BaseValidationError, ValueError, TypeError) as fault:
        lines = cattrs.transform_error(fault, "$", format_exception=_said)
        said = "; ".join(line.replace(" @ $.", " in the field ").removesuffix(" in the field ") for line in lines)
        raise RulesetBroken(f"{place}: {said}.") from None


def _said(fault: BaseException, wanted: type | None) -> str:
    return str(fault) if type(fault) is ValueError else format_exception(fault, wanted)
