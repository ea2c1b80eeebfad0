"""Check an exported rollbook campaign, JSON lines or a page with a replay: python3 verify_rollbook.py FILE [RECEIPT ...].

Nothing but Python 3.9 is needed. Is the chain of entries whole, are the dice those that the revealed seeds give? VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. Of a RECEIPT (a line in quotes, or its code) the entry must be here.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above, 3 nothing is
contradicted, but nothing vouches for some of the entries here.
"""

import base64, gzip, hashlib, hmac, io, itertools, json, pathlib, re, struct, sys, unicodedata
LIMITS = """What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
what the words in it mean, and that each roll was for what its entry says, which rollbook audit works out. Against that
somebody at the table notes receipts, and the codes of the dice when a session begins and when they are mixed."""
NO_ENTRY = "the next line is not an entry as rollbook writes it"
# What is read of a line, by its name: a value of this kind, or this one where it may be left out.
ENVELOPE = {"seat": "", "actor": "", "visibility": "", "provenance": "played", "revision": 1, "restores": 0, "public_number": 0,
            "previous_public_hash": "", "intent": {}}
READ = {
    "ActionTaken": ENVELOPE, "ActionRevised": ENVELOPE, "ActionVoided": ENVELOPE, "ActionRestored": ENVELOPE,
    "Private": {"action": int, "causation": 0, "correction": "", "hidden_events": [], "params": {}},
    "Seal": {"hash": str, "previous_hash": str},
    "CampaignStarted": {"identity": str}, "CharacterJoined": {"character": str},
    "SeatTaken": {"seat": str, "number": int, "role": str},
    "SessionOpened": {"session": int, "identity": "", "nonce": "", "commit_table": "", "commit_screen": ""},
    "SessionClosed": {"session": int, "counts": []}, "ScreenCounted": {"session": int, "counts": []},
    "EntropyAdded": {"session": int, "number": int, "text": str}, "FreshDiceGranted": {"session": int, "places": list},
    "DiceRevealed": {"session": int, "seed": str, "screen": False},
    "DiceRolled": {"roller": str, "purpose": str, "occasion": "", "repeat": 0, "secret": False, "dice": [], "sources": []},
    "NoteWritten": {"text": str, "salt": ""}, "NoteRedacted": {"entries": list}, "EntriesRevealed": {"entries": list},
}
KINDS = {"stream": True, "override": True, "physical": False, "imported": False}  # of sources: whether they have places
NOTHING = [], [], {}
NOBODY = (0, "gm", 0)  # the number, the role and since when of who has no seat
LATE = "the last line before the first roll is not that of a player who sat there when the session was opened"
BEGIN = ("SessionOpened", "SceneFramed", "EncounterBegan", "EncounterEnded")  # with these requests are counted from 0 again
Wrong, NotChecked = (type(name, (Exception,), {}) for name in ("Wrong", "NotChecked"))
def check(holds, otherwise=NO_ENTRY, kind=Wrong):
    if not holds:
        raise kind(otherwise)
def must(**due):
    """What has to follow from the entries before, whatever the hashes say."""
    for field, holds in due.items():
        check(holds, f"the {field} of the next one does not follow from what comes before it")
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def tagged(tag, *parts): return sha(b"rollbook/chain/1 ", tag, b"\0", *parts)
def mark(raw): return b'["~NoteWritten@1","%s"]' % tagged(b"line", raw).hex().encode()
def unhex(text):
    check(text == bytes.fromhex(text).hex() and len(text) in (0, 64), "a digest is not written as it was")
    return bytes.fromhex(text)

def unpacked(file):
    page = re.search(rb'id="chain">([\w+/=]*)<', file.read()) if file.peek(9)[:9] == b"<!doctype" else None
    return gzip.open(io.BytesIO(base64.b64decode(page[1]))) if page else file
def read(path):
    """What the first line of the file says, and the lines after it."""
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
        fields = {key: fields.get(key, kind) for key, kind in kinds.items()} or fields
        check(all(type(fields[key]) is (kind if isinstance(kind, type) else type(kind)) for key, kind in kinds.items()))
        lines.append((name, fields, rest[begins:at].encode()))
    check(rest[at:] == ("]}\n" if has_lines else ""), "the next line does not end as it should")
    return json.loads(said.rstrip(",") + "}" if has_lines else said), lines
