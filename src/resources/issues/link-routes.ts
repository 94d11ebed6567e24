import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { selectionDone } from '../selections/contract.ts';
import { SelectionOutcome, stepsOf, tracesOfSelection } from '../selections/resolve.ts';
import {
  linkNotes,
  linkTraces,
  listOccurrences,
  noteLinked,
  requireNotes,
  resolveIssueId,
  unlinkTrace,
} from './calls.ts';
import { issueId } from './contract.ts';
import { exampleOccurrence } from './example.ts';
import { linksBody, occurrence, occurrencesQuery } from './link-contract.ts';

type IssueLinkDeps = StoreCalls;

const params = z.object({ id: issueId });

export const issueLinkRoutes = (deps: IssueLinkDeps): Route[] => [
  linkRoute(deps),
  unlinkRoute(deps),
  occurrencesRoute(deps),
];

const linkRoute = ({ read, write, now }: IssueLinkDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/issues/{id}/links',
    operationId: 'linkIssue',
    group: 'Issues',
    summary: 'Link traces or notes to an issue',
    description:
      'Links the traces of a selection, or notes with their traces. Those that are linked already stay as they are, so the request can be repeated. Rejected with 409 for an issue that was merged.',
    scope: 'annotate',
    params,
    body: linksBody,
    response: z.object({ data: selectionDone }),
    example: {
      body: { selection: { ids: [ID.trace] } },
      response: { data: { matched: 1, done: 1, skippedCount: 0, skipped: [], isComplete: true } },
    },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: async ({ principal, params: named, body: { selection, noteIds }, revoked }) => {
      const owner = ownerOf(principal);
      const id = await read(resolveIssueId, { owner, id: named.id });
      const { outcome, done } = selection
        ? await linkSelection(selection)
        : await linkGiven([...new Set(noteIds)]);
      if (done > 0) await write(noteLinked, { owner, id, count: done, actor: principal.actor, at: now() });
      return { data: outcome.result() };

      async function linkSelection(given: NonNullable<typeof selection>) {
        const { traceIds, outcome: selected } = await tracesOfSelection({ read, now }, principal, given);
        let linked = 0;
        for (const step of stepsOf(traceIds)) {
          revoked.throwIfAborted();
          const traces = step.map((traceId) => ({ id: randomUUID(), traceId }));
          const results = await write(linkTraces, { owner, id, traces, source: 'SELECTION', at: now() });
          for (const [place, result] of results.entries())
            if (result === 'ADDED') linked += 1;
            else selected.skip(step[place] ?? '', result);
        }
        selected.add(linked);
        return { outcome: selected, done: linked };
      }

      async function linkGiven(ids: readonly string[]) {
        await read(requireNotes, { owner, ids });
        const result = new SelectionOutcome(true);
        let linked = 0;
        for (const step of stepsOf(ids)) {
          revoked.throwIfAborted();
          const notes = step.map((noteId) => ({ id: noteId, linkId: randomUUID() }));
          linked += await write(linkNotes, { owner, id, notes, at: now() });
          result.add(step.length);
        }
        return { outcome: result, done: linked };
      }
    },
  });

const unlinkRoute = ({ write, now }: IssueLinkDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/issues/{id}/links/{linkId}',
    operationId: 'unlinkIssue',
    group: 'Issues',
    summary: 'Remove a link from an issue',
    description: 'Notes on its trace are evidence for the issue no longer.',
    scope: 'annotate',
    params: params.extend({ linkId: uuid.describe('Id of the link.') }),
    response: null,
    errors: ['not_found'],
    handler: async ({ principal, params: { id, linkId } }) => {
      const owner = ownerOf(principal);
      await write(unlinkTrace, { owner, id, linkId, actor: principal.actor, at: now() });
      return undefined;
    },
  });

const occurrencesRoute = ({ read, now }: IssueLinkDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/issues/{id}/occurrences',
    operationId: 'listIssueOccurrences',
    group: 'Issues',
    summary: 'List the linked traces of an issue',
    description:
      'Traces that are deleted are not listed; `deletedCount` of the issue has their number. Neither are those that the caller reviews in a blind queue.',
    scope: 'read',
    params,
    query: occurrencesQuery,
    response: z.object({ data: z.array(occurrence), pagination }),
    example: { response: page([exampleOccurrence]) },
    errors: ['not_found'],
    handler: ({ principal, params: { id }, query }) =>
      read(listOccurrences, { owner: ownerOf(principal), id, query, seenBy: seenBy(principal, now()) }),
  });
