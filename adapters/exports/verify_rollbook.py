"""Check an exported rollbook campaign, JSON lines or a page with a replay: python3 verify_rollbook.py FILE [RECEIPT ...].

Nothing but Python 3.9 is needed. Is the chain of entries whole, are the dice those that the revealed seeds give? VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. Of a RECEIPT (a line in quotes, or its code) the entry must be here.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above, 3 nothing is
contradicted, but nothing vouches for some of the entries here.
"""

import base64, gzip, hashlib, hmac, io, itertools, json, os, pathlib, re, struct, sys, unicodedata
LIMITS = """What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
what the words in it mean, and that each roll was for what its entry says, which rollbook audit works out. Against that
somebody at the table notes receipts, and the codes of the dice when a session begins and when they are mixed."""
NO_ENTRY = "the next line is not an entry as rollbook writes it"
# What is read of a line, by its name: a value of this kind, or this one where it may be left out.
ENVELOPE = {"seat": "", "actor": "", "visibility": "", "provenance": "played", "revision": 1, "restores": 0, "public_number": 0,
            "previous_public_hash": "", "intent": {}, "public_before": 0}
READ = {
    **dict.fromkeys(ENVELOPES := ("ActionTaken", "ActionInserted", "ActionRevised", "ActionVoided", "ActionRestored"), ENVELOPE),
    "Private": {"action": int, "before": 0, "causation": 0, "correction": "", "hidden_events": [], "params": {}},
    "Seal": {"hash": str, "previous_hash": str}, "CampaignStarted": {"identity": str}, "CharacterJoined": {"character": str},
    "SeatTaken": {"seat": str, "number": int, "role": str}, "DiceRevealed": {"session": int, "seed": str, "screen": False},
    "SessionOpened": {"session": int, "identity": "", "nonce": "", "commit_table": "", "commit_screen": ""},
    "SessionClosed": {"session": int, "counts": []}, "ScreenCounted": {"session": int, "counts": []},
    "EntropyAdded": {"session": int, "number": int, "text": str}, "FreshDiceGranted": {"session": int, "places": list},
    "DiceRolled": {"roller": str, "purpose": str, "occasion": "", "repeat": 0, "secret": False, "dice": [], "sources": []},
    "NoteWritten": {"text": str, "salt": ""}, "NoteRedacted": {"entries": list}, "EntriesRevealed": {"entries": list},
    "PictureShown": {"digest": "", "alt": "", "salt": ""}, "SeatNamed": {"seat": str, "name": str, "salt": ""},
}
NOTES = "note say whisper handout portrait lay-map take-seat rename-seat"
REMOVABLE = {"NoteWritten": "text salt", "PictureShown": "digest alt salt", "SeatNamed": "name salt"}
KINDS = {"stream": True, "override": True, "physical": False, "imported": False}  # of sources: whether they have places
LATE = "the last line before the first roll is not that of a player who sat there when the session was opened"
Wrong, NotChecked = (type(name, (Exception,), {}) for name in ("Wrong", "NotChecked"))
def check(holds, otherwise=NO_ENTRY, kind=Wrong):
    if not holds:
        raise kind(otherwise)
def must(**due):
    """Check what has to follow from the entries before, whatever the hashes say."""
    for field, holds in due.items():
        check(holds, f"the {field} of the next one does not follow from what comes before it")
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def tagged(tag, *parts): return sha(b"rollbook/chain/1 ", tag, b"\0", *parts)
def mark(name, raw): return b'["~%s@1","%s"]' % (name.encode(), tagged(b"line", raw).hex().encode())
def unhex(text):
    check(text == bytes.fromhex(text).hex() and len(text) in (0, 64), "a digest is not written as it was")
    return bytes.fromhex(text)

def unpacked(file):
    page = re.search(rb'id="chain">([\w+/=]*)<', file.read()) if file.peek(9)[:9] == b"<!doctype" else None
    return gzip.open(io.BytesIO(base64.b64decode(page[1]))) if page else file
def read(path):
    """Read a file: the chain that its first line begins, and the lines after it."""
    try:
        check((found := pathlib.Path(path)).is_file() or not found.exists(), "no device and no pipe is an export")
        head = json.loads(first := (file := unpacked(found.open("rb"))).readline(65_536))
        is_known = head["format"] in ("rollbook/export/1", "rollbook/shown/1")
    except Exception as fault:
        raise NotChecked(f"{path} cannot be read ({getattr(fault, 'strerror', '') or 'it is no export of rollbook'})") from None
    check(is_known, f"this verifier does not know the format of {path}", NotChecked)
    check(first.endswith(b', "check": "%s"}\n' % sha(first[:-31], b"}").hex()[:16].encode()), "the first line was changed")
    return Chain(head), iter(lambda: file.readline(2**22), b"")
