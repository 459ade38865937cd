"use strict";
// Cells tell who touches them when they are pointed at or focused; arrow keys go from cell to cell.
for (const figure of document.querySelectorAll("figure[data-cells]")) {
  const told = figure.parentElement.parentElement.querySelector(".told");
  const cells = [...figure.querySelectorAll("td[aria-label]")];
  const tell = (cell) => { if (told) told.textContent = cell.getAttribute("aria-label"); };
  for (const [at, cell] of cells.entries()) {
    cell.tabIndex = at === Math.max(0, cells.findIndex((one) => one.classList.contains("met"))) ? 0 : -1;
    cell.addEventListener("mouseenter", () => tell(cell));
    cell.addEventListener("focus", () => tell(cell));
    cell.addEventListener("click", () => cell.focus());
  }
  const row = Number(figure.dataset.row);
  figure.addEventListener("keydown", (event) => {
    const at = cells.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -at, End: cells.length - 1 - at }[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    const next = cells[Math.min(cells.length - 1, Math.max(0, at + step))];
    cells[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    tell(next);
  });
}
