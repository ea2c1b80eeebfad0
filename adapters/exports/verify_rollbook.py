"""Check an exported rollbook campaign: python3 verify_rollbook.py CAMPAIGN.jsonl [RECEIPT ...].

Nothing but Python 3.9 is needed. Is the chain of entries whole, are the dice those that the revealed seeds give? VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. Of a RECEIPT (a line in quotes, or its code) the entry must be here.
"""

import hashlib, hmac, itertools, json, pathlib, struct, sys, unicodedata
KEPT = ("action", "because", "reads", "salt", "veiled")
LIMITS = """What a file alone cannot prove: that its end was not cut off, that it was not told differently from the start,
and what the words in it mean. Against that somebody at the table notes receipts, and the dice code when an evening begins."""

def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def check(holds, otherwise):
    if not holds:
        raise ValueError(otherwise)
def canonical(value): return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
def event_digest(name, data, salt="", was=None):
    """Over stored name, salt and bytes of an event; or what it ``was`` before words were removed."""
    tag = b"rollbook/chain/1 salted event\0" if salt else b"rollbook/chain/1 event\0"
    salted = b"%d\0%s" % (len(salt), salt.encode()) if salt else b""
    return bytes.fromhex(was) if was else sha(tag, b"%d\0%s" % (len(name), name.encode()), salted, data)
def linked(parent, *digests): return sha(b"rollbook/chain/1 entry\0", bytes.fromhex(parent), *digests).hex()
def halved(follows, told, held, parent, kept=None):
    """The hash of an entry that has two halves, told and kept. What is kept is bound to the entry before."""
    kept = bytes.fromhex(kept) if kept else sha(b"rollbook/chain/2 kept\0", held, bytes.fromhex(parent))
    return sha(b"rollbook/chain/2 entry\0", bytes.fromhex(follows), told, kept).hex()
def witness_of(said, data, facts, running):
    """The hash of an entry, and that of the entry before it as far as the file tells (None where it is kept)."""
    if "stub" in said:
        left = [bytes.fromhex(digest) for digest in said["stub"]]
        return halved(said["follows"], *left, running) if "follows" in said else linked(running, *left), running
    header, name, partly = json.loads(data), said["name"], not {"kept", "held", "numbers"}.isdisjoint(said)
    old = not partly and (name.endswith("@1") or not header["salt"])
    check(old or canonical(header) == data, "its header is not written as it was")
    salt, witness, was = header["salt"] if old else "", header.pop("witness", ""), header.pop("~was", said.get("was"))
    left = [bytes.fromhex(fact["digest"]) if "digest" in fact else
            event_digest(fact["name"], raw, salt, json.loads(raw).get("~was")) for fact, raw in facts]
    if old:
        bare = data.replace(b',"witness":"' + witness.encode(), b',"witness":"')
        return linked(header["parent"], event_digest(name, bare, salt, was), *left), header["parent"]
    parent, numbers = said.get("parent"), said.get("numbers")
    veiled = [at for at, (fact, _) in enumerate(facts) if "veiled" in fact]
    if not partly:
        parent, kept = header.pop("parent"), {key: header.pop(key) for key in KEPT if key in header}
        params, veiled = header.get("intent", {}).get("params", {}), kept["veiled"]
        kept["params"] = {key: params.pop(key) for key in ("action", "entries", "rewound") if key in params}
        kept |= {"reason": header.pop("reason")} if -1 in veiled else {}
        numbers = sha(b"rollbook/chain/2 numbers\0", canonical(kept)).hex()
    check(numbers or not veiled, "it holds what was kept from this reader")
    told, closed = ([digest for at, digest in enumerate(left) if (at in veiled) == kept] for kept in (False, True))
    told = sha(b"rollbook/chain/2 told\0", event_digest(name, canonical(header), "", was), *told)
    held = sha(b"rollbook/chain/2 held\0", bytes.fromhex(numbers), *closed) if numbers else bytes.fromhex(said.get("held", ""))
    return halved(header["follows"], told, held, parent, said.get("kept")), parent
