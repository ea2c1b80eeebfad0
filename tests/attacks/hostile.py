"""What somebody types who means no good, or whose keyboard does: values that no table needs, and how text goes wrong."""

from __future__ import annotations

from random import Random

DIGITS = "9" * 5_000

TEXTS = (
    *("", " ", "\x00", "a\x00b", "\x1b[2J", "\x1b]0;x\x07", "\x9b31m", "\u202eevil", "\ufeff", "\u2028", "\ud800", "\udcff"),
    *("'", '"', '"""', "\\", "%s", "%", "{}", "{0}", "{x!r}", "$x", "`x`", "*", "NEAR(", "a OR b", "'; DROP TABLE log;--"),
    *("-", "--", "---", "--x", "--seat", "--why", "!", "#", "#1", "@1", "~", "~1", "=", "==", "!=", "!~", ",", ",,", ":"),
    *("NaN", "inf", "-0", "+", "1e9", "0x10", "1_000", "٣", "²", "½", "１", "−1", "∞", "None", "true", "null", "party"),
    *("a" * 81, "b" * 5_000, "é" * 90, "e\u0301" * 60, "🐺", "👩‍👩‍👧", "ß", "İ", "ﬁ"),
    *("../../x", "/dev/zero", "CON", "a\nb", "a\tb", "a\rb"),
    *("[" * 3_000, "(" * 3_000, "{" * 50, "/*", "<script>", "&amp;", "|", "||"),
)  # fmt: skip

NUMBERS = (
    *("0", "-1", "1", "2", "7", "40", "999", "-999", "65536", "2147483648", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775809", "18446744073709551616", "1000000000000", "1000000000001", "999999999999", DIGITS, f"-{DIGITS}"),
    *("9" * 20, "9" * 310, "9" * 4_300, "9" * 4_301, "1.5", "1e400", "--5", "+-3", "0" * 5_000, "01", "-0", "1,2,3", "3-1", "1-"),
)  # fmt: skip

LETTERS = (
    "\x00\x1b\x9b\u202e\u2066\u200d\u2028\ud800\udfff\U0001f43a\"'\\!#@=~,;:-+*/%(){}[]<>|&^ \t\n\r0123456789dkhlrxeaZß"
)


def text(chance: Random) -> str:
    """Any hostile text."""
    return chance.choice(chance.choice((TEXTS, NUMBERS)))


def mutated(chance: Random, words: str) -> str:
    """Text with one to four things changed."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randint(0, len(words))
        end = min(len(words), at + chance.choice((0, 1, 1, 3, 12)))
        how = chance.random()
        if how < 0.35:
            words = words[:at] + chance.choice(LETTERS) + words[end:]
        elif how < 0.5:
            words = words[:at] + words[end:]
        elif how < 0.65:
            words = words[:end] + words[at:end] * chance.choice((1, 2, 40)) + words[end:]
        elif how < 0.85:
            words = words[:at] + text(chance) + words[end:]
        else:
            words = words[at:] + words[:at]
    return words
