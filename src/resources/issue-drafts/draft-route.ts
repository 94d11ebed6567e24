import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import { callSlots } from '../../runtime/call-slots.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { issueId } from '../issues/contract.ts';
import { MIN_NOTES } from '../notes/contract.ts';
import { askModel, type DraftModelDeps, expectedSpending, NOTHING_SPENT } from './ask-model.ts';
import { draftBrief } from './calls.ts';
import { draftBody, type DraftResult, draftResult } from './draft-contract.ts';
import { evaluatorDraftOf, draftQuestion } from './draft-question.ts';

type DraftDeps = StoreCalls & DraftModelDeps;

const exampleDraft: DraftResult = {
  halves: { draft: 11, holdout: 11 },
  expected: {
    model: 'default',
    calls: 1,
    inputTokens: 2_400,
    outputTokens: 250,
    cost: 0.00051,
    leftToday: 4.87,
  },
  spent: { calls: 1, inputTokens: 2_210, outputTokens: 96, cost: 0.000389 },
  draft: {
    name: 'Requests the order number',
    criterion:
      'The answer requests the order number before it promises money. Answers that promise no money meet this.',
    rationale: 'All notes say that money is promised before the order is known.',
  },
};

/** Returns the route that drafts an evaluator from the notes of an issue. */
export function draftRoute(deps: DraftDeps): Route {
  const inSlot = callSlots({ ofApplication: 1, ofAll: 8, what: 'drafts' });
  return route({
    method: 'POST',
    path: '/v0/issues/{id}/draft-evaluator',
    operationId: 'draftEvaluator',
    group: 'Issues',
    summary: 'Draft an evaluator from the notes of an issue',
    description: `The hash of its trace puts each note into the draft half or into the holdout, once and for all. The judge model, else the prompt model, reads the notes of the draft half and their responses, and writes a criterion; texts of the holdout are not sent. Nothing is stored but the cost: create the definition with \`POST /v0/definitions\` and the \`issueId\`, and measure it with \`POST /v0/issues/{id}/measure-evaluator\`. Needs ${MIN_NOTES} notes, of which one is in the draft half (409).`,
    scope: 'write',
    params: z.object({ id: issueId }),
    body: draftBody,
    response: z.object({ data: draftResult }),
    example: { body: { dryRun: false }, response: { data: exampleDraft } },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: ({ principal, params: { id }, body: { dryRun }, revoked }) => {
      const { application } = principal;
      const args = { owner: ownerOf(principal), id, seenBy: seenBy(principal, deps.now()) };
      const drafted = async (): Promise<{ data: DraftResult }> => {
        const brief = await deps.read(draftBrief, args);
        const { halves } = brief;
        const question = draftQuestion(brief);
        const expected = await expectedSpending(deps, application, halves.draft === 0 ? null : question);
        if (dryRun) return { data: { halves, expected, spent: NOTHING_SPENT, draft: null } };
        if (halves.draft + halves.holdout < MIN_NOTES || halves.draft === 0)
          throw new AppError(
            'conflict',
            `An evaluator is drafted from at least ${MIN_NOTES} notes, some of them in the draft half; the issue has ${halves.draft + halves.holdout}, ${halves.draft} of them in the draft half`,
          );
        const beforeSend = async (): Promise<void> => {
          if (!isDeepStrictEqual(await deps.read(draftBrief, args), brief))
            throw new AppError('conflict', 'Notes or traces were changed meanwhile; repeat the request');
        };
        const asked = await askModel(deps, {
          application,
          question,
          subjectId: randomUUID(),
          signal: revoked,
          beforeSend,
        });
        const draft = evaluatorDraftOf(asked.value);
        if (draft === null)
          throw new AppError('unavailable', 'The model gave no usable answer: it has no criterion');
        return { data: { halves, expected, spent: asked.spent, draft } };
      };
      return dryRun ? drafted() : inSlot(application, drafted);
    },
  });
}
