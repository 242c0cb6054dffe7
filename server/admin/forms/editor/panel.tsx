import type { ComponentChildren, VNode } from "preact";
import { Card } from "../../parts/card.tsx";
import type { Step } from "../form_steps.ts";

/** The panel that is open at first. */
const FIRST_PANEL = "heading";

/** A part of what the editor shows of a form. */
export function PanelCard({ id, step, title, lead, children }: {
  id: string;
  step: Step;
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="panel" data-panel={id} data-of-step={step} data-shown={id === FIRST_PANEL ? "" : undefined}>
      <Card id={id} title={title} lead={lead}>{children}</Card>
    </div>
  );
}

/** A panel whose element a page can't change, with a link to where it can be. */
export function SameInAll(
  { id, title, href, change, children }: {
    id: string;
    title: string;
    href: string;
    /** Says where the link leads; without it, there is none. */
    change: string | undefined;
    children: ComponentChildren;
  },
): VNode {
  return (
    <div class="panel same-in-all" data-panel={id} data-of-step="design">
      <Card id={id} title={title}>
        <p>
          {children} {change && <a href={href}>{change}</a>}
        </p>
      </Card>
    </div>
  );
}