class Entry:
    """What a line of the file holds of an entry: all of it ("entry"), what its reader may see, or digests alone."""
    def __init__(self, text):
        said, lines = split(text)
        self.number, self.own, self.is_left_out = said.get("entry"), {"params": {}}, not lines
        if self.number:
            (_, self.own, raw), (_, said, end) = lines.pop(1), lines.pop()
            is_sealed = end == json.dumps(["Seal@1", said], separators=(",", ":")).encode()
            check(is_sealed and raw.startswith(b'["Private@'), "the next line does not begin and end as an entry does")
            said.update(hidden_events=self.own["hidden_events"], private_envelope=tagged(b"line", raw).hex())
        (self.kind, self.envelope, self.raw), *self.events = lines or [("", {**ENVELOPE, **said}, b"")]
        check(self.is_left_out or READ.get(self.kind) is ENVELOPE)
        self.said, self.hidden, self.link = said, said.get("hidden_events", []), self.envelope["previous_public_hash"]
        self.is_played = self.envelope["provenance"] == "played"
        self.is_taken, self.is_outcome = self.kind == "ActionTaken", self.kind in ("ActionTaken", "ActionRevised")
        self.is_public = said.get("is_public") is True if self.is_left_out else self.envelope["visibility"] == ""
        self.is_counted, self.verb = self.is_public and (self.link or not self.is_taken), self.envelope["intent"].get("verb")
        halves = {"kept", "private", "private_envelope"}.intersection(said)
        check(len(halves) == 1 and (not self.hidden or "private_envelope" in said), "nothing vouches for a part of the next line")
    def hash(self, previous):
        """From its public half, and its private half bound to the entry before. A digest replaces what is not here."""
        said, marked = self.said, [mark(raw) if name == "NoteWritten" else raw for name, _, raw in self.events]
        shown, hidden = ([each for at, each in enumerate(marked) if (at in self.hidden) == which] for which in (False, True))
        public = unhex(said["public"]) if self.is_left_out else tagged(b"public", b"\n".join([self.raw, *shown]))
        envelope = unhex(said.get("private_envelope", ""))
        private = tagged(b"private", envelope, b"\n".join(hidden)) if envelope else unhex(said.get("private", ""))
        kept = unhex(said["kept"]) if "kept" in said else tagged(b"kept", private, unhex(previous))
        return tagged(b"entry", unhex(self.link), public, kept).hex()

