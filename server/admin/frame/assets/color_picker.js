// Adds the browser's color picker to each color of a design, in place of its sample.

/** Adds the color pickers of a part of the page. */
export function addColorPickers(root) {
  for (const field of root.querySelectorAll("[data-color]")) {
    const input = field.querySelector("input");
    const picker = document.createElement("input");
    picker.type = "color";
    picker.ariaLabel = `Pick: ${field.querySelector("label").textContent}`;
    picker.value = sixDigits(input.value) || input.placeholder;
    picker.disabled = input.matches(":disabled");
    picker.addEventListener("input", () => {
      input.value = picker.value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const show = () => picker.value = sixDigits(input.value) || input.placeholder;
    input.addEventListener("input", show);
    // Undo brings back all fields at once.
    input.form?.elements.draftVersion?.addEventListener("input", show);
    field.querySelector(".swatch").replaceWith(picker);
  }
}

/** Returns a color as the picker takes it: with `#` and six digits. The server accepts both without. */
function sixDigits(text) {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim()) ?? [];
  return digits && `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** Shows in each field of a color that is empty which color takes its place. @param colors by the end of the fields' names */
export function showColors(form, colors) {
  for (const input of form.querySelectorAll("[data-color] input:not([type=color])")) {
    const color = colors[input.name.split(".").pop()];
    if (!color) continue;
    input.placeholder = color;
    const picker = input.closest("[data-color]").querySelector("[type=color]");
    if (picker && !input.value) picker.value = color;
  }
}
