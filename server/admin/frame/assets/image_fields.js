// Says what happens to an image that was chosen, and whether it still has to be described. In the editor, saves it.

import { describe } from "./field_label.js";

const altOf = (note) => note.closest("form").elements.alt;

/** Shows in a part of the page whether images have to be described. */
export function showUndescribed(root) {
  for (const note of root.querySelectorAll("[data-undescribed]")) {
    const alt = altOf(note);
    const isDecorative = alt.form.querySelector("[name='b:decorative'][type=checkbox]").checked;
    note.hidden = isDecorative || alt.value.trim() !== "";
    describe(alt, note, !note.hidden);
  }
}

addEventListener("input", ({ target }) => {
  if (target.form) showUndescribed(target.form);
});

// A file that is too large is not sent: the server would not read it to its end.
addEventListener("change", ({ target }) => {
  const { most, tooLarge } = target.dataset;
  if (!most) return;
  const isTooLarge = target.files[0]?.size > Number(most);
  if (isTooLarge === !target.validity.customError) {
    import("./field_errors.js").then(({ showErrors }) =>
      showErrors(target.form, isTooLarge ? { [target.name]: tooLarge } : {})
    );
  }
  target.setCustomValidity(isTooLarge ? tooLarge : "");
}, { capture: true });

/** Says that an image is sent. The response replaces the page; without one, offers to send it again. */
addEventListener("submit", ({ target: form }) => {
  const status = form.querySelector("[data-upload]");
  const [file] = status ? form.querySelector("[type=file]").files : [];
  if (!file) return;
  status.textContent = `Uploading ${file.name}…`;
  const observer = new MutationObserver(() => {
    if (form.getAttribute("aria-busy") === "true") return;
    observer.disconnect();
    const again = Object.assign(document.createElement("button"), {
      type: "submit",
      textContent: "Try again",
    });
    status.replaceChildren(`${file.name} was not uploaded. `, again);
  });
  observer.observe(form, { attributeFilter: ["aria-busy"] });
});

/** In the editor, saves an image as soon as it is chosen, so that the form shows it, and whenever its description or place changes. */
addEventListener("change", ({ target }) => {
  const { form } = target;
  const file = document.querySelector("[data-editor]") && form?.querySelector("[type=file][name=file]");
  if (!file) return;
  const has = new URLSearchParams(document.querySelector("[data-image]")?.dataset.image).has("id");
  if (!has && file.files.length === 0) return;
  // What is typed while the image is sent is kept.
  if (target === file && !form.querySelector("[type=checkbox]").checked) form.elements.alt.focus();
  form.requestSubmit();
});

// This script is loaded after the page, and a file may have been chosen meanwhile.
for (const input of document.querySelectorAll("[type=file][name=file]")) {
  if (input.files[0]) input.dispatchEvent(new Event("change", { bubbles: true }));
}
