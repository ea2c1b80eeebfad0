"""No export with pseudonyms is handed over that names somebody: what was written is searched, in whatever format it is."""

from __future__ import annotations

import gzip
import html
import json
import re
import sqlite3
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest

from rollbook.adapters.exports import GROUP, exporters, find_exporter
from rollbook.adapters.exports.exporter import Exported, Exporter, ExportRequest, request_for, seen_by
from rollbook.adapters.exports.search_for_people import check_nameless
from rollbook.adapters.plugins.entry_points import listed, load
from rollbook.adapters.web.gm.keeping import ENDINGS
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.rules.sheet_rulings import Adjustment
from tests.support.awkward_names import AWKWARD, plainly, ways_to_write
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.chronicles import png, text_of
from tests.support.needs import needs
from tests.support.plugins import put_module
from tests.support.replay_pages import part_of
from tests.support.terminal import RunRollbook

FORMATS = [
    pytest.param(name, ending, marks=needs("typst", "pdftotext") if name == "pdf" else ())
    for name, ending in [*((name, ENDINGS.get(name, "")) for name in exporters()), ("csv", ".zip")]
]
SAME_FOR_ALL = ("json-schema",)


def named_everywhere(campaign: Campaign, name: str) -> None:
    """Let somebody of this name sit down, and be named wherever a person can be."""
    do, correct = campaign.do, campaign.corrections
    campaign.do("take-seat", {"seat": name})
    for way in dict.fromkeys((*ways_to_write(name), name)):
        do("note", {"text": f"{way} was here, said *{way}*, {way}!"}, reason=f"as {way} said")
    do("note", {"text": "psst", "to": name}, seat=name)
    do("say", {"text": f"hear me, {name}"}, seat=name)
    do("whisper", {"to": name, "text": f"{name}, hear me"})
    drawn = {"digest": "0" * 64, "media": "image/png", "width": 1, "height": 1, "alt": f"{name}, drawn by {name}"}
    do("handout", {"title": f"{name}’s map", "text": f"for {name}", **drawn})
    do("handout", {"title": "psst", "to": name, **drawn})
    do("portrait", {"who": "robin", **drawn})
    do("scene", {"title": f"{name}, at dawn"})
    do("lend", {"who": "robin", "to": name})
    do("agree", {"matter": "dice", "value": "stream", "whose": name})
    do("ruling", {"reason": f"{name} may", "about": "robin"})
    do("leave", {"who": "marian", "reason": f"{name} left"})
    campaign.corrections.undo(campaign.history.actions, reason=f"{name} came back").apply()
    label = f"+1[{name}]" if re.fullmatch(r"[\w ]+", name) else ""
    do("roll", {"expression": f"1d20{label}", "purpose": f"for {name}"}, seat=name)
    do("adjust", {"who": "robin", "what": "skill", "by": 1, "reason": f"{name} taught"})
    correct.amend(campaign.history.actions, {"by": 2}, reason=f"{name} counts").apply()
    foe = do("join", {"name": "Foe", "kind": "npc", "stats": {"max_hp": 9, "skill": 1}}).events[0].character
    do("attack", {"attacker": "robin", "target": foe}, seat=name)
    thought = Adjustment(who=foe, what="skill", by=1, why=f"{name} forgot")
    correct.amend(campaign.history.actions, adjustments=[thought], reason="once more").apply()
    do("note", {"text": f"only {name} knows", "to": "gm"})


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """A campaign in which everybody with an awkward name is named everywhere."""
    with memory_book(tmp_path_factory.mktemp("awkward")) as book:
        made = begin_campaign(book, "Großmann’s Zoe\u0308", session=False)
        made.do("open-session", {"title": "GROSSMANN begins"})
        for name in AWKWARD:
            named_everywhere(made, name)
        made.do("close-session")
        made.session.project()
        yield made


def written(campaign: Campaign, format_: str, target: Path, *, seat: str | None = None, pseudonyms: bool) -> Exported:
    """An export as it is asked for on the command line."""
    target.parent.mkdir(parents=True, exist_ok=True)
    seen = seen_by(campaign, seat)
    request = request_for(seen, campaign, seat, target, pseudonyms=pseudonyms, overwrite=True)
    return find_exporter(format_)(request)


