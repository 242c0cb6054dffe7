// The window that a preview shows: as wide as the user chose, and scaled down to fit, as in a screenshot.

const PHONE_WIDTH = 360;
const TABLET_WIDTH = 820;
const DESKTOP_WIDTH = 1000;
/** Widths that the window has even if its place is narrower. */
const LEAST_WIDTHS = { tablet: TABLET_WIDTH, desktop: DESKTOP_WIDTH };
/** Width up to which a popup is a sheet, which is at most this share of the window's height. */
const SHEET_WIDTH = 600;
const SHEET_SHARE = 0.85;
/**
 * Heights of the window around a form over the page: of a phone, and where its own height is unknown; the least one for a
 * popup and for a sheet; and the most.
 */
const HEIGHTS = { usual: 640, popup: 500, sheet: 400, most: 900 };

/** Returns the least height of the window around a form over the page, so that it has its usual size, and all of it is seen. */
function heightAround(width, height, stage) {
  const { usual, popup, sheet, most } = HEIGHTS;
  if (!height) return usual;
  const least = width === "phone" ? usual : stage.width <= SHEET_WIDTH && width === "fit" ? sheet : popup;
  return Math.min(most, Math.max(least, height / SHEET_SHARE));
}

/**
 * Returns the size of the window in CSS pixels, and how much it is scaled.
 *
 * @param width `fit`, `phone`, `tablet` or `desktop`
 * @param isOverPage whether the form opens over the page, so that the window's height matters as well
 * @param stage size of the place for it, in CSS pixels
 * @param height of the popup, in CSS pixels; 0 if the form is none, or not drawn yet
 */
export function windowOf(width, isOverPage, stage, height = 0) {
  const least = {
    width: LEAST_WIDTHS[width] ?? (width === "phone" && isOverPage ? PHONE_WIDTH : 0),
    height: isOverPage ? heightAround(width, height, stage) : 0,
  };
  const scale = Math.min(1, stage.width / (least.width || 1), stage.height / (least.height || 1));
  const most = { phone: PHONE_WIDTH, tablet: TABLET_WIDTH }[width] ?? Infinity;
  return { width: Math.min(most, stage.width / scale), height: stage.height / scale, scale };
}

/** Shows a preview's window in the chosen width. */
export function resize(stage, width) {
  const frame = stage.querySelector("iframe.preview:not([data-next])");
  const place = { width: stage.clientWidth, height: stage.clientHeight };
  const window = windowOf(width, frame.dataset.kind !== "form", place, frame.popupHeight);
  stage.style.setProperty("--window-width", `${window.width}px`);
  stage.style.setProperty("--window-height", `${window.height}px`);
  stage.style.setProperty("--window-scale", String(window.scale));
}
