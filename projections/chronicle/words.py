"""How a verb is said of somebody: ``attack`` as "attacks the guard with a longbow", any other verb by its own name.

The verbs are those that games have in common; what is not here is said by its name, so that a stranger's game reads well too.
"""

import re
from collections.abc import Mapping

_PHRASES: Mapping[str, tuple[str, ...]] = {
    "attack": ("attacks {whom} with {thing}", "attacks {whom}", "attacks with {thing}", "attacks"),
    "cast": ("casts {power} on {whom}", "casts {power}", "casts a spell"),
    "use-power": ("uses {power} on {whom}", "uses {power}", "uses a power"),
    "use": ("uses {power} on {whom}", "uses {power}", "uses {what}", "uses a power"),
    "check": ("tries {check}", "tries {topic}", "tries something"),
    "save": ("has to withstand {against}", "makes {check}", "makes a saving throw"),
    "opposed": ("contests {whom}",),
    "explosion": ("sets off {name}", "sets off an explosion"),
    "heal": ("",),
    "harm": ("",),
    "hazard": ("meets {name}", "meets a hazard"),
    "medical-aid": ("tends {whom}", "gives medical aid"),
    "stabilise": ("stabilises {whom}",),
    "end-turn": ("",),
    "next-turn": ("",),
    "setback": ("owns a setback",),
    "spend-token": ("",),
    "offer-bargain": ("is offered a bargain",),
    "bargain": ("answers the bargain",),
    "x-card": ("",),
    "after-x-card": ("",),
    "move": ("moves",),
    "stand": ("stands up",),
    "light": ("lights {thing}",),
    "wield": ("takes up {thing}",),
    "give": ("",),
    "choose": ("",),
    "award": ("",),
    "award-kills": ("",),
    "bring-home": ("brings the treasure home",),
    "level-up": ("",),
    "define-power": ("has a new power: {name}",),
    "surprise": ("",),
    "react": ("meets {whom}",),
    "morale": ("has to stand fast",),
    "leave": ("",),
    "lair": ("holds a hoard",),
    "pocket-change": ("is searched",),
    "loot": ("searches {whom}",),
    "hire": ("hires {whom}",),
    "learn": ("learns {skill}",),
    "explore": ("explores",),
    "place": ("",),
    "pass-time": ("",),
    "downtime": ("",),
    "roll": ("",),
    "initiative": ("joins the order of turns",),
    "damage": ("deals damage",),
    "hit die": ("spends a hit die",),
    "rest": ("takes a {what}", "rests"),
    "adjust": ("",),
    "condition": ("",),
    "trait": ("",),
    "attitude": ("",),
    "reveal": ("",),
    "adopt": ("",),
    "imported": ("",),
}
"""What is said after the name of who acts, the fullest first: one is taken whose words in braces are all known.

Nothing is said of a verb with "", because what came of it says it all.
"""

_OUTCOMES: Mapping[str, str] = {
    "hit": "hits",
    "miss": "misses",
    "success": "succeeds",
    "yes": "succeeds",
    "failure": "fails",
    "no": "fails",
    "saved": "holds out",
    "not saved": "does not hold out",
    "fumble": "fumbles",
    "critical success": "succeeds brilliantly",
    "critical failure": "fails badly",
    "natural 20": "hits with a natural 20",
    "natural 1": "misses with a natural 1",
}

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")


def phrase(verb: str, slots: Mapping[str, str]) -> str:
    """A verb as it is said of one who acts, with what is known of it; "" where what came of it says enough."""
    for template in _PHRASES.get(verb, ()):
        if all(slots.get(name) for name in re.findall(r"{(\w+)}", template)):
            return template.format_map(slots)
    if verb in _PHRASES:
        return ""
    whom = slots.get("whom")
    return f"{third_person(verb)} {whom}" if whom else third_person(verb)


def third_person(verb: str) -> str:
    """``bring-home`` as "brings home"."""
    first, _, rest = verb.replace("-", " ").partition(" ")
    if _CONSONANT_Y.search(first):
        first = f"{first[:-1]}ies"
    else:
        first += "es" if _SIBILANT.search(first) else "s"
    return f"{first} {rest}".strip()


def outcome(word: str, *, success: bool) -> str:
    """How something came out, as it is said of who tried it."""
    known = _OUTCOMES.get(word)
    if known:
        return known
    came = "succeeds" if success else "fails"
    return f"{came} ({word})" if word else came


def called(thing: str) -> str:
    """A thing as it is said: ``scorching-ray`` without its hyphens; what is no name with an article."""
    words = plain(thing)
    return f"the {words}" if words[:1].islower() else words


def plain(key: str) -> str:
    """A key as it is said: ``scorching-ray`` without its hyphens."""
    return key if " " in key else key.replace("-", " ")


def with_article(name: str) -> str:
    """``an attack of opportunity``."""
    return f"{'an' if name[:1].casefold() in 'aeiou' else 'a'} {name}" if name else ""
