/** Announces a change to screen readers, in a region that is never replaced. */
export function announce(text) {
  const announcement = document.createElement("p");
  announcement.textContent = text;
  document.querySelector("[data-announcer]")?.replaceChildren(announcement);
}
