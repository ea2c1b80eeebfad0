"""Who looks long enough finds two seeds whose codes begin alike; so the beginning of a code is taken for no proof.

ROLLBOOK_LETTERS=8 tries for as many letters; each letter more takes about six times as long.
"""

from __future__ import annotations

import os

import pytest

from rollbook.domain.dice.stream import CODE_LETTERS, TABLE, code_agrees, code_letters, commitment, proof_code
from tests.support.codes import code_matches

SESSION = bytes(range(16))
MOST = int(os.environ.get("ROLLBOOK_LETTERS", "6"))


def alike(letters: int) -> tuple[bytes, bytes, int]:
    """Two commitments whose codes begin with the same letters, and how many seeds it took to find them."""
    found: dict[str, bytes] = {}
    for tries in range(2 ** (5 * letters)):
        made = commitment(TABLE, SESSION, tries.to_bytes(32, "big"))
        begin = code_letters(proof_code(made))[:letters]
        if begin in found:
            return found[begin], made, tries
        found[begin] = made
    raise AssertionError("more seeds than codes")


@pytest.mark.parametrize("letters", range(3, MOST + 1))
def test_codes_that_begin_alike_are_found_by_trying_and_neither_is_taken_for_the_other(letters: int) -> None:
    one, other, tries = alike(letters)
    begin = code_letters(proof_code(one))[:letters]
    assert tries < 8 * 2 ** (5 * letters / 2), "about the square root of how many codes there are"
    assert code_agrees(begin, one) and code_agrees(begin, other)
    assert not code_matches(begin, one) and not code_matches(begin, other)
    assert code_matches(proof_code(one), one) and not code_matches(proof_code(one), other)


def test_a_whole_code_is_out_of_reach_of_such_a_search() -> None:
    assert 5 * CODE_LETTERS / 2 >= 64, "the square root of how many codes there are"
