/* Moves by drag and by keys. All of it goes where the links of the page go, which work without it. */
"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const go = (way, who) => {
    const address = `${location.pathname}?${new URLSearchParams({ who, way })}`;
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

  // Where the board is larger than the screen, the end of the way, or who moves, is in sight.
  function look() {
    const box = one(".board-scroll"), at = one(".way-end") ?? one(".piece-now");
    if (!box || !at) return;
    const [inner, outer] = [at.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    box.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  }
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
    drag = { who: piece.dataset.mover, way: [], isMoved: false, id: pressed.pointerId, from: [box.x + box.width / 2, box.y + box.height / 2 + 3], x: pressed.clientX, y: pressed.clientY };
  });
  const FAR = 6;
  document.addEventListener("pointermove", (moved) => {
    if (!drag || moved.pointerId !== drag.id) return;
    if (!drag.isMoved && Math.hypot(moved.clientX - drag.x, moved.clientY - drag.y) < FAR) return;
    drag.isMoved = true;
    moved.preventDefault();
    one(".board")?.classList.add("dragging");
    const square = squareAt(moved), before = drag.way.indexOf(square);
    if (!square || square === drag.way.at(-1)) return;
    if (before >= 0) drag.way.length = before + 1; else drag.way.push(square);
    draw();
  });
  function letGo(left, isKept) {
    if (!drag || left.pointerId !== drag.id) return;
    const { who, way, isMoved } = drag;
    drag = null;
    one(".board")?.classList.remove("dragging");
    one("#drawn-way")?.setAttribute("d", "");
    if (!isMoved) return;
    dropped = performance.now();
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
