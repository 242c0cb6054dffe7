/** Types of all that a page may say to the widget, and hear from it. */
import type { Answer, AnswerCode, Cart, FieldName, FormSource } from "../../shared/contract.ts";
import type { PopupBlocker } from "../../shared/popup_rules.ts";
import type { AttributeName } from "./form/attributes.ts";

/** In every event: which form it is about. Never an address. */
export interface FormDetail {
  /** The name that the page gave the form; null for the default one. */
  form: string | null;
  source: FormSource;
}

export type { PopupBlocker };

/** By name without `cfbe-`: what `detail` of each event holds. */
export interface CfbeEvents {
  ready: FormDetail;
  /** Can be cancelled: then the popup does not show itself on this page. */
  beforeshow: FormDetail;
  show: FormDetail;
  /** Of the popup, and of a promo strip. */
  close: FormDetail & { reason: CloseReason };
  /** Can be cancelled: then nothing is sent. */
  beforesubmit: FormDetail;
  submit: FormDetail;
  success: FormDetail & { code: AnswerCode };
  error: FormDetail & { code: AnswerCode; fields: FieldName[] };
}
export type CfbeEventName = keyof CfbeEvents;
export type CfbeEvent<Name extends CfbeEventName> = CustomEvent<CfbeEvents[Name]>;

/** How a popup or a strip came to be closed; `api` is `cfbe.close()`, `navigation` another page. */
export type CloseReason = "button" | "escape" | "backdrop" | "api" | "navigation";

/** A signup without any form of ours: `cfbe.subscribe()`. */
export interface HeadlessSignup {
  form?: string;
  email: string;
  name?: string;
  interests?: string[];
  consent?: boolean;
}

/** Attributes of `<cfbe-form>`, as `mount` takes them; null removes one. */
export type FormOptions = { [Name in AttributeName]?: string | null };

/** A form that a script put into the page. */
export interface MountedForm {
  update(options: FormOptions): void;
  destroy(): void;
}

/** `cfbe.cart`: the checkout. Nothing here rejects; undefined is what could not be done. */
export interface CfbeCart {
  /** Tells what lies in the cart, each time it changes. @returns whether the server has stored it */
  set(cart: Cart): Promise<boolean | undefined>;
  /** Reads the checkout's e-mail field, as `data-checkout` on the script tag does. @returns stops it */
  watch(selector: string): Promise<(() => void) | undefined>;
  /** The checkout session, for the shop to send with the order. */
  session(): Promise<string | undefined>;
  /** The cart that a mail's link brought the visitor back for, if it did. */
  restored(): Promise<Cart | undefined>;
}

/** `window.cfbe`. */
export interface Cfbe {
  /** Hears an event of any form. @returns stops it */
  on<Name extends CfbeEventName>(event: Name, fn: (event: CfbeEvent<Name>) => void): () => void;
  /** Finds the forms in a part of the page: needed with `data-manual`, and inside shadow roots. */
  scan(root?: ParentNode): void;
  /** Puts a form into an element. */
  mount(element: Element, options?: FormOptions): MountedForm;
  /** Signs up without a form. Takes 3 s or more, and never rejects. */
  subscribe(signup: HeadlessSignup): Promise<Answer>;
  readonly cart: CfbeCart;
  /**
   * Shows the popup, or a named form in it, whatever its rules say; but never on cart, checkout and account pages.
   *
   * @returns whether it can be seen now
   */
  open(form?: string): Promise<boolean>;
  close(): void;
  /** Everything that holds the popup back right now; nothing is left when it may show itself. */
  why(): PopupBlocker[];
  /** With `data-storage="consent"`: whether the visitor lets the popup be remembered beyond this page. */
  consent(granted: boolean): void;
  /** Runs a function with this object; before loading, `(window.cfbe ||= []).push(fn)` keeps it for later. */
  push(fn: (cfbe: Cfbe) => void): void;
}

/** What a page has before the script is there. */
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
