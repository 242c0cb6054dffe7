import type { VNode } from "preact";

/** A sentence of the program, in which text between backticks is code. */
export function WithCode({ text }: { text: string }): VNode {
  return <>{text.split("`").map((part, index) => index % 2 === 1 ? <code key={index}>{part}</code> : part)}
  </>;
}
