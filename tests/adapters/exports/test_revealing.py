"""What is revealed later can be proven to be what was secret then: the receipts stay, and the entry is tied into the chain."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.application.campaign import Campaign
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.chain import canonical, entry_hash
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.codec_lines import halves_of
from tests.support.exports import (
    PRIVATE_FIELDS,
    body_lines,
    envelope,
    export_for,
    fields_in,
    full_export,
    stored_part,
    verdicts,
    verify,
    with_body,
    without_hash_keys,
)


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    made = begin_campaign(memory_book(tmp_path))
    made.do("note", {"text": "the duke did it", "to": "gm"})
    made.do("roll", {"expression": "1d6"})
    made.do("roll", {"expression": "1d20"}, secret=True)
    made.do("join", {"name": "Ash", "id": "ash", "kind": "npc", "stats": {"max_hp": 9, "skill": 2}}, secret=True)
    made.do("note", {"text": "another secret", "to": "gm"})
    made.do("note", {"text": "everybody hears it"})
    made.do("attack", {"attacker": "ash", "target": "robin"})
    made.do("hide", {"who": "robin"})
    made.do("roll", {"expression": "1d8"})
    return made


def number(campaign: Campaign, verb: str, *, hidden: bool = True) -> int:
    """The first entry of a verb that keeps something."""
    found = (
        entry.number
        for entry in campaign.history.entries
        if entry.intent.verb == verb and bool(entry.visibility or entry.hidden_events) is hidden
    )
    return next(found)


def hashes(path: Path) -> list[str]:
    """What each entry says that it follows: the hashes of what the table saw."""
    shown = [envelope(line) for line in body_lines(path)]
    return [one.get("previous_public_hash", "") for one in shown if one and "visibility" not in one]


def test_what_is_revealed_is_in_the_file_and_the_hashes_are_what_they_were(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    before = export_for(campaign, path, "mira")
    old = hashes(path)
    code = verify(path)[1].splitlines()[0].split()[-1]
    assert b"duke" not in before
    campaign.do("reveal", {"entries": (number(campaign, "note"), number(campaign, "roll"))})
    after = export_for(campaign, path, "mira")
    assert b"the duke did it" in after
    assert b"another secret" not in after
    assert hashes(path)[: len(old)] == old
    assert verdicts(path, code) == ("VERIFIED", "UNPROVEN")
    assert "only this reader sees" not in verify(path)[1]


def test_what_was_revealed_is_tied_to_what_the_table_saw_next(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    campaign.do("reveal", {"entries": (number(campaign, "note"), number(campaign, "roll"))})
    export_for(campaign, path, "mira")
    lines = body_lines(path)
    found = 0
    for at, line in enumerate(lines):
        if b'"visibility":"gm"' not in line:
            continue
        found += 1
        assert verdicts(with_body(path, [*lines[:at], *lines[at + 1 :]]))[0] == "FAILED"
        for byte in stored_part(line)[::5]:
            changed = bytearray(line)
            changed[byte] ^= 0x01
            assert verdicts(with_body(path, [*lines[:at], bytes(changed), *lines[at + 1 :]]))[0] == "FAILED"
        without_hash = line.replace(b'"hash":"', b'"hasz":"')
        assert without_hash != line
        for other in (without_hash, without_hash.replace(b"the duke", b"the dukf")):
            assert verdicts(with_body(path, [*lines[:at], other, *lines[at + 1 :]]))[0] == "FAILED"
    assert found == 2


def test_a_change_of_what_was_revealed_is_found_in_what_follows_it(campaign: Campaign, tmp_path: Path) -> None:
    """Somebody who can compute makes it fit its own hash, but not the entries after it."""
    path = tmp_path / "file.jsonl"
    campaign.do("reveal", {"entries": (number(campaign, "note"), number(campaign, "roll"))})
    export_for(campaign, path, "mira")
    lines = body_lines(path)
    (at,) = (at for at, line in enumerate(lines) if b"the duke did it" in line)
    assert rehashed(lines[at]) == lines[at]
    other = rehashed(lines[at].replace(b"the duke", b"the dean"))
    said = verify(with_body(path, [*lines[:at], other, *lines[at + 1 :]]))[1]
    good = re.match(r"chain  FAILED    after (\d+) good entries", said)
    assert good
    assert int(good[1]) > at + 1


def rehashed(line: bytes) -> bytes:
    """A line of a file with the hash that fits it."""
    said = json.loads(line)
    lines = [canonical(each) for each in said["lines"]]
    public = halves_of([lines[0], b"", *lines[1:]]).public
    hash_ = entry_hash(public, bytes.fromhex(said["kept"]), said["lines"][0][1]["previous_public_hash"])
    return b'{"kept":"%s","hash":"%s","lines":[%s]}\n' % (said["kept"].encode(), hash_.encode(), b",".join(lines))


def test_a_revealed_character_is_in_the_file_from_then_on_and_the_deeds_before_on_demand(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "file.jsonl"
    campaign.do("reveal", {"who": "ash"})
    campaign.do("attack", {"attacker": "ash", "target": "robin"})
    file = export_for(campaign, path, "mira").decode()
    assert file.count('"verb":"attack"') == 1
    assert '"character":"ash"' in file
    assert '"verb":"join"' in file
    assert '"name":"Ash"' not in file
    assert verdicts(path)[0] == "VERIFIED"
    campaign.do("reveal", {"entries": (number(campaign, "join"), number(campaign, "attack"))})
    file = export_for(campaign, path, "mira").decode()
    assert file.count('"verb":"attack"') == 2
    assert '"name":"Ash"' in file
    assert verdicts(path)[0] == "VERIFIED"


def test_what_names_hidden_character_who_is_hidden_still_stays_hidden(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    campaign.do("reveal", {"entries": (number(campaign, "attack"),)})
    assert "ash" not in without_hash_keys(export_for(campaign, path, "mira"))
    assert verdicts(path)[0] == "VERIFIED"
    campaign.do("reveal", {"who": "ash"})
    assert b'"attacker":"ash"' in export_for(campaign, path, "mira")
    assert verdicts(path)[0] == "VERIFIED"


def test_a_secret_roll_in_an_open_action_is_revealed_without_the_private_envelope_beside_it(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "file.jsonl"
    assert b'"secret":true' not in export_for(campaign, path, "mira")
    campaign.do("reveal", {"entries": (number(campaign, "hide"),)})
    file = export_for(campaign, path, "mira")
    assert file.count(b'"secret":true') == 1
    assert b'"Private@' not in file
    assert PRIVATE_FIELDS.isdisjoint(fields_in(body_lines(path)))
    assert verdicts(path)[0] == "VERIFIED"
    lines = body_lines(path)
    (at,) = (n for n, each in enumerate(lines) if b'"hidden_events":[' in each)
    (rolled,) = (canonical(each) for each in json.loads(lines[at])["lines"] if each[1].get("secret"))
    for was, now in (
        (b"," + rolled, b""),
        (b'"hidden_events":[', b'"hidden_fact":['),
        (b'"hidden_events":[', b'"hidden_events":[9'),
        (b'"total":', b'"total":1'),
    ):
        other = lines[at].replace(was, now)
        assert other != lines[at]
        assert verdicts(with_body(path, [*lines[:at], other, *lines[at + 1 :]]))[0] == "FAILED"


def test_events_that_no_digest_covers_are_found(campaign: Campaign, tmp_path: Path) -> None:
    """An event that is called hidden where the private half is only a digest would be covered by nothing."""
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, "mira")
    lines = body_lines(path)
    forged = b',["TimePassed@1",{"activity":"","seconds":60}]]}\n'
    for at, line in enumerate(lines):
        place = len(json.loads(line)["lines"]) - 1
        assert verdicts(with_body(path, [*lines[:at], line[:-3] + forged, *lines[at + 1 :]]))[0] == "FAILED"
        for more in (b'{"hidden_events":[%d],' % place, b'{"private_envelope":"","hidden_events":[%d],' % place):
            other = more + line[1:-3] + forged
            assert verdicts(with_body(path, [*lines[:at], other, *lines[at + 1 :]]))[0] == "FAILED"


def test_secret_dice_that_were_revealed_are_those_of_the_stream_and_only_the_whole_file_has_their_turn(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "file.jsonl"
    entries = tuple(number(campaign, verb) for verb in ("roll", "hide"))
    campaign.do("reveal", {"entries": entries})
    campaign.do("close-session")
    export_for(campaign, path, "mira")
    assert verdicts(path) == ("VERIFIED", "UNPROVEN")
    assert "secret dice of session 1 are not revealed" in verify(path)[1]
    campaign.do("reveal-screen", {"session": 1})
    export_for(campaign, path, "mira")
    assert verdicts(path) == ("VERIFIED", "UNPROVEN"), verify(path)[1]
    assert "whether secret dice are in their turn only the whole history shows" in verify(path)[1]
    fell = [f for n in entries for f in campaign.history.entry(int(n)).events if isinstance(f, DiceRolled)]
    open_dice = 2 + sum(len(f.dice) for f in fell)
    assert f"{open_dice} dice proven" in verify(path)[1]
    export_for(campaign, path, "")
    assert verdicts(path) == ("VERIFIED", "UNPROVEN")
    full_export(campaign, path)
    assert verdicts(path) == ("VERIFIED", "VERIFIED")


def test_a_file_of_what_fits_a_filter_verifies_and_does_not_speak_of_dice(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    wanted = Reader(None, lambda entry: entry.number % 3 == 0)
    report = export_shown(campaign.session.log, path, wanted)
    assert report.entries == campaign.head.entry // 3
    assert verdicts(path) == ("UNPROVEN", "UNPROVEN")
    assert f"{report.entries} of {campaign.head.entry} entries" in verify(path)[1]
    lines = body_lines(path)
    for at in range(len(lines)):
        assert verdicts(with_body(path, [*lines[:at], *lines[at + 1 :]]))[0] == "FAILED"
