import { expect, it } from 'vitest';
import { JUDGED_TYPES } from '../../src/contract/judged-types.ts';
import { configIssues, DEFINITION_TYPES, type DefinitionType } from '../../src/evaluate/definition-config.ts';
import { evaluatorOf } from '../../src/evaluate/evaluators.ts';

it.each<[type: DefinitionType, config: object]>([
  ['NATURALNESS', {}],
  ['STYLE', { criterion: 'x', judge: 'strict', monitoring: { sampleRate: 0 } }],
  ['RECALL', { monitoring: { sampleRate: 1, own: true } }],
  ['CONVERSATION', { monitoring: { sampleRate: 0.5, idleTimeoutMs: 604_800_000, own: true } }],
  ['CUSTOM', { criterion: 'x'.repeat(10_000) }],
  ['OUTPUT_MATCH', { type: 'string', extract: { pattern: 'a'.repeat(1_000), flags: '', group: 99 } }],
  [
    'ASSERT',
    {
      assertions: Array.from({ length: 100 }, () => ({ type: 'is-json', weight: 0.5 })),
      threshold: 0.1,
    },
  ],
  ['CUSTOM', { criterion: 'x', scale: { min: 0, max: 3 }, passThreshold: 2 }],
  [
    'CUSTOM',
    {
      criterion: 'x',
      scale: { min: 1, max: 2, anchors: [{ score: 1, description: 'bad' }] },
      passThreshold: 1.5,
    },
  ],
  ['HTTP', { url: 'https://scorer.example.com/', timeoutMs: 1_000, send: ['output'], parameters: { a: 1 } }],
])('%s takes %j', (type, config) => {
  expect(configIssues(type, config)).toEqual([]);
});

const assertion = { type: 'contains', value: 'x' };
it.each<[type: DefinitionType, config: object, field: string]>([
  ['ASSERT', { assertions: [{ type: 'contains', value: 'x' }], threshold: 0 }, 'threshold'],
  ['ASSERT', { assertions: [{ type: 'rouge-l', value: 'x', threshold: 0 }] }, 'assertions'],
  [
    'ASSERT',
    {
      assertions: [
        { type: 'assert-set', threshold: 0, assertions: [{ type: 'contains', value: 'x' }] },
        { type: 'contains', value: 'x', weight: 0 },
      ],
    },
    'assertions',
  ],
  ['OUTPUT_MATCH', { type: 'string', passThreshold: 0 }, 'passThreshold'],
  ['SIMILARITY', { passThreshold: 0 }, 'passThreshold'],
  ['HTTP', { url: 'https://scorer.example.com/', passThreshold: 0 }, 'passThreshold'],
  ['CUSTOM', { criterion: 'x', scale: { min: 1, max: 4 }, passThreshold: 1 }, 'passThreshold'],
])('%s rejects a threshold that everything reaches: %j', (type, config, field) => {
  expect(configIssues(type, config)).toMatchObject([
    { path: ['globalConfig', field], message: expect.stringMatching(/^must .*above \d/) as string },
  ]);
});

