"""What a sheet is made of: values that can say which terms they are the sum of."""

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record, quickly_made


@quickly_made
@attrs.frozen
class Term(Record):
    """One summand of a value: ``rule`` is the rule's number, ``path`` the part of the character it was read from.

    A path is ``stat.dex``, ``trait.fighting``, ``gear.longbow``, ``condition.cursed``, ``level``, ``lost`` …: enough to
    find the events that made it what it is.
    """

    amount: int
    label: str
    rule: str = ""
    path: str = ""


@attrs.frozen
class Value(Record):
    """One line of a sheet. ``amount`` is the number, ``shown`` how it is written; ``terms`` add up to the number."""

    key: str
    label: str
    amount: int
    shown: str = ""
    terms: tuple[Term, ...] = ()
    group: str = ""

    def __str__(self) -> str:
        return self.shown or str(self.amount)


@attrs.frozen(kw_only=True)
class Sheet(Record):
    """A character as a ruleset reads it. ``words`` are the lines that are not numbers (heritage, gear, …)."""

    character: CharacterId
    name: str
    title: str = ""
    values: tuple[Value, ...] = ()
    words: tuple[tuple[str, str], ...] = ()

    def value(self, key: str) -> Value | None:
        """The value of that key or label, whatever the case and spelling of blanks."""
        wanted = plain(key)
        return next((value for value in self.values if wanted in (plain(value.key), plain(value.label))), None)

    def amount(self, key: str) -> int:
        """The number under a key, 0 if the sheet has none."""
        found = self.value(key)
        return found.amount if found else 0


def checked_sheet(sheet: object) -> Sheet:
    """What a ruleset gave as a sheet. Raises TypeError if it is none."""
    if not isinstance(sheet, Sheet):
        raise TypeError(f"{type(sheet).__name__} is not a Sheet")
    return sheet


def plain(text: str) -> str:
    """A name as it is compared: lower case, letters and digits only."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def summed(key: str, label: str, terms: tuple[Term, ...], *, group: str = "", signed: bool = False) -> Value:
    """A value that is the sum of its terms; ``signed`` writes +3 instead of 3."""
    amount = sum(term.amount for term in terms)
    return Value(key, label, amount, f"{amount:+d}" if signed else "", terms, group)
