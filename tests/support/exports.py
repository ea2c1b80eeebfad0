"""Exported files, and what the verifier says of them."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rollbook.adapters.exports.files import VERIFIER, checked_line
from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.envelopes import Private
from rollbook.domain.base.number_words import counted
from rollbook.domain.history.chain import PRIVATE, PUBLIC, ROOT, canonical, seal
from tests.support.codec_lines import halves_of

VERIFIER_SCRIPT = Path(sys.modules["rollbook.adapters.exports.files"].__file__ or "").with_name(VERIFIER)
HEX = re.compile(rb"[0-9a-f]{16,}")

_verify: Callable[..., int] = runpy.run_path(str(VERIFIER_SCRIPT))["main"]


NONSENSE = (b"\xff\xfe\n", b"{}\n", b"[]\n", b"null\n", b"nonsense\n", b"[" * 100_000)
"""Lines in a file that are no entries."""


def full_export(campaign: Campaign, path: Path) -> bytes:
    """The file with everything in it."""
    export_campaign(campaign.session.log, path, overwrite=True)
    return path.read_bytes()


def export_for(campaign: Campaign, path: Path, seat: str | None) -> bytes:
    """The file for a seat, "" for the table; None for the one with everything in it."""
    if seat is None:
        return full_export(campaign, path)
    export_shown(campaign.session.log, path, Reader(seat), overwrite=True)
    return path.read_bytes()


def verify(path: Path, *receipts: str) -> tuple[int, str]:
    """The exit code and the words of the verifier, in this process."""
    with patch("sys.stdout", StringIO()) as said:
        code = _verify(str(path), *receipts)
    return code, said.getvalue()


def verdicts(path: Path, *receipts: str) -> tuple[str, str]:
    """The verifier's verdicts on chain and dice ("" if the chain failed and the dice were not looked at)."""
    lines = [line.split() for line in verify(path, *receipts)[1].splitlines()]
    found = {line[0]: line[1] for line in lines if line and line[0] in ("chain", "dice") and line[1].isupper()}
    return found["chain"], found.get("dice", "")


def is_unbroken(path: Path, *receipts: str) -> bool:
    """True if the verifier finds the chain good: UNPROVEN if nothing vouches for an entry, or for removed words."""
    code, said = verify(path, *receipts)
    is_open = "nothing else here vouches for" in said or "the record of it is not here" in said
    chain = "UNPROVEN" if is_open else "VERIFIED"
    return verdicts(path, *receipts)[0] == chain and (chain == "VERIFIED" or code == 3)


def run_verifier(path: Path, *receipts: str) -> subprocess.CompletedProcess[str]:
    """The verifier that lies beside a file, in a process of its own that knows nothing of this project."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(path.with_name(VERIFIER)), str(path), *receipts],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def without_hashes(file: bytes) -> bytes:
    """A file whose hashes, salts and seeds are numbers in the order of their first appearance: what hangs on what stays.

    The first line's checksum and the moments in time are left out.
    """
    names: dict[bytes, bytes] = {}
    body = re.sub(rb', "check": "[0-9a-f]+"', b"", file)
    body = re.sub(rb'"at":\d+', b'"at":0', body)
    return HEX.sub(lambda found: names.setdefault(found[0], b"<%d>" % len(names)), body)


def without_hash_keys(file: bytes) -> str:
    """A file in small letters without the keys under which its hashes are: "hash" has a name of the tests in it."""
    return re.sub(r'"(?:previous_public_|previous_)?hash":', "", file.decode().casefold())


def with_body(path: Path, lines: Iterable[bytes]) -> Path:
    """A file with other lines after its first one."""
    first = path.read_bytes().splitlines(keepends=True)[0]
    other = path.with_name(f"other-{path.name}")
    other.write_bytes(first + b"".join(lines))
    return other


def envelope(line: bytes) -> dict[str, Any]:
    """The public envelope that a line of a file holds, {} if the entry is left out."""
    lines = json.loads(line).get("lines")
    fields: dict[str, Any] = lines[0][1] if lines else {}
    return fields


PRIVATE_FIELDS = set(Private.__struct_fields__) - {"action", "params", "reason", "salt"}
"""Fields of the private envelope whose names are nowhere else."""


def fields_in(lines: Iterable[bytes]) -> set[str]:
    """The names of all fields in the stored lines that lines of a file hold."""
    return _names([json.loads(line).get("lines", []) for line in lines])


def _names(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_names, value.values()))
    return set[str]().union(*map(_names, value)) if isinstance(value, list) else set()


def stored_part(line: bytes) -> range:
    """The places of the bytes of an entry's own lines in a line of a file."""
    return range(line.index(b'"lines":[') + 9, len(line) - 3)


def body_lines(path: Path) -> list[bytes]:
    """The lines after the first one."""
    return path.read_bytes().splitlines(keepends=True)[1:]


def agree(campaign: Campaign, path: Path) -> str:
    """The verifier says of the whole file what the audit says of the store; returns what it says of the dice."""
    chain, dice, _ = campaign.audit()
    full_export(campaign, path)
    found = verdicts(path)
    assert found == (str(chain.verdict), str(dice.verdict)), verify(path)[1]
    said = verify(path)[1]
    for kind, number in re.findall(r"(\w+) dice, which nobody can prove: (\d+)", said):
        if kind == "physical":
            typed = (f"{number} real dice", f"{number} real die ")
            assert any(remark.startswith(typed) for remark in dice.remarks), (said, dice.remarks)
    assert f"{counted(dice.checked, 'die', 'dice')} proven" in said
    return found[1]


def rechained(first: bytes, lines: list[bytes], relink: int | None = None) -> tuple[bytes, list[bytes]]:
    """The lines of a file that holds everything, with hashes that fit what they say now.

    Entries that name one that the table saw name the one that it now is, but for the one at ``relink``.
    """
    previous, public, made = ROOT, ROOT, []
    for at, line in enumerate(lines):
        said = json.loads(line)
        kept = said["lines"][PRIVATE][1]
        shown = said["lines"][PUBLIC][1]
        if shown.get("previous_public_hash") and at != relink:
            shown["previous_public_hash"] = public
        stored = [canonical(each) for each in said["lines"][:-1]]
        both = halves_of(stored, kept.get("hidden_events", ()))
        hash_ = both.hash(previous, shown.get("previous_public_hash", ""))
        stored.append(seal(hash_, previous))
        made.append(b'{"entry":%d,"lines":[%s]}\n' % (said["entry"], b",".join(stored)))
        previous, public = hash_, public if "visibility" in shown else hash_
    head = {key: value for key, value in json.loads(first).items() if key != "check"}
    return checked_line(json.dumps({**head, "head": previous}).encode()), made
