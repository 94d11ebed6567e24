import type { RunSetIssue } from '../api/generated/schema.ts';
import { countText } from '../runtime/count-text.ts';
import { printable } from './server-trouble.ts';
import { truncateLine } from './terminal-text.ts';

const MAX_ISSUES = 20;
const MAX_TITLE = 80;
const STATES = { OPEN: 'open', RESOLVED: 'resolved', REJECTED: 'rejected' } as const;

export const issueState = ({ status, wasReopened }: RunSetIssue): string =>
  wasReopened ? 'reopened by these tests' : STATES[status];

/** Says how many regression examples of an issue failed or passed. */
export function examplesText({ examples: { passed, failed, unknown } }: RunSetIssue): string {
  const total = passed + failed + unknown;
  if (total === 0) return 'none tested';
  if (failed > 0) return `${failed} of ${total} failed`;
  return unknown > 0
    ? `${passed} of ${total} passed, ${unknown} without a verdict`
    : `${total} of ${total} passed`;
}

/** Lists the issues that tests concern, for a terminal. */
export function issuesText(issues: readonly RunSetIssue[]): string {
  const lines = issues.slice(0, MAX_ISSUES).map((issue) => {
    const { number, title, linkedTests, examples } = issue;
    const hasExamples = examples.passed + examples.failed + examples.unknown > 0;
    const facts = [
      ...(hasExamples ? [`regression examples: ${examplesText(issue)}`] : []),
      ...(linkedTests > 0 ? [`${countText(linkedTests, 'failed test')} linked`] : []),
    ];
    return `  #${number} ${truncateLine(printable(title), MAX_TITLE)} (${issueState(issue)}) – ${facts.join('; ')}`;
  });
  const more = issues.length - lines.length;
  return `\nIssues\n${lines.join('\n')}${more > 0 ? `\n  and ${more} more` : ''}\n`;
}
