"""Reader of Foundry's messages, which are HTML: their words as plain text, and the rolls among them.

No HTML is kept, so none can have an effect: no tag, no address, no script. Some dice are in the HTML alone, in
Foundry's own template of a roll, which modules embed in their cards; dice that fit no formula there are imported beside
the total.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote

import attrs

from rollbook.adapters.imports.foundry.values import Fields, number, words
from rollbook.domain.base.records import Record

_REGIONS = frozenset(("dice-roll", "dice-result"))
_CAPTURED = {"dice-formula": "formula", "dice-total": "total"}
_SIDES = re.compile(r"d([0-9]{1,4})")
_DICE_WORDS = frozenset(("dice", "die", "roll", "rolls", "rolled", "total", "result"))
_OCCASIONS = ("attack", "damage", "healing", "save", "check", "initiative")
_LONGEST = 300
_TERM = re.compile(
    r"\s*(?:(?P<count>[0-9]{0,3})d(?P<sides>[0-9]{1,4}|%)(?P<modifiers>[a-z0-9<>=]*)"
    r"|(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?)|(?P<operator>[-+*/]))\s*(?:\[(?P<flavour>[^\]]*)\])?\s*",
    re.IGNORECASE,
)
_MODIFIER = re.compile(r"[a-z]+[<>=]*[0-9]*")


class Template:
    """The rolls of one message's HTML, while it is read tag by tag.

    ``shows_number``: a tag outside the template whose class names dice contains a number.
    """

    def __init__(self) -> None:
        self.rolls: list[Fields] = []
        self.shows_number = False
        self._formula = self._total = self._occasion = ""
        self._handfuls: list[list[dict[str, Any]]] = []
        self._capture: tuple[str, str, list[str], dict[str, Any]] | None = None
        self._region, self._depth = "", 0
        self._is_hint = False

    def start(self, tag: str, classes: list[str]) -> bool:
        """Process a start tag. True if it begins the template of a roll."""
        parts = {part for one in classes for part in one.casefold().replace("_", "-").split("-")}
        self._is_hint = not self._region and not parts.isdisjoint(_DICE_WORDS)
        self._occasion = next((said for said in _OCCASIONS if said in parts), self._occasion)
        self._depth += tag == self._region
        begins = not self._region and not _REGIONS.isdisjoint(classes)
        if begins:
            self._region, self._depth = tag, 1
        if "dice-roll" in classes:
            self.finish()
        if "dice-rolls" in classes:
            self._handfuls.append([])
        for one in classes:
            if one in _CAPTURED:
                self._capture = (_CAPTURED[one], tag, [], {})
        if tag == "li" and not {"roll", "die"}.isdisjoint(classes):
            self._die(tag, classes)
        return begins

    def _die(self, tag: str, classes: list[str]) -> None:
        sides = next((int(found[1]) for one in classes if (found := _SIDES.fullmatch(one))), 0)
        lost = "discarded" in classes or "rerolled" in classes
        fate: dict[str, Any] = {one: True for one in ("discarded", "rerolled", "exploded") if one in classes}
        if "success" in classes or "failure" in classes:
            fate["success"] = "success" in classes
        self._capture = ("die", tag, [], {"faces": sides, "active": not lost, **fate})

    def end(self, tag: str) -> bool:
        """Process an end tag. True if it ends the template of a roll."""
        self._is_hint = False
        if self._capture is not None and self._capture[1] == tag:
            what, _, said, fate = self._capture
            self._capture = None
            self._keep(what, " ".join("".join(said).split()), fate)
        self._depth -= tag == self._region
        ends = bool(self._region) and self._depth == 0
        if ends:
            self._region = ""
            self.finish()
        return ends

    def words(self, text: str) -> None:
        """Process the text between two tags."""
        if self._capture is not None:
            self._capture[2].append(text[:_LONGEST])
        elif self._is_hint and re.fullmatch(r"\s*-?[0-9]{1,4}\s*", text):
            self.shows_number = True

    def _keep(self, what: str, said: str, fate: dict[str, Any]) -> None:
        if what == "die":
            if not self._handfuls:
                self._handfuls.append([])
            self._handfuls[-1].append({**fate, "result": number(said)})
            return
        if self._total or (what == "formula" and self._formula):
            self.finish()
        if what == "formula":
            self._formula = said[:_LONGEST]
        else:
            self._total = said

    def finish(self) -> None:
        """Complete a roll, if one was begun with dice or with a numeric total."""
        handfuls = [one for one in self._handfuls if one]
        if handfuls or number(self._total) is not None:
            self.rolls.append(_roll(self._formula, handfuls, self._total, self._occasion))
        self._formula = self._total = ""
        self._handfuls = []


def _roll(formula: str, handfuls: list[list[dict[str, Any]]], total: str, occasion: str) -> Fields:
    """A roll in the form in which Foundry stores it beside a card."""
    dice = [_handful(results) for results in handfuls]
    terms = [*_terms(formula, dice)]
    named = [term for term in terms if "faces" in term]
    fits = [(term["faces"]) for term in named] == [handful["faces"] for handful in dice] and bool(terms)
    parts = {"terms": terms} if fits else {"terms": [], "dice": dice}
    said = formula or " + ".join(f"{handful['number']}d{handful['faces']}" for handful in dice)
    return {"class": "Roll", "formula": said, "total": number(total), "options": {"shownAs": occasion}, **parts}


def _handful(results: list[dict[str, Any]]) -> dict[str, Any]:
    shown = [{key: value for key, value in one.items() if key != "faces"} for one in results]
    return {"class": "Die", "number": len(shown), "faces": results[0]["faces"], "modifiers": [], "results": shown}


def _terms(formula: str, dice: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The terms of a plain formula, its dice with their results; none for any other formula."""
    found: list[dict[str, Any]] = []
    rest, at = [*dice], 0
    while at < len(formula):
        term = _TERM.match(formula, at)
        if term is None or term.end() == at:
            return
        at = term.end()
        flavour = {"options": {"flavor": term["flavour"] or ""}}
        if term["operator"]:
            found.append({"class": "OperatorTerm", "operator": term["operator"]})
        elif term["number"]:
            found.append({"class": "NumericTerm", "number": number(term["number"]), **flavour})
        elif not rest:
            return
        else:
            sides = 100 if term["sides"] == "%" else int(term["sides"])
            modifiers = _MODIFIER.findall(term["modifiers"].casefold())
            asked = {"number": int(term["count"] or 1), "faces": sides, "modifiers": modifiers}
            found.append({**rest.pop(0), **asked, **flavour})
    yield from () if rest else found


