/* Moves by drag and by keys. All of it goes where the links of the page go, which work without it. */
"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const go = (way, who) => ask({ who, way });
  const ask = (asked) => {
    const address = `${location.pathname}?${new URLSearchParams(asked)}`;
    return htmx.ajax("GET", address, { source: one("#board-main"), target: one("#board-main"), swap: "outerHTML" });
  };

  // Keys: arrows, and those around S. They press what the pad shows, so a step that cannot be taken does nothing.
  const KEYS = {
    ArrowUp: "n", ArrowDown: "s", ArrowLeft: "w", ArrowRight: "e", Backspace: "back",
    q: "nw", w: "n", e: "ne", a: "w", d: "e", z: "sw", x: "s", c: "se", Home: "nw", PageUp: "ne", End: "sw", PageDown: "se",
  };
  document.addEventListener("keydown", (pressed) => {
    const { target, key } = pressed;
    if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || one("#dialog")?.open || !one("#pad")) return;
    if (target.matches("input:not([type=hidden]), select, textarea")) return;
    if (key === "Enter" && !target.closest("a, button, summary")) return void one(".go-move .btn-main:not(:disabled)")?.click();
    const step = KEYS[key.length === 1 ? key.toLowerCase() : key];
    if (!step) return;
    pressed.preventDefault();
    one(`#plan [data-step="${step}"]`)?.click();
  });
  // The panel that comes in the place of another keeps the focus that was in it.
  let focused = null;
  document.addEventListener("htmx:before:swap", () => {
    const at = document.activeElement;
    focused = at?.closest("#board-main") ? at.dataset.step ?? (at.closest("#plan") ? "" : null) : null;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (focused === null || document.activeElement?.closest("#board-main")) return;
    const wanted = (focused && one(`#plan [data-step="${focused}"]`)) || one("#plan");
    wanted?.focus({ preventScroll: true });
  });

  // The view: at first all who stand there, as large as they fit; then as it was left. Where more is drawn than is shown, the end
  // of the way is in sight, or the middle of all pieces.
  const LEAST = 1, MOST = 4, STEP = 1.25, ROOM = 130;
  let zoom = 0, place = null;
  function extent() {
    const pieces = [...document.querySelectorAll("#board-main :is(.piece, .piece-down)")].filter((each) => each.closest("svg.board")).map((each) => each.getBoundingClientRect());
    if (!pieces.length) return null;
    const [left, top] = [Math.min(...pieces.map((each) => each.left)), Math.min(...pieces.map((each) => each.top))];
    return { left, top, width: Math.max(...pieces.map((each) => each.right)) - left, height: Math.max(...pieces.map((each) => each.bottom)) - top };
  }
  const clamped = (wanted) => Math.max(LEAST, Math.min(MOST, wanted));
  function size(box, wanted) {
    zoom = clamped(wanted);
    box.querySelector(".board").style.width = `${zoom * 100}%`;
  }
  function fit(box) {
    size(box, LEAST);
    const all = extent();
    if (!all) return;
    size(box, Math.min(box.clientWidth / (all.width + ROOM), box.clientHeight / (all.height + ROOM)));
    centre(box, extent());
  }
  function centre(box, at) {
    const outer = box.getBoundingClientRect();
    box.scrollLeft += at.left + at.width / 2 - outer.left - outer.width / 2;
    box.scrollTop += at.top + at.height / 2 - outer.top - outer.height / 2;
  }
  function look() {
    const box = one("#board-main .board-scroll");
    if (!box) return;
    if (zoom) size(box, zoom); else fit(box);
    if (place) [box.scrollLeft, box.scrollTop] = place;
    const end = one("#board-main .way-end")?.getBoundingClientRect(), outer = box.getBoundingClientRect();
    if (end && (end.left < outer.left || end.right > outer.right || end.top < outer.top || end.bottom > outer.bottom)) centre(box, end);
  }
  document.addEventListener("htmx:before:swap", () => { const box = one("#board-main .board-scroll"); place = box ? [box.scrollLeft, box.scrollTop] : place; });
  function zoomBy(box, factor, x, y) {
    const before = zoom, { left, top } = box.getBoundingClientRect();
    size(box, zoom * factor);
    const grown = zoom / before;
    box.scrollLeft = (box.scrollLeft + x - left) * grown - (x - left);
    box.scrollTop = (box.scrollTop + y - top) * grown - (y - top);
  }
  document.addEventListener("click", ({ target }) => {
    const how = target.closest?.("[data-zoom]")?.dataset.zoom, box = one("#board-main .board-scroll");
    if (!how || !box) return;
    const { left, top, width, height } = box.getBoundingClientRect();
    if (how === "fit") fit(box); else zoomBy(box, how === "in" ? STEP : 1 / STEP, left + width / 2, top + height / 2);
  });
  document.addEventListener("wheel", (turned) => {
    const box = turned.target.closest?.("#board-main .board-scroll");
    if (!box || !turned.ctrlKey) return;
    turned.preventDefault();
    zoomBy(box, turned.deltaY < 0 ? STEP : 1 / STEP, turned.clientX, turned.clientY);
  }, { passive: false });
  // What is no piece is dragged to see another part.
  let pan = null;
  document.addEventListener("pointerdown", ({ target, pointerType, button, clientX, clientY }) => {
    const box = target.closest?.("#board-main .board-scroll");
    pan = box && pointerType === "mouse" && !button && !target.closest(".mover, .handle") ? { box, x: clientX, y: clientY } : null;
  });
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!pan) return;
    pan.box.scrollLeft -= clientX - pan.x;
    pan.box.scrollTop -= clientY - pan.y;
    [pan.x, pan.y] = [clientX, clientY];
  });
  document.addEventListener("pointerup", () => { pan = null; });
  document.addEventListener("DOMContentLoaded", look);
  document.addEventListener("htmx:after:swap", look);

  // Drag: the way follows the pointer over the squares, and is planned where the piece is let go.
  let drag = null;
  // A square counts once the pointer comes near its middle, so that one can drag across a corner.
  const NEAR = .38;
  function squareAt({ clientX, clientY }) {
    const found = document.elementsFromPoint(clientX, clientY).find((each) => each.dataset?.square);
    if (!found) return "";
    const { left, top, width, height } = found.getBoundingClientRect();
    const isNear = Math.hypot(clientX - left - width / 2, clientY - top - height / 2) < NEAR * width;
    return isNear ? found.dataset.square : "";
  }
  // The square under the pointer by the drawing itself, where none can be pressed: the GM puts people anywhere.
  const SIDE = 40, LEFT = 24, TOP = 8;
  function squareUnder({ clientX, clientY }) {
    const board = one(".board"), at = new DOMPoint(clientX, clientY).matrixTransform(board.getScreenCTM().inverse());
    return `${Math.floor((at.x - LEFT) / SIDE) + Number(board.dataset.west)},${Number(board.dataset.north) - Math.floor((at.y - TOP) / SIDE)}`;
  }
  const middle = (square) => {
    const found = one(`[data-square="${CSS.escape(square)}"]`);
    return found ? [Number(found.getAttribute("x")) + 20, Number(found.getAttribute("y")) + 20] : null;
  };
  function draw() {
    const points = drag.way.map(middle).filter(Boolean);
    one("#drawn-way")?.setAttribute("d", points.length ? `M${[drag.from, ...points].map((point) => point.join(" ")).join("L")}` : "");
  }
  document.addEventListener("pointerdown", (pressed) => {
    const piece = pressed.target.closest?.(".mover");
    if (!piece || pressed.button) return;
    const box = piece.querySelector(".piece, .piece-down").getBBox();
    drag = { who: piece.dataset.mover, place: piece.dataset.place, way: [], isMoved: false, id: pressed.pointerId, from: [box.x + box.width / 2, box.y + box.height / 2 + 3], x: pressed.clientX, y: pressed.clientY };
  });
  const FAR = 6;
  document.addEventListener("pointermove", (moved) => {
    if (!drag || moved.pointerId !== drag.id) return;
    if (!drag.isMoved && Math.hypot(moved.clientX - drag.x, moved.clientY - drag.y) < FAR) return;
    drag.isMoved = true;
    moved.preventDefault();
    one(".board")?.classList.add("dragging");
    if (drag.place) { drag.to = squareUnder(moved); return; }
    const square = squareAt(moved), before = drag.way.indexOf(square);
    if (!square || square === drag.way.at(-1)) return;
    if (before >= 0) drag.way.length = before + 1; else drag.way.push(square);
    draw();
  });
  function letGo(left, isKept) {
    if (!drag || left.pointerId !== drag.id) return;
    const { who, way, isMoved, place, to } = drag;
    drag = null;
    one(".board")?.classList.remove("dragging");
    one("#drawn-way")?.setAttribute("d", "");
    if (!isMoved) return;
    dropped = performance.now();
    if (isKept && place && to) return void ask({ place, to });
    if (isKept && way.length) go(way.join(";"), who);
  }
  let dropped = -Infinity;
  document.addEventListener("pointerup", (left) => letGo(left, true));
  document.addEventListener("pointercancel", (left) => letGo(left, false));
  document.addEventListener("dragstart", (begun) => { if (begun.target.closest?.(".board")) begun.preventDefault(); });
  // The click that ends a drag is none.
  document.addEventListener("click", (clicked) => {
    if (performance.now() - dropped < 80 && clicked.target.closest?.(".board")) { clicked.preventDefault(); clicked.stopPropagation(); }
  }, true);
})();
