"""Words that log and chronicle share: lists of names, keys as text, and whole sentences."""

import re
from collections.abc import Iterable, Mapping, Sequence

MOST_NAMES = 6
"""Most names in a list; of more, the rest is counted."""
_NUMBERED = r"(?P<stem>.*[^0-9]) [0-9]+(?: \([^()]*\))?"
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_ODD = {
    "child": "children",
    "dwarf": "dwarves",
    "elf": "elves",
    "goose": "geese",
    "man": "men",
    "mouse": "mice",
    "thief": "thieves",
    "wolf": "wolves",
}
"""Plurals that follow no rule, by the end of the word."""


def in_words(number: int) -> str:
    """``four``; from 13 on in figures."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else f"{number:,}"


def plural(stem: str) -> str:
    """``wolves``, ``salt bandits``: a name for several, with a small letter at its beginning; ``Goblin Warriors`` keep theirs."""
    is_titled = any(word[:1].isupper() for word in stem.split()[1:])
    words = stem if is_titled else stem[:1].lower() + stem[1:]
    before, last = words[: words.rfind(" ") + 1], words[words.rfind(" ") + 1 :]
    for odd, several in _ODD.items():
        if last.endswith(odd):
            return before + last.removesuffix(odd) + several
    if _CONSONANT_Y.search(last):
        return f"{before}{last[:-1]}ies"
    return before + last + ("es" if _SIBILANT.search(last) else "s")


def grouped(names: Iterable[str]) -> list[tuple[str, int]]:
    """Group names that differ only in a number at the end, each group with its size."""
    stems: dict[str, list[str]] = {}
    for name in names:
        found = re.fullmatch(_NUMBERED, name, flags=re.DOTALL)
        stems.setdefault(found["stem"] if found else name, []).append(name)
    return [
        (same[0], 1) if len(same) == 1 else (f"{in_words(len(same))} {plural(stem)}", len(same))
        for stem, same in stems.items()
    ]


def people(names: Sequence[str]) -> str:
    """``Robin Hood and four wolves``."""
    return listed([name for name, _ in grouped(filter(None, names))])


def key(text: str, names: Mapping[str, str]) -> str:
    """A key as text: ``magic-missile`` without its hyphens, ``critical:brother`` with the character's name."""
    parts = (names.get(part) or (part if " " in part else part.replace("-", " ")) for part in text.split(":"))
    return " ".join(parts)


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """``Robin, Marian and Will``; of more than ``most`` the rest is counted: ``Robin, Marian and 8 more``."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def sentence(who: str, what: str, result: str = "") -> str:
    """``Fenna strikes at Wolf 2: 17 against 15: hit``: subject, predicate and outcome."""
    return ": ".join(filter(None, (f"{who} {what}".strip(" "), result)))
