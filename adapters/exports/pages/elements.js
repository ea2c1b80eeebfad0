/* Elements and words: whatever is drawn goes through here, as text and never as markup. */
"use strict";
const rollbookElements = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  // Control characters, and marks that turn the direction of what comes after them.
  const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
  const text = (words) => String(words ?? "").replace(UNSEEN, "");

  function filled(made, has, inside) {
    for (const [name, value] of Object.entries(has)) {
      if (value === false || value === undefined || value === null) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : text(value));
    }
    made.append(...inside.flat().filter((each) => each !== null && each !== undefined && each !== false && each !== ""));
    return made;
  }
  const el = (tag, has = {}, ...inside) => filled(document.createElement(tag), has, inside);
  const svg = (tag, has = {}, ...inside) => filled(document.createElementNS(SVG, tag), has, inside);
  const icon = (name) => svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
  // Somebody's own words: their direction is their own.
  const said = (words, tag = "bdi", has = {}) => el(tag, tag === "bdi" ? has : { dir: "auto", ...has }, text(words));
  const hidden = (words) => el("span", { class: "vh" }, words);

  const capital = (words) => words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  const counted = (many, one) => `${many} ${one}${many === 1 ? "" : "s"}`;
  // Letters that stand for somebody: of a name's first word, or two where several begin alike.
  function initials(names) {
    const bare = (name) => text(name).replace(/^(the|der|die|das)\s+/i, "").trim() || "?";
    const short = (name, many) => capital(Array.from(bare(name)).slice(0, many).join(""));
    const same = (name) => names.filter((other) => short(other, 1) === short(name, 1)).length > 1;
    return new Map(names.map((name) => [name, short(name, same(name) ? 2 : 1)]));
  }
  return { el, svg, icon, said, hidden, text, capital, counted, initials };
})();
