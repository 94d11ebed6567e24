import type { z } from 'zod';
import { dates, ID, owner } from '../../contract/example-values.ts';
import { exampleApplication } from '../applications/example.ts';
import type { createDefinitionBody, Definition } from './contract.ts';
import type { Reliability } from './reliability-contract.ts';

export const exampleDefinition: Definition = {
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
  isBlocking: false,
  isOverall: false,
  issueId: null,
  application: exampleApplication,
  topics: [ID.topic],
};

export const exampleNewDefinition: z.input<typeof createDefinitionBody> = {
  name: exampleDefinition.name,
  type: 'CUSTOM',
  globalConfig: exampleDefinition.globalConfig,
};

export const exampleReliability: Reliability = {
  definitionId: ID.definition,
  version: 1,
  judgeVersion: '5f4c1b2d7e8a9b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7081920',
  isAdvisory: false,
  gate: {
    minKappa: 0.5,
    minAnnotations: 30,
    maxAgeDays: 90,
    canaries: 20,
    isValid: true,
    reason: null,
    verdicts: 50,
    lastTest: {
      number: 1,
      verdicts: 30,
      kappa: 0.79,
      low: 0.52,
      confidence: 0.96,
      isPassed: true,
      isPossible: true,
    },
    revokedBy: null,
    nextTestAt: 60,
    awaited: 10,
    expiresAt: '2026-09-29T12:00:00.000Z',
  },
  verdicts: { compared: 60, tied: 1, settled: 2, unjudged: 2, random: 50, missing: 0 },
  confusion: { truePositives: 36.5, falsePositives: 3.5, falseNegatives: 2, trueNegatives: 18 },
  agreement: { rate: 90, low: 79.8504979842, high: 95.3377637206 },
  kappa: { value: 0.780487804878, low: 0.58, high: 0.92 },
  annotators: {
    traces: 24,
    alpha: { value: 0.84, low: 0.55, high: 0.97 },
    fleissKappa: { value: 0.83, low: 0.54, high: 0.97 },
    people: [
      { annotatorId: 'ada', verdicts: 48, passRate: 62.5, shared: 24, bias: -4.1666666667 },
      { annotatorId: 'ben', verdicts: 36, passRate: 66.6666666667, shared: 24, bias: 4.1666666667 },
    ],
    pairs: [{ annotatorIds: ['ada', 'ben'], traces: 24, agreed: 22, kappa: 0.82 }],
  },
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
