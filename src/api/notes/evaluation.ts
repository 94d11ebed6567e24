import type { OperationNotes } from './note.ts';
import { application, dates, ID, owner, page } from './values.ts';

const definition = {
  id: ID.definition,
  ...owner,
  ...dates,
  type: 'CUSTOM',
  name: 'Names the return window',
  status: 'ACTIVE',
  version: 1,
  repeats: 1,
  globalConfig: { criterion: 'The answer says how many days a customer has to return a product.' },
  styleGuideId: null,
  quickstartId: null,
  gate: null,
  application,
  topics: [ID.topic],
};
const listedEval = {
  id: ID.eval,
  ...owner,
  ...dates,
  definition,
  definitionVersion: 1,
  testId: ID.test,
  traceId: ID.trace,
  taskId: ID.task,
  runId: ID.run,
  status: 'COMPLETED',
  score: 1,
  normalisedScore: 1,
  passed: true,
  version: 1,
  superseded: false,
  inputHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  reason: 'The answer names 30 days.',
  cost: 0.0004,
  latencyMs: 640,
};
const styleGuide = {
  id: ID.styleGuide,
  ...owner,
  ...dates,
  quickstartId: null,
  content: [{ heading: 'Tone', content: 'Friendly and short. No exclamation marks.', approved: true }],
};
const reliability = {
  definitionId: ID.definition,
  version: 1,
  verdicts: { compared: 60, tied: 1, unjudged: 2, random: 50, missing: 0 },
  confusion: { truePositives: 36, falsePositives: 4, falseNegatives: 2, trueNegatives: 18 },
  agreement: { rate: 90, low: 79.8504979842, high: 95.3377637206 },
  kappa: { value: 0.780487804878, low: 0.58, high: 0.92 },
  truePositiveRate: { rate: 94.7368421053, low: 82.7092, high: 98.5443 },
  trueNegativeRate: { rate: 81.8181818182, low: 61.4814, high: 92.6926 },
  correctedPassRate: {
    rate: 68.2,
    low: 55.1,
    high: 80.4,
    isClamped: false,
    judged: 940,
    judgedPassRate: 71,
  },
  refusal: null,
};
const EVALUATED = { data: { tests: 1, evals: 1 } };
const definitionPage = page([definition]);

/** Evaluation definitions, evals and style guides. */
export const evaluationNotes: OperationNotes = {
  'POST /v0/definitions': {
    id: 'createDefinition',
    body: { name: definition.name, type: 'CUSTOM', globalConfig: definition.globalConfig },
    answer: { data: { ...definition, topics: [] } },
  },
  'GET /v0/definitions': {
    id: 'listDefinitions',
    answer: { ...definitionPage, pagination: { ...definitionPage.pagination, totalCount: 1 } },
  },
  'GET /v0/definitions/{id}': { id: 'getDefinition', answer: { data: definition } },
  'PUT /v0/definitions/{id}': {
    id: 'updateDefinition',
    body: { repeats: 3 },
    answer: { data: { ...definition, repeats: 3 } },
  },
  'GET /v0/definitions/{id}/reliability': { id: 'getDefinitionReliability', answer: { data: reliability } },
  'DELETE /v0/definitions/{id}': { id: 'deleteDefinition' },
  'POST /v0/definitions/link': {
    id: 'linkDefinitions',
    body: { evalIds: [ID.definition], taskIds: [ID.task], config: { expected: '30 days' } },
  },
  'POST /v0/definitions/unlink': {
    id: 'unlinkDefinitions',
    body: { evalIds: [ID.definition], topicIds: [ID.topic] },
  },
  'POST /v0/definitions/link-application': {
    id: 'linkDefinitionsToApplication',
    body: { evalIds: [ID.definition] },
  },
  'POST /v0/definitions/unlink-application': {
    id: 'unlinkDefinitionsFromApplication',
    body: { evalIds: [ID.definition] },
  },

  'GET /v0/evals': { id: 'listEvals', answer: page([listedEval]) },
  'GET /v0/evals/{id}': {
    id: 'getEval',
    answer: {
      data: { ...listedEval, results: { fulfilled: true }, judge: { model: 'gpt-4o-mini', temperature: 0 } },
    },
  },
  'POST /v0/tests/{id}/evaluate': { id: 'evaluateTest', body: { force: false }, answer: EVALUATED },
  'POST /v0/runs/{id}/evaluate': { id: 'evaluateRun', body: { force: false }, answer: EVALUATED },
  'POST /v0/tasks/{id}/evaluate': { id: 'evaluateTask', body: { force: true }, answer: EVALUATED },
  'GET /v0/evals/costs': {
    id: 'getEvalCosts',
    answer: {
      data: [
        {
          day: '2026-03-31',
          evalDefinitionId: null,
          name: null,
          evals: 12,
          inputTokens: 9600,
          outputTokens: 1440,
          cost: 0.0048,
          unpricedEvals: 0,
        },
      ],
    },
  },

  'POST /v0/style-guides': {
    id: 'createStyleGuide',
    body: { content: [{ heading: 'Tone', content: 'Friendly and short. No exclamation marks.' }] },
    answer: { data: { ...styleGuide, content: [{ ...styleGuide.content[0], approved: false }] } },
  },
  'GET /v0/style-guides': { id: 'listStyleGuides', answer: page([styleGuide]) },
  'GET /v0/style-guides/{id}': { id: 'getStyleGuide', answer: { data: styleGuide } },
  'PUT /v0/style-guides/{id}': {
    id: 'updateStyleGuide',
    body: { content: styleGuide.content },
    answer: { data: styleGuide },
  },
};
