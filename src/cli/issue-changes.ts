import type { IssueEvent, IssueRecord } from '../resources/issues/contract.ts';
import { StartupError } from '../errors.ts';
import { countText } from '../runtime/count-text.ts';
import type { Io } from './io.ts';
import { ISSUE_ID, notOneIssue } from './issues-command.ts';
import { printJson, printList, readServer, rowLimit, type ServerReader } from './read-server.ts';
import { formatTable } from './tables.ts';
import { timeText, truncateLine } from './terminal-text.ts';

const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const;
const REASON_WIDTH = 80;

/** Creates an issue. */
export async function createIssueCommand(args: readonly string[], io: Io): Promise<void> {
  const command = 'issues create';
  const server = readServer(command, args, io, {
    values: ['--description', '--priority', '--trace', '--test', '--topic', '--evaluator', '--parent'],
  });
  const { flags, words, read } = server;
  const [title] = words;
  if (title === undefined || words.length > 1)
    throw new StartupError('issues create takes one title; put it in quotes.');
  const parent = flags.get('--parent');
  const parentId = parent === undefined ? null : (await issueOf(server, command, parent)).id;
  const body = {
    source: 'API' as const,
    title,
    priority: priorityOf(flags.get('--priority') ?? 'MEDIUM'),
    description: flags.get('--description') ?? '',
    traceId: flags.get('--trace') ?? null,
    testId: flags.get('--test') ?? null,
    topicId: flags.get('--topic') ?? null,
    evalDefinitionId: flags.get('--evaluator') ?? null,
    parentId,
  };
  const created = await read((api, init) => api.POST('/v0/issues', { body, ...init }));
  printIssue(io, server, created.data, `Created issue ${created.data.number}`);
}

/** Links traces to an issue. */
export async function linkIssueCommand(args: readonly string[], io: Io): Promise<void> {
  const server = readServer('issues link', args, io, { values: ['--query', '--notes'] });
  const { flags, words, read } = server;
  const [given, ...ids] = words;
  const id = idOf('issues link', given === undefined ? [] : [given]);
  const q = flags.get('--query');
  const noteIds = flags.get('--notes')?.split(',');
  const ways = [ids.length > 0, q !== undefined, noteIds !== undefined].filter(Boolean).length;
  if (ways !== 1) throw new StartupError('issues link takes ids of traces, or --query, or --notes.');
  const body = noteIds ? { noteIds } : { selection: q === undefined ? { ids: [...ids] } : { traces: { q } } };
  const params = { path: { id } };
  const { data } = await read((api, init) => api.POST('/v0/issues/{id}/links', { params, body, ...init }));
  if (flags.has('--json')) return printJson(io, { data });
  const skipped = data.skipped.map((row) => `\n  ${row.id} ${row.reason}`).join('');
  io.out(
    `Linked ${data.done} of ${countText(data.matched, noteIds ? 'note' : 'trace')} to issue ${id}.${skipped}\n`,
  );
}

/** Writes a note on a trace. */
export async function noteCommand(args: readonly string[], io: Io): Promise<void> {
  const server = readServer('issues note', args, io, { values: ['--issue'] });
  const { flags, words, read } = server;
  const [traceId, text] = words;
  if (traceId === undefined || text === undefined || words.length > 2)
    throw new StartupError('issues note takes the id of a trace and a text; put the text in quotes.');
  const given = flags.get('--issue');
  const issue = given === undefined ? null : await issueOf(server, 'issues note', given);
  const note = await read((api, init) => api.POST('/v0/notes', { body: { traceId, text }, ...init }));
  if (issue) {
    const call = { params: { path: { id: issue.id } }, body: { noteIds: [note.data.id] } };
    await read((api, init) => api.POST('/v0/issues/{id}/links', { ...call, ...init }));
  }
  if (flags.has('--json')) return printJson(io, note);
  io.out(`Wrote note ${note.data.id}${issue ? `, and linked it to issue ${issue.number}` : ''}.\n`);
}

/** Resolves an issue. */
export async function resolveIssueCommand(args: readonly string[], io: Io): Promise<void> {
  const server = readServer('issues resolve', args, io, {
    values: ['--reason'],
    switches: ['--without-evidence'],
  });
  const { flags, words, read } = server;
  const params = { path: { id: idOf('issues resolve', words) } };
  const reason = flags.get('--reason') ?? null;
  const withoutEvidence = flags.has('--without-evidence');
  if (withoutEvidence && reason === null) throw new StartupError('--without-evidence needs a --reason.');
  const body = { reason, withoutEvidence };
  const { data } = await read((api, init) => api.POST('/v0/issues/{id}/resolve', { params, body, ...init }));
  const marked = data.resolution?.withoutEvidence === true ? ' without evidence' : '';
  printIssue(io, server, data, `Resolved issue ${data.number}${marked}`);
}

