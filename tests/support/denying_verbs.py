"""Verbs whose rules say wrongly what can be done, and the conformance test that must find each."""

from __future__ import annotations

from rollbook.plugin import Action, Ruleset, Table, character, events
from tests.support.poke_game import poke_game


class Denied(Action, verb="denied"):
    """Do what the rules call impossible."""

    who: str = character("who does it", actor=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        table.refuse(f"{table.character(who).name} can never do that.")

    def resolve(self, table: Table) -> None:
        table.record(events.NoteWritten(text="done", about=table.character(self.who).id))


class Rolling(Denied, verb="rolling"):
    """Do what the rules roll for before they say that it can be done."""

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        table.roll("1d6", roller=who, purpose="whether it can be done")


class Failing(Denied, verb="failing"):
    """Do what the rules cannot say anything of."""

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        raise ValueError(who)


DENIALS: dict[str, tuple[Ruleset | str, str, str]] = {
    "a verb that is called impossible and played": (
        poke_game(more=(Denied,)),
        "test_what_is_played_was_not_called_impossible",
        "was called impossible for .* can never do that",
    ),
    "a verb that is called impossible and is not refused": (
        poke_game(more=(Denied,)),
        "test_what_is_called_impossible_is_refused",
        "It is called impossible, and played",
    ),
    "a check that rolls": (poke_game(more=(Rolling,)), "test_what_is_played_was_not_called_impossible", "No die falls"),
    "a check that fails": (
        poke_game(more=(Failing,)),
        "test_what_is_called_impossible_is_refused",
        r"failed in its check of failing \(ValueError",
    ),
}
