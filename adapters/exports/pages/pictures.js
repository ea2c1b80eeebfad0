/* The pictures that a page carries: one is drawn only if its bytes have the digest that its entry names. */
"use strict";
const rollbookPictures = (() => {
  const { el } = rollbookElements, MEDIA = ["image/png", "image/jpeg", "image/webp"], kept = new Map();
  async function unpack() {
    const held = JSON.parse(document.getElementById("pictures")?.textContent || "{}");
    for (const [digest, [media, data]] of Object.entries(held)) {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const isIt = rollbookDigests.hex(await rollbookDigests.sha(bytes)) === digest;
      if (isIt && MEDIA.includes(media)) kept.set(digest, `data:${media};base64,${data}`);
    }
  }
  function draw({ digest, alt, width, height }) {
    const src = kept.get(digest);
    return src ? el("img", { class: "shown-picture", src, alt: alt || "a picture", width, height }) : null;
  }
  const face = (digest) => (kept.has(digest) ? el("img", { class: "who who-face", src: kept.get(digest), alt: "", width: 28, height: 28 }) : null);
  return { unpack, draw, face };
})();
