import type { ComponentChildren, VNode } from "preact";
import type { Problem } from "../../operations/checks/check.ts";
import type { View } from "../frame/view.ts";
import { adviceFor } from "./advice.ts";
import { Confirm } from "./confirm.tsx";
import { PostForm } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { WithCode } from "./with_code.tsx";

/** Problems, each with what to do about it, and a link or a button that does it. `note`: shown below. */
export function ProblemList(
  { view, problems }: { view: View; problems: readonly (Problem & { note?: ComponentChildren })[] },
): VNode {
  return (
    <ul class="attention">
      {problems.map(({ id, tone, what, link, action, note, ...advice }) => (
        <li key={id} class={tone}>
          <Icon name="alert" />
          <div>
            <p>
              <strong>{what}</strong>
            </p>
            <p class="help">
              <WithCode text={adviceFor(view, advice)} />
            </p>
            {note && <p class="help">{note}</p>}
          </div>
          {link && view.may(link.personal ? "personal" : "view") && (
            <a class="button" href={view.href(link.to)}>{link.label}</a>
          )}
          {action?.asks && (
            <Confirm
              view={view}
              id={`problem-${id.replace(".", "-")}`}
              button={action.label}
              title={action.asks.title}
              action={action.name}
              yes={action.label}
            >
              <p>{action.asks.text}</p>
            </Confirm>
          )}
          {action && !action.asks && (
            <PostForm view={view} action={action.name} class="inline">
              <button type="submit" class="primary">{action.label}</button>
            </PostForm>
          )}
        </li>
      ))}
    </ul>
  );
}
