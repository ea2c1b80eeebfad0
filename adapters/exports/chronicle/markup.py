"""A chronicle as elements, the same in a page and in the chapters of an EPUB: well-formed as XML, without styles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rollbook.adapters.exports.texts import escaped
from rollbook.projections.chronicle import model

Portrait = Callable[..., str]
"""Function that renders an ``img`` of a character, place or scene, by id or name; "" if there is no picture."""

SEALS = {1: "✓", -1: "✗", 0: ""}


def element(name: str, inside: str, *classes: str, **attributes: str) -> str:
    """``<p class="a" id="b">inside</p>``; attributes are escaped, what is inside is markup already."""
    named = {"class": " ".join(filter(None, classes)), **{key.rstrip("_"): value for key, value in attributes.items()}}
    said = "".join(f' {key}="{escaped(value)}"' for key, value in named.items() if value)
    return f"<{name}{said}>{inside}</{name}>"


def lines(text: str) -> str:
    """A person's words, with line breaks."""
    return "<br/>".join(escaped(line) for line in text.split("\n"))


def quoted(text: str) -> str:
    """A person's words in quotation marks, unless they have some."""
    return text if text.lstrip()[:1] in _MARKS else f"“{text}”"


_MARKS = ('"', "“", "„", "«")

# The telling.


def chapter(found: model.Chapter, key: str, portrait: Portrait, heading: str = "h3") -> Iterator[str]:
    """A scene: its title, a picture of it if there is one, and what happened."""
    yield f'<section class="chapter" id="{key}">\n'
    if found.title:
        yield element(heading, escaped(found.title)) + "\n"
        yield portrait(found.title, kind="plate")
    for each in found.paragraphs:
        yield paragraph(each, portrait) + "\n"
    yield "</section>\n"


def paragraph(found: model.Paragraph, portrait: Portrait) -> str:
    """A paragraph with its dice beside it."""
    if found.kind is model.Kind.PICTURE:
        return _shown(found, portrait)
    return _PARAGRAPHS[found.kind](found)


def _shown(found: model.Paragraph, portrait: Portrait) -> str:
    """A picture that was shown; words in its place if it was removed, or is not there."""
    secret = "".join(map(_secret, found.sentences))
    image = portrait(found.picture, found.heading or model.A_PICTURE, kind="plate") if found.picture else ""
    if not image:
        return element("p", escaped(model.in_place_of(found)) + secret, "absent")
    return element("figure", image + (element("figcaption", secret.strip()) if secret else ""), "shown")


def _prose(found: model.Paragraph) -> str:
    text = " ".join(_sentence(each) for each in found.sentences)
    return element("div", element("p", text) + _beside(found.sentences), "said")


def _quote(found: model.Paragraph) -> str:
    by = element("cite", escaped(found.by)) + " " if found.by else ""
    words = "".join(element("p", by + lines(quoted(each.text)) + _secret(each), dir="auto") for each in found.sentences)
    return element("div", element("blockquote", words) + _beside(found.sentences), "said")


def _sentence(said: model.Sentence) -> str:
    number = element("sup", str(said.number)) if said.dice else ""
    return element("span", escaped(said.text) + _secret(said), "deed") + number


def _secret(said: model.Sentence) -> str:
    return " " + element("small", escaped(f"({said.secret})"), "secret") if said.secret else ""


def _beside(sentences: Iterable[model.Sentence]) -> str:
    """The margin of a paragraph: the dice of each sentence."""
    notes = "".join(note for each in sentences for note in _notes(each))
    return element("ul", notes, "margin") if notes else ""


def _notes(said: model.Sentence) -> Iterator[str]:
    number = element("b", str(said.number))
    seal = element("span", SEALS[said.success], "seal", "met" if said.success > 0 else "missed") if said.success else ""
    for place, dice in enumerate(said.dice):
        yield element("li", (f"{number} {seal} " if not place else "") + escaped(dice), "dice")


def _round(found: model.Paragraph) -> str:
    order = " " + element("small", escaped(found.detail)) if found.detail else ""
    return element("h5", escaped(found.heading) + order, "round")


def _standing(mark: str, name: str) -> Callable[[model.Paragraph], str]:
    def written(found: model.Paragraph) -> str:
        sign = element("span", mark, "sign", aria_hidden="true").replace("aria_hidden", "aria-hidden")
        return element("p", f"{sign} {escaped(found.heading)}", "stands", name)

    return written