def readable(folder: Path) -> str:
    """All that can be read in a folder, with the names of its files, without quotation marks and escapes."""
    said = "\n".join(f"{path.relative_to(folder)}\n{_read(path)}" for path in folder.rglob("*") if path.is_file())
    return _bare(html.unescape(said))


def _read(path: Path) -> str:
    data = path.read_bytes()
    if data.startswith(b"SQLite"):
        with closing(sqlite3.connect(path)) as database:
            return _unescaped("\n".join(database.iterdump()))
    if b"<!-- rollbook/replay/" in data[:100]:
        return "".join((data.decode(), *(_unescaped(part_of(path, part).decode()) for part in ("frames", "chain"))))
    if path.suffix in (".pdf", ".epub"):
        return text_of(path)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as packed:
            return "\n".join(packed.read(name).decode() for name in packed.namelist())
    return _unescaped(data.decode())


def _unescaped(text: str) -> str:
    """A text without the escapes of JSON."""
    return re.sub(r"(?:\\u[0-9a-f]{4})+", lambda found: json.loads(f'"{found[0]}"'), text)


def _bare(text: str) -> str:
    return re.sub(r"""[\\"'’`]""", "", plainly(text))


def left(folder: Path) -> list[str]:
    """The awkward names that can be read in a folder."""
    text = readable(folder)
    return [name for name in AWKWARD if _bare(name) in text]


@pytest.mark.slow
@pytest.mark.parametrize(("format_", "ending"), FORMATS)
def test_nobody_with_an_awkward_name_is_named_in_any_format(
    campaign: Campaign, tmp_path: Path, format_: str, ending: str
) -> None:
    for at, seat in enumerate((None, "", AWKWARD[0])):
        folder = tmp_path / f"{at}"
        written(campaign, format_, folder / f"x{ending}", seat=seat, pseudonyms=True)
        assert left(folder) == [], seat
    if format_ not in SAME_FOR_ALL:
        written(campaign, format_, tmp_path / "named" / f"x{ending}", pseudonyms=False)
        shown = len(AWKWARD) if format_ != "pdf" else len(AWKWARD) - 4  # the fonts have no Hebrew, no kana and no foxes
        assert len(left(tmp_path / "named")) >= shown, "with their own names people are found, so the test can see them"


@pytest.mark.parametrize(("format_", "ending"), FORMATS)
def test_what_is_searched_is_what_is_handed_over(campaign: Campaign, tmp_path: Path, format_: str, ending: str) -> None:
    rehearsed: list[dict[str, bytes]] = []
    request = request_for(campaign, campaign, None, tmp_path / "out" / f"x{ending}", pseudonyms=True)
    (tmp_path / "out").mkdir()
    write: Exporter = load(listed(GROUP)[format_], format_)

    def spied(asked: ExportRequest) -> Exported:
        exported = write(asked)
        rehearsed.append(_bytes(asked.target.parent))
        return exported

    check_nameless(spied, request)
    write(request)
    assert rehearsed[0] == _bytes(tmp_path / "out")


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Honest exports of people who are called as something else is.


ORDINARY = ("Attack", "gm", "The", "1", "Seat", "robin", "Guard", "log", "div", "Al", "Seat 2", "GM", "table", "type")


@pytest.mark.parametrize(("format_", "ending"), FORMATS)
def test_people_who_are_called_by_an_ordinary_word_are_no_reason_to_refuse(
    tmp_path: Path, format_: str, ending: str
) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    for name in ORDINARY:
        campaign.do("take-seat", {"seat": name})
    campaign.do("note", {"text": "Guard, Al and the log met Robin"}, seat="Al")
    campaign.do("roll", {"expression": "2d6+1", "purpose": "attack"}, seat="robin")
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    campaign.session.project()
    exported = written(campaign, format_, tmp_path / "out" / f"x{ending}", pseudonyms=True)
    (remark,) = (remark for remark in exported.remarks if remark.startswith("Left as they are"))
    words = remark.removesuffix(".").partition(": ")[2].split(", ")
    assert {*words} <= {*ORDINARY}
    assert "Al" not in words, "nothing else is called so"
    if format_ not in SAME_FOR_ALL:
        assert {"robin", "Guard"} <= {*words}, "characters are called so"


