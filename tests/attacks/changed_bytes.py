"""Content with something changed: its bytes, pieces of its text, or one value in one line of its JSON."""

from __future__ import annotations

import json
from random import Random

import attrs

from tests.attacks.hostile import DIGITS, LETTERS

BLOCKS = (
    "[",
    "]",
    "{",
    "}",
    '"',
    ",",
    ":",
    "null",
    "true",
    "-1",
    "1e999",
    DIGITS,
    "[" * 3_000,
    '"\\ud800"',
    "\x00",
    "\n",
    "\r\n",
    "NaN",
)


@attrs.frozen
class Changes:
    """Changes that follow from a source of chance."""

    chance: Random

    def changed(self, content: bytes) -> bytes:
        """A text file with something changed."""
        how = self.chance.random()
        if how < 0.35:
            return self.flipped(content)
        if how < 0.6 and content.startswith(b"{"):
            return self.other_values(content)
        for _ in range(self.chance.choice((1, 1, 2, 5))):
            at = self.chance.randint(0, len(content))
            end = at + self.chance.choice((0, 0, 1, 5, 200))
            piece = self.chance.choice((*BLOCKS, *LETTERS)).encode("utf-8", "surrogatepass")
            content = content[:at] + piece + content[end:]
        return content

    def flipped(self, content: bytes) -> bytes:
        """Bytes that are others, are gone, or come twice."""
        data = bytearray(content)
        for _ in range(self.chance.choice((1, 1, 3, 40))):
            at = self.chance.randrange(max(len(data), 1))
            how = self.chance.random()
            if how < 0.6 and data:
                data[at] = self.chance.randrange(256)
            elif how < 0.75:
                del data[at : at + self.chance.choice((1, 16, 4096))]
            elif how < 0.9:
                data[at:at] = data[at : at + self.chance.choice((1, 16, 4096))]
            elif how < 0.93:
                del data[at:]
            else:
                data[at : at + 64] = bytes(64)
        return bytes(data)

    def other_values(self, content: bytes) -> bytes:
        """JSON lines in which one value is another, or one key is gone."""
        lines = content.split(b"\n")
        at = self.chance.randrange(len(lines))
        try:
            held = json.loads(lines[at])
        except ValueError:
            return content
        self.put_in(held)
        lines[at] = json.dumps(held, separators=(",", ":")).encode("utf-8", "surrogatepass")
        return b"\n".join(lines)

    def put_in(self, held: object) -> None:
        """Change one value somewhere inside."""
        keys: list[object] = (
            list(held) if isinstance(held, dict) else list(range(len(held))) if isinstance(held, list) else []
        )
        if not keys:
            return
        key = self.chance.choice(keys)
        inner = held[key]  # type: ignore[index]
        if isinstance(inner, (dict, list)) and inner and self.chance.random() < 0.75:
            self.put_in(inner)
        elif self.chance.random() < 0.3:
            del held[key]  # type: ignore[attr-defined]
        else:
            value = self.chance.choice(
                (None, True, -1, 2**70, 1.5, "", "x" * 5_000, [], [[[]]], {}, {"a": 1}, "\ud800", 10**400)
            )
            held[key] = value  # type: ignore[index]