def split(text):
    """A line of the file: what it says of an entry, and the entry's own lines: name, fields, and their bytes as they are."""
    said, has_lines, rest = text.partition('"lines":[')
    lines, at, decoder = [], -1, json.JSONDecoder(parse_constant=int)
    while has_lines and (at < 0 or rest[at] == ","):
        (name, fields), at = decoder.raw_decode(rest, (begins := at + 1))
        kinds = READ.get(name := name.partition("@")[0], {})
        fields = {key: fields.get(key, kind) for key, kind in kinds.items()}
        check(all(type(fields[key]) is (kind if isinstance(kind, type) else type(kind)) for key, kind in kinds.items()))
        lines.append((name, fields, rest[begins:at].encode()))
    check(rest[at:] == ("]}\n" if has_lines else ""), "the next line does not end as it should")
    return json.loads(said.rstrip(",") + "}" if has_lines else said), lines
class Entry:
    """An entry on the line ``at``: all of it ("entry"), what its reader may see, or digests alone.

    ``Numbers`` sets ``counts``, the entry of its action that counts from here on. ``Dice`` sets ``asked``, its requests
    (None: a session, scene or fight, from which requests are counted from 0 again), and ``requests``, that of each
    place of dice.
    """
    def __init__(self, at, text):
        said, lines = split(text)
        self.at, self.number, self.is_left_out, self.asked, self.requests = at, said.get("entry"), not lines, [], {}
        if self.number:
            (_, private, raw), (_, said, end) = lines.pop(1), lines.pop()
            is_sealed = end == json.dumps(["Seal@1", said], separators=(",", ":")).encode()
            check(is_sealed and raw.startswith(b'["Private@'), "the next line does not begin and end as an entry does")
            said.update(hidden_events=private["hidden_events"], private_envelope=tagged(b"line", raw).hex())
            vars(self).update(private)
        (self.kind, public, self.raw), *self.events = lines or [("", {**ENVELOPE, **said}, b"")]
        check(self.is_left_out or READ.get(self.kind) is ENVELOPE)
        vars(self).update({field: public[field] for field in ENVELOPE})
        self.said, self.hidden, self.link = said, said.get("hidden_events", []), self.previous_public_hash
        self.verb, self.is_played = self.intent.get("verb"), self.provenance == "played"
        self.is_now, self.is_inserted = self.kind == "ActionTaken", self.kind == "ActionInserted"  # before an earlier one
        self.is_taken, self.is_outcome = self.is_now or self.is_inserted, self.kind in ENVELOPES[:3]
        self.is_public = said.get("is_public") is True if self.is_left_out else self.visibility == ""
        self.is_counted = self.is_public and (self.link or not self.is_taken)
        self.seats = {event["seat"]: (event["number"], event["role"]) for name, event, _ in self.events if name == "SeatTaken"}
        halves = {"kept", "private", "private_envelope"}.intersection(said)
        check(len(halves) == 1 and (not self.hidden or "private_envelope" in said), "nothing vouches for a part of the next line")
    def hash(self, previous):
        """Hash of the public half, and the private half bound to the entry before; digests replace what is not here."""
        said, marked = self.said, [mark(name, raw) if name in REMOVABLE else raw for name, _, raw in self.events]
        shown, hidden = ([each for at, each in enumerate(marked) if (at in self.hidden) == which] for which in (False, True))
        public = unhex(said["public"]) if self.is_left_out else tagged(b"public", b"\n".join([self.raw, *shown]))
        envelope = unhex(said.get("private_envelope", ""))
        private = tagged(b"private", envelope, b"\n".join(hidden)) if envelope else unhex(said.get("private", ""))
        kept = unhex(said["kept"]) if "kept" in said else tagged(b"kept", private, unhex(previous))
        return tagged(b"entry", unhex(self.link), public, kept).hex()

