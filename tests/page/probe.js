/* Runs behind the page's own script: uses the page as a reader would and writes down what it saw. */
"use strict";
const seen = { errors: [], unnamed: [], contrasts: [] };
addEventListener("error", (event) => seen.errors.push(String(event.message)));

const centreOf = (element) => {
  const box = element.getBoundingClientRect();
  return { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true };
};
const tipText = () => {
  const tip = document.getElementById("tip");
  return tip.hidden ? "" : tip.textContent;
};
const drawn = (mark) => {
  const box = mark.lastElementChild.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
};

function useTransfer() {
  const figure = document.getElementById("chart-transfer");
  figure.scrollIntoView({ block: "center" });
  const marks = [...figure.querySelectorAll(".mark")];
  const svg = figure.querySelector(".picture svg");
  svg.dispatchEvent(new PointerEvent("pointermove", centreOf(marks[8].lastElementChild)));
  seen.hovered = tipText();
  const tip = document.getElementById("tip").getBoundingClientRect();
  seen.tipInside = tip.left >= 0 && tip.right <= innerWidth && tip.top >= 0;
  svg.dispatchEvent(new PointerEvent("pointerleave"));
  marks[0].focus();
  seen.focused = tipText();
  marks[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  seen.next = tipText();
  const button = figure.querySelector(".legend button");
  const groups = [...figure.querySelectorAll(`[data-series="${button.parentNode.dataset.of}"]`)];
  const faded = () => [...figure.querySelectorAll(".series")].filter((g) => getComputedStyle(g).opacity < 1);
  button.dispatchEvent(new PointerEvent("pointerenter"));
  seen.picked = faded().length > 0 && groups.every((g) => !faded().includes(g));
  button.dispatchEvent(new PointerEvent("pointerleave"));
  seen.released = faded().length === 0;
  button.click();
  seen.hidden = groups.filter((g) => getComputedStyle(g).display === "none").length;
  button.click();
  seen.shownAgain = groups.every((g) => getComputedStyle(g).display !== "none");
}

/* WCAG: relative luminance, and the ratio of two. */
function luminance([r, g, b]) {
  const part = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}
const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);

function backgroundOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const found = colour(getComputedStyle(at).backgroundColor);
    if (found.length === 3 || found[3] === 1) return found;
  }
  return [255, 255, 255];
}

function measureContrasts() {
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const style = getComputedStyle(element);
    if (!own || !element.getClientRects().length || ["SCRIPT", "title", "PRE"].includes(element.tagName)) continue;
    const ink = luminance(colour(element.tagName === "text" ? style.fill : style.color));
    const paper = luminance(backgroundOf(element));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    seen.contrasts.push({ ratio, text: element.textContent.trim().slice(0, 30), tag: element.tagName });
  }
  seen.contrasts.sort((a, b) => a.ratio - b.ratio).splice(10);
}

function measure() {
  const marks = [...document.querySelectorAll(".mark")].filter((m) => m.closest(".picture").offsetWidth);
  seen.marks = marks.length;
  seen.unseen = marks.filter((m) => !drawn(m)).length;
  seen.width = innerWidth;
  seen.overflow = document.documentElement.scrollWidth - innerWidth;
  seen.tooWide = [...document.querySelectorAll("main *")]
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll"))
    .slice(0, 3).map((e) => e.outerHTML.slice(0, 80));
  seen.requests = performance.getEntriesByType("resource").map((r) => r.name);
  seen.dark = luminance(backgroundOf(document.body)) < 0.2;
  for (const e of document.querySelectorAll("button, summary, a, .mark, [role=group]"))
    if (!(e.getAttribute("aria-label") || e.textContent).trim()) seen.unnamed.push(e.outerHTML.slice(0, 60));
  measureContrasts();
}

/* What axe-core says against the page, where the test has put it there. */
async function audit() {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  seen.audited = found.passes.length;
  seen.violations = found.violations.map((v) =>
    `${v.impact} ${v.id}, ${v.nodes.length} times: ${v.nodes[0].html.slice(0, 80)}`);
}

addEventListener("load", async () => {
  try {
    if (document.getElementById("chart-transfer")) useTransfer();
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    measure();
    if (window.axe) await audit();
  } catch (error) {
    seen.errors.push(String(error));
  }
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
  if (parent !== window) parent.postMessage(out.textContent, "*");
});
