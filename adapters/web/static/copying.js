// Buttons that copy. Where the browser gives no clipboard (over plain http), the words are marked and copied as by hand.
(() => {
  "use strict";
  const marked = (element) => {
    if (element.select) { element.select(); return; }
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };
  async function copy(element) {
    try {
      await navigator.clipboard.writeText(element.value ?? element.textContent);
      return true;
    } catch {
      marked(element);
      return document.execCommand("copy");
    }
  }
  const SHOWN = 2500;
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element && target.closest("[data-copy]");
    const element = button && document.getElementById(button.dataset.copy);
    if (!element) return;
    const words = button.firstChild, before = words.textContent;
    if (before !== "Copy") return;
    const said = await copy(element) ? "Copied" : "Marked: copy it";
    words.textContent = said;
    const spoken = document.getElementById("spoken");
    if (spoken) spoken.textContent = said;
    setTimeout(() => { words.textContent = before; }, SHOWN);
  });
})();