Nothing = type("Nothing", (), {"asked": [], "requests": {}, "seats": {}, "place": 0})  # what counts of an action that is undone
class Numbers:
    """Counts from entry to entry. ``actions`` are the entries of each, ``firsts`` those that began a correction."""
    def __init__(self):
        self.taken, self.actions, self.correction, self.firsts, self.is_rerun = 0, {}, "", {}, False
        self.session, self.seats, self.people = 0, {}, {""}
    def follow(self, entry, is_whole):
        """Follow an entry. In a reader's file only the table's own count can be followed."""
        self.taken += entry.is_taken and entry.is_public
        most = self.taken if entry.is_counted else 0
        must(public_number=(most if entry.is_taken else 0) <= entry.public_number <= most,
             public_before=entry.public_before in (range(1, self.taken) if entry.is_inserted and entry.is_public else [0]))
        if not is_whole:
            entry.action = entry.public_number or self.taken if entry.is_public else f"hidden {entry.at}"
        before = self.actions.setdefault(entry.action, [])
        entry.place = before[0].place if before else self.taken * entry.is_public
        restored = (each for each in reversed(before) if each.is_outcome and each.revision == entry.restores)
        entry.counts = entry if entry.is_outcome else next(restored, Nothing)
        if is_whole:
            self.follow_action(entry, before)
        before.append(entry)
    def follow_action(self, entry, before):
        correction, hidden = entry.correction, entry.hidden
        check(all(type(each) is int for each in hidden))
        first, is_own = self.firsts.get(correction, entry.at), correction == self.correction or correction not in self.firsts
        must(action=entry.action == len(self.actions) and not before if entry.is_taken else before,
             revision=entry.revision == len(before) + 1,
             restores=entry.counts is not Nothing if entry.kind == "ActionRestored" else entry.restores == 0,
             public_number=entry.public_number == (entry.place if entry.is_counted else 0),
             before=entry.before in (range(1, entry.action) if entry.is_inserted else [0]),
             public_before=entry.public_before in (0, (self.actions.get(entry.before) or [Nothing])[0].place),
             correction=entry.is_now == (correction == "") and is_own,
             causation=entry.causation == 0 or entry.causation in ([first] if correction else self.firsts.values()),
             hidden_events=hidden == sorted({at for at in hidden if -1 <= at < len(entry.events)}))
        self.correction = correction
        self.firsts.update({correction: first} if correction else {})
        # An action that is a ruling from the first: other rules played all of it again, and could not play what this rests on.
        self.is_rerun |= entry.is_taken and entry.provenance == "ruling"
        if not self.is_rerun:
            self.attend(entry, before)
    def attend(self, entry, before):
        """Check numbers of seats and sessions, until the action that settled them is corrected (None)."""
        self.seats.update({seat: None for each in before for seat in each.seats})
        self.session = None if any(name == "SessionOpened" for each in before for name, _, _ in each.events) else self.session
        for name, event, _ in entry.events:
            last, named = self.session, event.get("session")
            if named is not None and last is not None:
                is_last = name in ("EntropyAdded", "SessionClosed")
                must(session=0 < named == (last + 1 if name == "SessionOpened" else last if is_last else min(named, last)))
                self.session = max(named, last)
            if name == "SeatTaken":
                seat, given = event["seat"], event["number"]
                others = [its for other, its in self.seats.items() if other != seat and entry.is_taken]
                must(number=given not in others and given >= 0 and self.seats.get(seat) in (None, given))
                self.seats[seat] = given if entry.is_taken else None
            self.people.add(event.get("character", ""))
            must(entries=all(type(each) is int and 0 < each < entry.at for each in event.get("entries", [])),
                 CampaignStarted=name != "CampaignStarted" or entry.at == 1)
        seats, is_imported = {"", *self.seats}, entry.provenance == "imported"  # who was named elsewhere
        must(seat=is_imported or entry.seat in seats, actor=is_imported or entry.actor in self.people,
             visibility=entry.visibility in {"gm", *seats})
