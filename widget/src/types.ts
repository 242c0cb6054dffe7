/** Types of the widget's public API and events. */
import type { Cart, FormSource, SubscribeCode, SubscribeResponse } from "../../shared/contract.ts";
import type { PopupBlocker } from "../../shared/popup_rules.ts";
import type { AttributeName } from "./form/attributes.ts";

/** Part of every event: identifies the form. Events never contain an email address. */
export interface FormDetail {
  /** Name of the form, as in the markup; null for the default form. */
  form: string | null;
  source: FormSource;
}

export type { PopupBlocker };

/** The `detail` of each event, by name without the `cfbe-` prefix. */
export interface CfbeEvents {
  ready: FormDetail;
  /** If canceled, the popup or other form does not open by itself on this page. */
  beforeshow: FormDetail;
  show: FormDetail;
  /** The popup, a slide-in or a bar was closed. */
  close: FormDetail & { reason: CloseReason };
  /** If canceled, nothing is sent. */
  beforesubmit: FormDetail;
  submit: FormDetail;
  success: FormDetail & { code: SubscribeCode };
  error: FormDetail & { code: SubscribeCode; fields: string[] };
}
export type CfbeEventName = keyof CfbeEvents;
export type CfbeEvent<Name extends CfbeEventName> = CustomEvent<CfbeEvents[Name]>;

/**
 * Why a popup, slide-in or bar was closed: `api` is `cfbe.close()`, `navigation` leads to another page, `replaced` means
 * that the visitor asked for another one.
 */
export type CloseReason = "button" | "escape" | "backdrop" | "api" | "navigation" | "replaced";

/** A signup without a cfbe form, for `cfbe.subscribe()`. */
export interface HeadlessSignup {
  form?: string;
  email: string;
  name?: string;
  interests?: string[];
  consent?: boolean;
  /** Values of the form's other fields, by name. Hidden fields that are not set here are read from the page. */
  fields?: Record<string, string | number | boolean | string[]>;
}

/** Attributes of `<cfbe-form>`, for `mount`. null removes an attribute. `preload` names parts to load at once. */
export type FormOptions = { [Name in AttributeName | "preload"]?: string | null };

/** A form added by `mount`. */
export interface MountedForm {
  update(options: FormOptions): void;
  destroy(): void;
}

/** `cfbe.cart`: the checkout API. Its promises never reject; on failure they resolve to undefined. */
export interface CfbeCart {
  /** Reports the cart; call it each time the cart changes. @returns whether the server has stored it */
  set(cart: Cart): Promise<boolean | undefined>;
  /**
   * Watches the checkout's email field, like `data-checkout` on the script tag.
   *
   * @returns a function that stops watching
   */
  watch(selector: string): Promise<(() => void) | undefined>;
  /** Reports the address that the visitor has entered; call it each time it changes. @returns whether the server has stored it */
  email(address: string): Promise<boolean | undefined>;
  /** Returns the checkout session, which the shop sends with the order. */
  session(): Promise<string | undefined>;
  /** Returns the cart to restore if the visitor came from the link in a cart reminder. */
  restored(): Promise<Cart | undefined>;
}

/** `window.cfbe`. */
export interface Cfbe {
  /** Adds a listener for an event of any form. @returns a function that removes it */
  on<Name extends CfbeEventName>(event: Name, fn: (event: CfbeEvent<Name>) => void): () => void;
  /** Starts the forms in a part of the page. Needed with `data-manual` and inside shadow roots. */
  scan(root?: ParentNode): void;
  /** Adds a form to an element. */
  mount(element: Element, options?: FormOptions): MountedForm;
  /** Signs up without a form. Takes at least 3 seconds and never rejects. */
  subscribe(signup: HeadlessSignup): Promise<SubscribeResponse>;
  readonly cart: CfbeCart;
  /**
   * Opens the popup, optionally with a named form, even if it would not open automatically. A form with a kind of its
   * own opens as that, such as a slide-in. Never opens one on cart, checkout, account and excluded pages, or one that is
   * paused, a draft or outside of its schedule.
   *
   * @returns whether it is open
   */
  open(form?: string): Promise<boolean>;
  /** Closes the popup and all other forms that have opened by themselves or by `open`. */
  close(): void;
  /**
   * Returns the reasons why the popup, or a named form, does not open by itself now. For a form that the page has, and
   * that does not open by itself, returns why it is not shown.
   */
  why(form?: string): PopupBlocker[];
  /**
   * With `data-storage="consent"`: sets whether the visitor consents to storing the popup's state. Banners that cfbe
   * knows need no call; a call after their choice replaces it.
   */
  consent(granted: boolean): void;
  /** Runs a function with this object. Before the script loads, `(window.cfbe ||= []).push(fn)` queues it. */
  push(fn: (cfbe: Cfbe) => void): void;
}

/** `window.cfbe` before the script loads. */
export type CfbeQueue = ((cfbe: Cfbe) => void)[];

type DomEvents = { [Name in CfbeEventName as `cfbe-${Name}`]: CfbeEvent<Name> };

declare global {
  interface Window {
    cfbe?: Cfbe | CfbeQueue;
  }
  interface HTMLElementTagNameMap {
    "cfbe-form": HTMLElement;
    "cfbe-popup": HTMLElement;
  }
  interface HTMLElementEventMap extends DomEvents {}
  interface DocumentEventMap extends DomEvents {}
}
