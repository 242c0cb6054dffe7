import type { ComponentChildren, VNode } from "preact";

/** What belongs together on a page, under a heading of its own. */
export function Card(
  { title, lead, actions, children, id }: {
    title?: string;
    lead?: ComponentChildren;
    /** Buttons at the end of its heading. */
    actions?: ComponentChildren;
    children: ComponentChildren;
    id?: string;
  },
): VNode {
  return (
    <section class="card" id={id}>
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

/** A number that counts, and what it counts. */
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

export function Stats({ children }: { children: ComponentChildren }): VNode {
  return <dl class="stats">{children}</dl>;
}

/** What stands where nothing is yet: what would be here, and how it gets here. */
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