def test_a_character_keeps_a_name_that_a_person_has_too(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("take-seat", {"seat": "Großmann"})
    campaign.do("join", {"name": "Großmann", "seat": "Großmann"})
    campaign.do("note", {"text": "Großmann sleeps"}, seat="Großmann")
    campaign.session.project()
    exported = written(campaign, "cloudevents", tmp_path / "x.jsonl", pseudonyms=True)
    assert "Left as they are, because something else is called so too: Großmann." in exported.remarks
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    joined = next(line["data"] for line in lines if line["data"].get("name") == "Großmann")
    assert joined["seat"] == "Seat 3"
    assert [line["data"]["text"] for line in lines if "NoteWritten" in line["type"]] == ["Seat 3 sleeps"]


# Exporters that name somebody.


def _packed(name: str) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("page.xml", f"<p>{name}</p>")
    return packed.getvalue()


def _entry_of_zip(name: str) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{name}.txt", "nobody")
    return packed.getvalue()


def _database(name: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE people (about)")
        made.execute("INSERT INTO people VALUES (?)", (json.dumps({"name": name}),))
        made.commit()
        return made.serialize()


def _pdf(said: bytes) -> bytes:
    return b"%PDF-1.7\n1 0 obj\n<</Title" + said + b">>\nendobj\n%%EOF\n"


NAME = "Großmann"
WAYS: dict[str, bytes] = {
    "as it is": NAME.encode(),
    "in capitals": NAME.upper().encode(),
    "in UTF-16": NAME.encode("utf-16"),
    "in JSON": json.dumps({"a": f"x\n{NAME}\t"}).encode(),
    "in JSON in JSON": json.dumps({"a": json.dumps([NAME])}).encode(),
    "in JSON between angles": json.dumps(["a < b", NAME, "c > d"]).encode(),
    "in HTML": b"<p>Gro&szlig;mann</p>",
    "in HTML by number": b"<p>Gro&#223;mann</p>",
    "in HTML with tags within": "<p>Gro<b>ß</b>mann</p>".encode(),
    "in HTML in JSON": json.dumps(["Gro&#xdf;mann"]).encode(),
    "in an address": f"?who={quote(NAME)}".encode(),
    "in Markdown": "\\Groß\\mann".encode(),
    "in a packed page": b"<script>" + b64encode(gzip.compress(NAME.encode())) + b"</script>",
    "in an unpacked page": b'<a href="data:,' + b64encode(f"say nothing of {NAME} to them".encode()) + b'">',
    "in a gzip file": gzip.compress(NAME.encode()),
    "in a zip file": _packed(NAME),
    "in a name in a zip file": _entry_of_zip(NAME),
    "in a database": _database(NAME),
}


@pytest.fixture
def asked(tmp_path: Path) -> ExportRequest:
    """What is asked for at a table where Großmann sits, with another file where the export is to go."""
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("take-seat", {"seat": NAME})
    campaign.session.project()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x").write_bytes(b"an earlier export")
    return request_for(campaign, campaign, None, tmp_path / "out" / "x", pseudonyms=True, overwrite=True)


def _writes(data: bytes, says: bytes = b"") -> Callable[[ExportRequest], Exported]:
    """An exporter that writes nothing else. It has the name from where our own have it: from the request."""

    def write(request: ExportRequest) -> Exported:
        knows = NAME in request.names.names
        request.target.write_bytes(data if knows else b"nobody")
        if says:
            request.says(says if knows else b"nobody")
        return Exported(path=request.target, entries=0)

    return write


@pytest.mark.parametrize("way", WAYS)
def test_an_export_that_names_somebody_is_refused(asked: ExportRequest, way: str) -> None:
    with pytest.raises(RollbookError, match=r"^'Großmann' would still stand in x, in spite of pseudonyms; nothing was"):
        check_nameless(_writes(WAYS[way]), asked)
    assert _bytes(asked.target.parent) == {"x": b"an earlier export"}


@pytest.mark.parametrize("data", [b"\x00\x01", b"\xff\xfea", b"%PDF-1.7", b"PK\x03\x04", b"\x1f\x8b", b"Gro\xdfmann"])
def test_what_cannot_be_searched_is_not_exported_with_pseudonyms(asked: ExportRequest, data: bytes) -> None:
    with pytest.raises(RollbookError, match="x cannot be searched for the names of people"):
        check_nameless(_writes(data), asked)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (_pdf(b"(x)"), b'{"title": "Gro\\u00dfmann"}'),
        (_pdf(b"(Gro\\337mann)"), b"nobody"),
        (_pdf(b"<FEFF00470072006F00DF006D0061006E006E>"), b"nobody"),
        (_pdf(b"(\xfe\xff" + NAME.encode("utf-16-be") + b")"), b"nobody"),
        (_pdf(b"(x)") + b"stream\n<x:xmpmeta>" + NAME.encode() + b"</x:xmpmeta>\nendstream", b"nobody"),
    ],
)
def test_of_a_pdf_what_is_set_in_it_is_searched_and_what_it_says_of_itself(
    asked: ExportRequest, data: bytes, says: bytes
) -> None:
    with pytest.raises(RollbookError, match="'Großmann' would still stand in x"):
        check_nameless(_writes(data, says), asked)
    check_nameless(_writes(_pdf(b"(x)"), b"nobody"), asked)


