"""Corrections on the table's pages as a browser makes them without a script: forms that are filled in and sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser

from httpx2 import Response
from starlette.testclient import TestClient

from rollbook.domain.entries import RecordedEntry
from tests.support.web import SHERWOOD, StoreFiles


class _Form(HTMLParser):
    """The fields of the form ``fix`` as a browser would send them, and where it is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self._select = ""
        self._area = ""
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_inside = said.get("id") == "fix"
            self.action = said["action"] if self._is_inside else self.action
        if tag == "option" and self._select and ("selected" in said or self._select not in self.fields):
            self.fields[self._select] = said["value"]
        is_of_it = said.get("form", "fix" if self._is_inside else "") == "fix"
        if tag in ("select", "textarea", "input") and is_of_it:
            self._take(tag, said)

    def _take(self, tag: str, said: Mapping[str, str]) -> None:
        if tag == "select":
            self._select = said["name"]
        elif tag == "textarea":
            self._area = said["name"]
            self.fields[self._area] = ""
        elif said.get("type") not in ("radio", "checkbox") or "checked" in said:
            self.fields[said["name"]] = said.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "textarea":
            self._area = ""
        if tag == "form":
            self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._area:
            self.fields[self._area] += data


def fields(page: Response) -> dict[str, str]:
    """The fields of the form on a page."""
    return _read(page).fields


def _read(page: Response) -> _Form:
    form = _Form()
    form.feed(page.text)
    return form


def preview(client: TestClient, path: str, /, **said: str) -> Response:
    """The preview of a correction: ``undo/12`` or ``amend/12`` with what is filled in otherwise."""
    first = finished(client, client.get(f"/c/{SHERWOOD}/{path}"))
    if not said:
        assert first.status_code == 200, first.text
        return first
    return send(client, first, "look", **said)


def send(
    client: TestClient, page: Response, do: str, /, headers: Mapping[str, str] | None = None, **said: str
) -> Response:
    """Press a button of the form on a page, with what is filled in otherwise."""
    form = _read(page)
    assert form.action, page.text
    sent = {**form.fields, **said, "fix.do": do}
    answer = client.post(form.action, data=sent, headers=dict(headers or {}), follow_redirects=False)
    return finished(client, answer, headers)


def finished(client: TestClient, answer: Response, headers: Mapping[str, str] | None = None) -> Response:
    """An answer, after as many pages of progress as it takes on a busy computer."""
    while "How far it is" in answer.text:
        answer = client.get(answer.headers["refresh"].partition("; url=")[2], headers=dict(headers or {}))
    return answer


def apply(
    client: TestClient,
    page: Response,
    /,
    reason: str | None = None,
    headers: Mapping[str, str] | None = None,
    **said: str,
) -> Response:
    """Press Apply."""
    if reason is not None:
        said = {**said, "fix.reason": reason}
    return send(client, page, "apply", headers, **said)


def last_entry(files: StoreFiles) -> int:
    """The number of the last entry in the store."""
    with files.book() as book:
        return book.campaign(SHERWOOD).head.entry


def revision(files: StoreFiles, action: int) -> RecordedEntry | None:
    """The outcome that counts for an action, None if it is undone; asserts that it was corrected."""
    with files.book() as book:
        history = book.campaign(SHERWOOD).history
        assert len(history.revisions(action)) > 1
        return history.effective(action)


def words(page: Response) -> str:
    """A page without its tags, with one blank between words."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"</?bdi[^>]*>", "", page.text)).split())


def counts(files: StoreFiles, action: int) -> bool:
    """True if an action counts."""
    with files.book() as book:
        return book.campaign(SHERWOOD).history.effective(action) is not None