def read(path):
    """The header of the file and its entries, each a list of lines: what the line says, and the event's bytes."""
    first, *lines = pathlib.Path(path).read_bytes().splitlines(keepends=True)
    head, groups = json.loads(first), []
    check(head["check"] == sha(first[: first.rindex(b', "check"')], b"}").hex()[:16], "the first line was changed")
    for number, (line, said) in enumerate(((line, json.loads(line)) for line in lines), 1):
        check(said.get("version", number) == number, f"line {number + 1} says that it is another")
        groups += [[]] if "stub" in said or said.get("name", "").startswith("Action") else []
        groups[-1].append((said, line[line.index(b'"data":') + 7 : -2] if "data" in said else b""))
    return head, groups

class Chain:
    """The first question. ``running`` is the hash of the line before, ``public`` that of the last entry the table saw."""

    def __init__(self, whole):
        self.whole, self.running, self.public, self.alone = whole, "0" * 64, "0" * 64, False
        self.hashes, self.entries, self.gone, self.recorded, self.loose, self.left_out = {}, [], {}, {}, 0, 0
    def follow(self, group):
        (said, data), *facts = group
        found, parent = witness_of(said, data, facts, self.running)
        header = {"visibility": "" if said["public"] else "gm", **said} if "stub" in said else json.loads(data)
        check(found == header.get("witness", said.get("witness", found)), "its events are not the ones that were stored")
        check(found not in self.hashes, "it stands there twice")
        follows = header.get("follows", "")
        check(parent in (self.running, None) or "numbers" in said, "it does not follow what stands before it")
        check(follows == self.public or (parent and not follows), "the table had not seen what it says came before it")
        self.loose += self.alone and parent != self.running
        self.running, self.alone = found, header["visibility"] != "" and not self.whole
        self.public = self.public if header["visibility"] else found
        self.left_out += sum("stub" in line or "digest" in line for line, _ in group)
        self.hashes[found] = said
        if "stub" not in said:
            events = [(line["name"], raw) for line, raw in group if raw]
            told = [(name.split("@")[0], json.loads(raw)) for name, raw in events[1:]]
            self.entries.append((len(self.hashes), header, told))
            self.check_removed(header, said, events, told)
    def check_removed(self, header, said, events, told):
        """Only the words of a note can ever go, and the history says so later."""
        marked = [name for name, fact in told if "~was" in fact]
        if marked or "was" in said or "~was" in header:
            note = header.get("intent", {}).get("verb") == "note" and not set(marked) - {"NoteWritten"}
            check(note, "something was removed from it, and only the words of a note ever can be")
            self.gone[str(len(self.hashes))] = sha(*(event_digest(*event) for event in events)).hex()
        for name, fact in told:
            self.recorded.update(fact["remains"] if name == "NoteRedacted" else {})
    def finish(self, head, whole):
        self.loose += self.alone
        check(head["head"] == (self.running if self.whole else self.public), "the file does not end where it says it ends")
        recorded = all(self.recorded.get(number) == left for number, left in self.gone.items())
        check(recorded or not whole, "words were removed from a note, and no record says so")

def counted(data): return struct.pack(">I", len(data)) + data
def mac(key, use, *parts): return hmac.digest(key, counted(b"rollbook/dice/1 " + use) + b"".join(parts), "sha256")
def draw(key, fork, seat, index, sides):
    """The faces of one roll: 32-bit words of HMAC-SHA-256, none used from the last multiple of the sides on."""
    key = mac(key, b"fork", struct.pack(">I", fork)) if fork else key
    blocks = (mac(key, b"roll", struct.pack(">HQII", seat, index, 0, block)) for block in itertools.count())
    words = (word for block in blocks for word in struct.unpack(">8I", block))
    check(all(2 <= many <= 2**32 for many in sides), "there is no such die")
    return [next(word for word in words if word < 2**32 - 2**32 % many) % many + 1 for many in sides]