class Chain:
    """Check of the chain. ``running`` is the hash of the last line, ``public`` that of the last entry the table saw."""
    def __init__(self, head):
        self.head, self.is_whole, self.is_filtered = head, head["format"] == "rollbook/export/1", head.get("for") == "gm"
        reader, campaign = head.get("for", ""), head["campaign"]
        named = {type(reader), type(campaign)} == {str} and re.fullmatch("([^~]*)(?:~([1-9][0-9]{0,8}))?", campaign)
        check(named, "the first line names no campaign, or no reader")
        self.is_readers, self.fork = not (self.is_whole or self.is_filtered), int(named[2] or 0)
        whom = " of a filter" if self.is_filtered else f", as {reader[:60] or 'somebody'} may see it"
        self.of_what = ("" if self.is_whole else whom) + (f" of the timeline {named[1][:60]}~{self.fork}" if self.fork else "")
        self.numbers, self.hashes, self.entries, self.events = Numbers(), set(), [], 0
        self.running, self.public, self.has_secrets, self.is_alone = "0" * 64, "0" * 64, False, False
        self.loose, self.removed, self.recorded, self.worded, self.missing = 0, set(), set(), set(), []
    def follow(self, text):
        entry = Entry(len(self.hashes) + 1, text)
        number, said = entry.number, entry.said
        is_next = type(number) is int and number == entry.at
        check(is_next or not (number or self.is_whole), "the next line is another entry")
        check(self.is_filtered or not (entry.is_left_out and entry.is_public), "an entry that the table saw is left out")
        check(not (self.is_readers and number), "the next one is not as a reader's file has it")
        previous = said.get("previous_hash", "" if "kept" in said else self.running)
        found = entry.hash(previous)
        check(found not in self.hashes, "the next one is there twice")
        check(found == said.get("hash", found if entry.is_public or entry.is_left_out else ""), "the next one was changed")
        check(previous == self.running or not number, "the next one does not follow it")
        if not (self.is_filtered or entry.is_left_out):
            self.numbers.follow(entry, self.is_whole)
        self.has_secrets |= not entry.is_public or bool(entry.hidden)
        seen = self.public if self.has_secrets or (entry.link and not number) else ""
        check(entry.link == seen and (seen or previous == self.running), "the table had not seen what the next one names")
        self.has_secrets |= entry.link != ""
        self.loose += self.is_alone and previous != self.running
        self.running, self.public = found, found if entry.is_public else self.public
        self.hashes.add(found)
        self.is_alone = self.is_readers and not entry.is_public
        self.events += len(entry.events)
        if not entry.is_left_out:
            self.entries.append(entry)
            self.read_words(entry)
    def read_words(self, entry):
        """Check that no more than a note's words were removed, all of them; a later entry has to say so."""
        marks, is_note = [raw for name, _, raw in entry.events if name[0] == "~"], entry.verb in NOTES.split()
        words = [event[key] for name, event, _ in entry.events for key in REMOVABLE.get(name, "").split() if is_note]
        a_mark = rb'\["~(%s)@1","[0-9a-f]{64}"\]' % "|".join(REMOVABLE).encode()
        are_marks = is_note and all(re.fullmatch(a_mark, raw) for raw in marks)
        self.recorded.update(*(event["entries"] for name, event, _ in entry.events if name == "NoteRedacted"))
        check(not marks or are_marks, "something was removed from the last one, and only the words of a note can be")
        check(not (marks and any(words)), "words were removed from the last one, and it has others")
        self.removed |= {entry.at} if marks else set()
        self.worded |= {entry.at} if any(words) else set()
    def finish(self):
        self.loose += self.is_alone
        end = {"head": self.public if self.is_readers else self.running, "entries": len(self.entries)}
        end.update({"events": self.events} if self.is_whole else {})
        check(end.items() <= self.head.items(), "the file does not end as it says")
        unrecorded, is_elsewhere = self.removed - self.recorded, self.fork or not self.is_whole
        check(is_elsewhere or not unrecorded, "words were removed from a note, and no record says so")
        self.missing += [f"words were removed, and the record of it is not here: {len(unrecorded)}"] if unrecorded else []
        self.missing += ["what a filter left out cannot be counted"] if self.is_filtered else []
        self.missing += ["other rules played it again, so seats and sessions are not followed"] if self.numbers.is_rerun else []
        self.missing += [] if self.entries else ["no entry is here"]
        check(not (self.is_whole and self.worded & self.recorded), "words that were removed on record are there again")

def counted(data): return struct.pack(">I", len(data)) + data
def mac(key, use, *parts): return hmac.digest(key, counted(b"rollbook/dice/1 " + use) + b"".join(parts), "sha256")
def draw(key, fork, seat, index, sides):
    """The faces of one roll: 32-bit words of HMAC-SHA-256, none used from the last multiple of the sides on."""
    key = mac(key, b"fork", struct.pack(">I", fork)) if fork else key
    blocks = (mac(key, b"roll", struct.pack(">HQII", seat, index, 0, block)) for block in itertools.count())
    words = (word for block in blocks for word in struct.unpack(">8I", block))
    check(all(2 <= many <= 2**32 for many in sides), "there is no such die")
    return [next(word for word in words if word < 2**32 - 2**32 % many) % many + 1 for many in sides]
def sides_of(dice): return [sides for sides, _, _ in dice]
def place_of(session, row):
    """A place in the streams, or a run of rolls: the session, whether it is behind the screen, and whole numbers from 0 on."""
    are_theirs = type(row[0]) is bool and all(type(each) is int and each >= 0 for each in row[1:])
    check(are_theirs, "what is called a place in the streams is none")
    return (session, *row)
