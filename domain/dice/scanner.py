"""Going through the text of a roll from left to right: numbers, signs and labels."""

import re
import unicodedata
from typing import Final, NoReturn

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.refused_notation import MODIFIER_WORDS, elsewhere

LONGEST_LABEL: Final = 60
LARGEST_NUMBER: Final = 10**9

WORDS = re.compile(r"[^\W\d_][\w'’]*(?:[ \t]+[^\W\d_][\w'’]*)*")
_NUMBER = re.compile(r"[0-9]+")


class Scanner:
    """One text and how far it has been read: ``at``. ``is_asked``: it is asked for now, and not on record already."""

    def __init__(self, text: str, *, is_asked: bool = False) -> None:
        self.text = text
        self.is_asked = is_asked
        self.at = 0

    @property
    def is_done(self) -> bool:
        return self.at == len(self.text)

    def blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def one_of(self, signs: str) -> str:
        """Pass over a sign out of ``signs`` and the blanks behind it; "" if there is none."""
        if self.is_done or self.text[self.at] not in signs:
            return ""
        sign = self.text[self.at]
        self.at += 1
        self.blanks()
        return sign

    def passes(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Pass over ``pattern`` if it is next."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def integer(self) -> int | None:
        """Pass over a number if one is next."""
        start = self.at
        match = self.passes(_NUMBER)
        return self.number(match[0], start) if match else None

    def number(self, digits: str, at: int) -> int:
        """``digits``, which stand at ``at``, as a number. Its size is judged before it is converted."""
        digits = digits.lstrip("0") or "0"
        if len(digits) > len(str(LARGEST_NUMBER)) or int(digits) > LARGEST_NUMBER:
            self.refuse(f"Numbers go up to {LARGEST_NUMBER}. Write a smaller one.", at)
        return int(digits)

    def words(self) -> str:
        """Pass over words that label the number before them; "" if none stand here."""
        self.blanks()
        start = self.at
        match = self.passes(WORDS)
        if not match:
            return ""
        for word in match[0].lower().split():
            self._refuse_modifier_word(word, start)
        self.blanks()
        if self.one_of("["):
            self.refuse("This number has two labels. Write one.", self.at - 1)
        return self.label(match[0], start)

    def bracketed(self) -> str:
        """Pass over a label in brackets; "" if there is none."""
        self.blanks()
        start = self.at
        if not self.one_of("["):
            return ""
        end = self.text.find("]", start)
        if end < 0:
            self.refuse("The label that begins here has no end. Write ] behind it.", start)
        self.at = end + 1
        return self.label(self.text[start + 1 : end], start)

    def label(self, raw: str, at: int) -> str:
        """``raw`` as a label, with single blanks. A zero-width joiner may stand in it, for emoji."""
        if not raw.replace("\u200d", "").isprintable():
            self.refuse("This label holds a character that cannot be seen. Type the label again.", at)
        label = " ".join(unicodedata.normalize("NFC", raw).split())
        if not label or len(label) > LONGEST_LABEL or "[" in label:
            self.refuse(f"A label has 1 to {LONGEST_LABEL} characters and no brackets in it. Write another.", at)
        return label

    def unexpected(self) -> NoReturn:
        if self.is_done:
            self.refuse("The roll ends where more should follow. Write a number or dice, or close the parenthesis.")
        self.refuse(elsewhere(self.text, self.at))

    def refuse(self, sentence: str, at: int | None = None) -> NoReturn:
        """Raise DiceError with the text and a caret under ``at``, or else under the place reached."""
        raise DiceError(sentence, self.text, self.at if at is None else at)

    def _refuse_modifier_word(self, word: str, at: int) -> None:
        bare = word.rstrip("0123456789")
        if word == "df":
            self.refuse("Fate dice are not read. Write 4d3-8 for 4dF.", at)
        if bare == "d":
            self.refuse("Dice are written without blanks and with their sides. Write 2d6.", at)
        if bare in MODIFIER_WORDS:
            self.refuse(
                f"{word!r} could be meant for dice, or as a label. Write it directly behind the dice, as in 1d20adv, "
                "or as a label in brackets.",
                at,
            )
