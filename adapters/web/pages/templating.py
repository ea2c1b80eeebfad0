"""Loads and renders the templates, which lie in the folder of the room that shows them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, PrefixLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from rollbook.adapters.web.pages.markup import icon, own, shown, signed, written
from rollbook.adapters.web.wording import worded
from rollbook.application.after_commit import faults_so_far

ROOMS = Path(__file__).parents[1]
"""The folder of the rooms; the templates of each are in a folder of it."""


def new_command() -> str:
    """An id for a command that a form will send: sent twice, it happens once."""
    return secrets.token_urlsafe(9)


@pass_context
def _worded(context: Context, text: object) -> str:
    """A sentence of ours in the words of the page, with the verbs of the campaign that it is about."""
    view = context.get("view")
    return worded(text, () if view is None else view.verbs)


class Templates:
    """The templates of all rooms. What a template does not know is an error, and all text is escaped.

    ``table/page.html`` is the file ``page.html`` in the folder ``templates`` of the room ``table``.
    """

    def __init__(self, static: Callable[[str], str]) -> None:
        """``static`` gives the address of a style sheet or a script by its name."""
        self.environment = Environment(
            loader=PrefixLoader({folder.parent.name: FileSystemLoader(folder) for folder in ROOMS.glob("*/templates")}),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.environment.globals.update(
            static=static, new_command=new_command, own=own, written=written, icon=icon, warnings=faults_so_far
        )
        self.environment.filters.update(shown=shown, signed=signed, worded=_worded)

    def render(self, template: str, **values: object) -> str:
        """The text of a template with these values."""
        return self.environment.get_template(template).render(values)
