import type { VNode } from "preact";
import { parseConsent } from "../../../shared/consent_text.ts";

/** A consent text with its links, as visitors see it. */
export function ConsentText({ text }: { text: string }): VNode {
  return (
    <>
      {parseConsent(text).map(({ text, href }, index) =>
        href === undefined ? text : <a key={index} href={href} rel="noreferrer">{text}</a>
      )}
    </>
  );
}
