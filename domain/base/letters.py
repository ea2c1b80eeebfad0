"""Text as it is compared and as ids are made of it: letters of every script, however they are typed."""

import unicodedata

_DOTTED = "i\u0307"
"""The capital İ in small letters; people type a plain i."""
_JOINERS = "\u200c\u200d"
_VARIATIONS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Signs that say in which shape the one before is drawn."""
LONGEST_ID = 60
"""No id that is made of the names of signs has more characters."""


def composed(text: str) -> str:
    """Text in the composed form (NFC), in which ë is one letter however it was typed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def caseless(text: str) -> str:
    """Text as it is compared: capitals make no difference (``STRASSE`` is ``straße``), nor does how a letter is composed."""
    if text.isascii():
        return text.lower()
    small = unicodedata.normalize("NFD", text).casefold()
    return unicodedata.normalize("NFC", small).replace(_DOTTED, "i")


def id_of(name: str) -> str:
    """The id for a newcomer of that name: words in small letters joined by hyphens (``robin-hood``, ``मीरा``).

    A name without a letter or digit is called as its signs are (``🐉`` → ``dragon``). "" for a name of blanks.
    """
    signs = (unicodedata.name(sign, "") for sign in name if unicodedata.category(sign)[0] in "SP")
    return _joined(caseless(name)) or _joined(" ".join(signs).lower())[:LONGEST_ID].strip("-")


def _joined(text: str) -> str:
    kept = ""
    for letter in text:
        kept += letter if letter.isalnum() or (kept[-1:].strip() and _goes_with_a_letter(letter)) else " "
    return "-".join(word.strip(_JOINERS) for word in kept.split())


def _goes_with_a_letter(letter: str) -> bool:
    """True if a sign is a part of the letter before it, or ties it to the next."""
    return letter in _JOINERS or (unicodedata.category(letter)[0] == "M" and letter not in _VARIATIONS)
