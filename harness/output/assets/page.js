/* What the page adds where scripts run: what a mark says when pointed at or focused, series hidden by their legend. */
"use strict";
(() => {
  const reach = 28; // pixels from a mark at which it answers
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  let shown = null;

  const centre = (mark) => {
    const box = mark.lastElementChild.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const visible = (mark) => !mark.parentNode.closest(".hidden");

  function hide() {
    if (shown) shown.classList.remove("near");
    shown = null;
    tip.hidden = true;
  }

  function show(mark) {
    if (mark === shown) return;
    hide();
    shown = mark;
    mark.classList.add("near");
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const [x, y] = centre(mark);
    const left = Math.min(Math.max(8, x - tip.offsetWidth / 2), document.documentElement.clientWidth - tip.offsetWidth - 8);
    const above = y - tip.offsetHeight - 14;
    tip.style.left = left + "px";
    tip.style.top = (above > 4 ? above : y + 16) + "px";
  }

  function nearest(marks, x, y) {
    let best = null, least = reach;
    for (const mark of marks) {
      if (!visible(mark)) continue;
      const [mx, my] = centre(mark), distance = Math.hypot(mx - x, my - y);
      if (distance < least) { least = distance; best = mark; }
    }
    return best;
  }

  /* One mark of a picture is in the order of the keyboard; arrows lead to the others. */
  function onKey(event, marks) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") hide();
    if (!(event.key in steps)) return;
    event.preventDefault();
    const some = marks.filter(visible), at = some.indexOf(document.activeElement);
    const next = some[(at + steps[event.key] + some.length) % some.length];
    for (const mark of marks) mark.tabIndex = mark === next ? 0 : -1;
    if (next) next.focus();
  }

  function setUpPicture(svg) {
    const marks = [...svg.querySelectorAll(".mark")];
    marks.forEach((mark, i) => {
      const title = mark.querySelector("title");
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", title.textContent);
      mark.tabIndex = i ? -1 : 0;
      title.remove(); // else the browser shows it, too
      mark.addEventListener("focus", () => show(mark));
      mark.addEventListener("blur", hide);
    });
    const point = (event) => {
      const mark = nearest(marks, event.clientX, event.clientY);
      if (mark) show(mark); else hide();
    };
    svg.addEventListener("pointermove", point);
    svg.addEventListener("pointerdown", point);
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("keydown", (event) => onKey(event, marks));
  }

  function setUpLegend(figure) {
    for (const item of figure.querySelectorAll(".legend li")) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(...item.childNodes);
      item.append(button);
      const groups = [...figure.querySelectorAll(`[data-series="${item.dataset.of}"]`)];
      const pick = (on) => { // the others step back while a name is pointed at
        figure.classList.toggle("picking", on);
        for (const group of groups) group.classList.toggle("picked", on);
      };
      for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => pick(true));
      for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => pick(false));
      button.addEventListener("click", () => {
        const off = button.getAttribute("aria-pressed") === "true";
        button.setAttribute("aria-pressed", String(!off));
        for (const group of groups) group.classList.toggle("hidden", off);
        hide();
      });
    }
  }

  for (const svg of document.querySelectorAll("figure .picture svg")) setUpPicture(svg);
  for (const figure of document.querySelectorAll("figure")) setUpLegend(figure);
  addEventListener("scroll", hide, { passive: true });
})();