LONGEST = 128 * 1024
"""Most characters of one message; a longer one is cut."""
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "fieldset", "figure", "footer",
    "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table",
    "td", "th", "tr", "ul",
))  # fmt: skip
_UNSAID = frozenset(("button", "head", "iframe", "object", "script", "select", "style", "svg", "template", "textarea"))
_RAW = frozenset(("script", "style", "textarea"))
_TAG = re.compile(
    r"<(?P<ends>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]{0,60})(?P<attributes>(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+)>"
)
_ATTRIBUTE = re.compile(r"([^\s=/>\"']++)(?:\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s>]++)))?")
_TITLES = ("item-name", "flavor-text", "name-stacked")


@attrs.frozen
class Content(Record):
    """The content of a message: its words in lines, the title and data of its card, if it is one, and the rolls in it.

    ``shown`` are rolls that only the HTML has; ``has_numbers``: there may be more which cannot be read.
    """

    words: str = ""
    title: str = ""
    rolls: tuple[str, ...] = ()
    card: dict[str, str] = attrs.field(factory=dict)
    shown: tuple[Fields, ...] = ()
    has_numbers: bool = False

    @property
    def is_card(self) -> bool:
        """True if it is the card of an item."""
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
    """Reader of words, titles and rolls, tag by tag.

    The time of the standard library's parser grows with the square of the unclosed tags in a message; here everything
    after the first tag without a ``>`` is plain text.
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
        """Read a whole message."""
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
        self.template.finish()

    def _tag(self, tag: re.Match[str], text: str) -> int:
        """Process one tag. Returns the position after it; the content of scripts is skipped."""
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
