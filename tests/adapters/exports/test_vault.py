"""A vault for Obsidian: every link leads to one note, Dataview reads the types, and what a person has edited is theirs."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.exports import find_exporter
from rollbook.adapters.exports.vault import writing
from rollbook.adapters.exports.vault.markdown_syntax import LONGEST, Names, folded, plain, safe_name
from rollbook.adapters.exports.vault.writing import LIST
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from tests.support.campaigns import book_with
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example
from tests.support.formats import exported, request_for
from tests.support.vaults import front_matter, links, notes, odd_links

ROBIN = "Characters/Robin Hood.md"


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Campaign]]:
    folder = tmp_path_factory.mktemp("examples")
    made = {name: played_example(name, folder) for name in EXAMPLE_SESSIONS}
    yield made
    for campaign in made.values():
        book_with(campaign).close()


@pytest.fixture
def vault(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.do("open-session", {"title": "second"})
    for title in ("The mill, at dawn", "The road", "the mill"):
        campaign.do("scene", {"title": title})
        campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    campaign.do("award", {"who": ("robin",), "amount": 70})
    exported(campaign, "markdown", tmp_path / "vault")
    return tmp_path / "vault"


def state_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """When each file was written, and what it holds."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", EXAMPLE_SESSIONS)
def test_every_link_leads_to_one_note(examples: dict[str, Campaign], tmp_path: Path, name: str) -> None:
    exported(examples[name], "markdown", tmp_path / "vault", None)
    assert odd_links(tmp_path / "vault") == []
    found = notes(tmp_path / "vault")
    kinds = [front_matter(text)["type"] for text in found.values()]
    state = examples[name].state
    assert kinds.count("character") == len(state.characters)
    assert kinds.count("scene") == state.scenes
    assert kinds.count("campaign") == 1
    assert "place" in kinds
    reached, ahead = set[str](), [path.rpartition("/")[2].removesuffix(".md") for path in found if "/" not in path]
    by_name = {path.rpartition("/")[2].removesuffix(".md"): text for path, text in found.items()}
    while ahead:
        reached.add(at := ahead.pop())
        ahead += [target for target in links(by_name.get(at, "")) if target not in reached]
    assert by_name.keys() <= reached, "every note can be reached from the index"


def test_a_link_check_finds_what_leads_nowhere_or_to_two(vault: Path) -> None:
    (vault / "mine.md").write_text("[[Nobody]] and [[robin]]\n")
    (vault / "Places" / "robin.md").write_text("\n")
    assert {link.partition(": ")[2] for link in odd_links(vault)} >= {"[[Nobody]]", "[[robin]]"}


def test_dataview_reads_dates_numbers_and_lists(examples: dict[str, Campaign], tmp_path: Path) -> None:
    exported(examples["sherwood"], "markdown", tmp_path / "vault")
    found = {path: front_matter(text) for path, text in notes(tmp_path / "vault").items()}
    robin = found[ROBIN]
    assert (type(robin["level"]), type(robin["xp"]), type(robin["present"])) == (int, int, bool)
    assert robin["sessions"] == ["[[Session 1 The Silver Arrow]]"]
    session = found["Sessions/Session 1 The Silver Arrow.md"]
    assert isinstance(session["date"], dt.date)
    assert session["number"] == 1
    assert session["xp"] > 0


def test_scenes_at_one_place_are_found_there(vault: Path) -> None:
    assert [path.name for path in sorted((vault / "Places").iterdir())] == ["The mill.md", "The road.md"]
    mill = (vault / "Places" / "The mill.md").read_text()
    assert front_matter(mill)["scenes"] == [
        "[[2-01 The mill, at dawn|The mill, at dawn]]",
        "[[2-03 the mill|the mill]]",
    ]


def test_an_amended_scene_has_its_new_title_and_stays_one(campaign: Campaign, vault: Path) -> None:
    framed = next(entry.action for entry in campaign.history.entries if entry.intent.params.get("title") == "The road")
    campaign.corrections.amend(framed, {"title": "The bridge"}, reason="misheard").apply()
    exported(campaign, "markdown", vault)
    assert sorted(path.name for path in (vault / "Scenes").iterdir()) == [
        "2-01 The mill, at dawn.md",
        "2-02 The bridge.md",
        "2-03 the mill.md",
    ]
    assert odd_links(vault) == []


# Written again.


