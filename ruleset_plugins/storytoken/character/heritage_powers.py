"""Powers of heritages: change form, conjure a body, promise, drink blood (R0.147, R0.153, R0.156, R0.157)."""

from itertools import count

from rollbook.kit import clock, require, verbs
from rollbook.plugin import Action, Character, CharacterKind, Condition, DiceStep, Table, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points
from rollbook.rulesets.storytoken.character.heritages import CHANGED, FORM, HUMAN_FORM, form_of, heritage_of
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.magic.turning import is_undead
from rollbook.rulesets.storytoken.settings import Settings

HYBRID, ANIMAL, GHOST = "hybrid", "animal", "ghost"
GIVEN, BROKEN, KEPT, RELEASED = "given", "broken", "kept", "released"


class ChangeForm(Action, verb="change-form"):
    """A werebeast changes between human, hybrid and animal form: an action (R0.156)."""

    sentence = "changes into {form:key} form"

    who: str = param.character("who changes", actor=True)
    form: str = param.choice("into which form", (HUMAN_FORM, HYBRID, ANIMAL))
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(lambda table, who: _check_forms(table, turns.take_action(table, who)))

    def resolve(self, table: Table) -> None:
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        _check_forms(table, who)
        if form_of(who) == self.form:
            table.refuse(f"{who.name} is in {self.form} form already. Name another one to change into.", "form")
        if self.form == HUMAN_FORM:
            conditions.end(table, who.id, CHANGED)
        else:
            conditions.begin(table, who.id, CHANGED, detail=self.form, data={FORM: self.form}, again=True)


def _check_forms(table: Table, who: Character) -> None:
    if not heritage_of(who).forms:
        table.refuse(f"{who.name} has one form only; werebeasts have three.")


def _spirit(table: Table, name: str) -> Character:
    who = turns.able(table, name)
    if not heritage_of(who).ghost:
        table.refuse(f"{who.name} is not a spirit; only spirits conjure a body and leave it.")
    return who


def _faerie(table: Table, name: str) -> Character:
    who = table.character(name)
    if not heritage_of(who).promises:
        table.refuse(f"{who.name} may promise what {who.name} likes: only a faerie is bound by it.")
    return who


class Manifest(Action, verb="manifest"):
    """A spirit conjures a body for as many hours as it has levels, or lets it go (R0.153, Q0.61)."""

    sentence = "manifests[ ({shape:key})]"
    typed_dice = (DiceStep(effects=hit_points.AWAKENING, whose=hit_points.OF_SPIRITS),)

    who: str = param.character("which spirit", actor=True)
    shape: str = param.choice("as what", (hit_points.BODY, GHOST))
    anchor: str = param.words("the thing or place that it will awaken at", default="", gm_only=False)

    check_available = verbs.available_if(_spirit)

    def resolve(self, table: Table) -> None:
        """The body has hit points of its own: the spirit's maximum."""
        who = _spirit(table, self.who)
        if who.has(conditions.EMBODIED) == (self.shape == hit_points.BODY):
            shape = "a ghost" if self.shape == GHOST else "in a body"
            table.refuse(f"{who.name} is {shape} already. Name the other shape.", "shape")
        if self.shape == GHOST:
            hit_points.decay(table, who.id)
            return
        until = table.clock + who.level * clock.HOUR
        if who.level < 1:
            table.refuse(f"{who.name} has no level, and a body lasts an hour for each.")
        anchor, most = {conditions.ANCHOR: self.anchor}, hit_points.max_hp(who, Settings.of(table))
        conditions.begin(table, who.id, conditions.EMBODIED, detail=self.anchor, until=until, data=anchor)
        table.record(events.PoolBecame(holder=who.id, pool=hit_points.BODY, amount=most, reason="conjured"))