class Numbers:
    """What is counted from entry to entry. ``places`` are the actions' numbers at the table, 0 for those that it did not see."""
    def __init__(self):
        self.taken, self.places, self.outcomes, self.correction, self.firsts = 0, {}, {}, "", {}
        self.session, self.seats, self.people, self.settled, self.is_rerun = 0, {}, {""}, {}, False
    def follow(self, number, entry, is_whole):
        """In a reader's file the table's own count is all that can be followed."""
        self.taken += entry.is_taken and entry.is_public
        said, own, hidden, most = entry.envelope, entry.own, entry.hidden, self.taken if entry.is_counted else 0
        must(public_number=(most if entry.is_taken else 0) <= said["public_number"] <= most or entry.is_left_out)
        if not is_whole:
            return
        action, correction, cause = own["action"], own["correction"], own["causation"]
        revision, restores = said["revision"], said["restores"]
        check(all(type(each) is int for each in hidden))
        if entry.is_taken:
            self.places[len(self.places) + 1] = self.taken * entry.is_public
        outcomes, first = self.outcomes.setdefault(action, []), self.firsts.get(correction, number)
        can_redo = 0 < restores <= len(outcomes) and outcomes[restores - 1]
        must(action=action == len(self.places) if entry.is_taken else action in self.places)
        must(revision=revision == len(outcomes) + 1, restores=can_redo if entry.kind == "ActionRestored" else restores == 0)
        must(public_number=said["public_number"] == (self.places.get(action) if entry.is_counted else 0))
        must(correction=entry.is_taken == (correction == "") and (correction == self.correction or correction not in self.firsts))
        must(causation=cause == 0 or cause in ([first] if correction else self.firsts.values()))
        must(hidden_events=hidden == sorted({at for at in hidden if -1 <= at < len(entry.events)}))
        outcomes.append(entry.is_outcome)
        self.correction = correction
        self.firsts.update({correction: first} if correction else {})
        # An action that is a ruling from the first: other rules played all of it again, and could not play what this rests on.
        self.is_rerun |= entry.is_taken and said["provenance"] == "ruling"
        if not self.is_rerun:
            self.attend(number, entry, self.settled.setdefault(action, []))
    def attend(self, number, entry, settled):
        """Seats keep their numbers and sessions are counted, until an action that ``settled`` it is corrected (None)."""
        for seat in [] if entry.is_taken else settled:
            self.session, self.seats = (self.session, {**self.seats, seat: None}) if seat else (None, self.seats)
        for name, event, _ in entry.events:
            last, named = self.session, event["session"] if "session" in READ.get(name, ()) else None
            if named is not None and last is not None:
                is_last = name in ("EntropyAdded", "SessionClosed")
                must(session=0 < named == (last + 1 if name == "SessionOpened" else last if is_last else min(named, last)))
                self.session = max(named, last)
            if name == "SeatTaken":
                seat, given = event["seat"], event["number"]
                others = [its for other, its in self.seats.items() if other != seat and entry.is_taken]
                must(number=given not in others and given >= 0 and self.seats.get(seat) in (None, given))
                self.seats[seat] = given if entry.is_taken else None
            if name in ("SeatTaken", "SessionOpened"):
                settled.append(event.get("seat", ""))
            if name == "CharacterJoined":
                self.people.add(event["character"])
            if name in ("EntriesRevealed", "NoteRedacted"):
                must(entries=all(type(each) is int and 0 < each < number for each in event["entries"]))
            must(CampaignStarted=name != "CampaignStarted" or number == 1)
        said, seats, is_imported = entry.envelope, {"", *self.seats}, entry.envelope["provenance"] == "imported"
        must(seat=is_imported or said["seat"] in seats, actor=is_imported or said["actor"] in self.people)  # named elsewhere
        must(visibility=said["visibility"] in {"gm", *seats})
