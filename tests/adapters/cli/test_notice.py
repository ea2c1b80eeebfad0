"""Whose material a game includes is told wherever the material goes, in the words that are asked for, and nowhere else."""

from __future__ import annotations

import html
import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.exports import exporters
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.rulesets.grid import RULESET as GRID
from rollbook.rulesets.srd5 import RULESET
from tests.support.chronicles import text_of
from tests.support.needs import needs
from tests.support.ruleset_pages import DOCS
from tests.support.srd5_text import TEXTS
from tests.support.terminal import RunRollbook

ROOT = Path(__file__).parents[3]
NOTICE = ROOT / "NOTICE"
GENRE = "compatible with fifth edition"
PLACES = (NOTICE, ROOT / "ruleset_plugins" / "srd5" / "data" / "notice.txt", DOCS / "srd5.md")
"""The files that hold the notice: no other names whose game it is."""
NAMED = re.compile(
    r"wizards\s+of\s+the\s+coast|[h]asbro|dungeons\s+(?:&|and)\s+dragons|\b[d]&d\b|[d]nd\s?beyond|[d]nd\.wizards",
    re.IGNORECASE,
)
"""The names, written so that this is none of them."""
NO_TEXT = (".pyc", ".png", ".gz", ".db")
SCRIPT = """
campaign "The Ford" srd5
join Kara --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword
scene "The ford"
check kara str ! 12
"""


def files() -> Iterator[Path]:
    """The files of this repository that are read as text."""
    for top in ROOT.iterdir():
        if not top.name.startswith("."):
            yield from (path for path in (top, *top.rglob("*")) if path.is_file() and path.suffix not in NO_TEXT)


@pytest.fixture
def ford(rollbook: RunRollbook, tmp_path: Path) -> RunRollbook:
    (tmp_path / "ford.session").write_text(SCRIPT, encoding="utf-8")
    assert rollbook(f"play {tmp_path / 'ford.session'}").code == 0
    return rollbook


def whole(text: str) -> str:
    """A text on one line, so that it may be broken anywhere."""
    return " ".join(text.split())


def test_the_file_holds_every_paragraph_of_the_notice() -> None:
    lines = NOTICE.read_text(encoding="utf-8").splitlines()
    assert len(RULESET.notice.splitlines()) == 3
    assert [line for line in RULESET.notice.splitlines() if line not in lines] == []


@pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
@pytest.mark.parametrize("text", ["srd-5.2.1", "srd-5.1"])
def test_an_attribution_stands_word_for_word(text: str) -> None:
    legal = (TEXTS.with_name(text) / "Legal.md").read_text(encoding="utf-8")
    wanted = [line.removeprefix("> ") for line in legal.splitlines() if line.removeprefix("> ").startswith("This work")]
    assert len(wanted) == 1
    assert wanted[0] in RULESET.notice.splitlines()


def test_it_comes_with_the_wheel_the_source_and_the_container() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert NOTICE.name in project["project"]["license-files"]
    left_out = project["tool"]["hatch"]["build"]["targets"]["sdist"]["exclude"]
    assert all(path in ("/.cache", "/.git") or path.startswith("/rollbook/") for path in left_out), (
        "the source holds every file"
    )
    assert f" {NOTICE.name} " in (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")


def test_every_picture_and_every_script_of_others_is_named_with_its_licence() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=False, capture_output=True, text=True).stdout.split(
        "\n"
    )
    pictures = [name for name in listed if name.endswith((".png", ".svg", ".jpg", ".jpeg", ".webp", ".ico", ".woff2"))]
    scripts = [name for name in listed if name.endswith(".js") and _is_packed(ROOT / name)]
    if not listed[0]:
        pytest.skip("this is no checkout")
    assert len(pictures) > 3 and len(scripts) > 1
    notice = NOTICE.read_text(encoding="utf-8")
    assert [name for name in (*pictures, *scripts) if name not in notice] == []


def _is_packed(script: Path) -> bool:
    """True for a script with lines that nobody writes."""
    return max(map(len, script.read_text(encoding="utf-8").splitlines())) > 1_000


def test_nothing_else_names_whose_game_it_is() -> None:
    looked_at = [path for path in files() if path not in PLACES]
    assert len(looked_at) > 1000
    named = (path for path in looked_at if NAMED.search(path.read_text(encoding="utf-8", errors="ignore")))
    assert [str(path.relative_to(ROOT)) for path in named] == []
    assert all(NAMED.search(path.read_text(encoding="utf-8")) for path in PLACES if path.exists())


def test_readers_see_what_it_is_compatible_with() -> None:
    assert RULESET.title == "fifth edition (SRD 5.2.1)"
    assert GENRE in RULESET.summary.lower()
    assert GENRE in NOTICE.read_text(encoding="utf-8")


