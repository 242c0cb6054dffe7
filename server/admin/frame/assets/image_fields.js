// Says what happens to an image that was chosen.

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
