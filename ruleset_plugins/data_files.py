"""The tables of a game: data files beside the rules, read once; a bad one is refused by file, row and field."""

from __future__ import annotations

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
    """The rows of ``data/FILE`` beside a ruleset's modules; ``package`` is ``__package__``, as the ruleset calls it.

    Raises RulesetBroken with the file, the row and the field that is wrong.
    """
    text = resources.files(package).joinpath("data", file).read_text(encoding="utf-8")
    return structured(file, text, row)


def structured(file: str, text: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows in the text of a data file, each as a ``row``; see ``load``."""
    try:
        raw = json.loads(text)
    except ValueError as fault:
        raise RulesetBroken(f"{file} is not JSON: {fault}.") from None
    if not isinstance(raw, list):
        raise RulesetBroken(f"{file} is not a list of rows.")
    rows = tuple(_row(f"{file}, row {number}", entry, row) for number, entry in enumerate(raw, 1))
    keys = [key for each in rows if (key := getattr(each, "key", None)) is not None]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise RulesetBroken(f"{file} has the key {', '.join(sorted(twice))} more than once.")
    return rows


def _row(place: str, entry: object, row: type[_Row]) -> _Row:
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
