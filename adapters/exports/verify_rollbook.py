"""Check an exported rollbook campaign: python3 verify_rollbook.py CAMPAIGN.jsonl [RECEIPT ...].

Nothing but Python is needed. Two questions are answered from the file alone: is the chain of entries whole, and are the dice
those that the revealed seeds give. VERIFIED is proven, UNPROVEN lacks something, FAILED is contradicted.
A RECEIPT is a code that somebody noted (HX5Z-6R1K-XNAQ): the file must hold the entry that it was the code of.
"""

import hashlib
import hmac
import itertools
import json
import struct
import sys
import unicodedata

KEPT = ("action", "because", "reads", "salt", "veiled")
LIMITS = """What a file alone cannot prove: that its end was not cut off, that it was not told differently from the start,
and what the words in it mean. Against that somebody at the table notes receipts, and the dice code when an evening begins."""

def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()

def event_digest(name, data, salt="", was=None):
    """Over stored name, salt and bytes of an event; or what it ``was`` before words were removed."""
    tag = b"rollbook/chain/1 salted event\0" if salt else b"rollbook/chain/1 event\0"
    salted = b"%d\0%s" % (len(salt), salt.encode()) if salt else b""
    return bytes.fromhex(was) if was else sha(tag, b"%d\0%s" % (len(name), name.encode()), salted, data)

def digests_of(said, data, facts):
    """What an entry's hash is made of. With a salt it has two halves: what is told, and what is kept from the table."""
    header, old = json.loads(data), said["name"].endswith("@1")
    salt, witness, was = header.get("salt", ""), header.pop("witness", ""), header.pop("~was", said.get("was"))
    left = [event_digest(name, raw, salt if old else "", json.loads(raw).get("~was")) for name, raw in facts]
    if (old or not salt) and "kept" not in said:
        return [event_digest(said["name"], data.replace(witness.encode(), b""), salt, was), *left]
    if canonical(json.loads(data)) != data:
        raise ValueError("its header is not written as it was")
    kept = {key: header.pop(key) for key in KEPT if key in header}
    veiled = kept.get("veiled", ())
    if "kept" not in said:
        params = header.get("intent", {}).get("params", {})
        kept["params"] = {key: params.pop(key) for key in ("action", "entries") if key in params}
        kept |= {"reason": header.pop("reason")} if -1 in veiled else {}
    told = [digest for place, digest in enumerate(left) if place not in veiled]
    held = [digest for place, digest in enumerate(left) if place in veiled]
    closed = bytes.fromhex(said["kept"]) if "kept" in said else sha(b"rollbook/chain/2 kept\0", canonical(kept), *held)
    return [sha(b"rollbook/chain/2 told\0", event_digest(said["name"], canonical(header), "", was), *told), closed]

def read(path):
    """The header of the file and its entries, each a list of lines: what the line says, and the event's bytes."""
    with open(path, "rb") as file:
        first, *lines = file.read().splitlines(keepends=True)
    head, groups = json.loads(first), []
    if head["check"] != sha(first[: first.rindex(b', "check": "')] + b"}").hex()[:16]:
        raise ValueError("the first line was changed")
    for line in lines:
        said = json.loads(line)
        if "stub" in said or said["name"].startswith("Action"):
            groups.append([])
        groups[-1].append((said, b"" if "stub" in said else line[line.index(b'"data":') + 7 : -2]))
    return head, groups

class Chain:
    """The first question. ``running`` is the hash of the line before, ``public`` that of the last entry the table saw."""

    def __init__(self):
        self.running = self.public = "0" * 64
        self.hashes, self.entries, self.loose, self.gone, self.recorded = [], [], 0, {}, {}

    def follow(self, group):
        said, data = group[0]
        header = {"parent": self.running} if "stub" in said else json.loads(data)
        facts = [(fact["name"], raw) for fact, raw in group[1:]]
        digests = map(bytes.fromhex, said["stub"]) if "stub" in said else digests_of(said, data, facts)
        found = sha(b"rollbook/chain/1 entry\0", bytes.fromhex(header["parent"]), *digests).hex()
        goes_on, follows, public = header["parent"] == self.running, header.get("follows"), header.get("visibility") == ""
        if header.get("witness", found) != found:
            raise ValueError("its events are not the ones that were stored")
        if not goes_on and (not follows or follows != self.public):
            raise ValueError("it does not follow what stands before it: something was changed, removed or put in")
        if public and follows and self.public not in ("", follows):
            raise ValueError("the table had not seen what it says came before it")
        self.running, self.public = found, found if public else "" if "stub" in said else self.public
        self.hashes.append(found)
        if "stub" not in said:
            self.loose += not public and not goes_on
            events, told = (
                [(said["name"], data), *facts],
                [(name.split("@")[0], json.loads(raw)) for name, raw in facts],
            )
            self.entries.append((len(self.hashes), header, told))
            self.check_removed(header, said, events)

    def check_removed(self, header, said, events):
        """Only the words of a note can ever go, and the history says so later."""
        if "was" in said or any("~was" in json.loads(raw) for _, raw in events):
            if header.get("intent", {}).get("verb") != "note":
                raise ValueError("something was removed from it, and only the words of a note ever can be")
            self.gone[str(len(self.hashes))] = sha(*(event_digest(*event) for event in events)).hex()
        for name, fact in self.entries[-1][2]:
            self.recorded.update(fact["remains"] if name == "NoteRedacted" else {})

    def finish(self, head):
        whole = head["format"] == "rollbook/export/1"
        if head["head"] != (self.running if whole else self.public or self.running):
            raise ValueError("the file does not end where it says it ends")
        if whole and any(self.recorded.get(number) != left for number, left in self.gone.items()):
            raise ValueError("words were removed from a note, and no record says so")

