"""Check an exported rollbook campaign: python3 verify_rollbook.py CAMPAIGN.jsonl [RECEIPT ...].

Nothing but Python 3.9 is needed. Is the chain of entries whole, are the dice those that the revealed seeds give? VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. Of a RECEIPT (a line in quotes, or its code) the entry must be here.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above, 3 nothing is
contradicted, but nothing vouches for some of the entries here.
"""

import hashlib, hmac, itertools, json, pathlib, struct, sys, unicodedata
LIMITS = """What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
and what the words in it mean. Against that somebody at the table notes receipts, and the dice code when a session begins."""

SESSIONS = ("SessionOpened", "EntropyAdded", "SessionClosed", "DiceRevealed", "ScreenCounted", "FreshDiceGranted")

def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def tagged(tag, *parts): return sha(b"rollbook/chain/1 ", tag, b"\0", *parts)
def mark(line): return b'["~NoteWritten@1","%s"]' % tagged(b"line", line).hex().encode()
def is_shown(letter): return letter == "\n" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
def show(*said): print(*("".join(letter if is_shown(letter) else " " for letter in each) for each in said), sep="\n")
Wrong, NotChecked = (type(name, (Exception,), {}) for name in ("Wrong", "NotChecked"))
def check(holds, otherwise, kind=Wrong):
    if not holds:
        raise kind(otherwise)
def unhex(text):
    check(text == bytes.fromhex(text).hex() and len(text) in (0, 64), "a digest is not written as it was")
    return bytes.fromhex(text)
def read(path):
    """What the first line of the file says, and the others, each an entry, as they are read."""
    try:
        check((found := pathlib.Path(path)).is_file() or not found.exists(), "no device and no pipe is an export")
        head = json.loads(first := (file := found.open("rb")).readline(65_536))
        is_known = head["format"] in ("rollbook/export/1", "rollbook/shown/1")
    except Exception as fault:
        raise NotChecked(f"{path} cannot be read ({getattr(fault, 'strerror', '') or 'it is no export of rollbook'})") from None
    check(is_known, f"this verifier does not know the format of {path}", NotChecked)
    check(first.endswith(b', "check": "%s"}\n' % sha(first[:-31], b"}").hex()[:16].encode()), "the first line was changed")
    return Chain(head), iter(lambda: file.readline(2**22), b"")
def split(text):
    """A line of the file: what it says of an entry, and the entry's own lines, each with its raw bytes."""
    said, has_lines, rest = text.partition('"lines":[')
    lines, at = [], -1
    while has_lines and (at < 0 or rest[at] == ","):
        value, at = json.JSONDecoder().raw_decode(rest, (begins := at + 1))
        lines.append((value, rest[begins:at].encode()))
    check(rest[at:] == ("]}\n" if has_lines else ""), "the next line does not end as it should")
    return json.loads(said.rstrip(",") + "}" if has_lines else said), lines
