"""The questions about a newcomer on the web's pages, answered as a browser does without a script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.testclient import TestClient

from tests.support.forms import form_in


def interviewed(client: TestClient, at: str, answers: Mapping[str, object]) -> tuple[str, list[list[str]]]:
    """The last page after all questions of the campaign ``at`` an address, and what was asked together."""
    page, asked = client.get(f"{at}/join"), []
    for _ in range(10):
        assert page.status_code == 200, page.text
        found = re.findall(r'name="new.asked" value="(\w+)"', page.text)
        if not found:
            return page.text, asked
        asked.append(found)
        sent = form_in(page.text, "newcomer-form")
        for name in found:
            if name in answers:
                said = answers[name]
                sent[name] = said if isinstance(said, list) else [str(said)]
        page = client.get(f"{at}/join?{urlencode(sent, doseq=True)}")
    raise AssertionError(f"there was no end to it: {asked}")
