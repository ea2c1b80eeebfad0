"""A table out of the class of its rows."""

from __future__ import annotations

from typing import Any

import attrs


def columns(row: type[Any]) -> dict[str, Any]:
    """The columns of a table whose rows are instances of this attrs class of integers and strings."""
    attrs.resolve_types(row)
    return {field.name: field.type for field in attrs.fields(row)}
