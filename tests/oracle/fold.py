"""The fold: a state as plain JSON, made of the lines of events alone. It knows no rules and refuses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.oracle.stored import Event

State = dict[str, Any]

NOBODY: State = (
    {"id": "", "name": "", "kind": "pc", "seat": "", "present": True, "lost": 0, "experience": 0, "level": 0}
    | {"stats": {}, "traits": {}, "gear": {}, "pools": {}, "conditions": {}}
    | {"trait_data": {}, "choices": {}, "chosen": {}, "usages": {}}
    | {"position": [0, 0, 0], "aside": {}, "arrival_baseline": {}, "hidden": False, "elsewhere": False}
)
NOTHING_YET: State = (
    {"name": "", "identity": "", "ruleset": "", "version": "", "package": "", "settings": {}, "former": {}, "seats": {}}
    | {"session": None, "scene": "", "scenes": 0, "scene_number": 0, "elsewhere": []}
    | {"paused": False, "clock": 0, "stretch": None, "pools": {}}
    | {"characters": {}, "encounter": None, "dice_requests": {}, "agreed": {}, "pictures": {}, "portraits": {}}
    | {"board_map": None}
)
FIGHT: State = {"title": "", "round": 0, "order": [], "scores": [], "acted": [], "current": "", "turn": 0} | {
    "spent": {},
    "spent_on": {},
}
OF_A_GAME = ("level", "lost", "stats", "traits", "pools", "conditions", "trait_data", "choices", "chosen", "usages")
INTERRUPTING = (
    *("CheckResolved", "DamageTaken", "PowerUsed", "Moved"),
    *("RulesetAdopted", "SceneFramed", "SceneSetAside", "SceneResumed"),
)
"""What interrupts a rest: scenes, other rules, and a character known to the table who does or suffers something."""


def folded(events: Iterable[Event]) -> State:
    """The campaign after these events."""
    state = {**NOTHING_YET}
    for event in events:
        step = _STEPS.get(event.name)
        if step is not None:
            step(state, event.says)
        _change_character(state, event.name, event.says)
        _interrupt(state, event.name, event.says)
    return state


def _in_order(said: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(said.items()))


def _plus(numbers: Mapping[str, int], key: str, amount: int) -> dict[str, int]:
    return {**numbers, key: numbers.get(key, 0) + amount}


def _interrupt(state: State, name: str, said: Mapping[str, Any]) -> None:
    who = said["order"] if name == "TurnOrderSet" else [said["character"]] if "character" in said else []
    known = [each for each in who if not state["characters"].get(each, {}).get("hidden")]
    tells = bool(known) if name == "TurnOrderSet" or who else True
    is_new = name in INTERRUPTING or (name == "TurnOrderSet" and state["encounter"] is not None)
    there = name not in ("DamageTaken", "PowerUsed", "Moved") or said["character"] in state["characters"]
    if is_new and tells and there and state["stretch"] is not None:
        state["stretch"] = {**state["stretch"], "interrupted": True}


# The campaign.


def _show(state: State, said: Mapping[str, Any]) -> None:
    if said.get("on_board"):
        if said["digest"] or not said["media"]:
            named = ("digest", "media", "width", "height", "alt", "across", "west", "south")
            state["board_map"] = {name: said[name] for name in named} if said["digest"] else None
        return
    if said["digest"]:
        state["pictures"] = {**state["pictures"], said["digest"]: said["media"]}
    whose, is_removed = said["portrait_of"], said["media"] and not said["digest"]
    if whose and not is_removed:
        others = _without(state["portraits"], whose)
        state["portraits"] = {**others, whose: said["digest"]} if said["digest"] else others


def _start(state: State, said: Mapping[str, Any]) -> None:
    state.update(name=said["name"], identity=said["identity"])


def _adopt(state: State, said: Mapping[str, Any]) -> None:
    if state["ruleset"]:
        state["former"] = {**state["former"], state["ruleset"]: state["settings"]}
    state.update({key: said[key] for key in ("ruleset", "version", "package")}, settings=_in_order(said["settings"]))


def _sit(state: State, said: Mapping[str, Any]) -> None:
    called = state["seats"].get(said["seat"], {}).get("called", "")
    seat = {"name": said["seat"], "role": said["role"], "number": said["number"], "present": True, "called": called}
    state["seats"] = {**state["seats"], said["seat"]: seat}


def _stand_up(state: State, said: Mapping[str, Any]) -> None:
    if said["seat"] in state["seats"]:
        state["seats"] = {**state["seats"], said["seat"]: {**state["seats"][said["seat"]], "present": False}}


def _call(state: State, said: Mapping[str, Any]) -> None:
    if said["seat"] in state["seats"]:
        called = "" if said["name"] == said["seat"] else said["name"]
        state["seats"] = {**state["seats"], said["seat"]: {**state["seats"][said["seat"]], "called": called}}


def _open(state: State, said: Mapping[str, Any]) -> None:
    keys = ("title", "identity", "scheme", "commit_table", "commit_screen")
    session = {"number": said["session"], **{key: said[key] for key in keys}, "entropy": [], "is_open": True}
    state.update(session=session, dice_requests={})


def _mix(state: State, said: Mapping[str, Any]) -> None:
    if (session := state["session"]) is not None:
        state["session"] = {**session, "entropy": [*session["entropy"], [said["number"], said["text"]]]}


def _close(state: State, _: Mapping[str, Any]) -> None:
    if state["session"] is not None:
        state["session"] = {**state["session"], "is_open": False}


def _agree(state: State, said: Mapping[str, Any]) -> None:
    matter = "/".join(filter(None, (said["matter"], said["seat"])))
    state["agreed"] = {**state["agreed"], matter: said["value"]}


def _frame(state: State, said: Mapping[str, Any]) -> None:
    number = state["scenes"] + 1
    state.update(scene=said["title"], scenes=number, scene_number=number, dice_requests={})


def _set_aside_scene(state: State, _: Mapping[str, Any]) -> None:
    """The scene waits with its fight, and those who fight there are elsewhere."""
    here = {"number": state["scene_number"], "title": state["scene"]} | {
        key: state[key] for key in ("clock", "encounter")
    }
    _mark(state, here, elsewhere=True)
    state.update(elsewhere=[*state["elsewhere"], here], encounter=None, dice_requests={})


def _resume(state: State, said: Mapping[str, Any]) -> None:
    state.update(scene=said["title"], scene_number=said["scene"], dice_requests={})
    _wait_no_more(state, said, "clock", "encounter")


def _wait_no_more(state: State, said: Mapping[str, Any], *kept: str) -> None:
    for scene in (each for each in state["elsewhere"] if each["number"] == said["scene"]):
        state.update({key: scene[key] for key in kept})
        _mark(state, scene, elsewhere=False)
    state["elsewhere"] = [scene for scene in state["elsewhere"] if scene["number"] != said["scene"]]


def _mark(state: State, scene: State, *, elsewhere: bool) -> None:
    people, fighting = state["characters"], (scene["encounter"] or FIGHT)["order"]
    marked = {who: {**people[who], "elsewhere": elsewhere} for who in fighting if who in people}
    state["characters"] = {**people, **marked}


def _pass_time(state: State, said: Mapping[str, Any]) -> None:
    """Time spent on one activity in several goes is one stretch, unless something interrupts it."""
    state["clock"] += said["seconds"]
    was, seconds, activity = state["stretch"], said["seconds"], said["activity"]
    goes_on = was is not None and was["activity"] == activity and not (was["interrupted"] and seconds)
    so_far = was["seconds"] if goes_on else 0
    state["stretch"] = {"activity": activity, "seconds": so_far + seconds, "interrupted": False} if activity else None


def _roll(state: State, said: Mapping[str, Any]) -> None:
    """A request is noted by the bit of its repeat."""
    if said["occasion"]:
        key = "|".join((said["occasion"], said["roller"], said["purpose"]))
        state["dice_requests"] = {
            **state["dice_requests"],
            key: state["dice_requests"].get(key, 0) | 1 << said["repeat"],
        }


def _join(state: State, said: Mapping[str, Any]) -> None:
    who = {**NOBODY, "id": said["character"], **{key: said[key] for key in ("name", "kind", "seat")}}
    state["characters"] = {**state["characters"], who["id"]: who}


def _pool(state: State, said: Mapping[str, Any], amount: int | None = None) -> None:
    """A pool of a character, or of the GM's own; without an ``amount`` it becomes what is said."""
    holder = said["holder"]
    whose = state["characters"].get(holder) if holder else state
    if whose is None:
        return
    pools = whose["pools"]
    now = {**pools, said["pool"]: said["amount"]} if amount is None else _plus(pools, said["pool"], amount)
    if holder:
        state["characters"] = {**state["characters"], holder: {**whose, "pools": now}}
    else:
        state["pools"] = now


