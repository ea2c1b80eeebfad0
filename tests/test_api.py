"""Every public name of ``rollbook`` is in docs/api.md or, for plug-ins, in docs/write-a-plug-in.md, and the examples run."""

from __future__ import annotations

import re
import subprocess
import sys
from inspect import getsource
from pathlib import Path
from types import FunctionType

import pytest

import rollbook

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
FOR_PLUG_INS = (DOCS / "write-a-plug-in.md").read_text(encoding="utf-8")


def examples() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", PAGE + FOR_PLUG_INS, re.MULTILINE | re.DOTALL)


def test_the_page_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    script = "\n".join(examples())
    exec(compile(script, "docs/api.md", "exec"), {"__name__": "__main__"})
    assert "Mira can correct what Mira did" in capsys.readouterr().out


@pytest.mark.parametrize("name", rollbook.__all__)
def test_every_public_name_is_there_and_on_the_page(name: str) -> None:
    assert getattr(rollbook, name) is not None
    assert re.search(rf"`(rollbook\.|import )?{name}\b|rollbook\.{name}\b", PAGE + FOR_PLUG_INS), name


def errors_on_the_page() -> dict[str, set[str]]:
    """The classes of errors on the page, each with the names of what it carries."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \|([^|]*)\|$", PAGE.partition("## Errors")[2], re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", carried)) for name, carried in rows}


def test_every_error_is_on_the_page_with_what_it_carries() -> None:
    public = {name: getattr(rollbook, name) for name in rollbook.__all__}
    raised = {name: cls for name, cls in public.items() if isinstance(cls, type) and issubclass(cls, Exception)}
    errors = {name: cls for name, cls in raised.items() if not issubclass(cls, Warning)}
    page = errors_on_the_page()
    assert set(page) == set(errors) - {"RollbookError"}
    for name, carried in page.items():
        assert issubclass(errors[name], rollbook.RollbookError)
        made = errors[name].__init__
        own = getsource(made) if isinstance(made, FunctionType) else ""
        of_class = {key for key, held in vars(errors[name]).items() if not key.startswith("_") and not callable(held)}
        assert carried == of_class | set(re.findall(r"self\.(\w+) = ", own)), name


def test_the_names_are_listed_and_nothing_else_is_found() -> None:
    assert dir(rollbook) == sorted(rollbook.__all__)
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        _ = rollbook.opne  # type: ignore[attr-defined]


def test_importing_rollbook_imports_none_of_the_engine() -> None:
    code = "import sys, rollbook; print([m for m in sys.modules if m.partition('.')[0] in ('adapters', 'domain', 'click')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_engine_plays_without_the_command_line(tmp_path: Path) -> None:
    code = (
        "import sys, rollbook\n"
        f"with rollbook.open({str(tmp_path / 'a.db')!r}, seeds={str(tmp_path / 'seeds')!r}) as book:\n"
        "    campaign = book.new('Mine', 'storytoken')\n"
        "    campaign.do('note', text='hello')\n"
        "    campaign.corrections.undo(2, reason='so').apply()\n"
        "print(sorted(name for name in ('rich', 'rollbook.adapters.cli') if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
