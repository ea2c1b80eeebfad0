"""The stream gives the published dice, byte for byte: other programs can prove every roll."""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.stream import (
    SCREEN,
    TABLE,
    RollBytes,
    Stream,
    code_agrees,
    commitment,
    contribution,
    fork_key,
    mix,
    proof_code,
    session_identity,
    session_key,
)
from tests.support.codes import code_matches

SID = bytes.fromhex("0190a1b2c3d47e5f8899aabbccddeeff")
SEED_TABLE = bytes(range(32))
SEED_SCREEN = bytes(range(32, 64))
KEY_TABLE = bytes.fromhex("6247c237b66221f009401a8e229924e59bd9eb75886a5a12620d5c0428871ebb")
KEY_SCREEN = bytes.fromhex("b05d08ec675d42dc73b144e5ff1454371b491948499cbafadb5fd6d00c084d1e")
COMMIT_TABLE = bytes.fromhex("d6780efdc2db61b48a60cffede75a2d4eaec9a5ac36190ff27fb5b729b2946fc")
COMMIT_SCREEN = bytes.fromhex("a2081af9b4a24de2e05795e7f010bcc601133ca83acaed7724c7ee16c669d42f")
MIX = bytes.fromhex("2bc0169e99814bbf78b7b9d6e992b832a40ca52b7bee791e76f78a1b7906174b")
HEAD = bytes.fromhex("8f4bf36033ed5578d1955b20d9daf537256dab7ee574aa21c8ef8d72079ccaa4")