def fallen(roll):
    """The dice of a roll by source: its kind, its place if it has one, and the dice: sides, face, whether the GM put it there."""
    dice, found = [*roll["dice"]], []
    for kind, many, session, place in ([*source, 0, None][:4] for source in roll["sources"]):
        check(KINDS.get(kind) is (place is not None), "some of them come from a source that there is not")
        is_place = place is None or (type(place) is list and len(place) == 4)
        check(0 <= many <= len(dice) and is_place, "nothing says where some of them come from")
        fell = [(*dice.pop(0)[:2], kind == "override") for _ in range(many)]
        found.append((kind, place and place_of(session, place), fell))
    check(not dice, "nothing says where some of them come from")
    return found
class Session:
    """A session ``opened`` in entry ``since``. Its lines: the number of a seat, the words, and whether a player's."""
    def __init__(self, opened, since):
        vars(self).update(opened, number=opened["session"], since=since, lines=[], seeds={}, counts={})
        self.commits = [bytes.fromhex(commit) for commit in (self.commit_table, self.commit_screen)]
    def is_over(self): return "SessionClosed" in self.counts or False in self.seeds
    def mix(self):
        lines = [struct.pack(">BH", 0, seat) + counted(words) for seat, words, _ in self.lines]
        return sha(counted(b"rollbook/dice/1 mix"), *self.commits, struct.pack(">H", len(lines)), *lines)
    def level(self, has_dice):
        """The worth of the proof of its dice (docs/dice.md), or that a line was mixed in for nothing."""
        lines, players = self.lines, sum(is_players for *_, is_players in self.lines)
        level = f"level 0, solo: {LATE if any(seat for seat, *_ in lines) else 'no player mixed anything in'}"
        if lines and lines[-1][2]:
            level = f"level 1, table: players mixed in {players} line{'s' * (players > 1)} before the first roll"
        mix = f"; mixed to {code(self.mix().hex())}" if lines else ""
        return f"session {self.number}: {level if has_dice else 'a line was mixed in, and no roll followed'}{mix}"
