import type { z } from 'zod';
import type { mappingPreview, OwnMappingsRecord, OwnPricesRecord } from './contract.ts';

export const exampleOwnMappings: OwnMappingsRecord = {
  version: 3,
  modifiedAt: '2026-11-28T09:30:00.000Z',
  rules: [
    { key: 'acme.llm.request', field: 'input', path: 'prompt', kind: 'LLM' },
    { key: 'acme.llm.tokens_in', field: 'inputTokens', type: 'number' },
    { key: 'acme.meta.*', field: 'metadata' },
  ],
};

export const exampleOwnPrices: OwnPricesRecord = {
  version: 1,
  modifiedAt: '2026-11-28T09:30:00.000Z',
  prices: {
    'acme-chat': [
      { input: 2, output: 8 },
      { from: '2026-12-01', input: 3, output: 12, cacheRead: 0.3, tiers: { flex: 0.5 } },
    ],
  },
};

export const exampleMappingPreview: z.infer<typeof mappingPreview> = {
  traces: 200,
  spans: 1240,
  rules: [
    { key: 'acme.llm.tokens_in', field: 'inputTokens', spans: 310, given: 310, samples: ['412', '97'] },
  ],
  unread: [{ key: 'acme.llm.answer', spans: 310, samples: ['It ships today.'], proposed: 'output' }],
};
