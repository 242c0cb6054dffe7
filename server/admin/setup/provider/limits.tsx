import type { VNode } from "preact";

/** What cfbe cannot do with a provider. */
export function Limits({ limits }: { limits: readonly string[] }): VNode {
  return <ul>{limits.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>;
}
