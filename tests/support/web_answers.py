"""Answers of the table on the web, to be compared byte for byte: without what is drawn by lot, and when slow work is done."""

from __future__ import annotations

import re
import time
from html import unescape
from typing import Any

from starlette.testclient import TestClient

STREAMS = ("/c/{campaign}/stream", "/api/v1/campaigns/{campaign}/events")
CHANCE = re.compile(
    r"(?:\b[0-9a-f]{8}\.)?lot-\d{12}|"
    r"\b(?:[0-9A-Z]{5}-){4}[0-9A-Z]{6}\b|(?<![.\w])[0-9a-f]{16,64}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""Random parts of a page: ids drawn by lot, receipts and hashes. Cursors have a point in them, and are not random."""


def settled(client: TestClient, answer: Any) -> Any:
    """An answer when what takes long is done."""
    while "refresh" in answer.headers:
        time.sleep(0.02)
        address = answer.headers["refresh"].partition("url=")[2]
        answer = client.get(address, headers=dict(answer.request.headers), follow_redirects=False)
    while answer.status_code == 202 and "location" in answer.headers:
        time.sleep(0.02)
        answer = client.get(answer.headers["location"], follow_redirects=False)
    return answer


def worked_out(client: TestClient, answer: Any) -> Any:
    """The result of slow work, once it is done."""
    end = time.monotonic() + 60
    while 'http-equiv="refresh"' in answer.text[:2_000]:
        assert time.monotonic() < end
        time.sleep(0.05)
        leads = re.search(r'content="0;url=([^"]+)"', answer.text[:2_000])
        answer = client.get(leads[1] if leads else answer.url)
    return answer


def plain(answer: Any) -> str:
    """An answer with its status and headers, without what is chance, and without when its file was written."""
    headers = sorted(header for header in answer.headers.items() if header[0] != "last-modified")
    said = f"{answer.status_code} {headers}\n{answer.text}"
    names: dict[str, str] = {}
    return CHANCE.sub(lambda found: names.setdefault(found[0], f"<{len(names)}>"), said)


def text_of(html: str) -> str:
    """The text of a page, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
