/* The history that the lines of a chain tell a reader: which number an entry has for them, which action it is about, what counted of
   that action then and what counts of it today, and by which entry it was corrected. It is worked out from the entries. Only where the
   file does not say which action is corrected does it take what a step claims, and "unnamed" counts those. */
"use strict";
const rollbookHistory = (() => {
  const TAKEN = "ActionTaken", INSERTED = "ActionInserted", REVISED = "ActionRevised", REDONE = "ActionRestored";
  function newHistory(claimed) {
    const told = [], actions = [], numbered = new Map(), firsts = new Map();
    let shown = 0, nameless = 0, unnamed = 0;
    function find({ kind, envelope: { visibility, public_number: number }, own }, place) {
      if (own) return numbered.get(own.action);
      if (kind === TAKEN || kind === INSERTED) return undefined;
      if (!visibility && number) return numbered.get(number);
      if (!visibility && !nameless) return undefined;
      unnamed++;
      return actions[(claimed.get(place)?.n ?? 0) - 1];
    }
    function begin({ kind, envelope, own }) {
      const before = own ? own.before : envelope.public_before, action = { n: actions.length + 1, before: numbered.get(before) ?? null, known: new Map(), counting: null };
      if (own) numbered.set(own.action, action);
      else if ((kind === TAKEN || kind === INSERTED) && !envelope.visibility) numbered.set(++shown, action);
      else nameless++;
      actions.push(action);
      return action;
    }
    // "first" is the first entry of a correction, 0 for an entry that corrects nothing. A reader's own file has no ids of corrections.
    function firstOf({ own }, no) {
      const id = own?.correction || `@${no}`;
      if (!firsts.has(id)) firsts.set(id, no);
      return firsts.get(id);
    }
    function count(one, { kind, envelope }) {
      const { action, isOutcome, no, reason } = one, again = kind === REDONE ? action.known.get(envelope.restores) : null;
      if (action.counting) Object.assign(action.counting, { by: no, why: reason });
      if (again) Object.assign(again, { by: 0, why: "" });
      action.counting = isOutcome ? one : again ?? null;
      action.known.set(envelope.revision ?? 1, isOutcome ? one : null);
      one.outcome = action.counting;
    }
    // One more entry. A correction of what this reader was never told of is none of theirs.
    function add(entry, place) {
      const { kind, envelope, own } = entry, found = find(entry, place), isOutcome = [TAKEN, INSERTED, REVISED].includes(kind);
      if (found ? kind === REDONE && !found.known.has(envelope.restores) : !isOutcome) return;
      const action = found ?? begin(entry), no = told.length + 1, reason = envelope.reason || own?.reason || "";
      const isTaken = !found && kind !== INSERTED;
      const one = { place, no, entry, action, isTaken, isOutcome, reason, revision: action.known.size + 1, by: 0, why: "" };
      one.first = isTaken ? 0 : firstOf(entry, no);
      count(one, entry);
      told.push(one);
    }
    return { add, told, actions, get unnamed() { return unnamed; } };
  }
  return function historyOf(entries, steps) {
    const history = newHistory(new Map(steps.map((step) => [step.place, step])));
    for (let place = 1; place <= entries.count; place++) {
      const entry = entries.entryAt(place);
      if (entry) history.add(entry, place);
    }
    return history;
  };
})();
