import { asSentence } from "../../../providers/port/trouble.ts";
import type { TestedConnection } from "../../../operations/doctor/doctor.ts";
import { Notice } from "../../parts/notice.tsx";
import { WithCode } from "../../parts/with_code.tsx";

/** The result of a connection test. */
export function Report({ report }: { report: TestedConnection }) {
  return (
    <>
      <Notice kind={report.ok ? "good" : "bad"}>
        {report.ok
          ? (
            <>
              Connected to <strong>{report.project}</strong>
              {report.account === "" ? "." : ` (${report.account}).`}
            </>
          )
          : <>Connection failed: {asSentence(report.reason)}</>}
      </Notice>
      {report.causes.length > 0 && (
        <>
          <h3>{report.ok ? "What will prevent emails from being sent" : "Possible causes"}</h3>
          <ol class="causes">
            {report.causes.map(({ code, what, todo }) => (
              <li key={code}>
                <strong>{what}</strong>
                <p class="help">
                  <WithCode text={todo} />
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
      {report.setup.map(({ id, level, what, todo }) => (
        <Notice key={id + what} kind={level === "error" ? "bad" : "warn"}>
          <strong>{what}</strong> <WithCode text={todo} />
        </Notice>
      ))}
    </>
  );
}