def test_written_again_nothing_is_touched_that_did_not_change(campaign: Campaign, vault: Path) -> None:
    before = state_of(vault)
    assert "0 written" in exported(campaign, "markdown", vault, overwrite=False).remarks[0]
    assert state_of(vault) == before
    campaign.do("scene", {"title": "The far bank"})
    done = exported(campaign, "markdown", vault, overwrite=False)
    after = state_of(vault)
    changed = {path for path in before if after[path] != before[path]}
    assert ROBIN not in changed and "Places/The road.md" not in changed
    assert "Sessions/Session 2 second.md" in changed
    assert "0 removed" in done.remarks[0]


def test_a_note_that_a_person_edited_is_never_touched_and_is_named(campaign: Campaign, vault: Path) -> None:
    mine = vault / "Characters" / "Robin.md"
    mine.write_text(mine.read_text() + "\nOwes me two pounds.\n")
    kept = state_of(vault)["Characters/Robin.md"]
    for _ in range(2):
        campaign.do("award", {"who": ("robin",), "amount": 30})
        done = exported(campaign, "markdown", vault)
        assert state_of(vault)["Characters/Robin.md"] == kept
        assert any("Characters/Robin.md was edited by hand" in said for said in done.remarks)
    mine.unlink()
    exported(campaign, "markdown", vault)
    assert "xp: 130" in mine.read_text(), "a note that was deleted is there again"