class Dice:
    """Check of the dice. A place is session, screen, fork, seat and number; a request may wait there for its dice.

    ``own`` are the dice that a roll of an action has had or that were drawn for it, as it takes them; in a reader's
    file it is unknown for which action some were drawn (None). ``counting`` is what counts of each action now, and
    ``stretch`` all that it asked for since requests were counted from 0 again, if that is known.
    """
    def __init__(self, chain):
        self.is_whole, self.fork, self.campaign, self.last, self.proven, self.levels = chain.is_whole, chain.fork, "", 0, 0, []
        self.sessions, self.counting, self.seats, self.own, self.answered, self.others = {}, {}, {}, {}, {}, {}
        self.used, self.sides, self.waiting, self.drawn, self.stretch, self.failed, self.missing = {}, {}, {}, {}, None, [], []
    def fail(self, wrong, entry=None): self.failed += [f"entry @{entry.at}: {wrong}" if entry else wrong] if wrong else []
    def miss(self, what): self.missing += [what] if what else []
    def follow(self, entry):
        for name, event, _ in entry.events:
            session = self.sessions.get(event.get("session"))
            if name in ("SessionOpened", "SceneFramed", "SceneSetAside", "SceneResumed", "EncounterBegan", "EncounterEnded"):
                entry.asked.append(None)
                self.stretch = None
            if name == "CampaignStarted":
                self.campaign = event["identity"]
            elif name == "SessionOpened":
                of = map(bytes.fromhex, (self.campaign, event["nonce"]))
                is_other = event["commit_table"] and sha(b"rollbook/session/1\0", *of)[:16].hex() != event["identity"]
                self.fail(is_other and "its dice were committed to for another campaign", entry)
                self.fail(session and "a session is opened again", entry)
                self.last, self.sessions[event["session"]] = event["session"], Session(event, entry.at)
            elif name == "DiceRolled":
                self.roll(entry, event)
            elif session and name == "EntropyAdded":
                self.mix_in(entry, event, session)
            elif session and name == "DiceRevealed":
                session.seeds[event["screen"]] = event["seed"]
            elif session and name == "FreshDiceGranted":
                for place in event["places"]:
                    self.waiting.pop(place_of(event["session"], place), None)
            elif session:
                session.counts[name] = {place_of(event["session"], run): rolls for *run, rolls in event["counts"]}
        self.swap(entry, self.counting.get(entry.action, Nothing), entry.counts)
    def swap(self, entry, before, now):
        """Have dice that no longer count wait for their request from here on, and those that count again no more."""
        if entry.is_inserted and self.is_whole:
            at, known = [*self.counting].index(entry.before), [*self.counting.items()]
            self.counting = dict([*known[:at], (entry.action, now), *known[at:]])
        self.counting[entry.action], self.stretch = now, self.stretch if entry.is_now else None
        self.waiting.update(before.requests)
        for place in now.requests:
            self.waiting.pop(place, None)
        if now.seats or before.seats:  # in the order of the actions
            self.seats[entry.action] = {seat: (*known, entry.at) for seat, known in now.seats.items()}
    def seat_of(self, entry):
        """The number of the seat that acts, its role, and the entry since which it has that."""
        return next((sat[entry.seat] for sat in reversed(self.seats.values()) if entry.seat in sat), (0, "gm", 0))
    def mix_in(self, entry, event, session):
        """Mix in a line; it is a player's if its seat has been a player's since before the session was opened."""
        given, role, since = self.seat_of(entry)
        is_late = session.is_over() or self.has_dice(session)
        self.fail(is_late and "a line was mixed in after the first die", entry)
        self.fail(event["number"] != given and not is_late and "a line is not of the seat that it names", entry)
        is_players = role == "player" and since < session.since and entry.is_played
        session.lines.append((event["number"], unicodedata.normalize("NFC", event["text"]).encode(), is_players))
    def has_dice(self, session): return any((session.number, screen) in self.drawn for screen in (False, True))
    def roll(self, entry, event):
        """Follow a roll of an action: what it asks for, and the dice that it shows."""
        request = tuple(event[each] for each in ("roller", "purpose", "occasion", "repeat"))
        which = (entry.action, *request[:2], sum(each[:2] == request[:2] for each in filter(None, entry.asked)))
        self.ask(entry, request)
        fell, places = fallen(event), {}
        order = [(sides, where) for _, where, dice in fell for sides, _, _ in dice]
        for where, dice in ((where, dice) for _, where, dice in fell if where):
            places.setdefault(where, []).extend(dice)
        foreign = ((kind, str(dice), len(dice)) for kind, _, dice in fell if kind != "stream")
        self.others.update({(kind, entry.action, *request[:2], shown): many for kind, shown, many in foreign})
        known = self.own_places(entry, which, order)
        is_other = self.answered.setdefault(which, request) != request and any(known.values())
        self.fail(is_other and "a roll has the dice of its action, and not the request that they fell for", entry)
        for place, dice in places.items():
            is_right = known[place] if place in known else self.is_in_turn(entry, place, dice, event["secret"], request)
            is_right = is_right and place not in entry.requests
            self.fail(not is_right and f"roll {place[4]} of seat {place[3]} is not in its turn", entry)
        for place, dice in places.items():
            entry.requests[place] = request
            self.drawn.setdefault(place[:2], []).append((entry, place, dice))
            self.used[place[:4]] = max(self.used.get(place[:4], 0), place[4] + 1)
            self.sides[place] = max(self.sides.get(place, []), sides_of(dice), key=len)
            self.waiting.pop(place, None)
    def ask(self, entry, request):
        """Check that a request has the lowest number free since a session, scene or fight began, as of now."""
        if self.stretch is None:
            entries = itertools.chain([entry], reversed(self.counting.values()))
            self.stretch = {*itertools.takewhile(bool, (each for one in entries for each in reversed(one.asked)))}
        free = next(many for many in itertools.count() if (*request[:3], many) not in self.stretch)
        is_due = request[2] and entry.is_now and entry.is_played and self.is_whole and not self.fork
        self.fail(is_due and request[3] != min(free, 10_000) and f"a request is not number {free}, which is free", entry)
        self.stretch.add(request)
        entry.asked.append(request)
    def own_places(self, entry, which, order):
        """The places of a roll from which its action had dice before, and whether they come in the order of these."""
        known, many, params = {}, {}, entry.intent.get("params", {})
        drawn = (entry.params.get("action"), *which[1:3], params.get("ordinal")) if self.is_whole else None
        for sides, where in order:
            had, at = self.own.setdefault((which, sides), []), many.setdefault(sides, 0)
            many[sides] += 1
            if entry.is_inserted and at == len(had):  # what was drawn for such actions waits for the next one
                had += [self.own[waits].pop(0)] if self.own.get(waits := ((0, *which[1:]), sides)) else []
            if at == len(had) or (had[at] and not where):  # it is new, or was typed again
                had.insert(at, where)
                known.update({where: True} if not entry.is_now and where in self.own.get((None, sides), ()) else {})
            elif where:
                known[where] = known.get(where) or where == had[at]
            if entry.verb == "draw-for" and entry.is_outcome:
                self.own.setdefault((drawn, sides), []).append(where)
        is_drawn = any(known.get(where) and where in self.own.get((None, sides), ()) for sides, where in order)
        self.miss(is_drawn and "dice were drawn for a correction, and this file does not say of what")
        return known
    def is_in_turn(self, entry, place, dice, is_secret, request):
        """True if an action may show dice it never had: its request's, which were undone, or else the next."""
        (named, screen, fork, seat, index), asked, session = place, self.waiting.get(place), self.sessions.get(place[0])
        if session is None or any(is_other for _, _, is_other in dice):
            return bool(self.fork)  # from canon, where it corrected something
        if named != self.last or session.is_over() or fork > self.fork or screen is not is_secret:
            return False
        if asked or fork < self.fork:  # the latter are a timeline's from canon
            return not asked or (asked == request and all(was == now for was, now in zip(self.sides[place], sides_of(dice))))
        is_hidden = screen and not self.is_whole
        self.miss(not entry.is_played and "dice fell in an action that was never played")
        self.miss(not request[2] and "dice name no occasion, as of an early rollbook")
        self.miss(is_hidden and "whether secret dice are in their turn only the whole history shows")
        waits = request[2] and any(at[:2] == place[:2] and each == request for at, each in self.waiting.items())
        return seat == self.seat_of(entry)[0] and (is_hidden or (index == self.used.get(place[:4], 0) and not waits))
    def finish(self):
        sessions, seeds = self.sessions.values(), {}
        identities = [each.identity for each in sessions if each.identity]
        self.fail(len({*identities}) < len(identities) and "two sessions share one identity")
        self.miss(self.fork and "the dice of a timeline rest on the history that it left, which is not here")
        for named in sorted({named for named, _ in self.drawn} - {*self.sessions}):
            self.miss(f"session {named} was never opened")
        for session, screen in itertools.product(sessions, (False, True)):
            named, seed, fell = session.number, session.seeds.get(screen), self.drawn.get((session.number, screen), [])
            is_others = seed is not None and seeds.setdefault(seed.lower(), named) != named
            self.fail(is_others and f"the dice of session {named} come from the seed of another")
            if seed is not None and session.commit_table:
                self.prove(session, screen, bytes.fromhex(seed), fell)
            else:
                self.miss(fell and f"{'secret' if screen else 'the'} dice of session {named} are not revealed")
            used = {run: many for run, many in self.used.items() if run[:2] == (named, screen)}
            for kind, counts in session.counts.items():  # in older histories those of the table hold both
                said = {run: many for run, many in counts.items() if run[1] == screen or kind == "ScreenCounted"}
                is_meant = (screen if kind == "ScreenCounted" else said or not screen) and (self.is_whole or not screen)
                self.fail(is_meant and said != used and f"session {named} was closed over other counts of rolls")
        self.levels = [each.level(self.has_dice(each)) for each in sessions if each.lines or self.has_dice(each)]
    def prove(self, session, screen, seed, fell):
        """Draw every roll again. Of the dice of a place some may be left out, once all of them were shown."""
        identity, known = counted(bytes.fromhex(session.identity)), {}
        is_right = sha(counted(b"rollbook/dice/1 commit"), bytes([screen]), identity, seed) == session.commits[screen]
        self.fail(not is_right and f"the seed revealed for session {session.number} is not the one that was committed to")
        key = mac(seed, b"key", bytes([screen]), identity, session.mix())
        for entry, place, dice in fell:
            again, before = [*zip(sides_of(dice), draw(key, *place[2:], sides_of(dice)))], known.setdefault(place, [])
            is_again = all(die[:2] == due or die[2] for die, due in zip(dice, again))
            genuine = [die[:2] for die in dice if not die[2]]
            if not any(all(die in rest for die in genuine) for rest in map(iter, before)):
                self.fail(not is_again and f"roll {place[4]} of seat {place[3]} does not show the dice of the stream", entry)
                self.proven += max(0, len(genuine) - max(map(len, before), default=0))
                before.append(again)

