// What the user has chosen to see in the preview of a form, and what is kept for the page that a link leads to.

const keyOf = (name) => `cfbe-next:${name}`;

/** Keeps a value for the next page. */
export const keepForNext = (name, value) => sessionStorage.setItem(keyOf(name), JSON.stringify(value));

/** Returns what the page before has kept, once. */
export function takeKept(name) {
  const kept = sessionStorage.getItem(keyOf(name));
  sessionStorage.removeItem(keyOf(name));
  return JSON.parse(kept) ?? undefined;
}

/** By control. Kept when saving replaces the page, and when another language is chosen. */
export const chosen = {
  width: "fit",
  scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  state: "empty",
  /** The element that was selected when the user chose the state: it does not bring its step back. */
  stateOf: undefined,
  ...takeKept("preview"),
};

/** The state that the user chose, while another one is shown in its place. */
let before;

/** The state that is shown for what is edited. The user may have chosen another one since. */
let wanted;

/**
 * Shows a state for as long as what only it has is edited; without one, the state that the user chose.
 *
 * @returns whether that is another one than before
 */
export function showInstead(state) {
  if (chosen.stateOf !== selected()) delete chosen.stateOf;
  if (state === wanted) return false;
  wanted = state;
  const shown = chosen.state;
  if (state === undefined) {
    chosen.state = before ?? shown;
    before = undefined;
  } else if (state !== shown) {
    before ??= shown;
    chosen.state = state;
  }
  return chosen.state !== shown;
}

/** Returns which element of the form is selected, as the preview names it. */
function selected() {
  const { select, field = "" } = document.querySelector(".elements [aria-current]")?.dataset ?? {};
  return select && `${select} ${field}`;
}

/** Shows in the control which step the form is in, unless another state shows. */
export function followStep(root, isSecond) {
  if (!["empty", "second"].includes(chosen.state)) return;
  chosen.state = isSecond ? "second" : "empty";
  showChosen(root);
}

/** The states in which visitors see a text of the form, by its name. */
const STATE_OF_TEXT = { sending: "busy", error: "error", alreadySubscribed: "already" };

const FOCUSED = ".panel[data-shown] :is(input, textarea):focus";

/**
 * Returns the state that alone shows what a panel of the editor is about, or its field with the focus; undefined if
 * there is none.
 */
export function stateFor(panel) {
  const { name, dataset } = document.querySelector(FOCUSED) ?? { dataset: {} };
  const [, text] = /texts\.(\w+)$/.exec(name || dataset.name) ?? [];
  const state = text?.startsWith("invalid") ? "errors" : STATE_OF_TEXT[text];
  if (state && document.querySelector(`[name=preview-state][value=${state}]`)) return state;
  return panel === "after-signup" ? "success" : undefined;
}

const controlOf = (name) => name.replace("preview-", "");

/** Keeps what the user has chosen in a control. @returns which one, such as `width` */
export function keepChoice({ name, value }) {
  const control = controlOf(name);
  chosen[control] = value;
  if (control === "state") {
    before = undefined;
    chosen.stateOf = selected();
  }
  return control;
}

/** Shows in the controls of a new preview what the user chose in the one before, if the form can be in that state. */
export function showChosen(root) {
  const state = root.querySelector(`[name=preview-state][value=${chosen.state}]`);
  if (state?.parentElement.hidden) chosen.state = "empty";
  for (const control of root.querySelectorAll("[name^=preview-]")) {
    control.checked = control.value === chosen[controlOf(control.name)];
  }
}

addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-languages] a")) {
    keepForNext("preview", { ...chosen, state: before ?? chosen.state });
  }
});
