/** What Chromium tells screen readers about a page. */
import type { Page } from "playwright-core";

/** A node of the accessibility tree, without what its kind does not have. */
export interface AccessNode {
  role: string;
  name: string;
  description?: string;
  /** Whether its value is wrong, as `aria-invalid` or the browser's own validation says. */
  invalid?: boolean;
  required?: boolean;
  focused?: boolean;
}

const STATES = ["invalid", "required", "focused"] as const;

/** Returns the nodes that screen readers see, in the order of the page, also those in shadow roots. */
export async function accessTree(page: Page): Promise<AccessNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const seen = (id: string): AccessNode[] => {
    const { ignored, role, name, description, properties = [], childIds = [] } = byId.get(id)!;
    const below = childIds.filter((child) => byId.has(child)).flatMap(seen);
    if (ignored) return below;
    const node: AccessNode = { role: role?.value ?? "", name: name?.value ?? "" };
    if (description?.value) node.description = description.value;
    for (const { name, value } of properties) {
      const state = STATES.find((each) => each === name);
      if (state) node[state] = String(value.value) === "true";
    }
    return [node, ...below];
  };
  return seen(nodes[0]!.nodeId);
}

/** Returns the node that has the focus; undefined while it is the page. */
export async function focusedNode(page: Page): Promise<AccessNode | undefined> {
  return (await accessTree(page)).find(({ role, focused }) => focused && role !== "RootWebArea");
}
