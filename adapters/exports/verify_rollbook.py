"""Check an exported rollbook campaign, JSON lines or a page with a replay: python3 verify_rollbook.py FILE [RECEIPT ...].

Nothing but Python 3.9 is needed. Is the chain of entries whole, are the dice those that the revealed seeds give? VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. Of a RECEIPT (a line in quotes, or its code) the entry must be here.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above, 3 nothing is
contradicted, but nothing vouches for some of the entries here.
"""

import base64, gzip, hashlib, hmac, io, itertools, json, pathlib, re, struct, sys, unicodedata
LIMITS = """What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
and what the words in it mean. Against that somebody at the table notes receipts, and the dice code when a session begins."""
NO_ENTRY = "the next line is not an entry as rollbook writes it"
# What is read of a line, by its name: a value of this kind, or this one where it may be left out.
ENVELOPE = {"seat": "", "actor": "", "visibility": "", "provenance": "", "revision": 1, "restores": 0, "public_number": 0,
            "previous_public_hash": "", "intent": {}}
READ = {
    "ActionTaken": ENVELOPE, "ActionRevised": ENVELOPE, "ActionVoided": ENVELOPE, "ActionRestored": ENVELOPE,
    "Private": {"action": int, "causation": 0, "correction": "", "hidden_events": [], "params": {}},
    "Seal": {"hash": str, "previous_hash": str},
    "CampaignStarted": {"identity": str}, "CharacterJoined": {"character": str}, "SeatTaken": {"seat": str, "number": int},
    "SessionOpened": {"session": int, "identity": "", "nonce": "", "commit_table": "", "commit_screen": ""},
    "SessionClosed": {"session": int, "counts": []}, "ScreenCounted": {"session": int, "counts": []},
    "EntropyAdded": {"session": int, "number": int, "text": str}, "FreshDiceGranted": {"session": int, "places": list},
    "DiceRevealed": {"session": int, "seed": str, "screen": False},
    "DiceRolled": {"roller": str, "purpose": str, "occasion": "", "repeat": 0, "dice": [], "sources": []},
    "NoteWritten": {"text": str, "salt": ""}, "NoteRedacted": {"entries": list}, "EntriesRevealed": {"entries": list},
}
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
        self.timeline, self.numbers, self.hashes, self.entries = head["campaign"].partition("~")[2], Numbers(), {}, []
        self.running, self.public, self.has_secrets, self.is_alone = "0" * 64, "0" * 64, False, False
        self.loose, self.left_out, self.removed, self.recorded, self.worded = 0, 0, set(), set(), set()
    def follow(self, entry):
        number, said = len(self.hashes) + 1, entry.said
        check(entry.number == number or not (entry.number or self.is_whole), "the next line is another entry")
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
        check(end.items() <= self.head.items(), "the file does not end as it says")
        is_recorded = self.removed <= self.recorded or not self.is_whole or self.timeline
        check(is_recorded, "words were removed from a note, and no record says so")
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
def placed(roll):
    """The dice of a roll with its request, each with sides, face and whether the GM put it there; and those of other sources."""
    dice, places, others, request = [*roll["dice"]], {}, {}, [roll[each] for each in ("roller", "purpose", "occasion", "repeat")]
    for kind, many, session, place in ([*source, 0, None][:4] for source in roll["sources"]):
        fell = [(*dice.pop(0)[:2], kind == "override") for _ in range(many)]
        if place is not None:
            screen, fork, seat, number = place
            places.setdefault((session, screen, fork, seat, number), []).extend(fell)
        if kind == "override" or place is None:
            others[kind, *request[:2], str(fell)] = many
    check(not dice and all(source[1] >= 0 for source in roll["sources"]), "nothing says where some of them come from")
    return [(place, fell, request) for place, fell in places.items()], others
