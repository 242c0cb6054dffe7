// Shows while the user types which colors of a design are hard to read.

/**
 * Replaces the notices of a form. The first one is brought into view.
 *
 * @param notices parsed page with the new ones
 * @returns what they say, if that has changed, for screen readers
 */
export function showContrast(form, notices) {
  const place = form.querySelector("[data-contrast]");
  if (!place) return "";
  const before = textOf(place);
  place.replaceChildren(...notices.body.childNodes);
  const now = textOf(place);
  const isAtColors = place.closest(".panel, .card")?.contains(document.activeElement);
  if (now && !before && isAtColors) place.scrollIntoView({ block: "nearest" });
  return now === before ? "" : now;
}

const textOf = (place) => [...place.querySelectorAll("p")].map((sentence) => sentence.textContent).join(" ");
