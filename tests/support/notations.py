"""Dice notation as it comes: what is nearly a roll, and every sound expression there is."""

from __future__ import annotations

from hypothesis import strategies as some

PIECES = (
    ["1", "2", "6", "20", "0", "007", "1000000000", "d", "D", "d6", "d20", "d%", "kh", "kl1", "dh", "dl2", "adv", "dis"]
    + [
        "ro<=2",
        "rr=1",
        "x",
        "x>=5",
        "xd",
        "xd<=2",
        "mi2",
        "ma5",
        "cs>=3",
        ">=",
        "<",
        "=",
        "+",
        "-",
        "*",
        "//",
        "/^",
        "/",
        "(",
        ")",
    ]
    + [
        "max(",
        "min(",
        ",",
        "[",
        "]",
        "[STR]",
        " STR",
        "é",
        "Z\u0307",
        "٣",
        "²",
        "🎲",
        "!",
        "@a",
        "#",
        "\x00",
        " ",
        "\t",
    ]
)
TYPED = some.lists(some.sampled_from(PIECES), max_size=25).map("".join)

LABELS = some.sampled_from(["", "[fire]", "[Żółw 🎲]", "[a b]"])
MODIFIERS = some.sampled_from(
    ["kh1", "kl2", "dh1", "dl1", "ro<=2", "ro=1", "rr=1", "rr>=4", "mi2", "ma3", "x", "x>=3", ""]
)
DICE = some.builds(
    "{}d{}{}{}{}".format,
    some.integers(0, 4),
    some.integers(4, 8),
    some.lists(MODIFIERS, max_size=2).map("".join),
    some.sampled_from(["", "", "cs>=3"]),
    LABELS,
) | some.builds(
    "{}d{}{}{}{}{}".format,
    some.integers(0, 4),
    some.integers(4, 8),
    some.sampled_from(["", "ro=2", "rr<=2"]),
    some.sampled_from(["", "x", "x>=4"]),
    some.sampled_from(["xd", "xd=1", "xd<=3"]),
    LABELS,
)
NUMBERS = some.builds("{}{}".format, some.integers(0, 30), LABELS)


def larger(inner: some.SearchStrategy[str]) -> some.SearchStrategy[str]:
    return (
        some.builds("{} {} {}".format, inner, some.sampled_from("+-"), inner)
        | some.builds("({}){}({})".format, inner, some.sampled_from(["*", "+", "-"]), inner)
        | some.builds("({}){}{}".format, inner, some.sampled_from(["//", "/^"]), some.integers(1, 9))
        | some.builds("{}({}, {}){}".format, some.sampled_from(["max", "min"]), inner, inner, LABELS)
        | some.builds("-({}){}".format, inner, LABELS)
        | some.builds("--{}".format, inner)
    )


EXPRESSIONS = some.recursive(DICE | NUMBERS, larger, max_leaves=5).filter(lambda text: len(text) < 250)
