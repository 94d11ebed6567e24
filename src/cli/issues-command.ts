import type { IssueRecord } from '../resources/issues/contract.ts';
import type { Evidence } from '../resources/issues/evidence-contract.ts';
import { StartupError } from '../errors.ts';
import type { Io } from './io.ts';
import { printJson, printList, readServer, rowLimit } from './read-server.ts';
import { formatTable } from './tables.ts';
import { timeText, truncateLine } from './terminal-text.ts';

const STATUSES = ['OPEN', 'RESOLVED', 'REJECTED'] as const;
const TITLE_WIDTH = 50;
/** Pattern of the number or the id of an issue. */
export const ISSUE_ID = /^(?:#?[1-9]\d{0,8}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Lists issues, or shows one with the evidence that it is resolved. */
export async function issuesCommand(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('issues', args, io, {
    values: ['--status', '--search', '--limit'],
  });
  const [id, ...others] = words;
  if (id !== undefined) {
    if (others.length > 0 || !ISSUE_ID.test(id)) throw new StartupError(notOneIssue('issues', words));
    const params = { path: { id: id.replace('#', '') } };
    const issue = await read((api, init) => api.GET('/v0/issues/{id}', { params, ...init }));
    const evidence = await read((api, init) => api.GET('/v0/issues/{id}/evidence', { params, ...init }));
    if (flags.has('--json')) printJson(io, { issue: issue.data, evidence: evidence.data });
    else io.out(shownIssue(issue.data, evidence.data));
    return;
  }
  const search = flags.get('--search');
  const status = statusOf(flags.get('--status') ?? 'OPEN');
  const query = { limit: rowLimit(flags), ...(status && { status: [status] }), ...(search && { search }) };
  const listed = await read((api, init) => api.GET('/v0/issues', { params: { query }, ...init }));
  printList(io, flags, listed, {
    what: 'issue',
    tableOf: issueTable,
    next: `Show one: ${io.program} issues NUMBER`,
  });
}

/** Says that a command takes one issue, and what it was given. */
export const notOneIssue = (command: string, words: readonly string[]): string =>
  `${command} takes the number or the id of one issue${words.length === 0 ? '.' : `, not ${JSON.stringify(words.join(' ').slice(0, 80))}.`}`;

/** Returns the status to list; undefined for all. Throws StartupError. */
function statusOf(text: string): (typeof STATUSES)[number] | undefined {
  if (text.toLowerCase() === 'all') return undefined;
  const found = STATUSES.find((status) => status === text.toUpperCase());
  if (found === undefined)
    throw new StartupError(
      `--status must be one of ${STATUSES.join(', ')} or all, not ${JSON.stringify(text.slice(0, 80))}.`,
    );
  return found;
}

const issueTable = (issues: readonly IssueRecord[]): string =>
  formatTable(
    ['NUMBER', 'STATUS', 'PRIORITY', 'LAST SEEN (UTC)', 'FREQUENCY', 'TITLE'],
    issues.map((issue) => [
      String(issue.number),
      issue.status,
      issue.priority,
      issue.linkCount > 0 ? timeText(issue.lastSeenAt) : '-',
      frequencyText(issue.frequency),
      truncateLine(issue.title, TITLE_WIDTH),
    ]),
  );

/** Returns the frequency in words: a rate with its interval, or a count. */
const frequencyText = ({ kind, count, rate, low, high, of }: IssueRecord['frequency']): string =>
  kind === 'RATE' ? `${rate} % (${low}–${high}), ${count} of ${of}` : `seen ${count} times`;

function shownIssue(issue: IssueRecord, evidence: readonly Evidence[]): string {
  const { number, title, status, priority, description, resolution, mergedInto } = issue;
  const marked = resolution?.withoutEvidence === true ? ', without evidence' : '';
  return [
    `Issue ${number}: ${title}`,
    `${status}${marked}, priority ${priority}, ${frequencyText(issue.frequency)}`,
    ...(mergedInto ? [`Merged into issue ${mergedInto.number}`] : []),
    ...(description === '' ? [] : ['', description]),
    '',
    formatTable(
      ['EVIDENCE', 'MET', 'STATE'],
      evidence.map(({ kind, isMet, message }) => [kind, isMet ? 'yes' : 'no', message]),
    ),
  ].join('\n');
}
