"""Foundry's messages are HTML: their words in plain text, and the rolls that stand in the midst of them.

Nothing of the HTML is kept, so nothing of it can do anything: no tag, no address, no script.
"""

import re
from html import unescape
from urllib.parse import unquote

import attrs

from rollbook.adapters.imports.foundry.template import Template
from rollbook.adapters.imports.foundry.values import Fields, words
from rollbook.domain.base.records import Record

LONGEST = 128 * 1024
"""Characters of one message that are read; a longer one is cut."""
_BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "br",
            "dd",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figure",
            "footer",
            "form",
        ),
        *(
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "ol",
            "p",
            "pre",
            "section",
            "table",
            "td",
            "th",
        ),
        *("tr", "ul"),
    )
)
_UNSAID = frozenset(("button", "head", "iframe", "object", "script", "select", "style", "svg", "template", "textarea"))
_RAW = frozenset(("script", "style", "textarea"))
_TAG = re.compile(
    r"<(?P<ends>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]{0,60})(?P<attributes>(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+)>"
)
_ATTRIBUTE = re.compile(r"([^\s=/>\"']++)(?:\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s>]++)))?")
_TITLES = ("item-name", "flavor-text", "name-stacked")


@attrs.frozen
class Content(Record):
    """What a message says: its words in lines, its title if it is a card, the rolls in it, and the data of its card.

    ``shown`` are rolls of which only the HTML tells, and ``has_numbers`` says that there may be more which cannot be read.
    """

    words: str = ""
    title: str = ""
    rolls: tuple[str, ...] = ()
    card: dict[str, str] = attrs.field(factory=dict)
    shown: tuple[Fields, ...] = ()
    has_numbers: bool = False

    @property
    def is_card(self) -> bool:
        """Whether it is the card of an item."""
        return "data-item-id" in self.card or "data-item-uuid" in self.card


def read_content(html: object) -> Content:
    """The content of a message. Never raises."""
    if not isinstance(html, str) or not html.strip():
        return Content()
    text = html[:LONGEST]
    if "<" not in text and "&" not in text:
        return Content(_lines(text))
    reader = _Reader()
    reader.read(text)
    template = reader.template
    return Content(
        _lines("".join(reader.said)), _lines("".join(reader.title)), tuple(reader.rolls), reader.card,
        tuple(template.rolls), template.shows_number,
    )  # fmt: skip


def _lines(text: str) -> str:
    """Words without blanks around them, and without empty lines."""
    found = (" ".join(line.split()) for line in words(text).splitlines())
    return "\n".join(line for line in found if line)


class _Reader:
    """Collects words, titles and rolls, tag by tag.

    The parser of the standard library takes time that grows with the square of what is left open in a message; here the first
    tag that does not end makes all that follows plain words.
    """

    def __init__(self) -> None:
        self.said: list[str] = []
        self.title: list[str] = []
        self.rolls: list[str] = []
        self.card: dict[str, str] = {}
        self.template = Template()
        self._template_from = 0
        self._unsaid = 0
        self._titles = ""

    def read(self, text: str) -> None:
        """All of a message."""
        at = 0
        while (start := text.find("<", at)) >= 0:
            self._words(text[at:start])
            if text.startswith("<!--", start):
                end = text.find("-->", start)
                at = end + 3 if end >= 0 else len(text)
            elif (tag := _TAG.match(text, start)) is None:
                if text[start + 1 : start + 2].isalpha():
                    at = start
                    break
                self._words("<")
                at = start + 1
            else:
                at = self._tag(tag, text)
        self._words(text[at:])
        self.template.close()

    def _tag(self, tag: re.Match[str], text: str) -> int:
        """One tag. Returns where what follows it begins; what a script says is passed over."""
        name_ = tag["name"].casefold()
        if tag["ends"]:
            self._end(name_)
        else:
            self._start(name_, tag["attributes"])
            if name_ in _RAW and (end := re.compile(f"</{name_}", re.IGNORECASE).search(text, tag.end())) is None:
                return len(text)
            if name_ in _RAW and end is not None:
                return end.start()
            if tag["attributes"].endswith("/") and name_ not in _RAW:
                self._end(name_)
        return tag.end()

    def _start(self, tag: str, attributes: str) -> None:
        found = _ATTRIBUTE.findall(attributes)
        given = {name.casefold(): unescape("".join(values)) for name, *values in found}
        classes = given.get("class", "").split()
        if roll := given.get("data-roll"):
            self.rolls.append(unquote(roll))
        if "chat-card" in classes or "data-item-id" in given:
            self.card = {**given, **self.card}
        self._unsaid += tag in _UNSAID
        if self.template.start(tag, classes):
            self._template_from = len(self.said)
        if tag in _BLOCKS:
            self.said.append("\n")
        if not self._titles and not self.title and any(one in _TITLES for one in classes):
            self._titles = tag

    def _end(self, tag: str) -> None:
        if self.template.end(tag):
            del self.said[self._template_from :]
        if tag in _UNSAID:
            self._unsaid = max(self._unsaid - 1, 0)
        if tag in _BLOCKS:
            self.said.append("\n")
        if tag == self._titles:
            self._titles = ""

    def _words(self, text: str) -> None:
        if self._unsaid or not text:
            return
        self.said.append(unescape(text))
        self.template.words(unescape(text))
        if self._titles:
            self.title.append(unescape(text))
