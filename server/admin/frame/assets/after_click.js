// Waits for the click that may be under way: what replaces its target between press and release would lose it.

let click = Promise.resolve();
let release = () => {};

/** Resolves when the pointer that is down has been released and has clicked; at once if none is. */
export const afterClick = () => click;

addEventListener("pointerdown", ({ button }) => {
  if (button !== 0) return;
  release();
  click = new Promise((resolve) => release = resolve);
}, { capture: true });

// The click follows at once. A drag, a menu or another window may swallow the release.
for (const type of ["pointerup", "pointercancel", "contextmenu", "blur"]) {
  addEventListener(type, () => setTimeout(release));
}
