"""Dice that stand only in the HTML of a card: Foundry's own template of a roll, as modules fold it into their cards.

A formula, a list of dice for each handful, and a total; what cannot be told apart comes in as dice beside the total.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rollbook.adapters.imports.foundry.values import Fields, number

_REGIONS = frozenset(("dice-roll", "dice-result"))
_CAPTURED = {"dice-formula": "formula", "dice-total": "total"}
_SIDES = re.compile(r"d([0-9]{1,4})")
_DICE_WORDS = frozenset(("dice", "die", "roll", "rolls", "rolled", "total", "result"))
_OCCASIONS = ("attack", "damage", "healing", "save", "check", "initiative")
_LONGEST = 300
_TERM = re.compile(
    r"\s*(?:(?P<count>[0-9]{0,3})d(?P<sides>[0-9]{1,4}|%)(?P<modifiers>[a-z0-9<>=]*)"
    r"|(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?)|(?P<operator>[-+*/]))\s*(?:\[(?P<flavour>[^\]]*)\])?\s*",
    re.IGNORECASE,
)
_MODIFIER = re.compile(r"[a-z]+[<>=]*[0-9]*")


class Template:
    """The rolls of one message's HTML, while it is read tag by tag.

    ``shows_number`` says that a number stands outside of the template where a class speaks of dice.
    """

    def __init__(self) -> None:
        self.rolls: list[Fields] = []
        self.shows_number = False
        self._formula = self._total = self._occasion = ""
        self._handfuls: list[list[dict[str, Any]]] = []
        self._capture: tuple[str, str, list[str], dict[str, Any]] | None = None
        self._region, self._depth = "", 0
        self._is_hint = False

    def start(self, tag: str, classes: list[str]) -> bool:
        """A tag begins; whether it begins the template of a roll."""
        parts = {part for one in classes for part in one.casefold().replace("_", "-").split("-")}
        self._is_hint = not self._region and not parts.isdisjoint(_DICE_WORDS)
        self._occasion = next((said for said in _OCCASIONS if said in parts), self._occasion)
        self._depth += tag == self._region
        begins = not self._region and not _REGIONS.isdisjoint(classes)
        if begins:
            self._region, self._depth = tag, 1
        if "dice-roll" in classes:
            self._finish()
        if "dice-rolls" in classes:
            self._handfuls.append([])
        for one in classes:
            if one in _CAPTURED:
                self._capture = (_CAPTURED[one], tag, [], {})
        if tag == "li" and not {"roll", "die"}.isdisjoint(classes):
            self._die(tag, classes)
        return begins

    def _die(self, tag: str, classes: list[str]) -> None:
        sides = next((int(found[1]) for one in classes if (found := _SIDES.fullmatch(one))), 0)
        lost = "discarded" in classes or "rerolled" in classes
        fate: dict[str, Any] = {one: True for one in ("discarded", "rerolled", "exploded") if one in classes}
        if "success" in classes or "failure" in classes:
            fate["success"] = "success" in classes
        self._capture = ("die", tag, [], {"faces": sides, "active": not lost, **fate})

    def end(self, tag: str) -> bool:
        """A tag ends; whether it ends the template of a roll."""
        self._is_hint = False
        if self._capture is not None and self._capture[1] == tag:
            what, _, said, fate = self._capture
            self._capture = None
            self._keep(what, " ".join("".join(said).split()), fate)
        self._depth -= tag == self._region
        ends = bool(self._region) and self._depth == 0
        if ends:
            self._region = ""
            self._finish()
        return ends

    def words(self, text: str) -> None:
        """Words between two tags."""
        if self._capture is not None:
            self._capture[2].append(text[:_LONGEST])
        elif self._is_hint and re.fullmatch(r"\s*-?[0-9]{1,4}\s*", text):
            self.shows_number = True

    def close(self) -> None:
        """The message ends."""
        self._finish()

    def _keep(self, what: str, said: str, fate: dict[str, Any]) -> None:
        if what == "die":
            if not self._handfuls:
                self._handfuls.append([])
            self._handfuls[-1].append({**fate, "result": number(said)})
        elif what == "formula":
            if self._formula or self._total:
                self._finish()
            self._formula = said[:_LONGEST]
        else:
            if self._total:
                self._finish()
            self._total = said

    def _finish(self) -> None:
        """One roll is complete, if there is one: it has a total that is a number, or dice."""
        handfuls = [one for one in self._handfuls if one]
        if handfuls or number(self._total) is not None:
            self.rolls.append(_roll(self._formula, handfuls, self._total, self._occasion))
        self._formula = self._total = ""
        self._handfuls = []


def _roll(formula: str, handfuls: list[list[dict[str, Any]]], total: str, occasion: str) -> Fields:
    """A roll as Foundry would have kept it beside the card."""
    dice = [_handful(results) for results in handfuls]
    terms = [*_terms(formula, dice)]
    named = [term for term in terms if "faces" in term]
    fits = [(term["faces"]) for term in named] == [handful["faces"] for handful in dice] and bool(terms)
    parts = {"terms": terms} if fits else {"terms": [], "dice": dice}
    said = formula or " + ".join(f"{handful['number']}d{handful['faces']}" for handful in dice)
    return {"class": "Roll", "formula": said, "total": number(total), "options": {"shownAs": occasion}, **parts}


def _handful(results: list[dict[str, Any]]) -> dict[str, Any]:
    shown = [{key: value for key, value in one.items() if key != "faces"} for one in results]
    return {"class": "Die", "number": len(shown), "faces": results[0]["faces"], "modifiers": [], "results": shown}


def _terms(formula: str, dice: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The terms of a plain formula, its dice with what they showed; nothing for any other."""
    found: list[dict[str, Any]] = []
    rest, at = [*dice], 0
    while at < len(formula):
        term = _TERM.match(formula, at)
        if term is None or term.end() == at:
            return
        at = term.end()
        flavour = {"options": {"flavor": term["flavour"] or ""}}
        if term["operator"]:
            found.append({"class": "OperatorTerm", "operator": term["operator"]})
        elif term["number"]:
            found.append({"class": "NumericTerm", "number": number(term["number"]), **flavour})
        elif not rest:
            return
        else:
            sides = 100 if term["sides"] == "%" else int(term["sides"])
            modifiers = _MODIFIER.findall(term["modifiers"].casefold())
            asked = {"number": int(term["count"] or 1), "faces": sides, "modifiers": modifiers}
            found.append({**rest.pop(0), **asked, **flavour})
    yield from () if rest else found
