"""In a real browser the verifier answers as it does in Python: for files as they were written, and for every forgery by name."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.forgeries import FORGERIES
from tests.attacks.forging import file_of, forged, honest, written
from tests.support.browser import UNTRUSTED, Browser, needs_browser, opened_browser, served
from tests.support.exports import verify
from tests.support.javascript import NO_ENTRY, SCRIPTS

pytestmark = [needs_browser, pytest.mark.xdist_group("browser")]

STORED = sorted(Path(__file__).parents[1].rglob("*.jsonl"))
ASKED = """
const ask = async (files, verified = []) => {
  for (const [name, path] of files) {
    const bytes = new Uint8Array(await (await fetch(name)).arrayBuffer());
    const { exit, text } = await verifyRollbook(bytes, [], path);
    verified.push([exit, `${text}\\n`]);
  }
  return verified;
};
return ask(arguments[0]);
"""
Said = list[tuple[int, str]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to be verified, and a page that carries the verifier, script after script."""
    made = tmp_path_factory.mktemp("page")
    scripts = "".join(f"<script>{script.read_text(encoding='utf-8')}</script>" for script in SCRIPTS)
    (made / "index.html").write_text(f"<!doctype html><meta charset=utf-8><body>Here{scripts}", encoding="utf-8")
    for number, path in enumerate(STORED):
        shutil.copyfile(path, made / f"stored-{number}.jsonl")
    for number, forge in enumerate(FORGERIES.values()):
        entries = forged(honest().stored)
        forge(entries)
        (made / f"forged-{number}.jsonl").write_bytes(file_of(written(entries), honest().campaign))
    return made


@pytest.fixture(params=["with WebCrypto", "without WebCrypto"])
def page(request: pytest.FixtureRequest, browser: Browser, folder: Path) -> Iterator[Browser]:
    """The page, under an address that browsers trust, or under another."""
    is_trusted = request.param == "with WebCrypto"
    with served(folder) as port:
        browser.open(f"http://{'127.0.0.1' if is_trusted else UNTRUSTED}:{port}/")
        assert browser.run("return Boolean(globalThis.crypto?.subtle)") is is_trusted
        yield browser


def asked(page: Browser, paths: list[Path]) -> Said:
    """What the page says of files."""
    answers = page.run(ASKED, [[path.name, str(path)] for path in paths])
    return [(code, words) for code, words in answers]


def plainly(said: Said) -> Said:
    """Without the words for a line that is no entry at all."""
    return [(code, NO_ENTRY.sub("", words)) for code, words in said]


def test_of_every_stored_log_the_page_says_what_python_says(page: Browser, folder: Path) -> None:
    paths = sorted(folder.glob("stored-*.jsonl"))
    said = asked(page, paths)
    assert said == [verify(path) for path in paths]
    assert sum(words.startswith("chain  VERIFIED") for _, words in said) > 8


def test_of_every_forgery_the_page_says_what_python_says(page: Browser, folder: Path) -> None:
    paths = sorted(folder.glob("forged-*.jsonl"))
    assert len(paths) == len(FORGERIES)
    said = asked(page, paths)
    assert plainly(said) == plainly([verify(path) for path in paths])
    assert sum("FAILED" in words for _, words in said) > len(FORGERIES) // 2


def test_a_browser_shows_clicks_and_draws(browser: Browser, folder: Path) -> None:
    (folder / "button.html").write_text(
        "<button onclick=\"this.textContent='pressed'\">press</button>", encoding="utf-8"
    )
    with served(folder) as port:
        browser.open(f"http://127.0.0.1:{port}/button.html")
        before = browser.picture()
        browser.click("button")
        assert browser.text("button") == "pressed"
        assert before.startswith(b"\x89PNG") and browser.picture() != before
