// Says what happens to an image that was chosen, and whether it still has to be described.

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