def test_the_command_line_shows_it_with_the_ruleset(rollbook: RunRollbook) -> None:
    shown = whole(rollbook("rulesets srd5").out)
    assert [line for line in RULESET.notice.splitlines() if line not in shown] == []


FORMATS = [
    pytest.param(form, marks=needs("typst", "pdftotext") if form == "pdf" else ())
    for form in sorted({"jsonl", *exporters()})
]
ENDINGS = {"csv": "", "markdown": "", "replay": ".html", "cloudevents": ".json", "json-schema": ".json"}
"""The endings of files that are not called like their format."""
WITHOUT = {"json-schema"}
"""Formats that hold nothing of a game: the same for every campaign."""
TOLD_BESIDE = {"jsonl", "cloudevents"}
"""Formats of nothing but a campaign's entries: the command tells the notice beside them."""
LICENCE = "licensed under the Creative Commons Attribution 4.0 International License"


def exported(rollbook: RunRollbook, folder: Path, form: str, *options: str) -> tuple[str, str]:
    """The words of everything that an export writes, and those of the command."""
    folder.mkdir()
    target = folder / f"ford{ENDINGS.get(form, '.' + form)}"
    done = rollbook(f"export {target} --to {form} {' '.join(options)}")
    assert done.code == 0, done.err
    skipped = (".sqlite",)  # a database: what lies beside it says it in words
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in skipped]
    assert files
    return whole(" ".join(text_of(path) for path in files)).replace("\\", ""), whole(done.out)


@pytest.mark.parametrize("form", FORMATS)
def test_every_export_with_material_of_others_holds_the_notice_or_is_told_it(
    ford: RunRollbook, tmp_path: Path, form: str
) -> None:
    held, said = exported(ford, tmp_path / "out", form)
    if form in WITHOUT:
        return
    text = said if form in TOLD_BESIDE else html.unescape(held)
    attributions = RULESET.notice.splitlines()
    assert [line for line in attributions if bare(line) not in bare(text)] == []
    assert bare(RULESET.notice) in bare(said)


def bare(text: str) -> str:
    """A text as its letters and digits: marks, quotes and breaks are the format's own."""
    return re.sub(r"<[^>]+>|\\\\?[nru]|[^a-z0-9]", "", re.sub(r"\\u[0-9a-f]{4}", "", text.lower()))


@pytest.mark.parametrize("form", FORMATS)
def test_no_export_names_whose_game_it_is_but_in_the_notice(ford: RunRollbook, tmp_path: Path, form: str) -> None:
    held, _ = exported(ford, tmp_path / "out", form)
    rest = bare(html.unescape(held))
    for line in RULESET.notice.splitlines():
        rest = rest.replace(bare(line), " ")
    assert not re.search("wizards" + "ofthecoast|dnd" + "beyond|dnd" + "wizards|dungeons" + "anddragons", rest)


@pytest.mark.parametrize("form", FORMATS)
def test_no_export_of_another_game_holds_it(rollbook: RunRollbook, tmp_path: Path, form: str) -> None:
    (tmp_path / "mill.session").write_text('campaign "The Mill" grid\nscene "The mill"\n', encoding="utf-8")
    assert rollbook(f"play {tmp_path / 'mill.session'}").code == 0
    held, said = exported(rollbook, tmp_path / "out", form)
    assert LICENCE not in held + said
    assert not NAMED.search(held + said)


def test_programs_get_it_with_the_answer(ford: RunRollbook, tmp_path: Path) -> None:
    _, said = exported(ford, tmp_path / "out", "csv", "--json")
    assert json.loads(said)["remarks"][-3:] == RULESET.notice.splitlines()


def test_a_game_without_a_notice_shows_none(rollbook: RunRollbook, tmp_path: Path) -> None:
    (tmp_path / "mill.session").write_text('campaign "The Mill" grid\nscene "The mill"\n', encoding="utf-8")
    assert rollbook(f"play {tmp_path / 'mill.session'}").code == 0
    assert rollbook(f"export {tmp_path / 'mill.html'} --to html").code == 0
    page = (tmp_path / "mill.html").read_text(encoding="utf-8")
    assert "Notice" not in page and "licensed under" not in page


def test_the_notice_of_a_game_that_was_played_before_stays() -> None:
    book = Rulebook({"srd5": RULESET, "grid": GRID})
    assert book.notices(CampaignState(ruleset="grid")) == ()
    assert book.notices(CampaignState(ruleset="grid", former={"srd5": {}})) == tuple(RULESET.notice.splitlines())
    assert book.notices(CampaignState(ruleset="srd5", former={"srd5": {}, "gone": {}})) == tuple(
        RULESET.notice.splitlines()
    )