def counted(data):
    return struct.pack(">I", len(data)) + data

def mac(key, use, *parts):
    return hmac.digest(key, counted(b"rollbook/dice/1 " + use) + b"".join(parts), "sha256")

def draw(key, fork, seat, index, sides):
    """The faces of one roll: 32-bit words of HMAC-SHA-256, none used from the last multiple of the sides on."""
    key = mac(key, b"fork", struct.pack(">I", fork)) if fork else key
    blocks = (mac(key, b"roll", struct.pack(">HQII", seat, index, 0, block)) for block in itertools.count())
    words = (word for block in blocks for word in struct.unpack(">8I", block))
    return [next(word for word in words if word < 2**32 - 2**32 % many) % many + 1 for many in sides]

class Dice:
    """The second question. ``waiting`` are requests that were taken back, by session and place in the stream."""

    def __init__(self, what_if):
        self.what_if, self.sessions, self.failed, self.missing, self.others = what_if, {}, [], [], {}
        self.counts, self.outcomes, self.waiting, self.proven, self.seeds = {}, {}, {}, 0, set()

    def follow(self, number, header, facts):
        action = header.get("action") or header.get("place")
        rolls = [fact for name, fact in facts if name == "DiceRolled"]
        for roll in self.counts.get(action, ()) if action else ():
            self.waiting |= {place: (roll["intent"], roll["secret"]) for place, _ in self.runs(roll)}
        self.outcomes[action, header["revision"]] = rolls
        self.counts[action] = self.outcomes.get((action, header.get("restores")), []) if "restores" in header else rolls
        for name, fact in facts:
            if name == "SessionOpened":
                self.sessions[fact["session"]] = {**fact, "lines": [], "seeds": {}, "used": {}, "rolls": {}}
            elif name == "FreshDiceGranted":
                for place in fact["places"]:
                    self.waiting.pop((fact["session"], place), None)
            elif name in ("EntropyAdded", "DiceRevealed", "SessionClosed", "ScreenCounted"):
                self.attend(number, name, fact, self.sessions[fact["session"]])
        for place in (place for roll in self.counts[action] for place, _ in self.runs(roll)):
            self.waiting.pop(place, None)
        for roll in rolls:
            self.roll(number, roll)

    def attend(self, number, name, fact, session):
        used = session["used"]
        if name == "EntropyAdded":
            session["lines"].append((fact["number"], unicodedata.normalize("NFC", fact["text"]).encode()))
            self.failed += [f"entry {number}: a line was mixed in after the first die"] if used or session["seeds"] else []
        elif name == "DiceRevealed":
            session["seeds"][int(fact["screen"])] = bytes.fromhex(fact["seed"])
        else:
            classes = "1" if name == "ScreenCounted" else "01" if any(key[0] == "1" for key in fact["counts"]) else "0"
            if fact["counts"] != {key: many for key, many in used.items() if key[0] in classes}:
                self.failed.append(f"entry {number}: session {fact['session']} was closed over other counts of rolls")

    def runs(self, roll):
        """The dice of a roll by where they fell: session and "class/fork/seat/index", and sides with faces."""
        dice = iter(roll["dice"])
        for source in roll["sources"]:
            fell, (kind, _, fork) = [next(dice)[:2] for _ in range(source["count"])], source["kind"].partition(":")
            place = f"{int(source['screen'])}/{fork or 0}/{source['seat']}/{source['index']}"
            yield (source["session"], place if kind in ("stream", "fork") else kind), fell

    def roll(self, number, roll):
        for (session_number, place), fell in self.runs(roll):
            counter, _, index = place.rpartition("/")
            session = self.sessions.get(session_number)
            if not counter:
                self.others[place] = self.others.get(place, 0) + len(fell)
            elif session is None or (counter.split("/")[1] != "0" and not self.what_if):
                self.failed.append(f"entry {number}: dice of a session or a what-if that is not of this history")
            else:
                due, request = session["used"].get(counter, 0), (roll["intent"], roll["secret"])
                again = any(key[0] == session_number and waits == request for key, waits in self.waiting.items())
                wrong = f"roll {index} of {counter} where {due} is next" if int(index) != due else ""
                wrong = "a die after the seed was revealed" if int(counter[0]) in session["seeds"] else wrong
                wrong = "fresh dice for a request that was taken back, granted by nobody" if again else wrong
                self.failed += [f"entry {number}: {wrong}"] if wrong and place not in session["rolls"] else []
                session["used"][counter] = max(due, int(index) + 1)
                session["rolls"].setdefault(place, []).append((number, fell))

    def finish(self):
        for (number, session), cls in itertools.product(self.sessions.items(), (0, 1)):
            rolls = {place: uses for place, uses in session["rolls"].items() if place[0] == str(cls)}
            if cls in session["seeds"]:
                self.check(number, session, cls, session["seeds"][cls], rolls)
            elif rolls:
                self.missing.append(f"{'secret' if cls else 'the'} dice of session {number} are not revealed")

    def check(self, number, session, cls, seed, rolls):
        identity = counted(bytes.fromhex(session["identity"]))
        commits = [bytes.fromhex(session["commit_table"]), bytes.fromhex(session["commit_screen"])]
        if sha(counted(b"rollbook/dice/1 commit"), bytes([cls]), identity, seed) != commits[cls] or seed in self.seeds:
            self.failed.append(f"the seed revealed for session {number} is not the one that was committed to")
        self.seeds.add(seed)
        lines = [struct.pack(">BH", 0, seat) + counted(words) for seat, words in session["lines"]]
        mixed = sha(counted(b"rollbook/dice/1 mix"), *commits, struct.pack(">H", len(lines)), *lines)
        key = mac(seed, b"key", bytes([cls]), identity, mixed)
        for place, uses in rolls.items():
            most = max((fell for _, fell in uses), key=len)
            faces = draw(key, *map(int, place.split("/")[1:]), [sides for sides, _ in most])
            for at, fell in uses:
                rest = iter([[sides, face] for (sides, _), face in zip(most, faces)])
                if not all(die in rest for die in fell):
                    self.failed.append(f"entry {at}: roll {place} does not show the dice of the stream")
            self.proven += len(most)

