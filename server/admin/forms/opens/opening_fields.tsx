import type { VNode } from "preact";
import { NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";

/** Fields of the popup and of every other form that opens by itself. */

const SELECTOR_INPUT = {
  spellcheck: false,
  autocomplete: "off",
  autocapitalize: "none",
  maxLength: 500,
} as const;

/** Where a slide-in is on the page. */
export function CornerField({ at }: { at: string }): VNode {
  return (
    <SelectField
      path={`${at}.corner`}
      label="Corner of the slide-in"
      optional
      options={[{ value: "", label: "Bottom right" }, { value: "start", label: "Bottom left" }]}
      help="Choose the left if your page has a chat button on the right. In languages that are written from right to left, the sides are swapped. On phones, the slide-in is as wide as the screen."
    />
  );
}

/** What opens a form: whichever happens first. */
export function TriggerFields({ path }: { path: string }): VNode {
  return (
    <>
      <NumberField
        path={`${path}.delaySeconds`}
        label="After"
        unit="seconds on the page (0 = off)"
        min={0}
        max={3600}
      />
      <NumberField
        path={`${path}.scrollPercent`}
        label="After scrolling"
        unit="percent (0 = off)"
        min={0}
        max={100}
      />
      <SwitchField
        path={`${path}.exitIntent`}
        label="On exit intent"
        help="When the pointer leaves through the top of the page. Not available on phones."
      />
      <NumberField
        path={`${path}.inactiveSeconds`}
        label="After inactivity"
        unit="seconds without input (0 = off)"
        help="Without a key press, a tap, scrolling or a movement of the pointer, while the page is visible."
        min={0}
        max={3600}
      />
      <TextField
        path={`${path}.seenSelector`}
        label="When an element is seen"
        {...SELECTOR_INPUT}
        placeholder="#reviews"
        help="A CSS selector. Opens as soon as a matching element of your page is in the window. Elements in open shadow roots count, those in frames do not."
      />
      <TextField
        path={`${path}.clickSelector`}
        label="On a click"
        {...SELECTOR_INPUT}
        placeholder=".newsletter-link"
        help="A CSS selector. Opens when a visitor clicks a matching element of your page; a link then opens the form instead of its page. As the visitor asks for it, it opens for everyone and as often as they click, but never on excluded paths."
      />
    </>
  );
}