class Entry:
    """What a line of the file holds of an entry: all of it ("entry"), what its reader may see, or digests alone."""
    def __init__(self, said, lines):
        self.number, self.private, self.is_left_out = said.get("entry"), {}, not lines
        if self.number:
            ((_, private), raw), ((_, seal), end) = lines.pop(1), lines.pop()
            self.private, said = private, {"hash": seal["hash"], "previous_hash": seal["previous_hash"]}
            is_sealed = end == json.dumps(["Seal@1", said], separators=(",", ":")).encode()
            check(is_sealed and raw.startswith(b'["Private@'), "the next line does not begin and end as an entry does")
            said |= {"hidden_events": private.get("hidden_events", []), "private_envelope": tagged(b"line", raw).hex()}
        (name, self.envelope), self.raw = lines[0] if lines else (("", said), b"")
        self.said, self.kind, self.hidden = said, name.partition("@")[0], said.get("hidden_events", [])
        self.events = [(name.partition("@")[0], fields, raw) for (name, fields), raw in lines[1:]]
        self.is_public = said["is_public"] if self.is_left_out else self.envelope.get("visibility", "") == ""
        self.link = self.envelope.get("previous_public_hash", "")
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
    """What must follow from the entries before, whatever the hashes say. The table's own count is of what everybody saw."""
    def __init__(self):
        self.taken, self.places, self.outcomes, self.last, self.corrections = 0, [], {}, "", {}
        self.session, self.seats, self.people, self.settled, self.is_rerun = 0, {}, {""}, {}, False
    def follow(self, number, entry):
        said, own, is_taken = entry.envelope, entry.private, entry.kind == "ActionTaken"
        action, cause, correction = own["action"], own.get("causation", 0), own.get("correction", "")
        revision, restores, place = said.get("revision", 1), said.get("restores", 0), said.get("public_number", 0)
        are_numbers = all(type(each) is int for each in (action, cause, revision, restores, place, *entry.hidden))
        is_known = entry.kind in ("ActionTaken", "ActionRevised", "ActionVoided", "ActionRestored") and type(correction) is str
        check(are_numbers and is_known, "the next line is not an entry as rollbook writes it")
        hidden = sorted({place for place in entry.hidden if -1 <= place < len(entry.events)})
        check(entry.hidden == hidden, "the next one hides what is not there")
        self.taken += is_taken and entry.is_public
        self.places += [self.taken * entry.is_public] * is_taken
        check(action == len(self.places) if is_taken else 0 < action <= len(self.places), f"#{action} is not the next action")
        outcomes = self.outcomes.setdefault(action, [])
        check(revision == len(outcomes) + 1, f"revision {revision} of #{action} is not the one that is next")
        can_redo = 0 < restores < revision and outcomes[restores - 1]
        check(can_redo if entry.kind == "ActionRestored" else restores == 0, f"revision {restores} of #{action} cannot be redone")
        outcomes.append(entry.kind in ("ActionTaken", "ActionRevised"))
        due = self.places[action - 1] if entry.is_public and (entry.link or not is_taken) else 0
        check(place == due, f"the table counts #{action} as {due} and not as {place}")
        self.correct(number, correction, is_taken, cause)
        # An action that is a ruling from the first: other rules played all of it again, and could not play what this rests on.
        self.is_rerun |= is_taken and said.get("provenance") == "ruling"
        if self.is_rerun:
            return
        self.attend(number, entry, action, is_taken)
        here = said.get("seat", "") in {"", *self.seats} and said.get("actor", "") in self.people
        here |= said.get("provenance") == "imported"  # another program named them
        check(here and said.get("visibility", "") in {"", "gm", *self.seats}, "the next one names somebody who was never there")
    def see(self, _, entry):
        """In a reader's file only the table's own count can be followed."""
        place, is_taken = entry.envelope.get("public_number", 0), entry.kind == "ActionTaken"
        check(type(place) is int, "the next line is not an entry as rollbook writes it")
        self.taken += is_taken and entry.is_public
        is_right = place == (self.taken if entry.link else 0) if is_taken else 0 <= place <= self.taken
        check(is_right or not entry.kind if entry.is_public else place == 0, f"the table does not count the next one as {place}")
    def correct(self, number, correction, is_taken, cause):
        """The entries of a correction come one after the other, and follow from its first; of an action that is taken, any."""
        check(is_taken == (correction == ""), "the next one has the id of no correction, or has one and is none")
        check(correction == self.last or correction not in self.corrections, "the correction of the next one was over")
        first, self.last = self.corrections.setdefault(correction, number) if correction else 0, correction
        check(cause == 0 or cause in ([first] if correction else self.corrections.values()), f"it does not follow from @{cause}")
    def attend(self, number, entry, action, is_taken):
        """Seats keep their numbers and sessions are counted, until an action that settled it is corrected (None)."""
        for seat in [] if is_taken else self.settled.get(action, []):
            self.session, self.seats = (self.session, {**self.seats, seat: None}) if seat else (None, self.seats)
        for name, event, _ in entry.events:
            session, last = event.get("session", 0) if name in SESSIONS else 0, self.session
            is_right = last is None or (session == last + 1 if name == "SessionOpened" else 0 < session <= last)
            is_right &= name not in ("EntropyAdded", "SessionClosed") or last in (None, session)
            check(is_right or name not in SESSIONS, f"session {session} is not the one that it can be about")
            if name == "SessionOpened":
                self.session = None if last is None else session
                self.settled.setdefault(action, []).append("")
            elif name == "SeatTaken":
                seat, given = event["seat"], event["number"]
                check((type(seat), type(given)) == (str, int), "the next line is not an entry as rollbook writes it")
                others = [number for other, number in self.seats.items() if other != seat and is_taken]
                check(given not in others and given >= 0 and self.seats.get(seat) in (None, given), f"seat {given} is another's")
                self.seats[seat] = given if is_taken else None
                self.settled.setdefault(action, []).append(seat)
            elif name == "CharacterJoined":
                check(type(event["character"]) is str, "the next line is not an entry as rollbook writes it")
                self.people.add(event["character"])
            elif name in ("EntriesRevealed", "NoteRedacted"):
                check(all(0 < each < number for each in event["entries"]), "the next one names an entry that comes after it")
            check(name != "CampaignStarted" or number == 1, "the campaign begins twice")
