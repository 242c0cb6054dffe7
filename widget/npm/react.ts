"use client";
/** `import { CfbeForm } from "cfbe/react"`: a signup form as a React component. */
import { createElement, type HTMLAttributes, type ReactElement, useEffect, useRef } from "react";
import type { CfbeEvent, CfbeEventName, FormOptions } from "../src/types.ts";
import { loadCfbe } from "./load.ts";

const HANDLERS = {
  onReady: "ready",
  onBeforeSubmit: "beforesubmit",
  onSubmit: "submit",
  onSuccess: "success",
  onError: "error",
} as const satisfies Record<string, CfbeEventName>;

type HandlerName = keyof typeof HANDLERS;
const NAMES = Object.keys(HANDLERS) as HandlerName[];

/** Handlers of the form's events. */
export type CfbeFormHandlers = {
  [Name in HandlerName]?: (event: CfbeEvent<(typeof HANDLERS)[Name]>) => void;
};

export interface CfbeFormProps
  extends Omit<HTMLAttributes<HTMLElement>, HandlerName | keyof FormOptions>, CfbeFormHandlers, FormOptions {
  /** URL of the widget's script. Without it, use `loadCfbe` or a script tag. */
  src?: string;
}

/**
 * Renders `<cfbe-form>`, with its attributes as props of the same names and its events as `on…` props.
 *
 * The server renders the element with its children, which are visible until the form replaces them. In the browser
 * the widget renders into a shadow root, which React does not touch. All other props are passed to the element.
 *
 * ```tsx
 * <CfbeForm src="https://news.example/cfbe.js" form="footer" onSuccess={({ detail }) => track(detail.code)}>
 *   <a href="https://news.example/form/footer">Subscribe</a>
 * </CfbeForm>
 * ```
 */
export function CfbeForm({ src, ...props }: CfbeFormProps): ReactElement {
  const element = useRef<HTMLElement>(null);
  const latest = useRef<CfbeFormHandlers>({});
  const attributes: Record<string, unknown> = { ...props };
  for (const name of NAMES) delete attributes[name];

  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const controller = new AbortController();
    for (const name of NAMES) {
      // Looks up the handler when the event occurs, because it can change with every render.
      const listener = (event: Event) =>
        (latest.current[name] as ((event: Event) => void) | undefined)?.(event);
      element.current?.addEventListener(`cfbe-${HANDLERS[name]}`, listener, { signal: controller.signal });
    }
    return () => controller.abort();
  }, []);
  useEffect(() => {
    // If the script fails to load, the children stay visible.
    if (src) loadCfbe(src).catch(console.warn);
  }, [src]);

  return createElement("cfbe-form", { ...attributes, ref: element });
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "cfbe-form":
        & React.DetailedHTMLProps<Omit<HTMLAttributes<HTMLElement>, keyof FormOptions>, HTMLElement>
        & FormOptions;
    }
  }
}