class Dice:
    """The second question. ``waiting`` are requests that were taken back, by session and place in the stream."""

    def __init__(self, what_if, whole):
        self.what_if, self.whole, self.sessions, self.failed, self.missing, self.places = what_if, whole, {}, [], [], {}
        self.counts, self.outcomes, self.waiting, self.others, self.seeds = {}, {}, {}, {}, set()
        self.campaign, self.proven = b"", 0
    def follow(self, number, header, facts):
        if header["visibility"] == "" and header["revision"] == 1:
            self.places[header.get("action")] = len(self.places) + 1
        action = header.get("place") or self.places.get(header.get("action"), f"hidden {header.get('action', number)}")
        rolls = [fact for name, fact in facts if name == "DiceRolled"]
        for roll in self.counts.get(action, ()):
            self.waiting |= {place: (roll["intent"], roll["secret"]) for place, _ in self.runs(roll)}
        self.outcomes[action, header["revision"]] = rolls
        self.counts[action] = self.outcomes.get((action, header.get("restores")), []) if "restores" in header else rolls
        for name, fact in facts:
            if name == "CampaignStarted":
                self.campaign = self.campaign or bytes.fromhex(fact["identity"])
            elif name == "SessionOpened":
                self.sessions[fact["session"]] = {**fact, "lines": [], "seeds": {}, "used": {}, "rolls": {}}
                made = sha(b"rollbook/session/1\0", self.campaign, bytes.fromhex(fact.get("nonce", "")))[:16].hex()
                wrong = [f"entry {number}: its dice were committed to for another campaign"]
                self.failed += wrong if fact["commit_table"] and made != fact["identity"] else []
            elif name == "FreshDiceGranted":
                list(map(self.waiting.pop, [(fact["session"], place) for place in fact["places"]], itertools.repeat(None)))
            elif name in ("EntropyAdded", "DiceRevealed", "SessionClosed", "ScreenCounted"):
                self.attend(number, name, fact, self.sessions[fact["session"]])
        again = {place for roll in self.counts[action] for place, _ in self.runs(roll)}
        self.waiting = {place: request for place, request in self.waiting.items() if place not in again}
        for roll in rolls:
            self.roll(number, action, roll)
    def attend(self, number, name, fact, session):
        if name == "EntropyAdded":
            session["lines"].append((fact["number"], unicodedata.normalize("NFC", fact["text"]).encode()))
            if session["used"] or session["seeds"]:
                self.failed.append(f"entry {number}: a line was mixed in after the first die")
        elif name == "DiceRevealed":
            session["seeds"][int(fact["screen"])] = bytes.fromhex(fact["seed"])
        else:
            secret = self.whole and (name == "ScreenCounted" or any(key[0] == "1" for key in fact["counts"]))
            classes = ("" if name == "ScreenCounted" else "0") + "1" * secret
            told, had = ({key: n for key, n in each.items() if key[0] in classes} for each in (fact["counts"], session["used"]))
            self.failed += [f"entry {number}: a session was closed over other counts of rolls"] if told != had else []
    def runs(self, roll):
        """The dice of a roll by where they fell: session and "class/fork/seat/index", and sides with faces."""
        dice = iter(roll["dice"])
        for source in roll["sources"]:
            fell, (kind, _, fork) = [next(dice)[:2] for _ in range(source["count"])], source["kind"].partition(":")
            place = f"{int(source['screen'])}/{fork or 0}/{source['seat']}/{source['index']}"
            yield (source["session"], place if kind in ("stream", "fork") else kind), fell
    def roll(self, number, action, roll):
        for (session_number, place), fell in self.runs(roll):
            counter, _, index = place.rpartition("/")
            session = self.sessions.get(session_number)
            if not counter:
                self.others.setdefault(place, {})[action, roll["roller"], roll["purpose"], str(fell)] = len(fell)
            elif session is None or (counter.split("/")[1] != "0" and not self.what_if):
                self.failed.append(f"entry {number}: dice of a session or a what-if that is not of this history")
            elif place not in session["rolls"] and (self.whole or counter[0] == "0"):
                due, request = session["used"].get(counter, 0), (roll["intent"], roll["secret"])
                again = any(key[0] == session_number and waits == request for key, waits in self.waiting.items())
                as_on_canon = self.what_if and counter[1:4] == "/0/"
                wrong = "" if int(index) == due or as_on_canon else f"roll {index} of {counter} where {due} is next"
                wrong = "a die after the seed was revealed" if int(counter[0]) in session["seeds"] else wrong
                wrong = "fresh dice for a request that was taken back, granted by nobody" if again else wrong
                self.failed += [f"entry {number}: {wrong}"] if wrong else []
            if counter and session:
                session["used"][counter] = max(session["used"].get(counter, 0), int(index) + 1)
                session["rolls"].setdefault(place, []).append((number, fell))
    def finish(self):
        for (number, session), cls in itertools.product(self.sessions.items(), (0, 1)):
            rolls = {place: uses for place, uses in session["rolls"].items() if place[0] == str(cls)}
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
            faces = draw(key, *map(int, place.split("/")[1:]), [sides for sides, _ in most])
            for at, fell in uses:
                rest = iter([[sides, face] for (sides, _), face in zip(most, faces)])
                wrong = f"entry {at}: roll {place} does not show the dice of the stream"
                self.failed += [] if all(die in rest for die in fell) else [wrong]
            self.proven += len(most)
