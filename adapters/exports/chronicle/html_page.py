"""The chronicle as one page of HTML that needs nothing else: no script, no network, to be read on a screen and printed on A4."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from rollbook.adapters.exports.chronicle import markup
from rollbook.adapters.exports.chronicle.figures import ground, smaller
from rollbook.adapters.exports.chronicle.portraits import Portraits
from rollbook.adapters.exports.texts import clean, escaped, running_head
from rollbook.projections.chronicle import Chronicle
from rollbook.projections.chronicle.model import Heading, Part
from rollbook.projections.pictures import STYLE

MARK = b"<!doctype html>\n<!-- rollbook chronicle -->"
"""The first bytes of every such page."""


def page(chronicle: Chronicle, portraits: Portraits) -> Iterator[str]:
    """The whole page, piece by piece."""
    portrait = images(portraits)
    style = stylesheet(chronicle)
    yield _head(chronicle, style)
    yield f'<header class="title-page">{markup.title_page(chronicle, portrait)}</header>\n'
    yield _contents(chronicle)
    yield '<main id="telling">\n'
    for part in chronicle.parts():
        yield from _part(part, portrait)
    yield "</main>\n"
    for each in chronicle.appendices:
        yield from markup.appendix(each, portrait)
    yield "</body></html>\n"


def images(portraits: Portraits) -> markup.Portrait:
    """Pictures as data within the page."""

    def written(*names: str, kind: str) -> str:
        found = portraits.of(*names)
        return f'<img class="{kind}" alt="{escaped(names[-1])}" src="{found[1].address}"/>' if found else ""

    return written


def _head(chronicle: Chronicle, style: str) -> str:
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    title = escaped(" · ".join(filter(None, (chronicle.title, chronicle.subtitle))))
    return (
        f"{MARK.decode()}\n"
        '<html lang="en"><head><meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="referrer" content="no-referrer"/><meta name="robots" content="noindex"/>\n'
        '<meta name="generator" content="rollbook"/>\n'
        f"<title>{title}</title>\n<style>{style}</style></head>\n"
        '<body class="chronicle"><a class="skip" href="#telling">To the telling</a>\n'
    )


def _contents(chronicle: Chronicle) -> str:
    parts = "".join(_entry(heading) for heading in chronicle.contents)
    ends = "".join(
        markup.element("li", f'<a href="#{each.key}">{escaped(each.title)}</a>', "appendices")
        for each in chronicle.appendices
    )
    return f'<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>{parts}{ends}</ol></nav>\n'


def _entry(heading: Heading) -> str:
    chapters = "".join(
        markup.element("li", f'<a href="#s{heading.number}-{at}">{escaped(title)}</a>')
        for at, title in enumerate(heading.chapters, 1)
    )
    label = markup.element("small", escaped(heading.label))
    link = f'<a href="#s{heading.number}">{label} {escaped(heading.title or heading.date)}</a>'
    return markup.element("li", link + (markup.element("ol", chapters) if chapters else ""))


def _part(part: Part, portrait: markup.Portrait) -> Iterator[str]:
    yield f'<section class="part" id="s{part.number}"><header>'
    yield from markup.part_head(part, "h2")
    yield "</header>\n"
    scene = 0
    for each in part.chapters:
        scene += bool(each.title)
        yield from markup.chapter(each, f"s{part.number}-{scene if each.title else 'before'}", portrait)
    yield "</section>\n"


# Styles.


def stylesheet(chronicle: Chronicle) -> str:
    """The tokens that all pages of ours share, what a chronicle adds, and its running heads."""
    return f"{ground()}\n{STYLE}\n{_own()}\n{_running_heads(chronicle)}"


@cache
def _own() -> str:
    return smaller(files("rollbook.adapters.exports").joinpath("chronicle/chronicle.css").read_text(encoding="utf-8"))


def _running_heads(chronicle: Chronicle) -> str:
    """Styles that head a printed page with its campaign and its session."""
    title = _string(chronicle.title)
    found = [f"@page {{ @top-left {{ content: {title} }} }}"]
    for heading in chronicle.contents:
        name = _string(heading.whole)
        found.append(f"@page session{heading.number} {{ @top-right {{ content: {name} }} }}")
        found.append(f"#s{heading.number} {{ page: session{heading.number} }}")
    return "\n".join(found)


def _string(text: str) -> str:
    """Text as a CSS string: all but ASCII letters and digits by number, so that nothing ends the string."""
    short = running_head(clean(text).replace("\n", " "))
    return '"' + "".join(each if each.isascii() and each.isalnum() else f"\\{ord(each):06x}" for each in short) + '"'