class Promise(Action, verb="promise"):
    """A faerie gives a promise, breaks it or keeps it again; a broken one costs 1 hit point a minute (R0.147)."""

    sentence = "breaks or keeps a promise[: {what}]"

    who: str = param.character("whose promise", actor=True)
    what: str = param.words("what was promised; may be left out for a single promise", default="", gm_only=False)
    how: str = param.choice(
        "given, broken, or as the GM rules kept again or released from",
        (GIVEN, BROKEN, KEPT, RELEASED),
        default=GIVEN,
        gm_only=False,
    )

    check_available = verbs.available_if(_faerie)

    def resolve(self, table: Table) -> None:
        who = _faerie(table, self.who)
        if self.how == GIVEN:
            self._give(table, turns.at_liberty(table, who.id))
            return
        promise = self._which(table, who)
        if self.how == BROKEN:
            turns.at_liberty(table, who.id)
            state = {conditions.STATE: conditions.FORSWORN}
            conditions.begin(table, who.id, forsworn(promise), detail=promise.detail, data=state)
        else:
            require.ruling(table, "how", f"it is {GIVEN} or {BROKEN}")
            conditions.end(table, who.id, forsworn(promise))
            if self.how == RELEASED:
                conditions.end(table, who.id, promise.name)

    def _which(self, table: Table, who: Character) -> Condition:
        """The only promise, or the one with these words."""
        promises = conditions.promises_of(who)
        if not promises:
            table.refuse(f"{who.name} has given no promise. First: promise {who.id} WORDS", "what")
        matching = [each for each in promises if not self.what or _is_about(each, self.what)]
        if len(matching) != 1:
            given = "; ".join(conditions.text(each, conditions.PROMISE) for each in promises)
            table.refuse(f"Say with --what which promise of {who.name}'s is meant: {given}.", "what")
        return matching[0]

    def _give(self, table: Table, who: Character) -> None:
        if not self.what:
            table.refuse(f"Say what {who.name} promises: promise {who.id} WORDS", "what")
        if any(_is_about(each, self.what) for each in conditions.promises_of(who)):
            table.refuse(f"{who.name} is bound already: {self.what}. Another promise takes other words.", "what")
        state = conditions.PROMISED
        number = next(each for each in count(1) if not who.has(_numbered(state, each)))
        data: events.Data = {conditions.STATE: state, conditions.NUMBER: number, conditions.PROMISE: self.what}
        conditions.begin(table, who.id, _numbered(state, number), detail=self.what, data=data)


def _is_about(promise: Condition, words: str) -> bool:
    return conditions.text(promise, conditions.PROMISE).casefold() == words.casefold()


def _numbered(state: str, number: int) -> str:
    """The name of a condition that a character may have several times: promised, promised-2 and so on."""
    return f"{state}-{number}" if number > 1 else state


def forsworn(promise: Condition) -> str:
    """The name of the condition of having broken a promise."""
    return _numbered(conditions.FORSWORN, conditions.number(promise, conditions.NUMBER))


def feed(table: Table, who: Character, amount: int, *, source: str = "") -> None:
    """A vampire drinks: hit points come back, thirst first; none for the blighted (R0.66)."""
    if not heritage_of(who).daily_thirst or amount < 1 or not conditions.heals(who):
        return
    quenched = min(amount, who.pools.get(hit_points.THIRST, 0))
    if quenched:
        table.record(events.PoolSpent(holder=who.id, pool=hit_points.THIRST, amount=quenched, reason=hit_points.BLOOD))
    hit_points.restore(table, who.id, amount, tags=(hit_points.BLOOD,), source=source or who.id)


def has_blood(who: Character) -> bool:
    """Tell if there is living blood to feed on."""
    return who.kind is not CharacterKind.THING and not is_undead(who)


def check_drinks(table: Table, who: Character) -> None:
    """Refuse blood for characters who do not live on it, and for the blighted."""
    fault = ""
    if not heritage_of(who).daily_thirst:
        fault = f"{who.name} does not live on blood; only a vampire does. Other healing is: heal {who.id} DICE"
    elif not conditions.heals(who):
        fault = f"{who.name} is blighted: blood gives nothing back until that is lifted."
    if fault:
        table.refuse(fault, table.parameter_of(who.id))


def check_not_thirst_alone(table: Table, who: Character) -> None:
    """Refuse healing for a character who lacks only hit points that blood brings back."""
    if 0 < who.lost <= who.pools.get(hit_points.THIRST, 0):
        table.refuse(
            f"{who.name} lacks nothing but blood. What helps is: heal {who.id} DICE --by {hit_points.BLOOD}", "by"
        )
