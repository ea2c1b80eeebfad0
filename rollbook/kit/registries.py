"""Registries: functions that modules register under words, so that a rule stands where it belongs and is found by its word."""

from collections.abc import Callable
from typing import TypeVar

__all__ = ["Registry", "SeveralEach"]

_Function = TypeVar("_Function", bound=Callable[..., object])
_Same = TypeVar("_Same", bound=Callable[..., object])


class Registry(dict[str, _Function]):
    """One function for each word: after ``carries = Registry[Carry]()``, ``@carries("heal", "cure")`` registers one for both."""

    def __call__(self, *words: str) -> Callable[[_Same], _Same]:
        """Register a function under some words (a decorator)."""

        def register(function: _Same) -> _Same:
            self.update(dict.fromkeys(words, function))  # type: ignore[arg-type]
            return function

        return register


class SeveralEach(dict[str, list[_Function]]):
    """Any number of functions for each word, in the order in which they were registered: ``reason["attack"]`` are those."""

    def __missing__(self, word: str) -> list[_Function]:
        return []

    def __call__(self, *words: str) -> Callable[[_Same], _Same]:
        """Register a function under some words (a decorator)."""

        def register(function: _Same) -> _Same:
            for word in words:
                self.setdefault(word, []).append(function)  # type: ignore[arg-type]
            return function

        return register