class Chain:
    """The first question. ``running`` is the hash of the line before, ``public`` that of the last entry the table saw."""
    def __init__(self, head):
        self.head, self.is_whole, self.is_filtered = head, head["format"] == "rollbook/export/1", head.get("for") == "gm"
        reader, named = str(head.get("for", ""))[:60], str(head["campaign"])[:60]
        self.of_what = "" if self.is_whole else " of a filter" if self.is_filtered else f", as {reader or 'somebody'} may see it"
        self.of_what += f" of the timeline {named}" if "~" in named else ""
        is_named = re.fullmatch(r"[^~]*(?:~([1-9][0-9]{0,8}))?", head["campaign"])
        check(is_named, "the first line is of no campaign and no timeline")
        self.timeline, self.numbers, self.hashes, self.entries, self.events = is_named[1], Numbers(), {}, [], 0
        self.running, self.public, self.has_secrets, self.is_alone = "0" * 64, "0" * 64, False, False
        self.loose, self.left_out, self.removed, self.recorded, self.worded, self.missing = 0, 0, set(), set(), set(), []
    def follow(self, entry):
        number, said = len(self.hashes) + 1, entry.said
        check(entry.number == number or not (entry.number or self.is_whole), "the next line is another entry")
        check(self.is_filtered or not (entry.is_left_out and entry.is_public), "an entry that the table saw is left out")
        check(self.is_whole or self.is_filtered or not entry.number, "the next one is not as a reader's file has it")
        previous = said.get("previous_hash", "" if "kept" in said else self.running)
        found = entry.hash(previous)
        check(found not in self.hashes, "the next one is there twice")
        check(found == said.get("hash", found if entry.is_public or entry.is_left_out else ""), "the next one was changed")
        check(previous == self.running or not entry.number, "the next one does not follow it")
        if not self.is_filtered:
            self.numbers.follow(number, entry, self.is_whole)
        secrets = self.has_secrets or not entry.is_public or bool(entry.hidden)
        seen = self.public if secrets or (entry.link and not entry.number) else ""
        check(entry.link == seen and (seen or previous == self.running), "the table had not seen what the next one names")
        self.loose += self.is_alone and previous != self.running
        self.is_alone = not (entry.is_public or self.is_whole or self.is_filtered)
        self.has_secrets, self.running, self.left_out = secrets or entry.link != "", found, self.left_out + entry.is_left_out
        self.hashes[found], self.public = number, found if entry.is_public else self.public
        self.events += len(entry.events)
        if not entry.is_left_out:
            self.entries.append((number, entry))
            self.read_words(number, entry)
    def read_words(self, number, entry):
        """Only the words of a note can ever be removed, all of them, and a later entry says so."""
        marks = [raw for name, _, raw in entry.events if name[0] == "~"]
        notes = [event for name, event, _ in entry.events if name == "NoteWritten" and entry.verb == "note"]
        self.removed |= {number} if marks else set()
        self.worded |= {number} if any(event["text"] + event["salt"] for event in notes) else set()
        self.recorded.update(*(event["entries"] for name, event, _ in entry.events if name == "NoteRedacted"))
        are_marks = entry.verb == "note" and all(re.fullmatch(rb'\["~NoteWritten@1","[0-9a-f]{64}"\]', raw) for raw in marks)
        check(not marks or are_marks, "something was removed from the last one, and only the words of a note can be")
        check(not self.worded & self.removed, "words were removed from the last one, and it has others")
    def finish(self):
        self.loose += self.is_alone
        end = {"head": self.running if self.is_whole or self.is_filtered else self.public, "entries": len(self.entries)}
        end.update({"events": self.events} if self.is_whole else {})
        check(end.items() <= self.head.items(), "the file does not end as it says")
        unrecorded, is_elsewhere = self.removed - self.recorded, self.timeline or not self.is_whole
        check(is_elsewhere or not unrecorded, "words were removed from a note, and no record says so")
        self.missing += [f"of {len(unrecorded)} entries words were removed, and the record is not here"] if unrecorded else []
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
def are_some_of(few, dice):
    rest = iter(dice)
    return all(die in rest for die in few)
def sides_of(dice): return [sides for sides, _, _ in dice]
def place_of(session, row):
    """A place in the streams, or a run of rolls: the session, whether it is behind the screen, and whole numbers from 0 on."""
    are_theirs = type(row[0]) is bool and all(type(each) is int and each >= 0 for each in row[1:])
    check(are_theirs, "what is called a place in the streams is none")
    return (session, *row)
def placed(roll):
    """The dice of a roll by place, with sides, face and whether the GM put it there; where each came from; and other sources."""
    dice, places, others, order = [*roll["dice"]], {}, {}, []
    for kind, many, session, place in ([*source, 0, None][:4] for source in roll["sources"]):
        check(KINDS.get(kind) is (place is not None), "some of them come from a source that there is not")
        check(0 <= many <= len(dice) and len(place or "four") == 4, "nothing says where some of them come from")
        fell, where = [(*dice.pop(0)[:2], kind == "override") for _ in range(many)], place and place_of(session, place)
        order += [(sides, where) for sides, _, _ in fell]
        if where:
            places.setdefault(where, []).extend(fell)
        if kind != "stream":
            others[kind, roll["roller"], roll["purpose"], str(fell)] = many
    check(not dice, "nothing says where some of them come from")
    return places, order, others
def mixed(session):
    lines = [struct.pack(">BH", 0, seat) + counted(words) for seat, words, _ in session["lines"]]
    return sha(counted(b"rollbook/dice/1 mix"), *session["commits"], struct.pack(">H", len(lines)), *lines)