class Chain:
    """The first question. ``running`` is the hash of the line before, ``public`` that of the last entry the table saw."""
    def __init__(self, head):
        self.head, self.is_whole, self.is_filtered = head, head["format"] == "rollbook/export/1", head.get("for") == "gm"
        self.running, self.public, self.has_secrets, self.is_alone = "0" * 64, "0" * 64, False, False
        self.hashes, self.entries, self.removed, self.recorded, self.loose, self.left_out = {}, [], [], set(), 0, 0
        self.worded, self.numbers = set(), Numbers()
    def follow(self, entry):
        number, said = len(self.hashes) + 1, entry.said
        check(entry.number == number or not (entry.number or self.is_whole), "the next line is another entry")
        previous = said.get("previous_hash", "" if "kept" in said else self.running)
        found = entry.hash(previous)
        check(found not in self.hashes, "the next one is there twice")
        check(found == said.get("hash", found if entry.is_public or entry.is_left_out else ""), "the next one was changed")
        check(previous == self.running or not entry.number, "the next one does not follow it")
        if not self.is_filtered:
            (self.numbers.follow if self.is_whole else self.numbers.see)(number, entry)
        secrets = self.has_secrets or not entry.is_public or bool(entry.hidden)
        seen = self.public if secrets or (entry.link and not entry.number) else ""
        check(entry.link == seen and (seen or previous == self.running), "the table had not seen what the next one names")
        self.has_secrets, self.loose = secrets or entry.link != "", self.loose + (self.is_alone and previous != self.running)
        self.running, self.public = found, found if entry.is_public else self.public
        self.is_alone = not (entry.is_public or self.is_whole or self.is_filtered)
        self.hashes[found], self.left_out = number, self.left_out + entry.is_left_out
        if not entry.is_left_out:
            self.entries.append((number, entry))
            self.check_removed(number, entry)
    def check_removed(self, number, entry):
        """Only the words of a note can ever be removed, all of them, and a later entry says so."""
        is_note = entry.envelope.get("intent", {}).get("verb") == "note"
        marks = [name for name, _, _ in entry.events if name[0] == "~"]
        if any(name == "NoteWritten" and event["text"] + event["salt"] for name, event, _ in entry.events if is_note):
            check(not marks, "words were removed from the last one, and it has others")
            self.worded.add(number)
        for name, event, raw in entry.events:
            if name[0] == "~":
                is_mark = is_note and raw == b'["~NoteWritten@1","%s"]' % event.encode()
                check(is_mark, "something was removed from the last one, and only the words of a note can be")
                self.removed.append(number)
            elif name == "NoteRedacted":
                self.recorded.update(gone for gone in event["entries"] if gone < number)
    def finish(self):
        self.loose += self.is_alone
        end = {"head": self.running if self.is_whole or self.is_filtered else self.public, "entries": len(self.entries)}
        check(end.items() <= self.head.items(), "the file does not end as it says")
        is_recorded = self.recorded.issuperset(self.removed) or not self.is_whole or "~" in self.head["campaign"]
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
def asked(roll): return [roll[name] for name in ("roller", "purpose", "occasion", "repeat", "secret")]
class Dice:
    """The second question. ``waiting`` are requests that were undone, by session and place in the stream."""
    def __init__(self, is_timeline, is_whole):
        self.is_timeline, self.is_whole, self.failed, self.missing = is_timeline, is_whole, [], []
        self.sessions, self.counts, self.outcomes, self.waiting, self.others, self.seeds = {}, {}, {}, {}, {}, set()
        self.campaign, self.taken, self.proven = b"", 0, 0
    def follow(self, number, entry):
        envelope, rolls = entry.envelope, [event for name, event, _ in entry.events if name == "DiceRolled"]
        self.taken += entry.is_public and entry.kind == "ActionTaken"
        seen = envelope.get("public_number", self.taken) if entry.is_public else f"hidden {number}"
        action = entry.private.get("action") or seen
        for roll in self.counts.get(action, ()):
            self.waiting |= {place: asked(roll) for place, _ in self.runs(roll)}
        self.outcomes[action, envelope.get("revision", 1)] = rolls
        self.counts[action] = self.outcomes.get((action, envelope["restores"]), []) if "restores" in envelope else rolls
        answered = {place for roll in self.counts[action] for place, _ in self.runs(roll)}
        for name, event, _ in entry.events:
            if name == "CampaignStarted":
                self.campaign = self.campaign or bytes.fromhex(event["identity"])
            elif name == "SessionOpened":
                self.sessions[event["session"]] = {**event, "lines": [], "seeds": {}, "used": {}, "rolls": {}}
                made = sha(b"rollbook/session/1\0", self.campaign, bytes.fromhex(event["nonce"]))[:16].hex()
                is_other = made != event["identity"] and event["commit_table"]
                self.fail(number, is_other and "its dice were committed to for another campaign")
            elif name == "FreshDiceGranted":
                answered |= {(event["session"], tuple(place)) for place in event["places"]}
            elif name in ("EntropyAdded", "DiceRevealed", "SessionClosed", "ScreenCounted"):
                self.attend(number, name, event, self.sessions[event["session"]])
        self.waiting = {place: request for place, request in self.waiting.items() if place not in answered}
        for roll in rolls:
            self.roll(number, action, roll)
    def fail(self, number, wrong): self.failed += [f"entry @{number}: {wrong}"] if wrong else []
    def attend(self, number, name, event, session):
        if name == "EntropyAdded":
            session["lines"].append((event["number"], unicodedata.normalize("NFC", event["text"]).encode()))
            self.fail(number, (session["used"] or session["seeds"]) and "a line was mixed in after the first die")
        elif name == "DiceRevealed":
            session["seeds"][int(event["screen"])] = bytes.fromhex(event["seed"])
        else:
            counts, is_screen = {tuple(run): rolls for *run, rolls in event["counts"]}, name == "ScreenCounted"
            is_meant = (not is_screen, self.is_whole and (is_screen or any(run[0] for run in counts)))
            said, had = ({run: many for run, many in each.items() if is_meant[run[0]]} for each in (counts, session["used"]))
            self.fail(number, said != had and "a session was closed over other counts of rolls")
    def runs(self, roll):
        """The dice of a roll by where they fell: session and place (screen, fork, seat, number), and sides with faces."""
        dice = iter(roll["dice"])
        for kind, many, session, place in roll["sources"]:
            yield (session, tuple(place) if place and kind != "override" else kind), [next(dice)[:2] for _ in range(many)]
    def roll(self, number, action, roll):
        for (session_number, place), fell in self.runs(roll):
            session = self.sessions.get(session_number)
            if isinstance(place, str):
                self.others.setdefault(place, {})[action, roll["roller"], roll["purpose"], str(fell)] = len(fell)
                continue
            screen, fork, seat, index = place
            if session is None or (fork and not self.is_timeline):
                self.fail(number, "dice of a session or a timeline that is not of this history")
            elif place not in session["rolls"] and (self.is_whole or not screen):
                due = index if self.is_timeline and not fork else session["used"].get(place[:3], 0)
                again = any(key[0] == session_number and waits == asked(roll) for key, waits in self.waiting.items())
                wrong = "" if index == due else f"roll {index} of seat {seat} where {due} is next"
                wrong = "a die after the seed was revealed" if screen in session["seeds"] else wrong
                self.fail(number, "fresh dice for a request that was undone, granted by nobody" if again else wrong)
            if session:
                session["used"][place[:3]] = max(session["used"].get(place[:3], 0), index + 1)
                session["rolls"].setdefault(place, []).append((number, fell))
    def finish(self):
        for (number, session), cls in itertools.product(self.sessions.items(), (0, 1)):
            rolls = {place: uses for place, uses in session["rolls"].items() if place[0] == cls}
            if cls in session["seeds"]:
                self.prove(number, session, cls, session["seeds"][cls], rolls)
            elif rolls:
                self.missing.append(f"{'secret' if cls else 'the'} dice of session {number} are not revealed")
    def prove(self, number, session, cls, seed, rolls):
        identity = counted(bytes.fromhex(session["identity"]))
        commits = [bytes.fromhex(session["commit_table"]), bytes.fromhex(session["commit_screen"])]
        right = sha(counted(b"rollbook/dice/1 commit"), bytes([cls]), identity, seed) == commits[cls] and seed not in self.seeds
        self.failed += [] if right else [f"the seed revealed for session {number} is not the one that was committed to"]
        self.seeds.add(seed)
        lines = [struct.pack(">BH", 0, seat) + counted(words) for seat, words in session["lines"]]
        mixed = sha(counted(b"rollbook/dice/1 mix"), *commits, struct.pack(">H", len(lines)), *lines)
        key = mac(seed, b"key", bytes([cls]), identity, mixed)
        for place, uses in rolls.items():
            most = max((fell for _, fell in uses), key=len)
            faces = draw(key, *place[1:], [sides for sides, _ in most])
            for at, fell in uses:
                rest = iter([[sides, face] for (sides, _), face in zip(most, faces)])
                wrong = f"roll {place[3]} of seat {place[2]} does not show the dice of the stream"
                self.fail(at, not all(die in rest for die in fell) and wrong)
            self.proven += len(most)