class Dice:
    """The second question. A place is session, screen, fork, seat and number; at it may be a request that waits for its dice.

    ``own`` are the places that an action has had. In a reader's file nobody can say for which one some were drawn (None).
    """
    def __init__(self, chain):
        self.is_whole, self.fork, self.campaign, self.taken, self.proven = chain.is_whole, int(chain.timeline or 0), "", 0, 0
        self.sessions, self.outcomes, self.counting, self.own, self.others = {}, {}, {}, {None: set()}, {}
        self.used, self.sides, self.waiting, self.drawn, self.failed, self.missing = {}, {}, {}, [], [], []
    def fail(self, number, wrong): self.failed += [f"entry @{number}: {wrong}"] if wrong else []
    def follow(self, number, entry):
        self.taken += entry.is_public and entry.is_taken
        seen = entry.envelope["public_number"] or self.taken if entry.is_public else f"hidden {number}"
        action, met, fell = entry.own.get("action", seen), set(), []
        for name, event, _ in entry.events:
            session = self.sessions.get(event["session"]) if "session" in READ.get(name, ()) else None
            if name == "CampaignStarted":
                self.campaign = event["identity"]
            elif name == "SessionOpened":
                of = map(bytes.fromhex, (self.campaign, event["nonce"]))
                is_other = event["commit_table"] and sha(b"rollbook/session/1\0", *of)[:16].hex() != event["identity"]
                self.fail(number, is_other and "its dice were committed to for another campaign")
                self.fail(number, session and "a session is opened again")
                self.sessions[event["session"]] = {**event, "lines": [], "seeds": {}, "counts": {}}
            elif name == "DiceRolled":
                rolled, others = placed(event)
                fell += rolled
                self.others.update({(action, *which): many for which, many in others.items()})
                self.roll(number, rolled, self.own.setdefault(action, set()), met)
            elif session and name == "EntropyAdded":
                session["lines"].append((event["number"], unicodedata.normalize("NFC", event["text"]).encode()))
                is_late = is_over(session) or any(run[0] == event["session"] for run in self.used)
                self.fail(number, is_late and "a line was mixed in after the first die")
            elif session and name == "DiceRevealed":
                session["seeds"][event["screen"]] = event["seed"]
            elif session and name == "FreshDiceGranted":
                for place in event["places"]:
                    self.waiting.pop((event["session"], *place), None)
            elif session:
                session["counts"][name] = {(event["session"], *run): rolls for *run, rolls in event["counts"]}
        if entry.verb == "draw-for" and entry.is_outcome:
            self.own.setdefault(entry.own["params"].get("action", "") if self.is_whole else None, set()).update(met)
        self.swap(entry, self.outcomes.setdefault(action, {0: []}), action, fell)
    def swap(self, entry, outcomes, action, fell):
        """What no longer counts of an action waits for its request from here on, and what counts again does not."""
        revision, before = entry.envelope["revision"], outcomes.get(self.counting.get(action), [])
        outcomes.update({revision: fell} if entry.is_outcome else {})
        self.counting[action] = revision if entry.is_outcome else entry.envelope["restores"]
        self.waiting.update({place: request for place, _, request in before})
        self.take(outcomes.get(self.counting[action], []))
    def take(self, fell):
        for place, dice, _ in fell:
            self.used[place[:4]] = max(self.used.get(place[:4], 0), place[4] + 1)
            self.sides[place] = max(self.sides.get(place, []), sides_of(dice), key=len)
            self.waiting.pop(place, None)
    def roll(self, number, fell, own, met):
        for place, dice, request in fell:
            is_right = place not in met and (place in own or self.is_in_turn(place, dice, request))
            self.fail(number, not is_right and f"roll {place[4]} of seat {place[3]} is not in its turn")
            self.drawn.append((number, place, dice))
            met.add(place), own.add(place)
        self.take(fell)
    def is_in_turn(self, place, dice, request):
        """Whether an action may show dice that it never had: its request's, which were undone, or else those that are next."""
        (_, screen, fork, _, index), asked, session = place, self.waiting.get(place), self.sessions.get(place[0])
        if session is None or any(is_other for _, _, is_other in dice):
            return bool(self.fork)  # from canon, where it corrected something
        if not self.is_whole and (screen or place in self.own[None]):
            return True  # not all of it is in sight
        others = [at for at, each in self.waiting.items() if at[:2] == place[:2] and each == request and request[2]]
        is_asked = asked == request and all(was == now for was, now in zip(self.sides[place], sides_of(dice)))
        is_next = not others if index == self.used.get(place[:4], 0) else fork < self.fork
        return not is_over(session) and fork <= self.fork and (is_asked if asked else is_next)
    def finish(self):
        identities, seeds = [each["identity"] for each in self.sessions.values() if each["identity"]], {}
        self.failed += ["two sessions share one identity"] if len(set(identities)) < len(identities) else []
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
    def prove(self, named, session, screen, seed, fell):
        """Every roll again. Of the dice of a place some may be left out, once all of them were shown."""
        identity, known = counted(bytes.fromhex(session["identity"])), {}
        commits = [bytes.fromhex(session[which]) for which in ("commit_table", "commit_screen")]
        is_right = sha(counted(b"rollbook/dice/1 commit"), bytes([screen]), identity, seed) == commits[screen]
        self.failed += [] if is_right else [f"the seed revealed for session {named} is not the one that was committed to"]
        lines = [struct.pack(">BH", 0, seat) + counted(words) for seat, words in session["lines"]]
        mixed = sha(counted(b"rollbook/dice/1 mix"), *commits, struct.pack(">H", len(lines)), *lines)
        key = mac(seed, b"key", bytes([screen]), identity, mixed)
        for number, place, dice in fell:
            again, before = [*zip(sides_of(dice), draw(key, *place[2:], sides_of(dice)))], known.setdefault(place, [])
            is_again = all(die[:2] == due or die[2] for die, due in zip(dice, again))
            genuine = [die[:2] for die in dice if not die[2]]
            if not any(are_some_of(genuine, each) for each in before):
                self.fail(number, not is_again and f"roll {place[4]} of seat {place[3]} does not show the dice of the stream")
                self.proven += max(0, len(genuine) - max(map(len, before), default=0))
                before.append(again)
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
    except Exception as fault:
        dice.failed.append(f"the dice cannot be followed: {fault if isinstance(fault, Wrong) else 'an entry lacks some of them'}")
    kinds = {kind: sum(many for which, many in dice.others.items() if which[1] == kind) for _, kind, *_ in dice.others}
    is_foreign = {"physical", "imported"} & {*kinds} and not dice.proven
    dice.missing += ["no die here came from a committed stream"] if is_foreign else []
    dice.missing += ["parts of the history are left out, so its dice cannot be counted"] if chain.is_filtered else []
    notes = {**{f"{kind} dice, which nobody can prove": many for kind, many in kinds.items()},
             "entries that only this reader sees, and nothing else here vouches for": chain.loose,
             "left out, with digests in their place": chain.left_out, "entries from which words were removed": len(chain.removed)}
    verdict = "FAILED" if dice.failed else "UNPROVEN" if dice.missing else "VERIFIED"
    covered, there = len(chain.entries) - chain.loose, len(chain.entries) + chain.left_out * chain.is_filtered
    known = f"{covered} of {there} entries; the receipt of the last is {code(chain.public)}"
    said = [f"chain  {'VERIFIED' if covered == there else 'UNPROVEN'}  {known}", f"dice   {verdict:8}  {dice.proven} dice proven"]
    found = [*dict.fromkeys(dice.failed or dice.missing)][:20] + [f"{what}: {many}" for what, many in notes.items() if many]
    return 1 if dice.failed else 0 if covered == there else 3, [*said, *(f"       {line}" for line in found), LIMITS]
def main(*words):
    exit_code, said = answer(*words) if words and words[0] not in ("-h", "--help") else (0 if words else 2, [__doc__])
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    print("".join(" " if unicodedata.category(each) in hidden and each != "\n" else each for each in "\n".join(said)))
    return exit_code
if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
