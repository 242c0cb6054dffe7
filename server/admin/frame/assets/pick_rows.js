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
  const matching = form.querySelector("[data-all]");
  if (target === all || target === matching) {
    for (const row of rowsOf(form)) row.checked = target.checked;
  }
  // All that match are no longer all once one of them is left out.
  if (matching && !target.checked) matching.checked = false;
  const rows = rowsOf(form);
  const picked = rows.filter(({ checked }) => checked).length;
  all.checked = picked === rows.length;
  all.indeterminate = picked > 0 && picked < rows.length;
  const count = matching?.checked ? matching.dataset.all : picked;
  form.querySelector("[data-picked]").textContent = count === 0 ? "" : `${count} selected`;
  all.closest(".bulk-bar").toggleAttribute("data-nothing-picked", count === 0);
});
