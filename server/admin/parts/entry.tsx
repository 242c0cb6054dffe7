import type { ComponentChildren, VNode } from "preact";

/** A list of events, newest first. Each takes one line, and unfolds without JavaScript. */
export function Entries({ label, children }: { label: string; children: ComponentChildren }): VNode {
  return <ol class="entries" aria-label={label}>{children}</ol>;
}

/** One event in a list. On phones, its line leaves out `note` and `who`, which its details must contain. */
export function Entry(
  { title, note, who, time, badge, children }: {
    title: ComponentChildren;
    note?: ComponentChildren;
    who: string;
    /** Left out where the title is the time: the note then has its room. */
    time?: ComponentChildren;
    badge?: ComponentChildren;
    /** The details. */
    children: ComponentChildren;
  },
): VNode {
  return (
    <li>
      <details class="entry">
        <summary>
          <span class="what">
            <strong>{title}</strong> {note && <span class="note">{note}</span>}
          </span>
          <span class="badges">{badge}</span>
          <span class="actor">{who}</span>
          {time && <span class="when">{time}</span>}
        </summary>
        <div class="body">{children}</div>
      </details>
    </li>
  );
}
