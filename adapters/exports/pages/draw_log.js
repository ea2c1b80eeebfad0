/* The log as a ledger: cards with a numbered margin. A card is plain words and numbers, and knows no game:

   card = { at, no, call, who, what, headline, ok, total, against, rolls, notes: [[icon, words, at, no]], sides, reason,
            pictures, kind: "scene" | "session" | "round" | "x" | "correction" | "", sees, undone, was, here }
   "at" is the place of its step, "no" the number of its entry, "call" that of its action as people say it, "was" a card that it
   has replaced. */
"use strict";
const rollbookLog = (() => {
  const { el, icon, said, hidden, capital, text } = rollbookElements;

  function number({ call, at, no }) {
    return el("p", { class: "card-no" }, el("a", { href: call || `#@${no}`, "data-at": at }, call || `@${no}`));
  }
  function seal(ok) {
    if (!ok) return null;
    const kind = ok > 0 ? "seal seal-good" : "seal seal-bad";
    return [el("span", { class: kind }, icon(ok > 0 ? "yes" : "no")), hidden(ok > 0 ? "Success: " : "Failure: ")];
  }
  const LONG = 3;
  // What came of it; of many things the first few, and the rest on demand.
  function headline({ headline: words, ok, undone }) {
    const parts = words.split("; "), few = parts.length > LONG + 1 ? parts.slice(0, LONG) : parts;
    const shown = said(capital(few.join("; ")), "bdi"), more = parts.length - few.length;
    return el("p", { class: "card-result" }, seal(ok), el("span", {}, undone ? el("s", {}, shown) : shown, more > 0 && el("small", {}, ` and ${more} more`)));
  }
  function total({ total: sum, against }) {
    if (sum === undefined) return null;
    return el("p", { class: "card-total" }, el("b", {}, String(sum)), against === undefined ? null : el("small", {}, `against ${against}`));
  }
  const who = ({ who: name, what }) => el("p", { class: "card-who" }, el("b", {}, said(name)), " ", said(what));
  function note([which, words, at, no]) {
    const to = at === undefined ? null : el("a", { href: `#@${no}`, "data-at": at }, `entry ${no}`);
    return el("p", { class: "note" }, icon(which), el("span", {}, said(words), to && [" ", to]));
  }
  function die({ face, kept, typed, put }) {
    const kind = `die${typed ? " die-typed" : ""}${kept ? "" : " die-off"}`;
    const title = [typed && "a real die, typed in", put && "put there by the GM", !kept && "did not count"].filter(Boolean).join(", ");
    return el("span", { class: kind, title: title || null }, String(face));
  }
  // A text of a roll, which runs from left to right whatever is in it; its labels are somebody's own words.
  function written(words) {
    const pieces = words.trim().split(rollbookRollLines.LABEL).flatMap((each, at) => (at % 2 ? [" ", said(each)] : text(each).replaceAll("-", "−")));
    return el("code", { dir: "ltr" }, ...pieces);
  }
  function roll({ label, terms, after, total: sum, secret }) {
    const thrown = terms.flatMap(([before, dice]) => [written(before), ...dice.map(die)]);
    return el("li", {}, label && el("span", { class: "quiet" }, said(label)), ...thrown, after && written(after),
      el("span", {}, "= ", el("b", {}, String(sum))), secret && el("span", { class: "chip chip-secret" }, "behind the screen"));
  }
  function rolls({ rolls: all, here, headline: words }) {
    const many = words.split("; "), dice = all.reduce((sum, each) => sum + each.dice.length, 0);
    if (!all.length && many.length <= LONG + 1) return null;
    const named = all.length ? (dice === 1 ? "1 die" : `${dice} dice`) : "all of it";
    const whole = many.length > LONG + 1 ? el("p", { class: "quiet" }, said(words)) : null;
    return el("div", { class: "card-foot" }, el("details", { open: here && all.length > 0 && all.length < 4 },
      el("summary", {}, named), whole, el("ul", { class: "rolls" }, ...all.map(roll))));
  }
  function sides(changes) {
    const row = ([label, what, before, after]) => el("tr", {}, el("th", { scope: "row" }, said(label || "the table"), " ", el("small", {}, said(what))),
      el("td", {}, el("s", {}, said(before))), el("td", {}, el("ins", {}, said(after))));
    const head = el("tr", {}, ...["", "as it was then", "as corrected"].map((words) => el("th", { scope: "col" }, words)));
    return changes.length ? el("table", { class: "shifts sides" }, el("thead", {}, head), el("tbody", {}, ...changes.map(row)))
      : el("p", { class: "quiet" }, "Nothing that shows here is otherwise for it.");
  }

  function heading(card) {
    const level = card.kind === "round" ? "h3" : "h2";
    return el("li", { class: card.kind === "round" ? "head head-round" : "head", "data-at": card.at },
      el(level, {}, said(card.headline, "span"), card.more && el("small", {}, said(card.more))));
  }
  const short = (card) => el("li", { class: `card line-card${card.here ? " card-here" : ""}`, "data-at": card.at }, number(card),
    el("div", { class: "card-body" }, el("p", {}, el("b", {}, said(card.who)), " ", said([card.what, card.text].filter(Boolean).join(": "))), ...card.notes.map(note)));
  const KINDS = { x: " card-x", correction: " card-correction" };
  function whole(card) {
    const kind = [KINDS[card.kind] ?? "", card.sees ? " card-secret" : "", card.undone ? " card-undone" : "", card.here ? " card-here" : ""].join("");
    const sum = card.undone ? null : total(card), body = el("div", { class: `card-body${sum ? " card-body-total" : ""}` },
      card.kind === "x" ? el("p", { class: "card-result" }, el("span", { class: "x-mark", "aria-hidden": "true" }, "X"), said(capital(card.headline), "span")) : headline(card),
      sum, who(card), card.sees && el("p", {}, el("span", { class: "chip chip-secret" }, icon("lock"), said(card.sees === "gm" ? "GM only" : `for ${card.sees} alone`))),
      card.reason && el("p", { class: "note" }, icon("pen"), said(card.reason, "span")), ...card.notes.map(note),
      ...(card.undone ? [] : card.pictures.map(rollbookPictures.draw)), card.sides && sides(card.sides), card.was && earlier(card.was), rolls(card));
    return el("li", { class: `card${kind}`, "data-at": card.at }, number(card), body);
  }
  const earlier = (was) => el("div", { class: "outcomes" }, el("p", { class: "was" }, el("s", {}, said(capital(was.headline || was.what))),
    was.total === undefined ? "" : ` ${was.total}${was.against === undefined ? "" : ` against ${was.against}`}`));

  const isShort = (card) => !card.kind && !card.ok && !card.rolls.length && !card.sees && !card.undone && !card.was && !card.pictures.length && card.headline.split("; ").length < 2;
  function draw(card) {
    if (["scene", "session", "round"].includes(card.kind) && !card.undone) return heading(card);
    return isShort(card) ? short(card) : whole(card);
  }
  // Draws cards into a list, oldest first, in the place of what was there.
  const drawAll = (into, cards) => into.replaceChildren(...cards.map(draw));
  return { draw: drawAll, sides };
})();
