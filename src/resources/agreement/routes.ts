import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { reviewerOf } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { planEvals, wantedEvals } from '../../evaluate/calls.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { findWithheld } from '../../traces/withheld/calls.ts';
import {
  agreementStep,
  definitionVersions,
  findDisagreements,
  meanCost,
  showDisagreement,
  unmeasuredTargets,
} from './calls.ts';
import {
  definitionVersion,
  disagreements,
  disagreementsQuery,
  evaluatedReviewed,
  evaluateReviewedBody,
  agreementStepRecord,
  type ShownDisagreement,
  definitionVersionsQuery,
} from './contract.ts';

interface AgreementDeps extends StoreCalls {
  /** Called after evals were planned. */
  onEnqueued: () => void;
}

const params = z.object({ id: uuid });
const group = 'Evaluation definitions';

export const agreementRoutes = (deps: AgreementDeps): Route[] => [
  versionsRoute(deps),
  disagreementsRoute(deps),
  stepRoute(deps),
  evaluateRoute(deps),
];

const versionsRoute = ({ read }: AgreementDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/definitions/{id}/versions',
    operationId: 'listDefinitionVersions',
    group,
    summary: 'List the versions of a definition',
    description: 'The newest 50, with their configurations and how their verdicts went.',
    scope: 'read',
    params,
    query: definitionVersionsQuery,
    response: z.object({ data: z.array(definitionVersion) }),
    example: {
      response: {
        data: [
          {
            version: 2,
            isCurrent: true,
            type: 'CUSTOM',
            globalConfig: { criterion: 'The answer says how many days a customer has.' },
            repeats: 1,
            firstVerdictAt: '2026-07-01T12:00:00.000Z',
            lastVerdictAt: '2026-07-02T12:00:00.000Z',
            judged: 40,
            passRate: { rate: 75, low: 59.8, high: 85.8 },
            shared: null,
          },
        ],
      },
    },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id }, query: { against = null } }) => ({
      data: await read(definitionVersions, { application, id, against }),
    }),
  });

const exampleDisagreement: ShownDisagreement = {
  testId: null,
  traceId: ID.trace,
  evalId: ID.eval,
  half: 'DRAFT',
  input: 'Can I have half of the price back?',
  output: 'Yes, send a photo and we refund half.',
  passed: true,
  reason: 'It requires a photo, as the policy requires.',
  people: [{ name: 'Omar', said: 'FAIL', critique: 'No order number is requested.' }],
};

const disagreementsRoute = ({ read, now }: AgreementDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/definitions/{id}/disagreements',
    operationId: 'listDisagreements',
    group,
    summary: 'List where a definition and people differ',
    description:
      'Verdicts of the current version that differ from those of the majority of people, the newest review first, with both reasons.',
    scope: 'read',
    params,
    query: disagreementsQuery,
    response: disagreements,
    example: {
      response: {
        data: [exampleDisagreement],
        definitionId: ID.definition,
        counts: { draft: 1, holdout: 0 },
      },
    },
    errors: ['not_found'],
    handler: async ({ principal, params: { id }, query: { half, limit } }) => {
      const { application } = principal;
      const found = await read(findDisagreements, { application, id });
      const withheld = await read(findWithheld, {
        application,
        reviewer: reviewerOf(principal),
        now: now(),
        traceIds: found.map(({ traceHex }) => traceHex),
        testIds: found.flatMap(({ target }) => (target.includes('-') ? target : [])),
      });
      const hidden = new Set([...withheld.traceIds, ...withheld.testIds]);
      const all = found.filter(({ target, traceHex }) => !hidden.has(target) && !hidden.has(traceHex));
      const ofHalf = all.filter((one) => half === undefined || one.half === half).slice(0, limit);
      const data: ShownDisagreement[] = [];
      for (const one of ofHalf) {
        const shown = await read(showDisagreement, { application, id, found: one });
        if (shown) data.push(shown);
      }
      const holdout = all.filter((one) => one.half === 'HOLDOUT').length;
      return { data, definitionId: id, counts: { draft: all.length - holdout, holdout } };
    },
  });

const stepRoute = ({ read, now }: AgreementDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/definitions/{id}/next-step',
    operationId: 'getAgreementStep',
    group,
    summary: 'Get what is missing until a definition is blocking',
    scope: 'read',
    params,
    response: z.object({ data: agreementStepRecord }),
    example: {
      response: {
        data: {
          definitionId: ID.definition,
          step: 'SAMPLE',
          count: 12,
          queueId: ID.queue,
          pending: 6,
          reason:
            'The judge has not been tested yet. The next test is at 30 human verdicts on tests and traces drawn at random; there are 12.',
        },
      },
    },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id } }) => ({
      data: await read(agreementStep, { application, id, now: now() }),
    }),
  });

const evaluateRoute = ({ read, write, now, onEnqueued }: AgreementDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/definitions/{id}/evaluate',
    operationId: 'evaluateReviewed',
    group,
    summary: 'Judge what people have reviewed again',
    description:
      'Applies the current version to the tests and traces that people have judged by the definition and that only an earlier version has judged, at most 1000 a call. Those to which the definition no longer applies are left out.',
    scope: 'write',
    params,
    body: evaluateReviewedBody,
    response: z.object({ data: evaluatedReviewed }),
    example: { body: { dryRun: true }, response: { data: { reviewed: 102, evals: 0, cost: 0.06 } } },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id }, body: { dryRun }, revoked }) => {
      const targets = await read(unmeasuredTargets, { application, id });
      const cost = await read(meanCost, { application, id });
      let evals = 0;
      for (const target of dryRun ? [] : targets) {
        revoked.throwIfAborted();
        const wanted = await read(wantedEvals, { application, target, hashes: true });
        const own = wanted.filter(({ definitionId }) => definitionId === id);
        if (own.length > 0)
          evals += await write(planEvals, { application, target, evals: own, force: false, at: now() });
      }
      if (evals > 0) onEnqueued();
      return {
        data: { reviewed: targets.length, evals, cost: cost === null ? null : cost * targets.length },
      };
    },
  });
