"""Loader and renderer of the templates, each in the folder of the room that shows it, and filters for their values."""

import re
import secrets
from collections.abc import Callable, Collection, Hashable, Iterator, MutableMapping
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any
from unicodedata import category

from jinja2 import Environment, FileSystemLoader, PrefixLoader, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from rollbook.adapters.presentation.plain_text import printable
from rollbook.application.after_commit import faults_so_far
from rollbook.application.lines.line_commands import PROMPT_COMMANDS
from rollbook.domain.actions import SHARED
from rollbook.domain.base.lines_in_words import Piece, SaidLine, SaidOption, pieces_of
from rollbook.domain.base.seat_words import OF_CHANCE, by_name
from rollbook.projections.roll_lines import LABEL

FIELDS = {"dice": "Real dice", "secret": "Seen by", "seat": "Done by", "acting-seat": "Done by", "as": "Name here"}
"""Options of every verb, and the labels of their fields."""
COMMANDS = {"reroll": "Second thoughts", "take-over": "Another game", "restore": "Restore, at the command line"}
"""Commands that have another name on pages."""


EVERYWHERE = frozenset(
    {*(action.verb for action in SHARED), *PROMPT_COMMANDS, "adopt", "import", "new", "restore", "store"}
)
"""Words that a line may begin with in every game."""


def worded(text: object, verbs: Collection[str] = ()) -> str:
    """A sentence of ours in the words of pages. ``verbs`` are those of the campaign's game, besides the shared ones."""
    sentence = str(text)
    if "--" not in sentence and "rollbook " not in sentence and ": " not in sentence:
        return sentence
    return "".join(map(_said, pieces_of(sentence, EVERYWHERE.union(verbs))))


def _said(piece: Piece) -> str:
    if isinstance(piece, SaidOption):
        return f"“{FIELDS.get(piece.name, _label(piece.name))}”"
    return "".join(_line(piece)) if isinstance(piece, SaidLine) else piece


def _line(line: SaidLine) -> Iterator[str]:
    yield f"“{COMMANDS.get(line.verb, _label(line.verb))}”"
    for place, each in enumerate(line.rest):
        begins = isinstance(each, SaidOption) and not any(isinstance(one, SaidOption) for one in line.rest[:place])
        yield f"{' with ' if begins else ' '}{_said(each)}"


def _label(name: str) -> str:
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


JOINERS = "\u200c\u200d"


JOINED = ("So", "Sk", "Mn", "Mc", "Lo")
"""Unicode categories of symbols, modifiers, marks and caseless letters: between other letters a joiner is invisible."""


def shown(value: object) -> str:
    """A value as a page may show it: without invisible and direction-changing letters, and with one minus sign.

    Joiners in emoji, and in scripts that join their letters, are kept.
    """
    text = str(value)
    if text.isascii():
        return printable(text)
    joiners = {place for place, letter in enumerate(text) if letter in JOINERS and _joins(text, place)}
    if not joiners:
        return printable(text)
    pieces = re.split(f"([{JOINERS}])", text)
    places = accumulate((len(piece) for piece in pieces), initial=0)
    return "".join(
        piece if place in joiners else printable(piece) for place, piece in zip(places, pieces, strict=False)
    )


def _joins(text: str, place: int) -> bool:
    return all(
        category(beside) in JOINED for beside in (text[place - 1 : place] or " ", text[place + 1 : place + 2] or " ")
    )


_PLACES = re.compile(
    rf"""(?P<tag><[^>]*?(?:aria-label|title|data-spoken)="[^"]*{OF_CHANCE.pattern}[^>]*>)|(?P<other><[^>]*>)|(?P<seat>{OF_CHANCE.pattern})"""
)
_SAID = re.compile(r"""(?<=\s)(?:aria-label|title|data-spoken)="[^"]*\"""")


