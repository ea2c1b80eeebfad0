"""Names of files and stores as click reads them."""

from __future__ import annotations

from typing import Any

import click

from rollbook.adapters.line_commands.declared import unfit_name
from rollbook.application.ports.store_address import is_server


class FileName(click.Path):
    """The name of a file; one that the system cannot have is refused before anything is done.

    A file that is written needs not be ``readable``: whether it may be replaced is settled at the moment of writing.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name. Fails for one that is far too long, or holds what no name can, and for ``-`` where only a file will do."""
        if fault := unfit_name(value, allow_dash=self.allow_dash):
            self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


class StoreName(FileName):
    """A store: the name of a file, or the address of a server."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as it was given. Fails for a file that cannot be one."""
        return value if is_server(value) else super().convert(value, param, ctx)
