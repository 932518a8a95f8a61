/** Completes a report with what follows from the answers, but is not verified: what scanners will probably say, and what to write for the host. */

import type { Files } from "./hosts.js";
import { predict } from "./prediction.js";
import { hostOfFolder, hostOfHeaders, withRecipes } from "./recipes.js";
import type { Report } from "./report.js";
import { type Answer, type Subject, reportOf } from "./survey.js";

/** Makes the report of the answers of a site or a folder. */
export function completed(subject: Subject, answers: readonly Answer[], files?: Files): Report {
  // A folder does not show how its server negotiates.
  const shown = answers.filter(({ probe }) => files === undefined || !probe.accept.includes("markdown"));
  const predicted = predict(reportOf(subject, answers), shown, subject.origin, subject.measure.profile, subject.canonical);
  const host = files === undefined ? hostOfHeaders(answers.find(({ status }) => status > 0)?.headers ?? []) : hostOfFolder(files);
  return withRecipes(predicted, host, files);
}