# Encounters.


def _fight(**changes: Callable[[State, Mapping[str, Any]], Any]) -> Callable[[State, Mapping[str, Any]], None]:
    """A change of the encounter, if there is one."""

    def step(state: State, said: Mapping[str, Any]) -> None:
        if state["encounter"] is not None:
            fight = state["encounter"]
            state["encounter"] = {**fight, **{key: change(fight, said) for key, change in changes.items()}}

    return step


def _order(state: State, said: Mapping[str, Any]) -> None:
    """Who takes part is in no fight elsewhere."""
    fight, people = state["encounter"], state["characters"]
    if fight is None:
        return
    here = [who for who in said["order"] if people.get(who, {}).get("elsewhere")]
    state["encounter"] = {**fight, "order": said["order"], "scores": said["scores"]}
    state["characters"] = {**people, **{who: {**people[who], "elsewhere": False} for who in here}}
    state["elsewhere"] = [{**scene, "encounter": _left(scene["encounter"], here)} for scene in state["elsewhere"]]


def _left(fight: State | None, gone: list[str]) -> State | None:
    if fight is None:
        return None
    scores = [score for who, score in zip(fight["order"], fight["scores"], strict=False) if who not in gone]
    current = "" if fight["current"] in gone else fight["current"]
    return {**fight, "order": [who for who in fight["order"] if who not in gone], "scores": scores, "current": current}