def code(found):
    letters = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(found, 16) >> (251 - 5 * at) & 31] for at in range(26))
    return "-".join((letters[:5], letters[5:10], letters[10:15], letters[15:20], letters[20:]))

def main(path, *receipts):
    try:
        head, groups = read(path)
        whole, partly = head["format"] == "rollbook/export/1", head.get("for") == "gm"
        chain, dice = Chain(whole or partly), Dice("~" in head["campaign"], whole)
        for group in groups:
            chain.follow(group)
        chain.finish(head, whole and "~" not in head["campaign"])
        commits = [fact["commit_table"] for *_, facts in chain.entries for _, fact in facts if fact.get("commit_table")]
        for receipt in receipts:
            for noted, known in zip(" ".join(receipt.split()).split(" dice "), (chain.hashes, commits)):
                letters = noted.rpartition(" ")[2].upper().translate(str.maketrans("OIL", "011", "-"))
                check(len(letters) == 26, f"a code has 26 letters, and {len(letters)} prove nothing: {receipt}")
                fits = letters in {code(each).replace("-", "") for each in known} or (partly and known is commits)
                check(fits, f"no entry of this file has the receipt {receipt}")
    except Exception as fault:
        print(f"chain  FAILED    after {len(chain.hashes) if 'chain' in locals() else 0} good entries: {fault}")
        return 1
    try:
        for entry in () if partly else chain.entries:
            dice.follow(*entry)
        dice.finish()
    except Exception as fault:
        dice.failed.append(f"the dice cannot be followed: {fault!r}")
    dice.missing += ["no die here came from a committed stream"] if dice.others and not dice.proven else []
    dice.missing += ["parts of the history are left out, so its dice cannot be counted"] if partly else []
    notes = [f"{kind} dice, which nobody can prove: {sum(many.values())}" for kind, many in dice.others.items()]
    notes += [f"entries that only this reader sees, and nothing else here vouches for: {chain.loose}"] if chain.loose else []
    notes += [f"left out, with digests in their place: {chain.left_out}"] if chain.left_out else []
    notes += [f"entries from which words were removed: {len(chain.gone)}"] if chain.gone else []
    verdict = "FAILED" if dice.failed else "UNPROVEN" if dice.missing else "VERIFIED"
    print(f"chain  VERIFIED  {len(chain.entries)} entries; the receipt of the last is {code(chain.public)}")
    print(f"dice   {verdict:8}  {dice.proven} dice proven")
    print(*(f"       {line}" for line in [*dict.fromkeys(dice.failed or dice.missing)][:20] + notes), LIMITS, sep="\n")
    return 1 if dice.failed else 0
if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:] and sys.argv[1] not in ("-h", "--help") else print(__doc__))
