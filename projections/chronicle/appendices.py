"""Appendices of a chronicle: sheets, experience, luck, corrections, and how to check the campaign."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import attrs

from rollbook.domain import events
from rollbook.domain.base.seat_words import by_name
from rollbook.domain.dice.stream import proof_code
from rollbook.domain.events import CharacterKind
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet import Sheet, Value
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.chronicle.actions import Change, Deed
from rollbook.projections.chronicle.model import Appendix, SheetPage, Table
from rollbook.projections.chronicle.prose import prose
from rollbook.projections.log_lines import Teller
from rollbook.projections.luck import gather, report, wording
from rollbook.projections.phrases import listed

WITH_SHEETS = (CharacterKind.PLAYER_CHARACTER, CharacterKind.HIRELING)


def _appendix(title: str, key: str, *tables: Table, said: str = "", sheets: tuple[SheetPage, ...] = ()) -> Appendix:
    """An appendix of those tables that have rows, introduced by ``said``."""
    filled = tuple(table for table in tables if table.rows)
    return Appendix(title=title, key=key, paragraphs=(said,) if said and filled else (), tables=filled, sheets=sheets)


# Sheets.


def sheets(state: CampaignState, rulebook: Rulebook) -> Appendix:
    """The sheets of player characters and hirelings; all other characters in one table."""
    people = [who for who in state.characters.values() if who.kind in WITH_SHEETS]
    others = [who for who in state.characters.values() if who.kind not in WITH_SHEETS]
    names = shown_names(state.characters.values())
    pages = tuple(_page(rulebook.sheet(who, state), names[who.id]) for who in people)
    rulebook.take_faults()
    rows = tuple(_row(rulebook.sheet(who, state), who, names[who.id]) for who in others)
    rulebook.take_faults()
    columns = ("Name", "What they are", "Hit points", "How they are")
    table = Table(title="Who else was met", columns=columns, rows=rows, numeric=(False, False, True, False))
    return _appendix("Sheets", "sheets", table, sheets=pages)


def _page(sheet: Sheet, name: str) -> SheetPage:
    return SheetPage(
        character=sheet.character,
        name=name,
        title=sheet.title,
        words=tuple((label, text) for label, text in sheet.words if text),
        values=tuple((value.label, _number(str(value)), _terms(value)) for value in sheet.values),
    )


def _terms(value: Value) -> str:
    """``10 base +3 Dexterity``: the terms that add up to a value."""
    said = [f"{_number(f'{term.amount:+d}')} {term.label}" for term in value.terms]
    return " ".join(said).removeprefix("+")


def _number(text: str) -> str:
    return text.replace("-", "−") if text[:1] == "-" else text


def _row(sheet: Sheet, who: Character, name: str) -> tuple[str, ...]:
    hp = sheet.value("hp")
    state = ", ".join(who.conditions) or ("" if who.present else "gone")
    return name, sheet.title or str(who.kind), str(hp) if hp else "", state


# Experience.


def experience(deeds: Iterable[Deed], names: Mapping[str, str]) -> Appendix:
    """Every award in the order of play, and the totals."""
    total, levels, rows = Counter[str](), Counter[str](), list[tuple[str, ...]]()
    for deed in deeds:
        rows.extend(_awards(deed, names))
        for event in deed.outcome.events:
            if isinstance(event, events.ExperienceAwarded):
                total[event.character] += event.amount
            elif isinstance(event, events.LevelGained):
                levels[event.character] += event.levels
    columns = ("Session", "Action", "Who", "Experience", "For")
    awards = Table(title="Awards", columns=columns, rows=tuple(rows), numeric=(True, True, False, True, False))
    sums = tuple((names.get(who, who), f"{total[who]:,}", str(levels[who])) for who in (total | levels))
    table = Table(title="In all", columns=("Who", "Experience", "Levels"), rows=sums, numeric=(False, True, True))
    return _appendix("Experience", "experience", awards, table)


def _awards(deed: Deed, names: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each award; characters who got the same amount for the same reason share one."""
    found: dict[tuple[int, str], list[str]] = {}
    for event in deed.outcome.events:
        if isinstance(event, events.ExperienceAwarded):
            found.setdefault((event.amount, event.reason), []).append(names.get(event.character, event.character))
    joins = any(isinstance(event, events.CharacterJoined) for event in deed.outcome.events)
    for (amount, reason), who in found.items():
        why = reason or ("on joining" if joins else "")
        yield str(deed.session or "–"), f"#{deed.number}", listed(who, len(who)), f"{amount:,}", why


