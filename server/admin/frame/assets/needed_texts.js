// Says that a text is missing as soon as a choice needs one, and offers one to begin with. What is typed is never changed.

/** Shows what is missing in a part of the page. */
export function showMissing(root) {
  for (const text of root.querySelectorAll("[data-needed-with]")) show(text);
}

function show(text) {
  const { neededWith: name, neededUnless } = text.dataset;
  const choice = text.form.querySelector(`select:is([name="${name}"], [data-name="${name}"])`);
  const isMissing = choice !== null && choice.value !== neededUnless && text.value.trim() === "";
  const offer = text.nextElementSibling;
  if (!offer || offer.hidden === !isMissing) return;
  offer.hidden = !isMissing;
  if (isMissing) text.ariaInvalid = "true";
  else text.removeAttribute("aria-invalid");
  const error = offer.querySelector(".error");
  // The server may have said so.
  error.hidden = document.getElementById(`${text.id}-error`) !== null;
  const others = (text.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== error.id);
  text.setAttribute("aria-describedby", [...others, ...isMissing ? [error.id] : []].join(" ").trim());
}

addEventListener("input", ({ target }) => {
  if (target.form) showMissing(target.form);
});

addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-use-text]");
  if (!button) return;
  const text = button.parentElement.previousElementSibling;
  text.value = button.dataset.useText;
  text.dispatchEvent(new Event("input", { bubbles: true }));
  text.focus();
  text.select();
});