def with_people(html: str, person: Callable[[str], str]) -> str:
    """A page on which people are called by name where a sentence of the rules has the word that their seat is stored under.

    That is so in texts and in what is read aloud; addresses and values of forms keep the word.
    """
    if "seat-" not in html:
        return html

    def named(text: str) -> str:
        return by_name(text, lambda seat: str(escape(person(seat))))

    def place(found: re.Match[str]) -> str:
        if found["seat"]:
            return named(found["seat"])
        return _SAID.sub(lambda said: named(said[0]), found["tag"]) if found["tag"] else found[0]

    return _PLACES.sub(place, html)


def own(text: object, tag: str = "bdi") -> Markup:
    """A user's words, or a value, as a part of a line whose direction they do not change.

    A filter like ``icon``, not a macro: a page has a hundred of them, and a macro takes ten times as long.
    """
    return Markup(f'<{tag} dir="auto">{escape(shown(text))}</{tag}>')  # noqa: S704 - the text is escaped


def written(text: str) -> Markup:
    """The text of a roll, which runs from left to right whatever is in it; its labels are users' own words."""
    pieces = LABEL.split(text)
    said = [own(piece) if place % 2 else escape(shown(piece).replace("-", "−")) for place, piece in enumerate(pieces)]
    return Markup(f'<bdi dir="ltr">{"".join(said).strip()}</bdi>')  # noqa: S704 - its pieces are escaped


def icon(name: str) -> Markup:
    """An icon of the sprite that every page has."""
    return Markup(f'<svg class="icon" aria-hidden="true"><use href="#i-{name}"/></svg>')  # noqa: S704 - a name of ours


def signed(number: int) -> str:
    """A number with its sign."""
    return f"{number:+d}".replace("-", "−")


ROOMS = Path(__file__).parents[1]
"""The folder of the rooms; each has a folder with its templates."""


def new_command() -> str:
    """A new idempotency key for a form: sent twice, its command is done once."""
    return secrets.token_urlsafe(9)


@pass_context
def _worded(context: Context, text: object) -> str:
    """A sentence of ours in the words of pages, with the verbs of the page's campaign; a part is given them as ``said``."""
    view = context.get("view")
    return worded(text, context.get("said", ()) if view is None else view.verbs)


MOST_PARTS = 8_192
"""Most parts of pages that are kept: those that were shown last."""


class _Environment(Environment):
    """Jinja's, but for two things that a page does dozens of times: contexts go through all globals, and templates are sought."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._found: dict[str, Template] = {}

    def get_template(
        self, name: str | Template, parent: str | None = None, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        if not isinstance(name, str) or globals is not None:
            return super().get_template(name, parent, globals)
        if name not in self._found:
            self._found[name] = super().get_template(name, parent)
        return self._found[name]

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class Templates:
    """The templates of all rooms. An undefined name is an error, and all text is escaped.

    ``table/page.html`` is the file ``page.html`` in the folder ``templates`` of the room ``table``.
    """

    def __init__(self, static: Callable[[str], str]) -> None:
        """``static`` gives the address of a style sheet or a script by its name."""
        self.environment = _Environment(
            loader=PrefixLoader({folder.parent.name: FileSystemLoader(folder) for folder in ROOMS.glob("*/templates")}),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.environment.globals.update(static=static, new_command=new_command, warnings=faults_so_far)
        self.environment.globals["part"] = self.part
        self._part = lru_cache(MOST_PARTS)(self._made_part)
        self.environment.filters.update(shown=shown, signed=signed, worded=_worded, own=own, written=written, icon=icon)

    def render(self, template: str, **values: object) -> str:
        """The text of a template with these values."""
        return self.environment.get_template(template).render(values)

    def part(self, template: str, **values: Hashable) -> Markup:
        """A part of a page that depends on these values alone: it is made again only if one of them is another."""
        return self._part(template, tuple(values.items()))

    def _made_part(self, template: str, values: tuple[tuple[str, Hashable], ...]) -> Markup:
        # A template of ours made it; users' words in it were escaped there.
        return Markup(self.render(template, **dict(values)))  # noqa: S704
