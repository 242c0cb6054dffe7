import type { SignupRecord } from "../../signup/record/row.ts";
import { leftStatus } from "../../subscribers/person/left_status.ts";
import { Badge } from "../parts/notice.tsx";
import { statusTone } from "../subscribers/status_titles.ts";

/** The status of a signup; on phones, where lists have no list status, the present one of someone who left. */
export function StatusNow({ record }: { record: SignupRecord }) {
  const left = leftStatus(record);
  const badge = <Badge kind={statusTone(record)}>{record.status}</Badge>;
  if (!left) return badge;
  return (
    <>
      <span class="wide-only">{badge}</span>
      <span class="narrow-only">
        <Badge kind="warn">{left}</Badge>
      </span>
    </>
  );
}
