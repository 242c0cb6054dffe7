import { type IconName, SHAPES } from "../../server/admin/frame/icon_shapes.ts";
import { Card } from "../../server/admin/parts/card.tsx";
import { Icon } from "../../server/admin/parts/icons.tsx";
import { Step, type StepState } from "../../server/admin/parts/step.tsx";

const STATES: StepState[] = ["done", "current", "later", "optional", "wrong"];

export function Steps() {
  return (
    <ol class="steps">
      {STATES.map((state, index) => (
        <Step
          key={state}
          id={`parts-step-${state}`}
          number={index + 1}
          title={`A step, ${state}`}
          {...(index % 2 === 0 ? {} : { note: "With a note that stays visible." })}
          state={state}
          open={state === "current"}
        >
          <p>Its content.</p>
        </Step>
      ))}
    </ol>
  );
}

export function Icons() {
  return (
    <Card title="Icons">
      <ul class="choices">
        {(Object.keys(SHAPES) as IconName[]).map((name) => (
          <li key={name}>
            <span class="badge">
              <Icon name={name} /> {name}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
