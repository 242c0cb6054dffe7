import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { isLoopback } from "../../platform/config/config.ts";
import { traceWarning } from "../../platform/observe/untraced.ts";
import { counted, countedTo100 } from "../../platform/words/counted.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { isSandbox } from "../../settings/store/provider.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { check } from "./check.ts";

const MINUTE_MS = 60 * 1000;
/** No job should wait longer, unless its provider fails. */
const LATE_MS = 15 * MINUTE_MS;
const JOBS_LINE = "background jobs are running";
const URL_LINE = "the public URL leads to this service";
const LIST = new Intl.ListFormat("en");
/** The variables without which others have no effect, by how the names of those begin. */
const NEEDED_WITH = { CFBE_BACKUP_: "CFBE_BACKUP_DIR", CFBE_OIDC_: "CFBE_OIDC_ISSUER" };

/** The service itself: whether it is active, works off its jobs, and is reached safely. */
export const serviceChecks = [
  check("service.off", "bad", {
    in: { overview: true, doctor: JOBS_LINE, ready: "active" },
    reads: ["active"],
    find: ({ active }) =>
      !active && {
        what: "cfbe is deactivated: all signups are rejected.",
        why: "No background jobs run except those that delete personal data.",
        todo:
          `Activate it on the Overview page, or run \`${cfbeCommand()} activate\`. Queued signups are then delivered.`,
        todoForOthers: "Activate it. Queued signups are then delivered.",
        action: { name: "cfbe_activate", label: "Activate" },
      },
  }),
  check("sandbox.public", "bad", {
    in: { overview: true, doctor: "the sandbox is not exposed publicly", start: true },
    reads: ["settings", "config"],
    find({ settings, config: { baseUrl } }) {
      if (!isSandbox(settings)) return undefined;
      if (isLoopback(baseUrl)) {
        return {
          skipped:
            `The sandbox is the provider, which is fine at ${baseUrl}: only this machine can reach it.`,
        };
      }
      return {
        what: "The sandbox is the provider: no emails are sent, and nobody is subscribed.",
        why: `Visitors can sign up at ${baseUrl}, and wait for an email in vain.`,
        todo:
          "Choose a provider on the admin's Provider page. If CFBE_PROVIDER sets the sandbox, change it there, and restart cfbe.",
        link: { to: "/provider", label: "Choose a provider" },
      };
    },
  }),
  check("address.http", "bad", {
    in: { overview: true, doctor: URL_LINE, start: true },
    reads: ["config"],
    find: ({ config: { baseUrl } }) =>
      new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl) && {
        what:
          `The public URL ${baseUrl} does not use https: email addresses and passwords are sent unencrypted.`,
        why: "Https pages can't use the form either, and browsers keep no admin session.",
        todo: "Put a proxy with a certificate in front of cfbe, and set CFBE_BASE_URL to its https URL.",
      },
  }),
  check("address.unreachable", "bad", {
    in: { doctor: URL_LINE },
    reads: ["publicUrl", "config"],
    find: ({ publicUrl: found, config: { baseUrl } }) =>
      found.kind === "unreachable" && {
        what: `The public URL ${baseUrl} does not lead to this service: ${asSentence(found.reason)}`,
        why: "Forms and the provider's webhook send to this URL.",
        todo:
          "Start the service, or compare CFBE_BASE_URL with the host, port and path that the proxy forwards. If only " +
          "this machine cannot reach the public URL, open the URL from another machine.",
      },
  }),
  check("address.cached", "bad", {
    in: { doctor: URL_LINE },
    reads: ["publicUrl", "config"],
    find: ({ publicUrl, config: { baseUrl } }) =>
      publicUrl.kind === "cached" && {
        what: `A cache in front of ${baseUrl} stores the responses of form-token.`,
        why: "A signup with a token older than two hours looks successful but is dropped.",
        todo: `Exempt ${new URL(baseUrl).pathname.replace(/\/$/, "")}${NAMESPACE}/ from that cache.`,
      },
  }),
  check("admin.common_password", "warn", {
    // Not on the Overview: whoever reads only figures there should not learn it.
    in: { start: true },
    reads: ["adminPasswordIsCommon"],
    find: ({ adminPasswordIsCommon }) =>
      adminPasswordIsCommon && {
        what: "CFBE_ADMIN_PASSWORD is a common password, or nearly one.",
        todo:
          "Attackers try these first. Set it to several unrelated words or a random password, and restart cfbe.",
      },
  }),
  check("telemetry.contains_addresses", "warn", {
    in: { start: true },
    reads: ["environment", "config", "settings"],
    find({ environment, config: { deploy }, settings }) {
      const what = traceWarning(environment, { deploy, isSandbox: isSandbox(settings) });
      return what !== undefined && { what, todo: "" };
    },
  }),
  check("environment.no_effect", "warn", {
    in: { start: true },
    reads: ["environment"],
    find: ({ environment }) =>
      Object.entries(NEEDED_WITH).flatMap(([prefix, needed]) => {
        const names = Object.keys(environment).filter((name) => name.startsWith(prefix) && environment[name]);
        if (names.length === 0 || environment[needed]) return [];
        return {
          what: `${LIST.format(names)} ${names.length === 1 ? "has" : "have"} no effect without ${needed}.`,
          todo: `Set ${needed}, or remove ${names.length === 1 ? "it" : "them"}.`,
        };
      }),
  }),
  check("environment.salt_ends", "warn", {
    in: { start: true },
    reads: ["environment"],
    find: ({ environment: { CFBE_SALT: salt = "" } }) =>
      /^\s|\s$/.test(salt) && {
        what: "CFBE_SALT begins or ends with a space or a line break, which is part of the salt.",
        todo:
          "Keep it exactly as it is, in your copies too: without that character, it is another salt, with which cfbe does " +
          "not start. CFBE_SALT_PREVIOUS cannot list it.",
      },
  }),
  check("jobs.dead", "bad", {
    in: { alert: "jobs", overview: true, doctor: JOBS_LINE },
    reads: ["jobs"],
    find({ jobs: { dead } }) {
      const [they, them] = dead === 1 ? ["it", "it"] : ["they", "them"];
      return dead > 0 && {
        what: `${countedTo100(dead, "job has", "jobs have")} failed.`,
        why: `Their work was not done, and they are not retried automatically. See the reasons with ` +
          `\`${cfbeCommand()} jobs --state dead\`, and retry with \`${cfbeCommand()} jobs retry --all\`.`,
        todo: `Find out why ${they} failed, fix the cause, then retry ${them}.`,
        link: { to: "/jobs?state=dead", label: "Show failed jobs", personal: true },
      };
    },
  }),
  check("jobs.too_late", "bad", {
    in: { alert: "jobs", overview: true, doctor: JOBS_LINE },
    reads: ["jobs"],
    find: ({ jobs: { tooLate } }) =>
      tooLate > 0 && {
        what: `${countedTo100(tooLate, "job is", "jobs are")} due more than three days ahead, so ${
          tooLate === 1 ? "its" : "their"
        } work is not done.`,
        why: "The clock was probably ahead when they were stored.",
        todo:
          `The clock may have been wrong. Correct it, then run \`${cfbeCommand()} jobs retry --waiting\`.`,
        todoForOthers: "The clock may have been wrong. Ask an admin to correct it, and to retry the jobs.",
        link: { to: "/jobs", label: "Show jobs", personal: true },
      },
  }),
  check("jobs.failing", "bad", {
    in: { alert: "jobs", overview: true, doctor: JOBS_LINE },
    reads: ["failingJobs"],
    find: ({ failingJobs }) =>
      failingJobs.map(({ name, failures, undone, reason }) => ({
        what: `The job ${name} keeps failing, so ${undone}. The latest of ${counted(failures, "failure")}: ${
          asSentence(reason)
        }`,
        why: "It is retried, but its work is not done before an attempt succeeds.",
        todo:
          `Fix the cause. cfbe then does the work within six hours, or at once with \`${cfbeCommand()} jobs retry --waiting\`.`,
        todoForOthers: "Ask whoever runs cfbe to fix the cause.",
        link: { to: "/jobs", label: "Show jobs", personal: true },
      })),
  }),
  check("jobs.held", "warn", {
    in: { alert: "jobs", overview: true, doctor: JOBS_LINE },
    reads: ["heldMs", "active"],
    find: ({ heldMs, active }) =>
      active && heldMs > LATE_MS && {
        what: `Deliveries have waited for the provider's rate limit for up to ${
          counted(Math.round(heldMs / MINUTE_MS), "minute")
        }.`,
        why: "These people have no confirmation email yet.",
        todo:
          "Nothing is lost: cfbe delivers them one after the other, as fast as the provider allows. If it happens often, ask " +
          "the provider for a higher limit.",
        link: { to: "/jobs", label: "Show jobs", personal: true },
      },
  }),
  check("rows.skipped", "warn", {
    in: { alert: "jobs", overview: true, doctor: JOBS_LINE },
    reads: ["skippedRows"],
    find: ({ skippedRows: count }) =>
      count > 0 && {
        what: `${
          counted(count, "stored row")
        } can't be read or used. What cfbe does with all rows, such as deleting old IP addresses, skips ${
          count === 1 ? "it" : "them"
        }.`,
        why: "They may be damaged, and personal data in them is not deleted on time.",
        todo:
          `Look for job.rows_skipped in the log. To find damage, stop cfbe and run \`${cfbeCommand()} doctor --full\`.`,
        todoForOthers: "Ask whoever runs cfbe to look at the database.",
      },
  }),
  check("jobs.overdue", "bad", {
    in: { doctor: JOBS_LINE },
    reads: ["jobs", "heldMs", "active"],
    find: ({ jobs: { lateMs }, heldMs, active }) =>
      active && lateMs > LATE_MS && heldMs === 0 && {
        what: `A job has been due for ${counted(Math.round(lateMs / MINUTE_MS), "minute")} and has not run.`,
        why: "Signups do not reach the provider.",
        todo: "Start the service. If it is running, look for errors in its log.",
      },
  }),
];
