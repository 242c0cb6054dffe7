/**
 * Members that only the widget's own code reads, under the same name in all of its parts. The build shortens them, so that
 * they can have good names here. Pages, the browser and the server know none of them, and no string in the code names one.
 */
export const PRIVATE_MEMBERS = [
  "closeButton",
  "fetchJson",
  "hasOptions",
  "loadFields",
  "locales",
  "monotonic",
  "onConsent",
  "otherOpen",
  "pageSetsScheme",
  "pagesSeen",
  "pointerLeft",
  "prefetch",
  "renew",
  "scrolledPercent",
  "sleep",
  "suggestion",
  "unknown",
  "updateSteps",
  "visibleMs",
  "wall",
  "webMail",
];