def _begin_turn(state: State, said: Mapping[str, Any]) -> None:
    fight, who = state["encounter"], said["character"]
    if fight is None:
        return
    state["encounter"] = {**fight, "current": who, "spent": {}, "spent_on": {}}
    if not state["characters"].get(who, {}).get("hidden"):
        state["encounter"]["turn"] += 1
        state["dice_requests"] = {}


def _spend(state: State, said: Mapping[str, Any]) -> None:
    fight = state["encounter"]
    if fight is not None and fight["current"] == said["character"]:
        fight = {**fight, "spent": _plus(fight["spent"], said["what"], said["amount"])}
        if said["about"]:
            on = [*fight["spent_on"].get(said["what"], ()), said["about"]]
            fight["spent_on"] = {**fight["spent_on"], said["what"]: on}
        state["encounter"] = fight


def _acted(fight: State, said: Mapping[str, Any]) -> list[str]:
    return [*fight["acted"], *([] if said["character"] in fight["acted"] else [said["character"]])]


_STEPS: Mapping[str, Callable[[State, Mapping[str, Any]], None]] = {
    "CampaignStarted": _start,
    "PictureShown": _show,
    "RulesetAdopted": _adopt,
    "SeatTaken": _sit,
    "SeatLeft": _stand_up,
    "SeatRenamed": _call,
    "SeatNamed": _call,
    "SessionOpened": _open,
    "EntropyAdded": _mix,
    "SessionClosed": _close,
    "TableAgreed": _agree,
    "SceneFramed": _frame,
    "SceneSetAside": _set_aside_scene,
    "SceneResumed": _resume,
    "SceneEnded": _wait_no_more,
    "XCardRaised": lambda state, _: state.update(paused=True),
    "XCardAnswered": lambda state, _: state.update(paused=False),
    "TimePassed": _pass_time,
    "DiceRolled": _roll,
    "CharacterJoined": _join,
    "PoolGained": lambda state, said: _pool(state, said, said["amount"]),
    "PoolSpent": lambda state, said: _pool(state, said, -said["amount"]),
    "PoolBecame": _pool,
    "EncounterBegan": lambda state, said: state.update(encounter={**FIGHT, "title": said["title"]}, dice_requests={}),
    "EncounterEnded": lambda state, _: state.update(encounter=None, dice_requests={}),
    "TurnOrderSet": _order,
    "RoundBegan": _fight(round=lambda fight, _: fight["round"] + 1, acted=lambda *_: []),
    "RoundEnded": _fight(current=lambda *_: ""),
    "TurnBegan": _begin_turn,
    "TurnSpent": _spend,
    "TurnEnded": _fight(acted=_acted, current=lambda *_: ""),
}


# Characters: what each event makes of the one it names.


def _change_character(state: State, name: str, said: Mapping[str, Any]) -> None:
    change = _CHARACTER.get(name)
    who = state["characters"].get(said.get("character"))
    if change is not None and who is not None:
        state["characters"] = {**state["characters"], who["id"]: {**who, **change(who, said, state["clock"])}}


def _without(known: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in known.items() if name != key}


def _trait(who: State, said: Mapping[str, Any], _: int) -> State:
    data = {**who["trait_data"], said["trait"]: _in_order(said["data"])}
    kept = data if said["data"] else _without(who["trait_data"], said["trait"])
    return {"traits": {**who["traits"], said["trait"]: said["kind"]}, "trait_data": kept}


def _no_trait(who: State, said: Mapping[str, Any], _: int) -> State:
    return {key: _without(who[key], said["trait"]) for key in ("traits", "trait_data")}