def code(found):
    letters = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(found, 16) >> (251 - 5 * at) & 31] for at in range(26))
    return "-".join((letters[:5], letters[5:10], letters[10:15], letters[15:20], letters[20:]))
def letters_of(words):
    words = words.upper().translate(str.maketrans("OILU", "011V", "-\u2010\u2011\u2012\u2013\u2014")).split()
    return next((tail for tail in ("".join(words[at:]) for at in range(len(words))) if len(tail) == 26), "".join(words[-1:]))
def main(path, *receipts, chain=None):
    noted = [[letters_of(part) for part in " ".join(receipt.split()).split(" dice ")] for receipt in receipts]
    try:
        for letters in itertools.chain(*noted):
            check(len(letters) == 26, f"a code has 26 letters, and {len(letters)} prove nothing: {letters}", NotChecked)
        chain, lines = read(path)
        for line in lines:
            chain.follow(Entry(*split(line.decode())))
        chain.finish()
        commits = [at["commit_table"] for _, entry in chain.entries for name, at, _ in entry.events if name == "SessionOpened"]
        known = [{code(each).replace("-", "") for each in hashes if each} for hashes in (chain.hashes, commits)]
        for receipt, found in zip(receipts, noted):
            check(all(map(set.__contains__, known[: 2 - chain.is_filtered], found)), f"no entry here has the receipt {receipt}")
    except NotChecked as fault:
        return show(f"Nothing was checked: {fault}.") or 2
    except Exception as fault:
        wrong = fault if isinstance(fault, Wrong) else "the next line is not an entry as rollbook writes it"
        return show(f"chain  FAILED    after {len(chain.hashes) if chain else 0} good entries: {wrong}") or 1
    dice = Dice("~" in chain.head["campaign"], chain.is_whole)
    try:
        for number, entry in () if chain.is_filtered else chain.entries:
            dice.follow(number, entry)
        dice.finish()
    except Exception as fault:
        dice.failed.append(f"the dice cannot be followed: {fault if isinstance(fault, Wrong) else 'an entry lacks some of them'}")
    dice.missing += ["no die here came from a committed stream"] if dice.others and not dice.proven else []
    dice.missing += ["parts of the history are left out, so its dice cannot be counted"] if chain.is_filtered else []
    notes = [f"{kind} dice, which nobody can prove: {sum(many.values())}" for kind, many in dice.others.items()]
    notes += [f"entries that only this reader sees, and nothing else here vouches for: {chain.loose}"] if chain.loose else []
    notes += [f"left out, with digests in their place: {chain.left_out}"] if chain.left_out else []
    notes += [f"entries from which words were removed: {len(set(chain.removed))}"] if chain.removed else []
    verdict = "FAILED" if dice.failed else "UNPROVEN" if dice.missing else "VERIFIED"
    covered, there = len(chain.entries) - chain.loose, len(chain.entries) + chain.left_out * chain.is_filtered
    is_covered = covered == there
    known = f"{covered} of {there} entries; the receipt of the last is {code(chain.public)}"
    print(f"chain  {'VERIFIED' if is_covered else 'UNPROVEN'}  {known}")
    print(f"dice   {verdict:8}  {dice.proven} dice proven")
    show(*(f"       {line}" for line in [*dict.fromkeys(dice.failed or dice.missing)][:20] + notes), LIMITS)
    return 1 if dice.failed else 0 if is_covered else 3
if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:2] not in ([], ["-h"], ["--help"]) else print(__doc__) or 2 * (len(sys.argv) < 2))