def test_pictures_say_nothing(asked: ExportRequest) -> None:
    assert check_nameless(_writes(png()), asked) == ()


def test_a_file_is_not_called_by_a_name(asked: ExportRequest) -> None:
    def write(request: ExportRequest) -> Exported:
        request.target.mkdir()
        (request.target / f"{next(iter(request.names.names)).upper()}, notes.md").write_bytes(b"nobody")
        return Exported(path=request.target, entries=0)

    with pytest.raises(RollbookError, match="'Ana' would still stand in the name of x/ANA, notes.md"):
        check_nameless(write, asked)


def test_an_exporter_that_reads_past_what_it_was_given_finds_no_names(asked: ExportRequest) -> None:
    assert asked.campaign.session.log.version() == 0
    assert [NAME in repr(entry) for entry in asked.campaign.history.entries].count(True) == 0


def test_a_campaign_that_is_called_by_a_name_is_called_otherwise(campaign: Campaign, tmp_path: Path) -> None:
    request = request_for(campaign, campaign, None, tmp_path / "x", pseudonyms=True)
    assert request.campaign.id == request.campaign.session.log.campaign == "seat-3-s-seat-4"


LEAKY = """
import rollbook

def write(request):
    said = ", ".join(request.names.names)
    request.write([f"# people\\n{said}".encode()], marks=(b"# people",))
    return rollbook.Exported(path=request.target, entries=0)
"""


def test_an_exporter_of_somebody_else_that_names_people_is_refused(
    rollbook: RunRollbook, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    put_module(tmp_path, GROUP, "leaky", "leaky_exporter:write", LEAKY)
    (home / "two.session").write_text('campaign "Two" storytoken\ntake-seat Ana --role gm\ntake-seat Großmann\n')
    rollbook(f"play {home / 'two.session'}")
    assert rollbook(f"export {home / 'two.txt'} --to leaky").code == 0
    before = (home / "two.txt").read_bytes()
    answer = rollbook(f"export {home / 'two.txt'} --to leaky --pseudonyms --overwrite")
    assert (answer.code, answer.err.count("would still stand in two.txt")) == (1, 1)
    assert (home / "two.txt").read_bytes() == before


def test_a_file_that_is_called_by_a_name_is_not_written(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(RollbookError, match="'Großmann' would still stand in the name of grossmann.metadata.json"):
        written(campaign, "sqlite", tmp_path / "out" / "grossmann.sqlite", pseudonyms=True)
    assert _bytes(tmp_path / "out") == {}


def test_a_vault_with_pseudonyms_does_not_go_on_where_one_with_names_lies(campaign: Campaign, tmp_path: Path) -> None:
    request = request_for(campaign, campaign, None, tmp_path / "vault")
    find_exporter("markdown")(request)
    with pytest.raises(RollbookError, match="holds a vault for gm"):
        find_exporter("markdown")(request_for(campaign, campaign, None, tmp_path / "vault", pseudonyms=True))
