"""What browsers are given besides pages: files of others as they were released, and one style sheet for all pages of ours."""

from __future__ import annotations

import re
from hashlib import sha256

from starlette.testclient import TestClient

from rollbook.adapters.exports.pages import part
from rollbook.adapters.web.serving.static_files import FOLDER

VENDOR = FOLDER / "vendor"


def test_what_is_not_ours_is_as_it_was_released_and_has_its_licence() -> None:
    noted = dict(re.findall(r"^\| `([^`]+)`.*`([0-9a-f]{64})`", (VENDOR / "README.md").read_text(), re.MULTILINE))
    others = {path.name for path in VENDOR.iterdir() if path.suffix not in (".md", ".LICENSE")}
    assert set(noted) == others == {"htmx.min.js"}
    assert {name: sha256((VENDOR / name).read_bytes()).hexdigest() for name in noted} == noted
    assert "Zero-Clause BSD" in (VENDOR / "htmx.LICENSE").read_text()


def test_the_web_and_the_pages_that_exports_write_have_one_style_sheet(gm: TestClient) -> None:
    page = gm.get("/c/sherwood").text
    (address,) = re.findall(r'href="(/static/[0-9a-f]+/style\.css)"', page)
    assert gm.get(address).text == part("style.css")


def test_no_page_has_a_style_or_a_script_of_its_own_in_it(gm: TestClient) -> None:
    for path in ("/c/sherwood", "/c/sherwood/screen", "/c/sherwood/card/20", "/c/sherwood/log?q=robin", "/"):
        page = gm.get(path).text
        assert not re.findall(r"<style|<script(?![^>]*src=)| style=| on[a-z]+=", page), path