class Dice:
    """The second question. A place is session, screen, fork, seat and number; at it may be a request that waits for its dice.

    ``own`` are the dice that a roll of an action has had or that were drawn for it, as it takes them; in a reader's file nobody
    can say for which action some were drawn (None). ``outcomes`` are the rolls of an action, what it asked for and the seats
    that it took, by revision.
    """
    def __init__(self, chain):
        self.is_whole, self.fork, self.campaign, self.taken, self.proven = chain.is_whole, int(chain.timeline or 0), "", 0, 0
        self.sessions, self.outcomes, self.counting, self.others, self.last = {}, {}, {}, {}, 0
        self.own, self.answered, self.seats, self.stretch, self.used, self.sides = {}, {}, {}, set(), {}, {}
        self.waiting, self.drawn, self.failed, self.missing = {}, [], [], []
    def fail(self, number, wrong): self.failed += [f"entry @{number}: {wrong}"] if wrong else []
    def miss(self, what): self.missing += [what] if what else []
    def follow(self, number, entry):
        self.taken += entry.is_public and entry.is_taken
        seen = entry.envelope["public_number"] or self.taken if entry.is_public else f"hidden {number}"
        action, met, rolls, asks, sat = entry.own.get("action", seen), set(), [], [], {}
        for name, event, _ in entry.events:
            session = self.sessions.get(event["session"]) if "session" in READ.get(name, ()) else None
            if name in BEGIN:
                self.ask(number, entry, asks, None)
            if name == "CampaignStarted":
                self.campaign = event["identity"]
            elif name == "SeatTaken":
                sat[event["seat"]] = event["number"], event["role"], number
            elif name == "SessionOpened":
                of = map(bytes.fromhex, (self.campaign, event["nonce"]))
                is_other = event["commit_table"] and sha(b"rollbook/session/1\0", *of)[:16].hex() != event["identity"]
                self.fail(number, is_other and "its dice were committed to for another campaign")
                self.fail(number, session and "a session is opened again")
                commits = [bytes.fromhex(event[which]) for which in ("commit_table", "commit_screen")]
                more = {"lines": [], "seeds": {}, "counts": {}, "since": number, "commits": commits}
                self.last, self.sessions[event["session"]] = event["session"], {**event, **more}
            elif name == "DiceRolled":
                asked = tuple(event[each] for each in ("roller", "purpose", "occasion", "repeat"))
                self.ask(number, entry, asks, asked)
                key = (*asked[:2], sum(each is not None and each[:2] == asked[:2] for each in asks) - 1)
                rolls += self.roll(number, entry, (action, key), event, asked, met)
            elif session and name == "EntropyAdded":
                self.mix_in(number, entry, event, session)
            elif session and name == "DiceRevealed":
                session["seeds"][event["screen"]] = event["seed"]
            elif session and name == "FreshDiceGranted":
                for place in event["places"]:
                    self.waiting.pop(place_of(event["session"], place), None)
            elif session:
                session["counts"][name] = {place_of(event["session"], run): rolls for *run, rolls in event["counts"]}
        self.swap(number, entry, self.outcomes.setdefault(action, {}), action, (rolls, asks, sat))
    def swap(self, number, entry, outcomes, action, made):
        """What no longer counts of an action waits for its request from here on, and what counts again does not."""
        revision, before = entry.envelope["revision"], outcomes.get(self.counting.get(action), NOTHING)
        outcomes.update({revision: made} if entry.is_outcome else {})
        self.counting[action] = revision if entry.is_outcome else entry.envelope["restores"]
        rolls, _, sat = outcomes.get(self.counting[action], NOTHING)
        self.waiting.update({place: request for place, _, request in before[0]})
        self.take(rolls)
        self.stretch = self.stretch if entry.is_taken else None
        if sat or before[2]:  # in the order of the actions
            self.seats[action] = {seat: (*known[:2], number) for seat, known in sat.items()}
    def seat_of(self, entry):
        """The number of the seat that acts, its role, and the entry since which it has that."""
        return next((sat[seat] for sat in reversed([*self.seats.values()]) if (seat := entry.envelope["seat"]) in sat), NOBODY)
    def ask(self, number, entry, asks, request):
        """A request has the lowest number that is free since a session, scene or fight began (None), by what counts by then."""
        asks.append(request)
        self.stretch = set() if request is None else self.asked_for() if self.stretch is None else self.stretch
        if request and request[2]:
            free = next(many for many in itertools.count() if (*request[:3], many) not in self.stretch)
            is_due = entry.is_taken and entry.is_played and self.is_whole and not self.fork
            self.fail(number, is_due and request[3] != min(free, 10_000) and f"a request is not number {free}, which is free")
            self.stretch.add(request)
    def asked_for(self):
        found = set()
        for action, which in reversed([*self.counting.items()]):
            asks = self.outcomes[action].get(which, NOTHING)[1]
            found.update(asks[len(asks) - asks[::-1].index(None) :] if None in asks else asks)
            if None in asks:
                break
        return found
    def mix_in(self, number, entry, event, session):
        """A line is a player's if its seat has been a player's since before the session was opened."""
        given, role, since = self.seat_of(entry)
        is_late = is_over(session) or any(run[0] == event["session"] for run in self.used)
        self.fail(number, is_late and "a line was mixed in after the first die")
        self.fail(number, event["number"] != given and not is_late and "a line is not of the seat that it names")
        is_players = role == "player" and since < session["since"] and entry.is_played
        session["lines"].append((event["number"], unicodedata.normalize("NFC", event["text"]).encode(), is_players))
    def take(self, fell):
        for place, dice, _ in fell:
            self.used[place[:4]] = max(self.used.get(place[:4], 0), place[4] + 1)
            self.sides[place] = max(self.sides.get(place, []), sides_of(dice), key=len)
            self.waiting.pop(place, None)
    def roll(self, number, entry, which, roll, request, met):
        """One roll of an action. Returns its dice by place, with the request."""
        places, order, others = placed(roll)
        self.others.update({(which[0], *source): many for source, many in others.items()})
        own, odd = self.own_places(entry, which, order)
        is_other = own and self.answered.setdefault(which, request) != request
        self.fail(number, is_other and "a roll has the dice of its action, and not the request that they fell for")
        self.answered.setdefault(which, request)
        for place, dice in places.items():
            is_right = place in own or (place not in odd and self.is_in_turn(entry, place, dice, roll["secret"], request))
            self.fail(number, not (is_right and place not in met) and f"roll {place[4]} of seat {place[3]} is not in its turn")
            self.drawn.append((number, place, dice))
            met.add(place)
        fell = [(place, dice, request) for place, dice in places.items()]
        self.take(fell)
        return fell
    def own_places(self, entry, which, order):
        """The places of a roll from which its action had dice before, and those that come out of the order of these."""
        own, odd, many = set(), set(), {}
        params, drawn_for = entry.envelope["intent"].get("params", {}), entry.own["params"].get("action")
        drawn = (drawn_for, (*which[1][:2], params.get("ordinal"))) if self.is_whole else None
        for sides, where in order:
            had, at = self.own.setdefault((which, sides), []), many.setdefault(sides, 0)
            many[sides] += 1
            if at < len(had) and where:
                (own if where == had[at] else odd).add(where)
            elif at == len(had) or had[at]:  # it is new, or was typed again
                had.insert(at, where)
                own |= {where}.intersection(self.own.get((None, sides), ())) if not entry.is_taken else set()
            if entry.verb == "draw-for" and entry.is_outcome:
                self.own.setdefault((drawn, sides), []).append(where)
        is_drawn = any(where in self.own.get((None, sides), ()) for sides, where in order if where in own)
        self.miss(is_drawn and "dice were drawn for a correction, and this file does not say of what")
        return own, odd
    def is_in_turn(self, entry, place, dice, is_secret, request):
        """Whether an action may show dice that it never had: its request's, which were undone, or else those that are next."""
        (named, screen, fork, seat, index), asked, session = place, self.waiting.get(place), self.sessions.get(place[0])
        if session is None or any(is_other for _, _, is_other in dice):
            return bool(self.fork)  # from canon, where it corrected something
        if named != self.last or is_over(session) or fork > self.fork or screen is not is_secret:
            return False
        if asked or fork < self.fork:  # the latter are a timeline's from canon
            return not asked or (asked == request and all(map(int.__eq__, self.sides[place], sides_of(dice))))
        is_hidden = screen and not self.is_whole
        self.miss(not entry.is_played and "dice fell in an action that was never played")
        self.miss(not request[2] and "dice name no occasion, as of an early rollbook")
        self.miss(is_hidden and "whether secret dice are in their turn only the whole history shows")
        waits = request[2] and any(at[:2] == place[:2] and each == request for at, each in self.waiting.items())
        return seat == self.seat_of(entry)[0] and (is_hidden or (index == self.used.get(place[:4], 0) and not waits))
    def finish(self):
        identities, seeds = [each["identity"] for each in self.sessions.values() if each["identity"]], {}
        self.failed += ["two sessions share one identity"] if len(set(identities)) < len(identities) else []
        self.miss(self.fork and "the dice of a timeline rest on the history that it left, which is not here")
        unopened = {place[0] for _, place, _ in self.drawn} - {*self.sessions}
        self.missing += [f"session {named} was never opened" for named in sorted(unopened)]
        for (named, session), screen in itertools.product(self.sessions.items(), (False, True)):
            seed, fell = session["seeds"].get(screen), [each for each in self.drawn if each[1][:2] == (named, screen)]
            if seed is not None and seeds.setdefault(seed.lower(), named) != named:
                self.failed.append(f"the dice of session {named} come from the seed of another")
            if seed is not None and session["commit_table"]:
                self.prove(named, session, screen, bytes.fromhex(seed), fell)
            elif fell:
                self.missing.append(f"{'secret' if screen else 'the'} dice of session {named} are not revealed")
            used = {run: many for run, many in self.used.items() if run[:2] == (named, screen)}
            for kind, counts in session["counts"].items():  # in older histories those of the table hold both
                said = {run: many for run, many in counts.items() if run[1] == screen or kind == "ScreenCounted"}
                is_meant = screen if kind == "ScreenCounted" else said or not screen
                if is_meant and said != used and (self.is_whole or not screen):
                    self.failed.append(f"session {named} was closed over other counts of rolls")
        is_known = all(place[:2] in itertools.product({*self.sessions} | unopened, (False, True)) for _, place, _ in self.drawn)
        self.failed += [] if is_known else ["some dice are of no known source"]
    def prove(self, named, session, screen, seed, fell):
        """Every roll again. Of the dice of a place some may be left out, once all of them were shown."""
        identity, known, commits = counted(bytes.fromhex(session["identity"])), {}, session["commits"]
        is_right = sha(counted(b"rollbook/dice/1 commit"), bytes([screen]), identity, seed) == commits[screen]
        self.failed += [] if is_right else [f"the seed revealed for session {named} is not the one that was committed to"]
        key = mac(seed, b"key", bytes([screen]), identity, mixed(session))
        for number, place, dice in fell:
            again, before = [*zip(sides_of(dice), draw(key, *place[2:], sides_of(dice)))], known.setdefault(place, [])
            is_again = all(die[:2] == due or die[2] for die, due in zip(dice, again))
            genuine = [die[:2] for die in dice if not die[2]]
            if not any(are_some_of(genuine, each) for each in before):
                self.fail(number, not is_again and f"roll {place[4]} of seat {place[3]} does not show the dice of the stream")
                self.proven += max(0, len(genuine) - max(map(len, before), default=0))
                before.append(again)
    def levels(self):
        """How much the proof of each session is worth (docs/dice.md), and in which a line was mixed for nothing."""
        for named, session in self.sessions.items():
            lines, has_dice = session["lines"], any(place[0] == named for _, place, _ in self.drawn)
            players = sum(is_players for *_, is_players in lines)
            level = f"level 0, solo: {LATE if any(seat for seat, *_ in lines) else 'no player mixed anything in'}"
            if lines and lines[-1][2]:
                level = f"level 1, table: players mixed in {players} line{'s' * (players > 1)} before the first roll"
            mix = f"; mixed to {code(mixed(session).hex())}" if lines else ""
            if has_dice or mix:
                yield f"session {named}: {level if has_dice else 'a line was mixed in, and no roll followed'}{mix}"