def _gear(who: State, said: Mapping[str, Any], _: int) -> State:
    held = who["gear"].get(said["item"], {"count": 0, "use": []})
    use = said.get("use") or held["use"]
    more = said["count"] if "use" in said else -said["count"]
    return {"gear": {**who["gear"], said["item"]: {"count": held["count"] + more, "use": use}}}


def _move(who: State, said: Mapping[str, Any], _: int) -> State:
    return {"position": [was + said[way] for was, way in zip(who["position"], ("east", "north", "up"), strict=True)]}


def _condition(who: State, said: Mapping[str, Any], clock: int) -> State:
    began = {"name": said["condition"], "since": clock, **{key: said[key] for key in ("until", "source", "detail")}}
    return {"conditions": {**who["conditions"], said["condition"]: {**began, "data": _in_order(said["data"])}}}


def _use(who: State, said: Mapping[str, Any], clock: int) -> State:
    key = ":".join(filter(None, (said["power"], said["target"])))
    count = who["usages"].get(key, {"count": 0})["count"] + 1
    return {"usages": {**who["usages"], key: {"count": count, "last": clock}}}


def _offer(who: State, said: Mapping[str, Any], _: int) -> State:
    options = [{"key": one["key"], "label": one["label"], "data": _in_order(one["data"])} for one in said["options"]]
    return {"choices": {**who["choices"], said["choice"]: {"options": options, "data": _in_order(said["data"])}}}


def _choose(who: State, said: Mapping[str, Any], _: int) -> State:
    chosen = {**who["chosen"], said["choice"]: said["picked"]}
    return {"choices": _without(who["choices"], said["choice"]), "chosen": chosen}


def _set_aside(who: State, said: Mapping[str, Any], _: int) -> State:
    """What only one game understands lies aside; sheets that do so already have to catch up with what changed since."""
    behind = {}
    for game, sheet in who["aside"].items():
        total = {
            key: sheet["since"].get(key, 0) + said["since"].get(key, 0)
            for key in (*sheet["since"], *_in_order(said["since"]))
        }
        behind[game] = {**sheet, "since": {key: amount for key, amount in total.items() if amount}}
    uses = {item: held["use"] for item, held in who["gear"].items() if held["use"]}
    stored = {**{key: who[key] for key in OF_A_GAME}, "experience": who["experience"], "uses": uses, "since": {}}
    gear = {item: {"count": held["count"], "use": []} for item, held in who["gear"].items()}
    empty = {key: NOBODY[key] for key in (*OF_A_GAME, "arrival_baseline")}
    return {**empty, "aside": {**behind, said["ruleset"]: stored}, "gear": gear}


def _take_up(who: State, said: Mapping[str, Any], _: int) -> State:
    if said["ruleset"] not in who["aside"]:
        return {}
    sheet = who["aside"][said["ruleset"]]
    gear = {item: {"count": held["count"], "use": sheet["uses"].get(item, [])} for item, held in who["gear"].items()}
    return {**{key: sheet[key] for key in OF_A_GAME}, "gear": gear, "aside": _without(who["aside"], said["ruleset"])}


_CHARACTER: Mapping[str, Callable[[State, Mapping[str, Any], int], State]] = {
    "CharacterRenamed": lambda _, said, __: {"name": said["name"]},
    "CharacterLeft": lambda *_: {"present": False},
    "CharacterHidden": lambda *_: {"hidden": True},
    "CharacterRevealed": lambda *_: {"hidden": False},
    "ControlPassed": lambda _, said, __: {"seat": said["seat"]},
    "StatChanged": lambda who, said, _: {"stats": _plus(who["stats"], said["stat"], said["amount"])},
    "TraitGained": _trait,
    "TraitLost": _no_trait,
    "GearGained": _gear,
    "GearLost": _gear,
    "Moved": _move,
    "SheetSetAside": _set_aside,
    "SheetTakenUp": _take_up,
    "CharacterCrossed": lambda _, said, __: {"arrival_baseline": _in_order(said["measures"])},
    "DamageTaken": lambda who, said, _: {"lost": who["lost"] + said["amount"]},
    "HitPointsRestored": lambda who, said, _: {"lost": who["lost"] - said["amount"]},
    "HitPointsCorrected": lambda who, said, _: {"lost": who["lost"] - said["amount"]},
    "ConditionBegan": _condition,
    "ConditionEnded": lambda who, said, _: {"conditions": _without(who["conditions"], said["condition"])},
    "PowerUsed": _use,
    "ExperienceAwarded": lambda who, said, _: {"experience": who["experience"] + said["amount"]},
    "LevelGained": lambda who, said, _: {"level": who["level"] + said["levels"]},
    "ChoiceOffered": _offer,
    "ChoiceMade": _choose,
}
