/* The board of squares: where everybody is whose place is a pair of numbers, "column,row". A game that says places in other
   words has no board. */
"use strict";
const rollbookBoard = (() => {
  const { el, svg, initials, text } = rollbookElements, { peopleOf, isFoe, isDown, words } = rollbookFight;
  const SQUARE = 40, EDGE = 24, MOST = 40;
  const squareOf = ({ where }) => (/^\s*(-?\d+)\s*,\s*(-?\d+)/.exec(where ?? "") ?? []).slice(1).map(Number);
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

  function onBoard(moment) {
    const placed = peopleOf(moment).map(([id, who]) => ({ id, who, square: squareOf(who) }));
    return placed.filter(({ square }) => square.length === 2);
  }
  // What is shown: everybody, a square around them, and at least so many that a small fight is no close-up.
  function bounds(squares) {
    const side = (which) => {
      const all = squares.map((square) => square[which]);
      let [low, high] = [Math.min(...all) - 1, Math.max(...all) + 1];
      while (high - low < (which ? 4 : 8)) (high - low) % 2 ? low-- : high++;
      return [low, Math.min(high, low + MOST)];
    };
    return [side(0), side(1)];
  }
  function grid([[left, right], [bottom, top]]) {
    const wide = (right - left + 1) * SQUARE, high = (top - bottom + 1) * SQUARE;
    const down = range(0, right - left + 1).map((at) => svg("path", { class: "sq", d: `M${EDGE + at * SQUARE} 8v${high}` }));
    const across = range(0, top - bottom + 1).map((at) => svg("path", { class: "sq", d: `M${EDGE} ${8 + at * SQUARE}h${wide}` }));
    const columns = range(left, right).map((name, at) => axis(name, EDGE + (at + .5) * SQUARE, high + 24));
    const rows = range(bottom, top).reverse().map((name, at) => axis(name, 13, 13 + (at + .5) * SQUARE));
    return [...down, ...across, ...columns, ...rows];
  }
  const axis = (name, x, y) => svg("text", { class: "axis", x, y }, String(name).replace("-", "−"));
  function piece({ who, square: [column, row] }, [[left], [, top]], letters, spread) {
    const x = EDGE + (column - left + .5) * SQUARE + spread, y = 8 + (top - row + .5) * SQUARE - 3;
    const label = [who.name, words(who), ...(who.conditions ?? []).map(([name]) => name), `on ${column},${row}`].filter(Boolean).join(", ");
    const shape = isDown(who) ? svg("circle", { class: "piece-down", cx: x, cy: y, r: 14 })
      : isFoe(who) ? svg("rect", { class: "piece piece-foe", x: x - 13, y: y - 13, width: 26, height: 26, rx: 3 })
      : svg("circle", { class: "piece", cx: x, cy: y, r: 14 });
    const turn = who.turn === "now" ? svg("circle", { class: "piece-now", cx: x, cy: y, r: 18.5 }) : null;
    return svg("g", { role: "img", "aria-label": label }, svg("title", {}, text(label)), turn, shape,
      svg("text", { class: "piece-name", x, y: y + 6 }, text(letters.get(who.name))), ...track(who, x, y));
  }
  function track(who, x, y) {
    if (who.left === undefined || !(who.most > 0)) return [];
    const part = Math.max(0, Math.min(1, who.left / who.most)), kind = part <= .25 ? "hp-low" : part <= .5 ? "hp-half" : "hp-fill";
    return [svg("rect", { class: "hp-track", x: x - 15, y: y + 16, width: 30, height: 5 }),
      svg("rect", { class: kind, x: x - 15, y: y + 16, width: 30 * part, height: 5 })];
  }
  // Draws the board of a moment into an element, and nothing where there is none. Returns whether there is one.
  function draw(into, moment) {
    const placed = moment.fight ? onBoard(moment) : [];
    if (!placed.length) return into.replaceChildren(), false;
    const frame = bounds(placed.map(({ square }) => square)), [[left, right], [bottom, top]] = frame;
    const size = [(right - left + 1) * SQUARE + EDGE + 8, (top - bottom + 1) * SQUARE + 32];
    const letters = initials(placed.map(({ who }) => who.name)), seen = new Map();
    const pieces = placed.map((each) => {
      const key = String(each.square), many = seen.get(key) ?? 0;
      seen.set(key, many + 1);
      return piece(each, frame, letters, many * 8);
    });
    into.replaceChildren(svg("svg", { class: "board", viewBox: `0 0 ${size.join(" ")}`, role: "group",
      "aria-label": `The board: ${right - left + 1} by ${top - bottom + 1} squares` }, ...grid(frame), ...pieces), legend());
    return true;
  }
  function legend() {
    const one = (shape, name) => el("li", {}, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape), name);
    return el("ul", { class: "legend" }, one(svg("circle", { class: "piece", cx: 12, cy: 12, r: 9 }), "party"),
      one(svg("rect", { class: "piece piece-foe", x: 3, y: 3, width: 18, height: 18, rx: 3 }), "others"),
      one(svg("circle", { class: "piece-down", cx: 12, cy: 12, r: 9 }), "down"));
  }
  return { draw };
})();
