// Selects rows of a list: all on the page at once, with their number.

const rowsOf = (form) => [...form.querySelectorAll("input[name^='rows.']")];

/** Shows the checkbox that only works with JavaScript. */
export function preparePicking(root) {
  for (const label of root.querySelectorAll("[data-pick-all]")) label.hidden = false;
}

addEventListener("change", ({ target }) => {
  const form = target.closest?.("form:has([data-pick-all])");
  if (!form) return;
  const all = form.querySelector("[data-pick-all] input");
  if (target === all) { for (const row of rowsOf(form)) row.checked = all.checked; }
  const rows = rowsOf(form);
  const picked = rows.filter(({ checked }) => checked).length;
  all.checked = picked === rows.length;
  all.indeterminate = picked > 0 && picked < rows.length;
  const matching = form.querySelector("[data-all]:checked");
  form.querySelector("[data-picked]").textContent = matching
    ? `${matching.dataset.all} selected`
    : picked > 0
    ? `${picked} selected`
    : "";
});