it.each<[type: DefinitionType, config: unknown, path: string, code: string]>([
  ['NATURALNESS', 'x', 'globalConfig', 'invalid_type'],
  ['NATURALNESS', { criterion: 7 }, 'globalConfig.criterion', 'invalid_type'],
  ['NATURALNESS', { criterion: ' ' }, 'globalConfig.criterion', 'too_small'],
  ['CUSTOM', { criterion: 'x', judge: 7 }, 'globalConfig.judge', 'invalid_type'],
  ['STYLE', { judge: ' ' }, 'globalConfig.judge', 'too_small'],
  ['RECALL', { monitoring: 0.5 }, 'globalConfig.monitoring', 'invalid_type'],
  ['RECALL', { monitoring: {} }, 'globalConfig.monitoring.sampleRate', 'invalid_type'],
  ['STYLE', { monitoring: { sampleRate: 1.1 } }, 'globalConfig.monitoring.sampleRate', 'too_big'],
  ['STYLE', { monitoring: { sampleRate: -0.1 } }, 'globalConfig.monitoring.sampleRate', 'too_small'],
  [
    'CONVERSATION',
    { monitoring: { sampleRate: 1, idleTimeoutMs: 999 } },
    'globalConfig.monitoring.idleTimeoutMs',
    'too_small',
  ],
  [
    'CONVERSATION',
    { monitoring: { idleTimeoutMs: 1_000 } },
    'globalConfig.monitoring.sampleRate',
    'invalid_type',
  ],
  ['FACT', { groundTruth: '' }, 'globalConfig.groundTruth', 'too_small'],
  ['FACT', { groundTruth: ['x'] }, 'globalConfig.groundTruth', 'invalid_type'],
  ['CUSTOM', {}, 'globalConfig.criterion', 'invalid_type'],
  ['CUSTOM', { criterion: '\n' }, 'globalConfig.criterion', 'too_small'],
  ['CUSTOM', { criterion: 'x'.repeat(10_001) }, 'globalConfig.criterion', 'too_big'],
  ['CUSTOM', { criterion: 'x', scale: { min: 1, max: 5 } }, 'globalConfig.passThreshold', 'custom'],
  [
    'CUSTOM',
    { criterion: 'x', scale: { min: 1, max: 5 }, passThreshold: 6 },
    'globalConfig.passThreshold',
    'custom',
  ],
  [
    'CUSTOM',
    { criterion: 'x', scale: { min: 5, max: 5 }, passThreshold: 5 },
    'globalConfig.scale.max',
    'custom',
  ],
  [
    'CUSTOM',
    {
      criterion: 'x',
      scale: { min: 1, max: 5, anchors: [{ score: 6, description: 'x' }] },
      passThreshold: 5,
    },
    'globalConfig.scale.anchors',
    'custom',
  ],
  ['HTTP', {}, 'globalConfig.url', 'invalid_type'],
  ['HTTP', { url: 'https://a b' }, 'globalConfig.url', 'invalid_string'],
  ['HTTP', { url: 'https://a', timeoutMs: 60_001 }, 'globalConfig.timeoutMs', 'too_big'],
  ['HTTP', { url: 'https://a', send: ['trace'] }, 'globalConfig.send.0', 'invalid_enum_value'],
  ['OUTPUT_MATCH', {}, 'globalConfig.type', 'invalid_type'],
  ['OUTPUT_MATCH', { type: 'json' }, 'globalConfig.type', 'invalid_enum_value'],
  ['OUTPUT_MATCH', { type: 'list', matchMode: 'exact' }, 'globalConfig.matchMode', 'invalid_enum_value'],
  ['OUTPUT_MATCH', { type: 'list', scoreMetric: 'F1' }, 'globalConfig.scoreMetric', 'invalid_enum_value'],
  ['OUTPUT_MATCH', { type: 'list', passThreshold: 2 }, 'globalConfig.passThreshold', 'too_big'],
  ['OUTPUT_MATCH', { type: 'list', ignoreCase: 'yes' }, 'globalConfig.ignoreCase', 'invalid_type'],
  ['OUTPUT_MATCH', { type: 'list', extract: {} }, 'globalConfig.extract.pattern', 'invalid_type'],
  [
    'OUTPUT_MATCH',
    { type: 'list', extract: { pattern: '(' } },
    'globalConfig.extract.pattern',
    'invalid_string',
  ],
  [
    'OUTPUT_MATCH',
    { type: 'list', extract: { pattern: '\\p{X}', flags: 'u' } },
    'globalConfig.extract.pattern',
    'invalid_string',
  ],
  [
    'OUTPUT_MATCH',
    { type: 'list', extract: { pattern: 'a'.repeat(1_001) } },
    'globalConfig.extract.pattern',
    'too_big',
  ],
  [
    'OUTPUT_MATCH',
    { type: 'list', extract: { pattern: 'a', flags: 'y' } },
    'globalConfig.extract.flags',
    'invalid_string',
  ],
  [
    'OUTPUT_MATCH',
    { type: 'list', extract: { pattern: 'a', flags: 'gig' } },
    'globalConfig.extract.flags',
    'invalid_string',
  ],
  [
    'OUTPUT_MATCH',
    { type: 'list', extract: { pattern: 'a', group: 1.5 } },
    'globalConfig.extract.group',
    'invalid_union',
  ],
  ['ASSERT', {}, 'globalConfig.assertions', 'custom'],
  ['ASSERT', { assertions: [] }, 'globalConfig.assertions', 'custom'],
  [
    'ASSERT',
    { assertions: Array.from({ length: 101 }, () => assertion) },
    'globalConfig.assertions',
    'too_big',
  ],
  ['ASSERT', { assertions: ['contains'] }, 'globalConfig.assertions.0', 'invalid_type'],
  ['ASSERT', { assertions: [assertion, {}] }, 'globalConfig.assertions.1.type', 'invalid_type'],
  [
    'ASSERT',
    { assertions: [{ ...assertion, type: '' }] },
    'globalConfig.assertions.0.type',
    'invalid_enum_value',
  ],
  ['ASSERT', { assertions: [{ ...assertion, not: 1 }] }, 'globalConfig.assertions.0.not', 'invalid_type'],
  ['ASSERT', { assertions: [{ ...assertion, weight: -1 }] }, 'globalConfig.assertions.0.weight', 'too_small'],
  [
    'ASSERT',
    { assertions: [{ type: 'cost', threshold: '1' }] },
    'globalConfig.assertions.0.threshold',
    'invalid_type',
  ],
  ['ASSERT', { assertions: [assertion], threshold: 1.5 }, 'globalConfig.threshold', 'too_big'],
])('%s rejects %j at %s', (type, config, path, code) => {
  const [issue, ...more] = configIssues(type, config);
  expect(more).toEqual([]);
  expect([issue?.path.join('.'), issue?.code]).toEqual([path, code]);
});

it('the types that need a judge model are those whose evaluator requests one', () => {
  const judged = DEFINITION_TYPES.filter((type) => evaluatorOf(type)?.judgedBy === 'model');
  expect([...JUDGED_TYPES]).toEqual(judged);
});