# Luck.


def luck(history: History, actions: frozenset[int], names: Mapping[str, str]) -> Appendix:
    """The rolls of each character, compared with fair dice."""
    throws = gather(history).only(lambda throw: throw.action in actions)
    found = report(throws, "character")
    rows = []
    for group in found.groups:
        totals = wording.totals(group.luck) if group.luck.is_enough else f"{group.luck.total:,}"
        who, lucky = names.get(group.key, "the GM"), wording.luck(group.luck, "character", found.party)
        rows.append((who, str(group.origin), f"{group.luck.rolls:,}", totals, wording.targets(group.hits), lucky))
    columns = ("Who", "Dice", "Rolls", "Total", "Targets", "As luck goes")
    table = Table(
        title="By character", columns=columns, rows=tuple(rows), numeric=(False, False, True, False, False, False)
    )
    said = (
        "A total is compared with the exact odds of the same rolls. Luck is what is left: it is nobody’s merit, and says "
        "nothing about the next roll."
    )
    return _appendix("Luck", "luck", table, said=said)


# Corrections.


def corrections(deeds: Iterable[Deed], teller: Teller) -> Appendix:
    """Every correction in the order in which they were made: the old text, the new one, by whom and why."""
    found = [(change, deed) for deed in deeds for change in deed.changes]
    found.sort(key=lambda each: each[0].entry.number)
    rows = tuple(_correction(change, deed, teller) for change, deed in found)
    columns = ("Action", "What was written", "What became of it", "By", "Why")
    table = Table(
        title="In the order in which they were made", columns=columns, rows=rows, numeric=(True, *[False] * 4)
    )
    said = "Nothing was ever erased: what was undone or came out otherwise is here as it was first written."
    return _appendix("Corrections", "corrections", table, said=said)


def _correction(change: Change, deed: Deed, teller: Teller) -> tuple[str, ...]:
    was = prose(change.before, teller).text if change.before is not None else "–"
    now = prose(change.after, teller).text if change.after is not None else "undone"
    who = teller.person(change.entry.seat) or "the GM"
    why = change.did if change.is_second_thought else by_name(change.entry.reason, teller.person)
    return f"#{deed.number}", was or deed.outcome.intent.verb, now if now != was else "the same words", who, why


# How to check it.


def checking(deeds: Iterable[Deed], receipt: str, campaign: str) -> Appendix:
    """The receipt, the commitments of the sessions, and how to check them."""
    opened, seeds = list[events.SessionOpened](), dict[int, str]()
    for event in (event for deed in deeds for event in deed.outcome.events):
        if isinstance(event, events.SessionOpened) and event.commit_table:
            opened.append(event)
        elif isinstance(event, events.DiceRevealed) and not event.screen:
            seeds[event.session] = event.seed
    rows = tuple(
        (str(each.session), proof_code(bytes.fromhex(each.commit_table)), seeds.get(each.session, "sealed still"))
        for each in opened
    )
    columns = ("Session", "Code of its dice", "Seed, revealed when it closed")
    table = Table(title="Dice", columns=columns, rows=rows, numeric=(True, False, False))
    found = _appendix("Receipts, and how to check them", "receipts", table)
    return attrs.evolve(found, paragraphs=tuple(_advice(receipt, campaign)))


def _advice(receipt: str, campaign: str) -> Iterator[str]:
    yield (
        "This chronicle is written for reading, and a page proves nothing by itself. The campaign it was made from can be "
        "checked: every entry carries a hash of itself and of the entry before it, and the dice of a session follow from a "
        "seed to which the host is committed before the first roll."
    )
    if receipt:
        yield f"Receipt of the campaign when this was made: {receipt}"
    yield (
        f"At the computer where the campaign is kept: rollbook --campaign {campaign} audit --receipt followed by that "
        "line in quotation marks. Anywhere else: ask for an export (rollbook export), and check it with the program that comes "
        "with it: python3 verify_rollbook.py FILE RECEIPT."
    )
    yield (
        "VERIFIED is proven, UNPROVEN lacks something, such as a seed that is sealed still, and FAILED is contradicted. Note "
        "the receipt where nobody else can change it; then an end that was cut off, or a history that was written again, shows."
    )
