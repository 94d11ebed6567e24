import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { type Owner, ownerOf } from '../../contract/owner.ts';
import { type SeenBy, seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import { callSlots } from '../../runtime/call-slots.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { requireNotes } from '../issues/calls.ts';
import { askModel, type DraftModelDeps, expectedSpending, NOTHING_SPENT } from './ask-model.ts';
import { issuesToOffer, notesToGroup } from './calls.ts';
import {
  type IssueSuggestions,
  MAX_GROUPED,
  suggestBody,
  type SuggestBody,
  issueSuggestions,
} from './contract.ts';
import { groupQuestion, groupsOf, notesToShow } from './group-question.ts';

type SuggestDeps = StoreCalls & DraftModelDeps;

/** Returns the route that suggests issues for notes. */
export function suggestRoute(deps: SuggestDeps): Route {
  const inSlot = callSlots({ ofApplication: 1, ofAll: 8, what: 'suggestions' });
  return route({
    method: 'POST',
    path: '/v0/issues/suggest',
    operationId: 'suggestIssues',
    group: 'Issues',
    summary: 'Suggest issues for notes',
    description:
      'Asks the judge model, else the prompt model, which notes without an issue describe the same problem. Creates nothing: accept a suggestion with `POST /v0/issues` and `POST /v0/issues/{id}/links`. Only the cost is stored, which counts for the limits of the judges. With `dryRun`, returns what it is expected to cost. Rejected with 409 without a model, and when a limit is reached; one call of an application runs at a time (503).',
    scope: 'write',
    body: suggestBody,
    response: z.object({ data: issueSuggestions }),
    example: { body: { dryRun: true }, response: { data: exampleSuggestions } },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: ({ principal, body, revoked }) => {
      const of = {
        owner: ownerOf(principal),
        seenBy: seenBy(principal, deps.now()),
        body,
        signal: revoked,
      };
      return body.dryRun
        ? suggest(deps, of).then((data) => ({ data }))
        : inSlot(principal.application, async () => ({ data: await suggest(deps, of) }));
    },
  });
}

interface ToSuggest {
  owner: Owner;
  seenBy: SeenBy;
  body: SuggestBody;
  signal: AbortSignal;
}

async function suggest(
  deps: SuggestDeps,
  { owner, seenBy: seen, body: { noteIds, dryRun }, signal }: ToSuggest,
): Promise<IssueSuggestions> {
  const { read } = deps;
  const { application } = owner;
  const args = { owner, seenBy: seen, noteIds, limit: MAX_GROUPED };
  if (noteIds !== undefined) await read(requireNotes, { owner, ids: noteIds });
  const { notes: found, total } = await read(notesToGroup, args);
  const notes = notesToShow(found);
  const issues = await read(issuesToOffer, owner);
  const question = groupQuestion(notes, issues);
  const expected = await expectedSpending(deps, application, notes.length === 0 ? null : question);
  const none = { notes: notes.length, leftOut: total - notes.length, expected };
  if (dryRun || notes.length === 0) return { ...none, spent: NOTHING_SPENT, groups: [], ungrouped: [] };
  const beforeSend = async (): Promise<void> => {
    const shown = { ...args, noteIds: notes.map(({ id }) => id) };
    const { notes: again } = await read(notesToGroup, shown);
    if (!isDeepStrictEqual(again, notes))
      throw new AppError('conflict', 'Notes were changed, linked or deleted meanwhile; repeat the request');
  };
  const asked = await askModel(deps, { application, question, subjectId: randomUUID(), signal, beforeSend });
  return { ...none, spent: asked.spent, ...groupsOf(asked.value, notes, issues) };
}

const exampleSuggestions: IssueSuggestions = {
  notes: 12,
  leftOut: 0,
  expected: {
    model: 'default',
    calls: 1,
    inputTokens: 900,
    outputTokens: 250,
    cost: 0.000285,
    leftToday: 4.87,
  },
  spent: { calls: 1, inputTokens: 812, outputTokens: 120, cost: 0.000194 },
  groups: [
    {
      title: 'Promises the refund without an order number',
      description: 'The bot promises money before it knows the order. It should first request the number.',
      notes: [{ id: ID.note, text: 'Promises the money without knowing the order.', quote: 'Your refund' }],
      issue: null,
    },
  ],
  ungrouped: [],
};