def code(found):
    letters = ("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(found, 16) >> (251 - 5 * place) & 31] for place in range(12))
    return "-".join("".join(next(letters) for _ in range(4)) for _ in range(3))

def main(path, *receipts):
    try:
        (head, groups), chain = read(path), Chain()
        for group in groups:
            chain.follow(group)
        chain.finish(head)
        for receipt in receipts:
            noted = receipt.upper().translate(str.maketrans("OIL", "011", "- "))
            if len(noted) < 8 or not any(code(found).replace("-", "").startswith(noted) for found in chain.hashes):
                raise ValueError(f"no entry of this file has the receipt {receipt}")
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as fault:
        print(f"chain  FAILED    after {len(chain.hashes) if 'chain' in locals() else 0} good entries: {fault}")
        return 1
    dice = Dice(what_if="~" in head["campaign"])
    for entry in () if (partly := head.get("for") == "gm") else chain.entries:
        dice.follow(*entry)
    dice.finish()
    dice.missing += ["no die here came from a committed stream"] if dice.others and not dice.proven else []
    dice.missing += ["parts of the history are left out, so its dice cannot be counted"] if partly else []
    notes = [f"{many} dice are {kind}: nobody can prove those" for kind, many in dice.others.items()]
    notes += [f"{chain.loose} that only this reader sees come after what stands before"] if chain.loose else []
    verdict = "FAILED" if dice.failed else "UNPROVEN" if dice.missing else "VERIFIED"
    print(f"chain  VERIFIED  {len(chain.entries)} entries; the receipt of the last is {code(chain.hashes[-1])}")
    print(f"dice   {verdict:8}  {dice.proven} dice proven")
    print(*(f"       {line}" for line in [*dict.fromkeys(dice.failed or dice.missing)][:20] + notes), LIMITS, sep="\n")
    return 1 if dice.failed else 0

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:] and sys.argv[1] not in ("-h", "--help") else print(__doc__))
