"""What is wrong with stored bytes is said in words, and names the field."""

from __future__ import annotations

import msgspec
import pytest

from rollbook.application.encoding.codec import fault_in_words


class Wound(msgspec.Struct):
    amount: int
    who: str


class Entry(msgspec.Struct):
    wounds: list[Wound]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"wounds": [{"amount": "three", "who": "robin"}]}', "its field 'amount' is not what it should be"),
        (b'{"wounds": [{"amount": 3}]}', "its field 'who' is missing"),
        (b'{"wounds": 7}', "its field 'wounds' is not what it should be"),
        (b"7", "something in it is missing or is not what it should be"),
        (b'{"wounds": ', "it is not JSON"),
        (b'{"wounds": [{"amount": 3, "who": "r\xffbin"}]}', "it is not text in UTF-8"),
    ],
)
def test_a_fault_names_the_field(data: bytes, said: str) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)) as fault:
        msgspec.json.decode(data, type=Entry)
    assert fault_in_words(fault.value) == said


def test_bytes_that_are_no_text_are_called_so() -> None:
    with pytest.raises(UnicodeDecodeError) as fault:
        b"\xff".decode()
    assert fault_in_words(fault.value) == "it is not text in UTF-8"