/** Opens an issue again. */
export async function reopenIssueCommand(args: readonly string[], io: Io): Promise<void> {
  const server = readServer('issues reopen', args, io, { values: ['--reason'] });
  const { flags, words, read } = server;
  const params = { path: { id: idOf('issues reopen', words) } };
  const body = { reason: flags.get('--reason') ?? null };
  const { data } = await read((api, init) => api.POST('/v0/issues/{id}/reopen', { params, body, ...init }));
  printIssue(io, server, data, `Reopened issue ${data.number}`);
}

/** Rejects an issue. */
export async function rejectIssueCommand(args: readonly string[], io: Io): Promise<void> {
  const server = readServer('issues reject', args, io, { values: ['--reason'] });
  const { flags, words, read } = server;
  const params = { path: { id: idOf('issues reject', words) } };
  const reason = flags.get('--reason');
  if (reason === undefined) throw new StartupError('issues reject needs a --reason.');
  const call = { params, body: { reason } };
  const { data } = await read((api, init) => api.POST('/v0/issues/{id}/reject', { ...call, ...init }));
  printIssue(io, server, data, `Rejected issue ${data.number}`);
}

/** Merges an issue into another. */
export async function mergeIssueCommand(args: readonly string[], io: Io): Promise<void> {
  const server = readServer('issues merge', args, io, { values: ['--into'] });
  const { flags, words, read } = server;
  const id = idOf('issues merge', words);
  const target = flags.get('--into');
  if (target === undefined) throw new StartupError('issues merge needs --into with the number of the other.');
  const body = { into: idOf('issues merge --into', [target]) };
  const call = { params: { path: { id } }, body };
  const { data } = await read((api, init) => api.POST('/v0/issues/{id}/merge', { ...call, ...init }));
  const into = data.mergedInto?.number ?? body.into;
  printIssue(io, server, data, `Merged issue ${data.number} into issue ${into}`);
}

/** Lists what happened to an issue. */
export async function issueActivityCommand(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('issues activity', args, io, { values: ['--limit'] });
  const params = { path: { id: idOf('issues activity', words) }, query: { limit: rowLimit(flags) } };
  const listed = await read((api, init) => api.GET('/v0/issues/{id}/activity', { params, ...init }));
  printList(io, flags, listed, { what: 'event', tableOf: eventTable, next: 'More: --limit N' });
}

const eventTable = (events: readonly IssueEvent[]): string =>
  formatTable(
    ['TIME (UTC)', 'WHAT', 'BY', 'DETAIL'],
    events.map((event) => [
      timeText(event.createdAt),
      event.kind,
      event.by.name,
      truncateLine(detailText(event), REASON_WIDTH),
    ]),
  );

function detailText({ reason, count, fields, issue, relapse, withoutEvidence }: IssueEvent): string {
  return [
    ...(withoutEvidence ? ['without evidence'] : []),
    ...(count === null ? [] : [countText(count, 'trace')]),
    ...(fields.length === 0 ? [] : [fields.join(', ')]),
    ...(issue === null ? [] : [`${issue.isTarget ? 'into' : 'from'} issue ${issue.number}`]),
    ...(relapse === null ? [] : [`the problem came back: ${relapse.count} of ${relapse.of} failed`]),
    ...(reason === null ? [] : [reason]),
  ].join('; ');
}

function printIssue(io: Io, { flags }: ServerReader, issue: IssueRecord, done: string): void {
  if (flags.has('--json')) printJson(io, { data: issue });
  else io.out(`${done}: ${truncateLine(issue.title, REASON_WIDTH)}\n`);
}

/** Returns the issue with a number or an id. Throws StartupError. */
async function issueOf({ read }: ServerReader, command: string, given: string): Promise<IssueRecord> {
  const params = { path: { id: idOf(command, [given]) } };
  return (await read((api, init) => api.GET('/v0/issues/{id}', { params, ...init }))).data;
}

/** Returns the number or the id of the only word. Throws StartupError. */
function idOf(command: string, [id, ...others]: readonly string[]): string {
  if (id === undefined || others.length > 0 || !ISSUE_ID.test(id))
    throw new StartupError(notOneIssue(command, id === undefined ? [] : [id, ...others]));
  return id.replace('#', '');
}

/** Returns a priority in any case. Throws StartupError. */
function priorityOf(text: string): (typeof PRIORITIES)[number] {
  const found = PRIORITIES.find((one) => one === text.toUpperCase());
  if (found === undefined)
    throw new StartupError(
      `--priority must be one of ${PRIORITIES.join(', ')}, not ${JSON.stringify(text.slice(0, 80))}.`,
    );
  return found;
}
