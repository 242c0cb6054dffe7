// Lets people type over what a form inherits. A field that was not typed into has no name, so that it is not sent.

const groupOf = (field) => field.closest?.("[data-inherited]");
const valueOf = (group) => group.closest("[data-own-value]");
/** The hidden field that says that there is no value of its own. */
const markOf = (group) => group.parentElement.querySelector(":scope > input[type=hidden]");
const fieldsOf = (group) => [...group.elements].filter((field) => field.matches("input, select, textarea"));

/** Makes the inherited values in a part of the page ready to be typed over. */
export function prepareInherited(root) {
  for (const group of root.querySelectorAll("[data-inherited]")) {
    const button = valueOf(group).querySelector(":scope > .own-or-default [name=_own]");
    if (!button) continue;
    button.hidden = true;
    group.disabled = false;
    unname(group);
  }
}

function unname(group) {
  for (const field of fieldsOf(group)) {
    field.dataset.name = field.name;
    field.removeAttribute("name");
  }
}

/** Makes the value of a group the form's own, or inherited again. */
export function setOwn(group, isOwn) {
  if (isOwn === (group.dataset.inherited === "own")) return;
  group.dataset.inherited = isOwn ? "own" : "";
  markOf(group).disabled = isOwn;
  if (isOwn) { for (const field of fieldsOf(group)) field.name ||= field.dataset.name; }
  else unname(group);
  const value = valueOf(group);
  value.querySelector(":scope > .own-or-default [data-is-default]").hidden = isOwn;
  value.querySelector(":scope > .own-or-default [name=_inherit]").hidden = !isOwn;
}

/** Shows what a group inherits, as the page had it. */
function reset(group) {
  for (const field of fieldsOf(group)) {
    if (field.type === "checkbox" || field.type === "radio") field.checked = field.defaultChecked;
    else if (field.options) { for (const option of field.options) option.selected = option.defaultSelected; }
    else field.value = field.defaultValue;
  }
  setOwn(group, false);
}

addEventListener("input", ({ target }) => {
  const group = groupOf(target);
  if (group) setOwn(group, true);
}, { capture: true });

/** Shows what the empty texts of a form inherit, as another copy of its page has it. */
export function showInherited(form, other) {
  for (const field of form.querySelectorAll("[placeholder]")) {
    const name = CSS.escape(field.name || field.dataset.name);
    const same = other.querySelector(`[placeholder][name="${name}"]`);
    if (same) field.placeholder = same.placeholder;
  }
}

/** Empties a text that is inherited while it is empty. */
addEventListener("click", ({ target }) => {
  const text = target.closest?.("[data-inherit]")?.closest("[data-or-inherited]");
  if (!text) return;
  const field = text.querySelector("input:not([type=hidden]), textarea");
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

addEventListener("click", (event) => {
  const button = event.target.closest?.("button[type=submit]");
  if (!button) return;
  const group = groupOf(button);
  // A list that gets another row becomes the form's own.
  if (group) return setOwn(group, true);
  if (button.name !== "_inherit") return;
  const typedOver = button.closest("[data-own-value]")?.querySelector(":scope > [data-inherited=own]");
  if (!typedOver || typedOver.querySelector("[data-row]")) return;
  event.preventDefault();
  reset(typedOver);
  const [first] = fieldsOf(typedOver).filter(({ type }) => type !== "hidden");
  first?.focus();
  markOf(typedOver).dispatchEvent(new Event("input", { bubbles: true }));
}, { capture: true });
