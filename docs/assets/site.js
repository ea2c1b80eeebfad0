"use strict";
// What the theme makes of tables and of code is reached by keys, and each has a name of its own.
function name_parts() {
  document.querySelectorAll(".md-typeset__scrollwrap, pre > code").forEach((box, index) => {
    if (box.scrollWidth > box.clientWidth && !box.hasAttribute("tabindex")) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `To the side, ${index + 1}`);
    }
  });
  document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach((bar, index) => {
    bar.setAttribute("aria-label", `Code ${index + 1}`);
  });
}
new MutationObserver(name_parts).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("resize", name_parts);
