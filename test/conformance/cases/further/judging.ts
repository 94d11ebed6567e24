/** What is computed of verdicts: comparisons, the reliability of judges, what they cost. */
import type { Case } from '../../case.ts';
import { invalid, MESSAGE, SURE_INTERVAL, UNKNOWN } from '../../records.ts';
import { ABSENT, NUMBER, only, orNull } from '../../shapes.ts';

const RUN = { runIds: ['{{test.runId}}'] } as const;
const SIDE = {
  tests: 1,
  unfinished: 0,
  errors: 0,
  tracesDeleted: 0,
  passRate: 100,
  passRateInterval: SURE_INTERVAL,
} as const;
const UNKNOWN_RATE = orNull(only({ rate: NUMBER, low: NUMBER, high: NUMBER }));

const comparison = (name: string, body: object, status: number, contains: Case['contains']): Case => ({
  name,
  given: ['eval'],
  request: 'POST /v0/runs/compare',
  body,
  status,
  ...(contains !== undefined && { contains }),
});

export const JUDGING: readonly Case[] = [
  comparison(
    'a run compared with itself does not differ',
    { baseline: RUN, candidates: [RUN] },
    200,
    only({
      data: only({
        confidence: 0.95,
        question: 'EXAMPLES_LIKE_THESE',
        definitionId: null,
        baseline: only(SIDE),
        candidates: [
          only({
            ...SIDE,
            pairs: 1,
            onlyInBaseline: 0,
            onlyInCandidate: 0,
            difference: { baseline: 100, candidate: 100, estimate: 0, pValue: 1, adjustedPValue: 1 },
            effectSize: { riskDifference: 0 },
            tasks: only({ better: 0, worse: 0, same: 1, mostImproved: [], mostWorsened: [] }),
            definitions: [{ id: '{{definition.id}}', pairs: 1, difference: 0 }],
          }),
        ],
      }),
    }),
  ),
  comparison(
    'a comparison by one definition',
    { baseline: RUN, candidates: [RUN], definitionId: '{{definition.id}}', confidence: 0.9 },
    200,
    { data: { confidence: 0.9, definitionId: '{{definition.id}}' } },
  ),
  comparison(
    'an unknown run is not compared',
    { baseline: RUN, candidates: [{ runIds: [UNKNOWN] }] },
    404,
    MESSAGE,
  ),
  comparison(
    'an unknown variant is not compared',
    { baseline: { variantId: UNKNOWN }, candidates: [RUN] },
    404,
    MESSAGE,
  ),
  comparison(
    'a side is runs or a variant',
    { baseline: { ...RUN, variantId: UNKNOWN }, candidates: [RUN] },
    422,
    invalid([['baseline'], 'custom']),
  ),
  comparison('a comparison has candidates', { baseline: RUN, candidates: [] }, 422, {
    issues: [{ path: ['candidates'], code: 'too_small' }],
  }),
  {
    name: 'nobody has said how reliable a definition is',
    given: ['eval'],
    request: 'GET /v0/definitions/{{definition.id}}/reliability',
    status: 200,
    contains: only({
      data: only({
        definitionId: '{{definition.id}}',
        version: 1,
        judgeVersion: null,
        isAdvisory: false,
        gate: null,
        verdicts: only({ compared: 0, tied: 0, unjudged: 0, random: 0, missing: 30 }),
        confusion: only({ truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 }),
        agreement: null,
        kappa: null,
        annotators: only({ traces: 0, alpha: null }),
        truePositiveRate: UNKNOWN_RATE,
        trueNegativeRate: UNKNOWN_RATE,
        correctedPassRate: null,
        refusal: only({ code: 'TOO_FEW_VERDICTS', message: /./ }),
      }),
    }),
  },
  {
    name: 'a person agrees with a definition',
    given: [
      'eval',
      {
        request: 'POST /v0/human-annotations',
        body: { traceId: '{{trace.id}}', verdict: true, source: 'TRACE_PAGE', annotatorId: 'ann' },
      },
    ],
    request: 'GET /v0/definitions/{{definition.id}}/reliability?version=1',
    status: 200,
    contains: {
      data: { verdicts: { compared: 1 }, confusion: { truePositives: 1 }, agreement: { rate: 100 } },
    },
  },
  {
    name: 'version 0 of a definition is none',
    given: ['definition'],
    request: 'GET /v0/definitions/{{definition.id}}/reliability?version=0',
    status: 422,
    contains: invalid([['version'], 'too_small']),
  },
  {
    name: 'an unknown definition has no reliability',
    request: `GET /v0/definitions/${UNKNOWN}/reliability`,
    status: 404,
    contains: MESSAGE,
  },
  ...['day', 'definition'].map(
    (groupBy): Case => ({
      name: `what is judged by rule costs nothing by ${groupBy}`,
      given: ['eval'],
      request: `GET /v0/evals/costs?groupBy=${groupBy}`,
      status: 200,
      contains: { data: [], pagination: ABSENT },
    }),
  ),
  {
    name: 'costs are not told by what there is not',
    request: 'GET /v0/evals/costs?groupBy=model',
    status: 422,
    contains: invalid([['groupBy'], 'invalid_enum_value']),
  },
];
