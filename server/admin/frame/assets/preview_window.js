// The window that a preview shows: as wide as the user chose, and scaled down to fit, as in a screenshot.

/** Width of a phone, and the smallest height of a window in which a form over the page has its usual size, in CSS pixels. */
const PHONE_WIDTH = 360;
const LEAST_HEIGHT = 640;
const TABLET_WIDTH = 820;
const DESKTOP_WIDTH = 1000;
/** Widths that the window has even if its place is narrower. */
const LEAST_WIDTHS = { tablet: TABLET_WIDTH, desktop: DESKTOP_WIDTH };

/**
 * Returns the size of the window in CSS pixels, and how much it is scaled.
 *
 * @param width `fit`, `phone`, `tablet` or `desktop`
 * @param isOverPage whether the form opens over the page, so that the window's height matters as well
 * @param stage size of the place for it, in CSS pixels
 */
export function windowOf(width, isOverPage, stage) {
  const least = {
    width: LEAST_WIDTHS[width] ?? (width === "phone" && isOverPage ? PHONE_WIDTH : 0),
    height: isOverPage ? LEAST_HEIGHT : 0,
  };
  const scale = Math.min(1, stage.width / (least.width || 1), stage.height / (least.height || 1));
  const most = { phone: PHONE_WIDTH, tablet: TABLET_WIDTH }[width] ?? Infinity;
  return { width: Math.min(most, stage.width / scale), height: stage.height / scale, scale };
}

/** Shows a preview's window in the chosen width. */
export function resize(stage, width) {
  const frame = stage.querySelector("iframe.preview:not([data-next])");
  const place = { width: stage.clientWidth, height: stage.clientHeight };
  const window = windowOf(width, frame.dataset.kind !== "form", place);
  stage.style.setProperty("--window-width", `${window.width}px`);
  stage.style.setProperty("--window-height", `${window.height}px`);
  stage.style.setProperty("--window-scale", String(window.scale));
}
