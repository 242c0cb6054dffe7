import type { ComponentChildren, VNode } from "preact";

/** A section of a page with its own heading. */
export function Card(
  { title, lead, actions, children, id, results }: {
    title?: string;
    lead?: ComponentChildren;
    /** Buttons next to the heading. */
    actions?: ComponentChildren;
    children: ComponentChildren;
    id?: string;
    /** For the card that filters and page links change: what it shows now, such as "3 jobs", for screen readers. */
    results?: string;
  },
): VNode {
  return (
    <section class="card" id={id} data-results={results} tabIndex={results === undefined ? undefined : -1}>
      {title && (
        <header>
          <div>
            <h2>{title}</h2>
            {lead && <p class="lead">{lead}</p>}
          </div>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

/** A labeled figure. */
export function Stat(
  { label, value, note }: { label: string; value: string | number; note?: ComponentChildren },
) {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <strong>{value}</strong> {note && <small>{note}</small>}
      </dd>
    </div>
  );
}

/** A labeled figure that links to its chart. The current one is marked. */
export function Tile(
  { label, value, note, href, current }: {
    label: string;
    value: string;
    note: string;
    href: string;
    current: boolean;
  },
): VNode {
  return (
    <div class={current ? "stat current" : "stat"}>
      <dt>
        <a href={href} aria-current={current ? "true" : undefined}>{label}</a>
      </dt>
      <dd>
        <strong>{value}</strong> <small>{note}</small>
      </dd>
    </div>
  );
}

export function Stats({ children }: { children: ComponentChildren }): VNode {
  return <dl class="stats">{children}</dl>;
}

/** An empty state: what will appear here, and how to get there. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <div>{children}</div>}
    </div>
  );
}