def code(found):
    letters = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(found, 16) >> (251 - 5 * at) & 31] for at in range(26))
    return "-".join((letters[:5], letters[5:10], letters[10:15], letters[15:20], letters[20:]))
def letters_of(words):
    words = words.upper().translate(str.maketrans("OILU", "011V", "-\u2010\u2011\u2012\u2013\u2014")).split()
    return next((tail for tail in ("".join(words[at:]) for at in range(len(words))) if len(tail) == 26), "".join(words[-1:]))
def check_receipts(chain, noted):
    commits = [event["commit_table"] for entry in chain.entries for name, event, _ in entry.events if name == "SessionOpened"]
    digests = chain.hashes, filter(re.compile("[0-9a-f]{64}").fullmatch, commits)
    known = [{code(each).replace("-", "") for each in found} for found in digests if noted]
    for receipt, found in noted.items():
        check(all(map(set.__contains__, known[: 2 - chain.is_filtered], found)), f"no entry here has the receipt {receipt}")
def check_picture(picture, data): check(sha(base64.b64decode(data)).hex() == picture, "a picture is not the one that was shown")
def answer(path, *receipts, chain=None):
    """Check a file. Returns the exit code, and what to say."""
    noted = {receipt: [letters_of(part) for part in " ".join(receipt.split()).split(" dice ")] for receipt in receipts}
    try:
        for letters in itertools.chain(*noted.values()):
            check(len(letters) == 26, f"a code has 26 letters, and {len(letters)} prove nothing: {letters}", NotChecked)
        chain, lines = read(path)
        for line in lines:
            check_picture(**json.loads(line)) if line.startswith(b'{"picture":') else chain.follow(line.decode())
        chain.finish()
        check_receipts(chain, noted)
    except NotChecked as fault:
        return 2, [f"Nothing was checked: {fault}."]
    except Exception as fault:
        wrong = fault if isinstance(fault, Wrong) else NO_ENTRY
        return 1, [f"chain  FAILED    after {len(chain.hashes) if chain else 0} good entries: {wrong}"]
    dice = Dice(chain)
    try:
        for entry in () if chain.is_filtered else chain.entries:
            dice.follow(entry)
        dice.finish()
    except Exception as fault:
        dice.fail(f"the dice cannot be followed: {fault if isinstance(fault, Wrong) else 'an entry lacks some of them'}")
    kinds = {kind: sum(many for which, many in dice.others.items() if which[0] == kind) for kind, *_ in dice.others}
    is_foreign = {"physical", "imported"} & {*kinds} and not dice.proven
    dice.miss(is_foreign and "no die here came from a committed stream")
    dice.miss(chain.is_filtered and "parts of the history are left out, so its dice cannot be counted")
    covered, there, is_proven = len(chain.entries) - chain.loose, len(chain.hashes), not (chain.loose or chain.missing)
    verdict = "FAILED" if dice.failed else "UNPROVEN" if dice.missing else "VERIFIED"
    notes = {**{f"{kind} dice, which nobody can prove": many for kind, many in kinds.items()},
             "entries that only this reader sees, and nothing else here vouches for": chain.loose,
             "left out, with digests in their place": there - len(chain.entries),
             "entries from which words were removed": len(chain.removed)}
    known = f"{covered} of {there} entries{chain.of_what}; the receipt of the last is {code(chain.public)}"
    found = [*dict.fromkeys(dice.failed or dice.missing)][:20] + dice.levels[:20]
    found += [f"{what}: {many}" for what, many in notes.items() if many]
    said = [f"chain  {'VERIFIED' if is_proven else 'UNPROVEN'}  {known}", *(f"       {line}" for line in chain.missing),
            f"dice   {verdict:8}  {dice.proven} {'die' if dice.proven == 1 else 'dice'} proven",
            *(f"       {line}" for line in found), *LIMITS.split("\n")]
    return 1 if dice.failed else 0 if is_proven else 3, said
def cleaned(line):
    """A line of an answer on one line, without signs that a terminal would obey."""
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return "".join(" " if unicodedata.category(each) in hidden else each for each in line)
def main(*words):
    is_help = not words or words[0] in ("-h", "--help")
    exit_code, said = (0 if words else 2, __doc__.split("\n")) if is_help else answer(*words)
    try:
        getattr(sys.stdout, "reconfigure", dict)(errors="replace")
        print("\n".join(map(cleaned, said)), flush=True)
    except OSError as fault:  # the exit code says what was found; a reader who has seen enough (``| head``) is no fault
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        isinstance(fault, BrokenPipeError) or print(f"The answer could not be written: {fault.strerror}.", file=sys.stderr)
    return exit_code
if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
