"""A stranger who has read docs/dice.md, and nothing else, comes to the same dice: its figures, and every die of a session."""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.domain.dice.ledger import dice_by_place
from rollbook.domain.events import CampaignStarted, DiceRevealed, DiceRolled, EntropyAdded, SessionOpened
from tests.support.tampering_host import honest_log

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "dice.md").read_text(encoding="utf-8")


# What the page says, without a line of rollbook.


def counted(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def tag(use: str) -> bytes:
    return counted(b"rollbook/dice/1 " + use.encode("ascii"))


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def committed(cls: int, sid: bytes, seed: bytes) -> bytes:
    return hashlib.sha256(tag("commit") + struct.pack(">B", cls) + counted(sid) + seed).digest()


def mixed(commits: list[bytes], lines: list[tuple[int, str]]) -> bytes:
    message = tag("mix") + commits[0] + commits[1] + struct.pack(">H", len(lines))
    for seat, text in lines:
        message += struct.pack(">BH", 0, seat) + counted(unicodedata.normalize("NFC", text).encode("utf-8"))
    return hashlib.sha256(message).digest()


def key_of(cls: int, sid: bytes, seed: bytes, mix: bytes, fork: int = 0) -> bytes:
    key = mac(seed, tag("key") + struct.pack(">B", cls) + counted(sid) + mix)
    return mac(key, tag("fork") + struct.pack(">I", fork)) if fork else key


def words(key: bytes, seat: int, n: int) -> Iterator[int]:
    block = 0
    while True:
        message = tag("roll") + struct.pack(">HQ", seat, n) + counted(b"") + struct.pack(">I", block)
        yield from struct.unpack(">8I", mac(key, message))
        block += 1


def faces(key: bytes, seat: int, n: int, sides: list[int]) -> tuple[list[int], int]:
    taken, fell = 0, []
    source = words(key, seat, n)
    for size in sides:
        while True:
            word, taken = next(source), taken + 1
            if word < 2**32 - 2**32 % size:
                fell.append(word % size + 1)
                break
    return fell, taken


# The figures of the page.


def figure(name: str) -> str:
    found = re.search(rf"^{re.escape(name)} +([0-9a-f]{{32,}})", PAGE, re.MULTILINE)
    assert found, name
    return found[1]


def keys() -> dict[tuple[int, int], bytes]:
    sid, seeds = bytes.fromhex(figure("sid")), [bytes.fromhex(figure(f"seed_{cls}")) for cls in (0, 1)]
    commits = [committed(cls, sid, seed) for cls, seed in enumerate(seeds)]
    assert [commit.hex() for commit in commits] == [figure("commit_0"), figure("commit_1")]
    lines = re.findall(r'^line +kind 0, seat (\d), "(.*)"$', PAGE, re.MULTILINE)
    mix = mixed(commits, [(int(seat), text) for seat, text in lines])
    assert (len(lines), mix.hex()) == (2, figure("M"))
    found = {(cls, fork): key_of(cls, sid, seeds[cls], mix, fork) for cls in (0, 1) for fork in (0, 1)}
    assert [found[0, 0].hex(), found[1, 0].hex(), found[0, 1].hex()] == list(
        map(figure, ("K_0", "K_1", "K_0, timeline 1"))
    )
    return found


ROWS = re.findall(r"^\| (\d/\d/\d/\d+) \| ([\d ]+) \| ([\d ]+) \| (\d+) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("place", "sides", "shown", "taken"), ROWS, ids=[row[0] for row in ROWS])
def test_the_figures_of_the_page_are_right(place: str, sides: str, shown: str, taken: str) -> None:
    cls, fork, seat, n = map(int, place.split("/"))
    fell, many = faces(keys()[cls, fork], seat, n, list(map(int, sides.split())))
    assert (fell, many) == (list(map(int, shown.split())), int(taken))


def test_the_page_has_figures_for_every_part_of_the_scheme() -> None:
    assert len(ROWS) == 9
    assert {row[0][:4] for row in ROWS} >= {"0/0/", "0/1/", "1/0/"}
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    bits = f"{int(figure('commit_0'), 16):0256b}"
    code = "".join(letters[int(bits[at : at + 5], 2)] for at in range(0, 130, 5))
    assert f"code {code[:5]}-{code[5:10]}-{code[10:15]}-{code[15:20]}-{code[20:]}" in PAGE


# A session.


def test_every_die_of_a_session_comes_out_as_the_page_says() -> None:
    events = [event for entry in honest_log().entries() for event in entry.events]
    lines: dict[int, list[tuple[int, str]]] = {}
    campaign, opened, streams, checked = b"", {}, {}, 0
    for event in events:
        if isinstance(event, CampaignStarted):
            campaign = bytes.fromhex(event.identity)
        elif isinstance(event, SessionOpened):
            opened[event.session] = event
            made = hashlib.sha256(b"rollbook/session/1\0" + campaign + bytes.fromhex(event.nonce)).hexdigest()
            assert event.identity == made[:32]
        elif isinstance(event, EntropyAdded):
            lines.setdefault(event.session, []).append((event.number, event.text))
        elif isinstance(event, DiceRevealed):
            session, seed = opened[event.session], bytes.fromhex(event.seed)
            sid, commits = bytes.fromhex(session.identity), [session.commit_table, session.commit_screen]
            assert committed(int(event.screen), sid, seed).hex() == commits[event.screen]
            mix = mixed([bytes.fromhex(commit) for commit in commits], lines.get(event.session, []))
            streams[event.session, event.screen] = key_of(int(event.screen), sid, seed, mix)
    for roll in (event for event in events if isinstance(event, DiceRolled)):
        for drawn in dice_by_place(roll):
            place = drawn.place
            key = streams[drawn.session, place.screen]
            assert faces(key, place.seat, place.number, list(drawn.sides))[0] == [face for _, face in drawn.dice]
            checked += len(drawn.dice)
    assert checked > 100
