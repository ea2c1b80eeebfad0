"""Sentences of verbs, said of the one who acts: without a subject, with the parameters at their places.

A sentence is text with slots: ``attacks {target}[ with {weapon:the}]``. What stands in square brackets is left out if a slot in
it has nothing to say, and of several readings with ``|`` between them the first counts whose other slots all have something to
say. One that begins with a slot names its subject itself: ``{seat} leaves the table``. Behind a colon stands how a value is
written: ``the`` with an article, ``a`` with one if it is a roll, ``key`` without hyphens, ``quote`` in quotation marks, ``many``
with its count; ``{lose:if}`` is a flag that has to be set, and says nothing; the words of ``{to:square}`` are one square of a
map; any other word is what a number counts. A ``~`` before it says that no character acts, so that it is said of the seat.
"""

import re
from collections.abc import Iterable, Mapping

from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType

NOBODY_ACTS = "~"
_MARKS = re.compile(r"[\[\]{}|~]")
"""The marks of a sentence; another program's verb may hold any letters."""
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_PARTICLES = frozenset(
    ("at", "away", "behind", "by", "down", "for", "home", "in", "off", "on", "out", "over", "to", "up", "way")
)
_THINGS = (ParameterType.GEAR, ParameterType.TEXT, ParameterType.CHOICE)
_PEOPLE = (ParameterType.CHARACTER, ParameterType.CHARACTERS)


def third_person(verb: str) -> str:
    """``bring-home`` as "brings home", ``begin-encounter`` as "begins an encounter"."""
    first, _, rest = verb.replace("-", " ").partition(" ")
    if _CONSONANT_Y.search(first):
        said = f"{first[:-1]}ies"
    else:
        said = first + ("es" if _SIBILANT.search(first) else "s") if first else ""
    if not rest:
        return said
    return f"{said} {rest}" if rest.partition(" ")[0] in _PARTICLES else f"{said} {with_article(rest)}"


def with_article(name: str) -> str:
    """``an attack of opportunity``."""
    return f"{'an' if name[:1].casefold() in 'aeiou' else 'a'} {name}" if name else ""


def sentence_of(verb: type[Action]) -> str:
    """The sentence that a verb gives, or one made of its name and the parameters for its target and thing."""
    every = parameters(verb)
    nobody = "" if any(each.actor for each in every) or verb.sentence.startswith("{") else NOBODY_ACTS
    if verb.sentence:
        return nobody + verb.sentence
    people = [each.name for each in every if each.want in _PEOPLE and not each.actor]
    things = [each.name for each in every if each.required and each.want in _THINGS]
    return nobody + made_sentence(verb.verb, people[:1], things[:1])


def made_sentence(verb: str, people: Iterable[str], things: Iterable[str] = ()) -> str:
    """A sentence out of the name of a verb and the names of parameters."""
    whom = "".join(f"[ {{{name}}}]" for name in people)
    return third_person(_MARKS.sub(" ", verb).strip()) + whom + "".join(f"[ ({{{name}:key}})]" for name in things)


def unknown_sentence(intent: Intent) -> str:
    """The sentence of a verb that is not installed: that of another program's verb, or its name and its target."""
    whom = next((f"{{{name}}}" for name in _WHOM if intent.params.get(name)), "{whom}")
    thing = next((name for name in _WITH if intent.params.get(name)), "thing")
    known = _OF_OTHER_PROGRAMS.get(intent.verb)
    if known is None:
        return made_sentence(intent.verb, [whom.strip("{}")])
    return known.replace("{whom}", whom).replace("{thing", f"{{{thing}")


_WHOM = ("target", "targets", "on", "patient", "whom", "hireling", "foe", "foes")
_WITH = ("weapon", "spell", "power", "item", "attack", "thing", "what", "name")
"""Usual names of parameters for the target and the thing, for verbs of other programs or that are not installed."""

_OF_OTHER_PROGRAMS: Mapping[str, str] = {
    "attack": "attacks[ {whom}][ with {thing:the}]",
    "cast": "casts {thing:key}[ on {whom}]|casts a spell[ on {whom}]",
    "use": "uses {thing:key}[ on {whom}]|uses a power[ on {whom}]",
    "check": "tries {check:a}|tries something",
    "save": "makes {check:a}|makes a saving throw",
    "damage": "deals damage[ to {whom}]",
    "healing": "heals[ {whom}]",
    "hit die": "spends a hit die",
    "initiative": "joins the order of turns",
    "rest": "takes a {what:key}|rests",
    "next-turn": "~ends the turn",
    "previous-turn": "goes back to the turn before",
    "go-to-turn": "changes whose turn it is",
    "begin-encounter": "begins an encounter",
    "end-encounter": "ends the encounter",
    "condition": "changes a condition",
    "correction": "corrects hit points",
    "hp": "changes hit points",
    "options": "changes options of the fight",
    "roll": "rolls dice",
    "imported": "plays",
}
"""Sentences of verbs that are recorded by other programs, which have parameters of their own."""
