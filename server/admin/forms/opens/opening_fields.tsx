import type { ComponentChildren, VNode } from "preact";
import { NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { MemberInput } from "../fields/member_input.tsx";

/** Fields of the popup and of every other form that opens by itself. `at` is the path of the rules, such as `fields`. */

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

/** How wide a popup is. */
export function WidthField({ at }: { at: string }): VNode {
  return (
    <SelectField
      path={`${at}.width`}
      label="Width of the popup"
      optional
      options={[{ value: "", label: "Standard" }, { value: "wide", label: "Wide" }]}
      help="A wide popup has room for longer texts and more fields. With an image on the left, every popup is wide. On phones, the popup is as wide as the screen."
    />
  );
}

export function TriggerFields({ at }: { at: string }): VNode {
  return (
    <>
      <NumberField
        path={`${at}.triggers.delaySeconds`}
        label="After"
        unit="seconds on the page (0 = off)"
        min={0}
        max={3600}
      />
      <NumberField
        path={`${at}.triggers.scrollPercent`}
        label="After scrolling"
        unit="percent (0 = off)"
        min={0}
        max={100}
      />
      <SwitchField
        path={`${at}.triggers.exitIntent`}
        label="On exit intent"
        help="When the pointer leaves through the top of the page. Not available on phones."
      />
      <NumberField
        path={`${at}.triggers.inactiveSeconds`}
        label="After inactivity"
        unit="seconds without input (0 = off)"
        help="Without a key press, a tap, scrolling or a movement of the pointer, while the page is visible."
        min={0}
        max={3600}
      />
      <TextField
        path={`${at}.triggers.seenSelector`}
        label="When an element is seen"
        {...SELECTOR_INPUT}
        placeholder="#reviews"
        help="A CSS selector. Opens as soon as a matching element of your page is in the window. Elements in open shadow roots count, those in frames do not."
      />
      <TextField
        path={`${at}.triggers.clickSelector`}
        label="On a click"
        {...SELECTOR_INPUT}
        placeholder=".newsletter-link"
        help="A CSS selector. Opens when a visitor clicks a matching element of your page; a link then opens the form instead of its page. As the visitor asks for it, it opens for everyone and as often as they click, but never on excluded paths."
      />
    </>
  );
}

/** @param it what waits for the cookie banner, such as `The popup` */
export function ExclusionFields(
  { at, it, children }: { at: string; it: string; children?: ComponentChildren },
): VNode {
  return (
    <>
      <MemberInput name="hideDays" path={`${at}.hideDays`} />
      {children}
      <MemberInput name="excludePaths" path={`${at}.excludePaths`} />
      <TextField
        path={`${at}.cookieBarSelector`}
        label="Cookie banner selector"
        {...SELECTOR_INPUT}
        placeholder="#cookie-bar"
        help={`A CSS selector. ${it} waits while a matching element is visible.`}
      />
    </>
  );
}
