"""Forms of pages, as a browser would send them."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class FormParser(HTMLParser):
    """The form of a verb as a browser would send it: what is filled in, checked and selected."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.wanted = form
        self.sent: list[tuple[str, str]] = []
        self.inside = False
        self._select = ""
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = said.get("id") == self.wanted
        if not self.inside:
            return
        if tag == "input" and (said.get("type") not in ("radio", "checkbox") or "checked" in said):
            self.sent.append((said["name"], said.get("value", "")))
        if tag == "select":
            self._select = said["name"]
        if tag == "option" and "selected" in said:
            self.sent.append((self._select, said["value"]))
        if tag == "textarea":
            self._text = said["name"]

    def handle_data(self, data: str) -> None:
        if self._text:
            self.sent.append((self._text, data))
            self._text = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        self._text = ""


def form_in(html: str, form: str = "act-form") -> dict[str, list[str]]:
    """The fields that a browser would send with a form as it is."""
    parser = FormParser(form)
    parser.feed(html)
    sent: dict[str, list[str]] = {}
    for name, value in parser.sent:
        sent.setdefault(name, []).append(value)
    assert sent, f"there is no form {form}"
    return sent


def form_in_of(html: str, action: str) -> dict[str, list[str]]:
    """The fields of the form that is sent to an address."""
    found = re.search(rf'<form method="post" action="{action}">.*?</form>', html, re.DOTALL)
    assert found, html
    return form_in(found[0].replace("<form ", '<form id="one" '), "one")