_PARAGRAPHS: dict[model.Kind, Callable[[model.Paragraph], str]] = {
    model.Kind.PROSE: _prose,
    model.Kind.QUOTE: _quote,
    model.Kind.FIGHT: lambda found: element("h4", escaped(found.heading), "fight"),
    model.Kind.ROUND: _round,
    model.Kind.FALL: _standing("▼", "fall"),
    model.Kind.LEVEL: _standing("▲", "level"),
    model.Kind.X_CARD: _standing("X", "x-card"),
}


def part_head(part: model.Part, heading: str) -> Iterator[str]:
    """The label of a session, its title in a ``heading``, and its day."""
    yield element("p", escaped(part.label), "label")
    yield element(heading, escaped(part.title or part.date or part.label))
    if part.title and part.date:
        yield element("p", escaped(part.date), "date")


# The title page.


def title_page(chronicle: model.Chronicle, portrait: Portrait) -> str:
    """The title page: the campaign, what of it, when, by which rules and who played."""
    rows = "".join(
        element("dt", escaped(each.name))
        + element("dd", escaped(", ".join(each.characters)) or element("i", escaped(each.role)))
        for each in chronicle.players
    )
    return (
        portrait(chronicle.key, chronicle.title, "cover", kind="cover")
        + element("h1", escaped(chronicle.title))
        + (element("p", escaped(chronicle.subtitle), "subtitle") if chronicle.subtitle else "")
        + (element("dl", rows, "players") if rows else "")
        + "".join(element("p", escaped(line), "known") for line in chronicle.known)
    )


# What follows the telling.


def appendix(found: model.Appendix, portrait: Portrait, heading: str = "h2") -> Iterator[str]:
    """Paragraphs, sheets, figures and tables under a title."""
    yield f'<section class="appendix" id="{found.key}">\n'
    yield element(heading, escaped(found.title)) + "\n"
    for text in found.paragraphs:
        yield element("p", escaped(text)) + "\n"
    for page in found.sheets:
        yield _sheet(page, portrait)
    for figure in found.figures:
        yield _figure(figure)
    for each in found.tables:
        yield table(each)
    yield "</section>\n"


def _sheet(page: model.SheetPage, portrait: Portrait) -> str:
    title = element("small", escaped(page.title)) if page.title else ""
    name = element("h3", f"{escaped(page.name)} {title}")
    words = "".join(element("dt", escaped(label)) + element("dd", lines(text)) for label, text in page.words)
    rows = "".join(
        element(
            "tr",
            element("th", escaped(label), scope="row")
            + element("td", escaped(value), "number")
            + element("td", escaped(terms), "terms"),
        )
        for label, value, terms in page.values
    )
    about = element("div", name + (element("dl", words) if words else ""))
    head = element("header", portrait(page.character, page.name, kind="portrait") + about)
    numbers = element("div", element("table", element("tbody", rows)), "frame") if rows else ""
    return element("article", head + numbers, "sheet") + "\n"


def _figure(figure: model.Figure) -> str:
    caption = element("figcaption", escaped(figure.title))
    said = element("p", escaped(figure.said)) if figure.said else ""
    numbers = element("details", element("summary", "Numbers") + table(figure.numbers), "numbers")
    return element("figure", caption + said + figure.svg + numbers) + "\n"


def table(found: model.Table) -> str:
    """A table, in a frame of its own that scrolls where it is too wide."""
    head = "".join(
        element("th", escaped(name), "number" if numeric else "", scope="col")
        for name, numeric in zip(found.columns, found.numeric, strict=True)
    )
    rows = "".join(element("tr", _cells(row, found.numeric)) + "\n" for row in found.rows)
    caption = element("caption", escaped(found.title)) if found.title else ""
    inside = f"{caption}{element('thead', element('tr', head))}\n{element('tbody', rows)}"
    return element("div", element("table", inside), "frame") + "\n"


def _cells(row: tuple[str, ...], numeric: tuple[bool, ...]) -> str:
    return "".join(
        element("td", escaped(cell), "number" if right else "") for cell, right in zip(row, numeric, strict=True)
    )