def canon(value: object) -> bytes:
    """A value as the one JSON text that every program writes for it: texts in normal form C, sorted keys, no blanks."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return unicodedata.normalize("NFC", text).encode()


def counted(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def veil(key: bytes, seat: int, n: int, payload: object) -> bytes:
    """What docs/dice.md puts in the place of a secret roll. rollbook itself does not use it."""
    tag = counted(b"rollbook/dice/1 veil")
    salt = hmac.digest(key, tag + seat.to_bytes(2, "big") + n.to_bytes(8, "big"), "sha256")[:16]
    return hashlib.sha256(tag + salt + counted(canon(payload))).digest()


def words_used(roll: RollBytes) -> int:
    """How many 32-bit words the dice have taken, rejected ones included."""
    return roll._blocks * 8 - len(roll._words)


def all_vectors() -> dict[str, Any]:
    """The full list, on which this stream agrees with two other programs."""
    vectors: dict[str, Any] = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))
    return vectors


def test_the_opening_commits_to_both_seeds() -> None:
    assert commitment(TABLE, SID, SEED_TABLE) == COMMIT_TABLE
    assert commitment(SCREEN, SID, SEED_SCREEN) == COMMIT_SCREEN
    assert proof_code(COMMIT_TABLE) == "TSW0X-ZE2VD-GV92K-0SZZD-WXD2TK"


def test_the_players_words_are_sealed_into_the_keys() -> None:
    words = [(0, 1, contribution("Mira: 6 2 5 1 4")), (0, 2, contribution("Żółw 🎲"))]
    assert mix((COMMIT_TABLE, COMMIT_SCREEN), words) == MIX
    assert session_key(TABLE, SID, SEED_TABLE, MIX) == KEY_TABLE
    assert session_key(SCREEN, SID, SEED_SCREEN, MIX) == KEY_SCREEN
    assert fork_key(KEY_TABLE, 1).hex() == "b5683f944fe3c6f9836cea2dc10951ec630156273f608d0b0f72257c71bbd95d"
    assert fork_key(KEY_TABLE, 0) == KEY_TABLE


def test_words_are_the_same_bytes_however_they_were_typed() -> None:
    assert contribution("Z\u0307o\u0301łw 🎲").hex() == "c5bbc3b3c5827720f09f8eb2"


def test_nobody_has_to_contribute() -> None:
    mixed = mix((COMMIT_TABLE, COMMIT_SCREEN))
    assert mixed.hex() == "3e3ce532232860e71744435d0885ec78764441e1febac9d492214e0e9d5c9bfd"
    key = session_key(TABLE, SID, SEED_TABLE, mixed)
    assert key.hex() == "fd6cc8db0996afb20a9c318dc843fe42f3ef59d94e89dcc7bc0e3a2f88bb3ffb"
    roll = Stream(key).roll(0, 0)
    assert [roll.draw(20) for _ in range(5)] == [4, 20, 8, 20, 2]


@pytest.mark.parametrize(
    ("key", "seat", "n", "nonce", "sides", "values", "words"),
    [
        (KEY_TABLE, 0, 0, "", [20], [17], 1),
        (KEY_TABLE, 0, 0, "", [20, 20], [17, 13], 2),
        (KEY_TABLE, 1, 1, "", [6] * 9, [6, 6, 4, 2, 3, 3, 2, 5, 2], 9),
        (KEY_TABLE, 2, 0, "", [20, 8, 6, 4, 100, 12, 10], [16, 3, 1, 4, 17, 2, 4], 7),
        (KEY_TABLE, 2, 0, "00112233445566778899aabbccddeeff", [20, 8], [6, 6], 2),
        (KEY_SCREEN, 0, 0, "", [20, 20], [19, 6], 2),
        (KEY_TABLE, 65535, 2**53 - 1, "", [20, 20], [18, 7], 2),
        (KEY_TABLE, 0, 8, "", [2**32] * 2, [4191618929, 380940730], 2),
        (KEY_TABLE, 3, 5538, "", [1000000], [711101], 2),
        (KEY_TABLE, 4, 11143197, "", [20] * 8, [4, 12, 14, 3, 6, 2, 5, 6], 9),
    ],
)
def test_published_rolls(
    key: bytes, seat: int, n: int, nonce: str, sides: list[int], values: list[int], words: int
) -> None:
    roll = Stream(key).roll(seat, n, bytes.fromhex(nonce))
    assert [roll.draw(each) for each in sides] == values
    assert words_used(roll) == words


def test_every_roll_of_the_full_list() -> None:
    vectors = all_vectors()
    assert vectors["rolls"]
    for case in vectors["rolls"]:
        roll = Stream(bytes.fromhex(case["key"])).roll(case["stream"], case["n"], bytes.fromhex(case["nonce"]))
        assert [roll.draw(sides) for sides in case["sides"]] == case["values"], case["name"]
        assert words_used(roll) == case["words"], case["name"]


def test_every_key_of_the_full_list() -> None:
    vectors = all_vectors()
    known = {name: bytes.fromhex(value) for name, value in vectors.items() if isinstance(value, str)}
    sid, commits = known["session_id"], (known["commit_table"], known["commit_screen"])
    given = [(kind, seat, bytes.fromhex(data)) for kind, seat, data in vectors["contributions"]]
    assert commitment(TABLE, sid, known["seed_table"]) == commits[0]
    assert commitment(SCREEN, sid, known["seed_screen"]) == commits[1]
    assert mix(commits) == known["mix_none"]
    assert mix(commits, given) == known["mix"]
    assert session_key(TABLE, sid, known["seed_table"], known["mix"]) == known["key_table"]
    assert session_key(SCREEN, sid, known["seed_screen"], known["mix"]) == known["key_screen"]
    assert session_key(TABLE, sid, known["seed_table"], known["mix_none"]) == known["key_table_no_mix"]
    assert fork_key(known["key_table"], 1) == known["key_table_fork1"]
    words = Stream(known["key_table"]).roll(0, 0)
    assert words.draw(2**32) - 1 == int.from_bytes(known["block_0_0_0"][:4], "big")
    case = vectors["veil"]
    assert veil(known["key_screen"], case["seat"], case["n"], case["payload"]).hex() == case["hex"]


def test_a_block_is_a_plain_hmac_of_tag_seat_number_nonce_and_block() -> None:
    tag = b"\x00\x00\x00\x14rollbook/dice/1 roll"
    message = tag + (7).to_bytes(2, "big") + (9).to_bytes(8, "big") + b"\x00\x00\x00\x02ab" + bytes(4)
    block = hmac.digest(KEY_TABLE, message, hashlib.sha256)
    roll = Stream(KEY_TABLE).roll(7, 9, b"ab")
    assert [roll.draw(2**32) - 1 for _ in range(8)] == [
        int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)
    ]


def test_a_code_is_the_first_130_bits_in_letters_that_are_not_mixed_up() -> None:
    code = proof_code(HEAD)
    assert code == "HX5Z6-R1KXN-AQHMC-NBCGD-KPQN6W"
    bits = "".join(f"{'0123456789ABCDEFGHJKMNPQRSTVWXYZ'.index(letter):05b}" for letter in code if letter != "-")
    assert bits == f"{int.from_bytes(HEAD):0256b}"[:130]


def test_a_roll_behind_the_screen_is_hidden() -> None:
    payload = {"dice": [[20, 19], [20, 6]], "expr": "2d20kh1", "intent": "Żółw hides"}
    assert veil(KEY_SCREEN, 0, 0, payload).hex() == "5f467557945f0b721e6bf974fdb7b90cbf956938e6ec1884b9dfac2e220315ee"


def test_codes_may_be_noted_with_look_alike_letters() -> None:
    assert code_matches("tsw ox-ze2vd gv92k oszzd wxd2tk", COMMIT_TABLE)
    assert code_matches("hx5z6rikxnaqhmcnbcgdkpqn6w", HEAD)
    assert code_matches("tswox–ze2ud—gu92k‐oszzd wxd2tk", COMMIT_TABLE)
    assert not code_matches("HX5Z6-R1KXN-AQHMC-NBCGD-KPQN6X", HEAD)


@pytest.mark.parametrize("letters", [0, 4, 8, 12, 25, 27, 51])
def test_a_part_of_a_code_matches_nothing_and_nor_does_more_than_one(letters: int) -> None:
    code = proof_code(HEAD).replace("-", "") + "0" * 25
    assert not code_matches(code[:letters], HEAD)
    assert code_matches(code[:26], HEAD)
    assert code_agrees(code[:letters], HEAD) is (letters <= 26)
    assert not code_agrees(f"{code[:letters]}3"[-26:], COMMIT_TABLE)


def test_a_session_is_of_one_campaign() -> None:
    nonce = bytes(range(16))
    identity = session_identity(b"campaign", nonce)
    assert identity == hashlib.sha256(b"rollbook/session/1\0" + b"campaign" + nonce).digest()[:16]
    assert identity != session_identity(b"another", nonce)
    for wrong in (b"", bytes(15), bytes(17)):
        with pytest.raises(ValueError, match="16 bytes"):
            session_identity(b"campaign", wrong)


def test_the_same_place_gives_the_same_dice_and_seats_do_not_touch_each_other() -> None:
    stream = Stream(KEY_TABLE)
    once, again = stream.roll(1, 5), stream.roll(1, 5)
    stream.roll(2, 5).draw(20)
    assert [once.draw(20) for _ in range(30)] == [again.draw(20) for _ in range(30)]
    assert stream.roll(1, 6).draw(2**32) != stream.roll(1, 5).draw(2**32) != stream.roll(2, 5).draw(2**32)


def test_faces_come_equally_often() -> None:
    stream = Stream(KEY_TABLE)
    seen = Counter(stream.roll(0, n).draw(20) for n in range(20_000))
    assert sum((seen[face] - 1000) ** 2 / 1000 for face in range(1, 21)) < 50


@pytest.mark.parametrize("sides", [0, 1, -6, 2**32 + 1])
def test_there_are_no_dice_with_fewer_than_two_sides(sides: int) -> None:
    with pytest.raises(DiceError, match="no die with"):
        Stream(KEY_TABLE).roll(0, 0).draw(sides)


def test_keys_seeds_and_ids_have_their_length() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Stream(b"short")
    with pytest.raises(ValueError, match="16 bytes"):
        commitment(TABLE, SEED_TABLE, SEED_TABLE)
    with pytest.raises(ValueError, match="0 or 1"):
        session_key(2, SID, SEED_TABLE, MIX)