def test_lines_that_end_as_on_windows_are_no_edit(campaign: Campaign, vault: Path) -> None:
    for path in vault.rglob("*.md"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = state_of(vault)
    done = exported(campaign, "markdown", vault)
    assert len(done.remarks) == 1
    assert state_of(vault) == before


def called(campaign: Campaign, name: str) -> None:
    """Robin was called so from the first."""
    joined = next(entry.action for entry in campaign.history.entries if entry.intent.verb == "join")
    campaign.corrections.amend(joined, {"name": name}, reason="misheard").apply()


def test_what_has_another_name_leaves_no_old_note_unless_it_was_edited(campaign: Campaign, vault: Path) -> None:
    called(campaign, "Robin of Locksley")
    exported(campaign, "markdown", vault)
    edited = vault / "Characters" / "Robin of Locksley.md"
    assert edited.exists()
    assert not (vault / "Characters" / "Robin.md").exists()
    assert odd_links(vault) == []
    edited.write_text("mine\n")
    called(campaign, "Robin Hood")
    done = exported(campaign, "markdown", vault)
    assert edited.read_text() == "mine\n"
    assert any("nothing leads to it any more" in said for said in done.remarks)
    assert odd_links(vault) == []


def test_what_is_not_in_it_any_more_is_removed(campaign: Campaign, vault: Path) -> None:
    """An export of one session holds the scenes of that session alone."""
    request = request_for(campaign, vault, overwrite=True)
    first = request.numbers() - {line.entry for line in request.lines() if line.session == 2}
    done = find_exporter("markdown")(attrs.evolve(request, wanted=lambda entry: entry.number in first))
    assert not (vault / "Scenes").exists()
    assert not (vault / "Sessions" / "Session 2 second.md").exists()
    assert (vault / "Sessions" / "Session 1 first.md").exists()
    assert " 0 removed" not in done.remarks[0]
    assert odd_links(vault) == []


def test_a_note_of_somebodys_own_keeps_its_name(campaign: Campaign, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "My notes").mkdir(parents=True)
    (vault / "My notes" / "Robin.md").write_text("mine\n")
    exported(campaign, "markdown", vault)
    assert (vault / "Characters" / "Robin (robin).md").exists()
    assert odd_links(vault) == []
    assert (vault / "My notes" / "Robin.md").read_text() == "mine\n"


def test_nothing_looks_edited_after_a_program_was_killed_in_between(
    campaign: Campaign, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign.do("award", {"who": ("robin", "marian"), "amount": 30})
    written: list[Path] = []

    def killed(folder: Path, note: object) -> bool:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(folder)
        return write(folder, note)  # type: ignore[arg-type]

    write = writing._write
    monkeypatch.setattr(writing, "_write", killed)
    with pytest.raises(KeyboardInterrupt):
        exported(campaign, "markdown", vault)
    monkeypatch.undo()
    campaign.do("award", {"who": ("robin",), "amount": 30})
    assert len(exported(campaign, "markdown", vault).remarks) == 1
    assert odd_links(vault) == []


def test_a_vault_of_another_campaign_or_reader_is_refused(campaign: Campaign, vault: Path, tmp_path: Path) -> None:
    before = state_of(vault)
    with pytest.raises(RollbookError, match="holds a vault for table"):
        exported(campaign, "markdown", vault, None, overwrite=False)
    assert state_of(vault) == before
    (tmp_path / "file").write_text("x")
    with pytest.raises(RollbookError, match="already exists"):
        exported(campaign, "markdown", tmp_path / "file")


def test_a_list_that_somebody_changed_removes_nothing_outside(campaign: Campaign, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine\n")
    digest = "1fb7b3f1d8e2a0a7b65ae0e6d0b7a8b3b5b3bd6f5e7f3c3f8c1a0ef3a2c3d4e5"
    text = (vault / LIST).read_text()
    (vault / LIST).write_text(
        text.replace('"notes": {', f'"notes": {{"../mine.md": ["{digest}"], "/etc/hosts": [],', 1)
    )
    exported(campaign, "markdown", vault)
    assert (tmp_path / "mine.md").read_text() == "mine\n"


def test_portraits_come_with_the_characters(campaign: Campaign, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "ROBIN.png").write_bytes(b"\x89PNG picture")
    (folder / "guard.exe").write_bytes(b"MZ")
    request = attrs.evolve(request_for(campaign, tmp_path / "vault"), pictures=folder)
    find_exporter("markdown")(request)
    assert (tmp_path / "vault" / "Pictures" / "Robin.png").read_bytes() == b"\x89PNG picture"
    assert "![[Robin.png]]" in (tmp_path / "vault" / "Characters" / "Robin.md").read_text()
    assert not list((tmp_path / "vault").rglob("*.exe"))
    assert odd_links(tmp_path / "vault") == []


def test_pictures_of_the_campaign_are_in_the_notes(examples: dict[str, Campaign], tmp_path: Path) -> None:
    exported(examples["sherwood"], "markdown", tmp_path / "vault")
    session = (tmp_path / "vault" / "Sessions" / "Session 1 The Silver Arrow.md").read_text()
    embedded = [name for name in links(session) if name.endswith(".svg")]
    assert len(embedded) >= 4
    assert all((tmp_path / "vault" / "Pictures" / name).read_text().startswith("<svg") for name in embedded)


# Names and words.


@pytest.mark.parametrize(
    "text",
    [
        "../x",
        "a/b\\c",
        "CON",
        "com1.txt",
        "nul",
        "...",
        "",
        " x ",
        "x" * 500,
        "🐺" * 200,
        "[[x]]",
        "a|b#c^d",
        "\u202etxt",
        "x.",
        'a:b*?"<>',
    ],
)
def test_a_name_is_safe_on_every_system(text: str) -> None:
    name = safe_name(text, "note")
    assert name == name.strip(" .")
    assert name and not set(name) & set('\\/:*?"<>|#^[]')
    assert name.isprintable()
    assert len(name.encode()) <= LONGEST + 1
    assert name.split(".")[0].casefold() not in ("con", "nul", "com1")


def test_names_that_differ_in_capitals_or_accents_alone_are_told_apart() -> None:
    names = Names(["Own"])
    given = [
        names.give(text, apart)
        for text, apart in (("Zoë", "a"), ("ZOË", "b"), ("Zoe\u0308", "c"), ("own", "d"), ("zoë", "a"))
    ]
    assert len({folded(name) for name in given} | {"own"}) == 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[x]] ![[y]]", "\\[\\[x\\]\\] !\\[\\[y\\]\\]"),
        ("key:: value", "key:\\: value"),
        ("%%hidden%% ~~gone~~ ==marked==", "\\%\\%hidden\\%\\% \\~\\~gone\\~\\~ \\=\\=marked\\=\\="),
        ("<script>", "\\<script>"),
        ("- a\n1. b", "\\- a 1. b"),
        ("12) x", "12\\) x"),
        ("#tag a ^block", "\\#tag a \\^block"),
        ("`= this.x` $x$ <% tp %>", "\\`= this.x\\` \\$x\\$ \\<% tp %>"),
        ("2d6-1 = 7, a & b", "2d6-1 = 7, a & b"),
    ],
)
def test_words_stay_words(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_in_the_place_of_a_note_is_not_followed(campaign: Campaign, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine\n")
    (vault / "Characters" / "Robin.md").unlink()
    (vault / "Characters" / "Robin.md").symlink_to(tmp_path / "mine.md")
    exported(campaign, "markdown", vault)
    assert (tmp_path / "mine.md").read_text() == "mine\n"
