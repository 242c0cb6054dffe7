/** What JSX is compiled to. Preact's own runtime repeats half of `h`, for tools that this build doesn't have. */
import { type ComponentType, h, type VNode } from "preact";

/** Makes a node of the tree. Children are a member of `props`. */
export function jsx(type: ComponentType | string, props: object, key?: string): VNode {
  return h(type as string, key === undefined ? props : { ...props, key });
}

export { Fragment } from "preact";
export { jsx as jsxs };
