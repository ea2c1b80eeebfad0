/* The X-card of this page: it stops the scene at once. Who raised it by mistake may take it back here for five seconds, by a token
   that this page made for it, and that says nothing of who it is. */
"use strict";
(() => {
  const LENGTH = 5000;
  let token = "", ends = 0;
  document.addEventListener("click", ({ target }) => {
    const form = target.closest?.(".xcard")?.form;
    if (!form) return;
    token = crypto.getRandomValues(new Uint32Array(4)).join(".");
    let field = form.querySelector("[name=mistake]");
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = "mistake";
      form.append(field);
    }
    field.value = token;
    offer(`${form.getAttribute("action")}/back`, token);
  }, true);
  function offer(to, mistake) {
    const at = document.querySelector("dialog[open]") ?? document.body, box = document.getElementById("x-mistake") ?? document.createElement("p");
    box.id = "x-mistake";
    box.className = "x-mistake notice";
    box.setAttribute("role", "status");
    const back = document.createElement("button");
    back.type = "button";
    back.className = "btn";
    back.textContent = "It was a mistake: take it back";
    back.addEventListener("click", () => {
      box.remove();
      htmx.ajax("POST", to, { source: document.body, target: document.body, swap: "none", values: { mistake } });
    });
    box.replaceChildren(back);
    at.append(box);
    clearTimeout(ends);
    ends = setTimeout(() => box.remove(), LENGTH);
  }
})();
