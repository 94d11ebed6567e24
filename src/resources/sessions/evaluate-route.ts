import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import { planEvals, wantedEvals } from '../../evaluate/calls.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { lastTraceOfSession } from '../../traces/calls.ts';
import { evaluateBody } from '../evals/evaluate-contract.ts';
import { sessionPath } from './contract.ts';

interface EvaluateSessionDeps extends StoreCalls {
  /** Called after evals were planned. */
  onEnqueued: () => void;
}

export const evaluateSessionRoute = ({ read, write, now, onEnqueued }: EvaluateSessionDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/sessions/{id}/evaluate',
    operationId: 'evaluateSession',
    group: 'Sessions',
    summary: 'Evaluate a session as a conversation',
    description:
      'Applies the definitions of the application that read the turns of a conversation: those of type `CONVERSATION`, and of type `HTTP` that send `turns`. Each trace of the session is a turn, at most the last 50. The evals belong to its last trace, `traceId`: after further turns, another call judges the longer conversation. A repeated call creates an eval again only if something it depends on has changed, or with `force`.',
    scope: 'write',
    params: sessionPath,
    body: evaluateBody,
    response: z.object({
      data: z.object({
        traceId: uuid.describe('Last trace of the session.'),
        evals: z.int().describe('Number of evals that run again or for the first time.'),
      }),
    }),
    example: { body: { force: false }, response: { data: { traceId: ID.trace, evals: 1 } } },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id }, body: { force } }) => {
      const last = await read(lastTraceOfSession, { application, id });
      if (last === null) throw new AppError('not_found', 'session not found');
      const target = { traceId: last.traceId };
      const evals = await read(wantedEvals, { application, target, hashes: !force, onlyOfTurns: true });
      const planned = await write(planEvals, { application, target, evals, force, at: now() });
      if (planned > 0) onEnqueued();
      return { data: { traceId: last.shownId, evals: planned } };
    },
  });
