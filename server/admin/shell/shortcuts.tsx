import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../frame/page.ts";
import type { View } from "../frame/view.ts";
import { Icon } from "../parts/icons.tsx";

/** The button for the list of shortcuts. Hidden without JavaScript, which shortcuts need. */
export function ShortcutsButton(): VNode {
  return (
    <button
      type="button"
      class="quiet"
      title="Keyboard shortcuts"
      aria-haspopup="dialog"
      data-shortcuts
      hidden
    >
      <Icon name="keyboard" />
      <span class="hidden">Keyboard shortcuts</span>
    </button>
  );
}

/** Lists the keyboard shortcuts, and turns them off for this browser (WCAG 2.1.4). */
export function ShortcutsDialog({ view, pages }: { view: View; pages: readonly Page[] }): VNode {
  const search = view.may("personal") ? view.href("/subscribers#filter-q") : undefined;
  return (
    <dialog id="shortcuts" class="shortcuts" aria-labelledby="shortcuts-title" data-search={search}>
      <h2 id="shortcuts-title" tabIndex={-1} autofocus>Keyboard shortcuts</h2>
      <dl>
        <Shortcut keys={["/"]}>Search this page{search && ", or subscribers"}</Shortcut>
        <Shortcut keys={["?"]}>This list</Shortcut>
        {pages.map(({ path, title, shortcut }) =>
          shortcut && <Shortcut key={path} keys={["g", shortcut]}>{title}</Shortcut>
        )}
      </dl>
      <div class="field after">
        <div class="line">
          <input
            type="checkbox"
            role="switch"
            id="shortcuts-on"
            aria-describedby="shortcuts-help"
            autocomplete="off"
          />
          <label for="shortcuts-on">Use keyboard shortcuts</label>
        </div>
        <p class="help" id="shortcuts-help">Remembered in this browser.</p>
      </div>
      <h3>In the editor of a form</h3>
      <dl>
        <Shortcut keys={["Ctrl Z"]}>Undo; on a Mac, ⌘ Z</Shortcut>
        <Shortcut keys={["Ctrl Shift Z"]}>Redo; on a Mac, ⌘ Shift Z</Shortcut>
        <Shortcut keys={["Alt ↑", "↓"]} by=" or ">Move the selected field</Shortcut>
        <Shortcut keys={["F2"]}>In the form, type the selected text</Shortcut>
        <Shortcut keys={["Esc"]}>From settings back to the elements</Shortcut>
      </dl>
      <form method="dialog" class="buttons">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function Shortcut(
  { keys, by = " then ", children }: { keys: string[]; by?: string; children: ComponentChildren },
) {
  return (
    <div>
      <dt>
        {keys.map((key, index) => (
          <>
            {index > 0 && by}
            <kbd>{key}</kbd>
          </>
        ))}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