def is_over(session): return "SessionClosed" in session["counts"] or False in session["seeds"]

def code(found):
    letters = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(found, 16) >> (251 - 5 * at) & 31] for at in range(26))
    return "-".join((letters[:5], letters[5:10], letters[10:15], letters[15:20], letters[20:]))
def letters_of(words):
    words = words.upper().translate(str.maketrans("OILU", "011V", "-\u2010\u2011\u2012\u2013\u2014")).split()
    return next((tail for tail in ("".join(words[at:]) for at in range(len(words))) if len(tail) == 26), "".join(words[-1:]))
def check_receipts(chain, noted):
    commits = [event["commit_table"] for _, entry in chain.entries for name, event, _ in entry.events if name == "SessionOpened"]
    digests = ([each for each in hashes if re.fullmatch("[0-9a-f]{64}", each)] for hashes in (chain.hashes, commits))
    known = [{code(each).replace("-", "") for each in hashes} for hashes in digests]
    for receipt, found in noted.items():
        check(all(map(set.__contains__, known[: 2 - chain.is_filtered], found)), f"no entry here has the receipt {receipt}")
def answer(path, *receipts, chain=None):
    """The exit code, and what to say."""
    noted = {receipt: [letters_of(part) for part in " ".join(receipt.split()).split(" dice ")] for receipt in receipts}
    try:
        for letters in itertools.chain(*noted.values()):
            check(len(letters) == 26, f"a code has 26 letters, and {len(letters)} prove nothing: {letters}", NotChecked)
        chain, lines = read(path)
        for line in lines:
            chain.follow(Entry(line.decode()))
        chain.finish()
        check_receipts(chain, noted)
    except NotChecked as fault:
        return 2, [f"Nothing was checked: {fault}."]
    except Exception as fault:
        wrong = fault if isinstance(fault, Wrong) else NO_ENTRY
        return 1, [f"chain  FAILED    after {len(chain.hashes) if chain else 0} good entries: {wrong}"]
    dice = Dice(chain)
    try:
        for number, entry in () if chain.is_filtered else chain.entries:
            dice.follow(number, entry)
        dice.finish()
        levels = [*dice.levels()]
    except Exception as fault:
        levels = []
        dice.failed.append(f"the dice cannot be followed: {fault if isinstance(fault, Wrong) else 'an entry lacks some of them'}")
    kinds = {kind: sum(many for which, many in dice.others.items() if which[1] == kind) for _, kind, *_ in dice.others}
    is_foreign = {"physical", "imported"} & {*kinds} and not dice.proven
    dice.missing += ["no die here came from a committed stream"] if is_foreign else []
    dice.missing += ["parts of the history are left out, so its dice cannot be counted"] if chain.is_filtered else []
    notes = {**{f"{kind} dice, which nobody can prove": many for kind, many in kinds.items()},
             "entries that only this reader sees, and nothing else here vouches for": chain.loose,
             "left out, with digests in their place": chain.left_out, "entries from which words were removed": len(chain.removed)}
    verdict = "FAILED" if dice.failed else "UNPROVEN" if dice.missing else "VERIFIED"
    covered, there = len(chain.entries) - chain.loose, len(chain.entries) + chain.left_out
    is_proven = not chain.loose and not chain.missing
    known = f"{covered} of {there} entries{chain.of_what}; the receipt of the last is {code(chain.public)}"
    said = [f"chain  {'VERIFIED' if is_proven else 'UNPROVEN'}  {known}", *(f"       {each}" for each in chain.missing)]
    said.append(f"dice   {verdict:8}  {dice.proven} dice proven")
    found = [*dict.fromkeys(dice.failed or dice.missing)][:20] + levels[:20]
    found += [f"{what}: {many}" for what, many in notes.items() if many]
    return 1 if dice.failed else 0 if is_proven else 3, [*said, *(f"       {line}" for line in found), *LIMITS.split("\n")]
def cleaned(line):
    """A line of an answer on one line, without signs that a terminal would obey."""
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return "".join(" " if unicodedata.category(each) in hidden else each for each in line)
def main(*words):
    is_help = not words or words[0] in ("-h", "--help")
    exit_code, said = (0 if words else 2, __doc__.split("\n")) if is_help else answer(*words)
    print("\n".join(map(cleaned, said)))
    return exit_code
if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
