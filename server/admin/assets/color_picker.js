// Adds the browser's color picker to each color of a design, in place of its sample.

/** Adds the color pickers of a part of the page. */
export function addColorPickers(root) {
  for (const field of root.querySelectorAll("[data-color]")) {
    const input = field.querySelector("input");
    const picker = document.createElement("input");
    picker.type = "color";
    picker.ariaLabel = `Pick: ${field.querySelector("label").textContent}`;
    picker.value = input.value || input.placeholder;
    picker.disabled = input.matches(":disabled");
    picker.addEventListener("input", () => {
      input.value = picker.value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    input.addEventListener("input", () => picker.value = input.value || input.placeholder);
    field.querySelector(".swatch").replaceWith(picker);
  }
}
