"""The page of a replay in Firefox, which takes a picture of it without a window: what somebody sees who opens its address."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.needs import needed, needs
from tests.support.pages import needs_chromium, page_of
from tests.support.replay_pages import with_another_die, with_part

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [needs("firefox-esr"), needs_chromium]

AMBER, RED = (138, 90, 0), (179, 32, 47)


COUNTED = """async ([picture, colour]) => {
  const image = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height), drawing = canvas.getContext("2d");
  drawing.drawImage(image, 0, 0);
  const { data } = drawing.getImageData(0, 0, image.width, image.height);
  let many = 0;
  for (let at = 0; at < data.length; at += 4) many += colour.every((part, which) => data[at + which] === part);
  return many;
}"""
"""How many pixels of a picture have a colour, counted by the other browser."""


def picture(address: str, folder: Path) -> str:
    """What Firefox sees at an address, as the address of a picture."""
    path, profile = folder / "picture.png", folder / "profile"
    profile.mkdir(exist_ok=True)
    words = [
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--window-size=1366,1000",
        "--screenshot",
        str(path),
        address,
    ]
    subprocess.run([needed("firefox-esr"), *words], check=True, capture_output=True, timeout=180)
    return f"data:image/png;base64,{b64encode(path.read_bytes()).decode()}"


@pytest.mark.slow
def test_the_field_beside_the_verdict_is_amber_and_red_where_a_die_was_changed(
    a_browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    forged = with_part(page_file, "chain", with_another_die)
    with page_of(a_browser) as page:
        for file, colour, other in ((page_file, AMBER, RED), (forged, RED, AMBER)):
            seen = picture(f"{file.as_uri()}#verify", tmp_path)
            assert page.evaluate(COUNTED, [seen, colour]) > 2_000
            assert page.evaluate(COUNTED, [seen, other]) == 0
