// Selects rows of a list: all on the page at once, with their number.

const rowsOf = (form) => [...form.querySelectorAll("input[name^='rows.']")];

/** Shows the checkbox that only works with JavaScript. On phones, the buttons wait until something is selected. */
export function preparePicking(root) {
  for (const label of root.querySelectorAll("[data-pick-all]")) {
    label.hidden = false;
    label.parentElement.toggleAttribute("data-nothing-picked", true);
  }
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
  const count = matching?.dataset.all ?? picked;
  form.querySelector("[data-picked]").textContent = count === 0 ? "" : `${count} selected`;
  all.closest(".bulk-bar").toggleAttribute("data-nothing-picked", count === 0);
});
