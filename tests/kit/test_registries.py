"""Functions are registered under words, one for each or several."""

from __future__ import annotations

from collections.abc import Callable

from rollbook.kit.registries import Registry, SeveralEach


def test_a_word_has_the_function_that_was_registered_last() -> None:
    runs = Registry[Callable[[], str]]()

    @runs("heal", "cure")
    def heal() -> str:
        return "healed"

    @runs("cure")
    def cure() -> str:
        return "cured"

    assert (runs["heal"], runs["cure"]) == (heal, cure)
    assert (heal(), cure()) == ("healed", "cured")
    assert "harm" not in runs


def test_a_word_has_all_functions_in_their_order_or_none() -> None:
    reasons = SeveralEach[Callable[[], str]]()

    @reasons("attack", "check")
    def dark() -> str:
        return "dark"

    @reasons("attack")
    def wet() -> str:
        return "wet"

    assert [reason() for reason in reasons["attack"]] == ["dark", "wet"]
    assert (reasons["check"], reasons["save"]) == ([dark], [])
    assert wet in reasons["attack"] and "save" not in reasons
