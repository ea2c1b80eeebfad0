"""Pages and sentences install rollbook from a checkout until the package index has it, and by its name from then on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from rollbook.adapters.presentation.installing import PUBLISHED, install
from tests.support.processes import ROOT
from tests.support.published import SENTENCES, pages, publish

BY_NAME = re.compile(r"(?:pip|pipx|uv tool) install (?:--upgrade )?['\"]?rollbook\b")
FROM_A_CHECKOUT = re.compile(r"(?<!-e )'\.\[\w+\]'|(?:pip|pipx|uv tool) install (?:-e )?\.(?![\w/\[])")
OF_PLUG_INS = ("write-a-ruleset.md", "write-a-plug-in.md")
"""Pages that install the folder of a reader's own."""


def found(pattern: re.Pattern[str], root: Path) -> list[str]:
    read = [path for path in pages(root) if path.name not in OF_PLUG_INS and path != root / SENTENCES]
    return [
        f"{path.relative_to(root)}: {said[0]}" for path in read for said in pattern.finditer(path.read_text("utf-8"))
    ]


def test_no_page_installs_by_a_name_that_is_not_ours_yet_nor_from_a_checkout_once_it_is() -> None:
    assert found(FROM_A_CHECKOUT if PUBLISHED else BY_NAME, ROOT) == []
    assert len(found(BY_NAME if PUBLISHED else FROM_A_CHECKOUT, ROOT)) > 5


def test_every_sentence_of_the_program_has_the_command_from_one_place() -> None:
    sources = [path for folder in ("adapters", "application", "domain") for path in (ROOT / folder).rglob("*.py")]
    own = [path for path in sources if BY_NAME.search(path.read_text(encoding="utf-8")) and path != ROOT / SENTENCES]
    assert own == []
    assert install("pdf") in ("pip install '.[pdf]' in a checkout of rollbook", "pip install 'rollbook[pdf]'")


def test_one_command_changes_all_of_them(tmp_path: Path) -> None:
    for path in pages(ROOT):
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    changed = publish(tmp_path)
    assert (tmp_path / SENTENCES in changed) != PUBLISHED
    assert found(FROM_A_CHECKOUT, tmp_path) == []
    assert len(found(BY_NAME, tmp_path)) > 5
    assert publish(tmp_path) == []
