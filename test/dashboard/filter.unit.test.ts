import { describe, expect, it } from 'vitest';
import {
  formatTerms,
  parseTerms,
  readDuration,
  suggest,
  tracesQueryOf,
} from '../../src/dashboard/traces/filter.ts';

const NOW = Date.parse('2026-03-31T12:00:30Z');
const noValues = (): readonly string[] => [];

describe('a filter line', () => {
  it.each([
    ['errors:yes', { hasErrors: true }],
    ['errors:no', { hasErrors: false }],
    ['duration:>2s', { minDurationMs: 2_000 }],
    ['duration:<500ms', { maxDurationMs: 500 }],
    ['duration:>1s duration:<1min', { minDurationMs: 1_000, maxDurationMs: 60_000 }],
    ['cost:>0.01', { minCost: 0.01 }],
    ['cost:>$0.01', { minCost: 0.01 }],
    ['tokens:>2k', { minTokens: 2_000 }],
    ['model:gpt-5.4 model:claude', { model: ['gpt-5.4', 'claude'] }],
    ['kind:tool', { kind: ['TOOL'] }],
    ['user:"Ada Lovelace"', { userId: ['Ada Lovelace'] }],
    ['last:24h', { startDate: '2026-03-30T12:00:00.000Z' }],
    ['from:2026-03-01T10:00Z', { startDate: '2026-03-01T10:00:00.000Z' }],
    ['where is my parcel', { search: 'where is my parcel' }],
    ['errors:yes lost parcel', { hasErrors: true, search: 'lost parcel' }],
    ['https://shop.example', { search: 'https://shop.example' }],
    ['', {}],
  ])('%s', (line, query) => expect(tracesQueryOf(line, NOW)).toEqual({ query, problems: [] }));

  it.each([
    ['errors:maybe', 'must be yes or no'],
    ['duration:long', 'must be a limit such as >2s'],
    ['from:yesterday', 'must be a day or a moment'],
    ['kind:cat', 'must be one of LLM'],
  ])('names what is wrong with %s', (line, problem) => {
    const { query, problems } = tracesQueryOf(line, NOW);
    expect(query).toEqual({});
    expect(problems[0]?.problem).toContain(problem);
  });

  it('is the same after its chips are written as a line again', () => {
    const line = 'errors:yes user:"Ada Lovelace" lost parcel';
    expect(formatTerms(parseTerms(line))).toBe(line);
  });
});

describe('suggestions', () => {
  it('are names of fields, then their values', () => {
    expect(suggest('err', noValues).map(({ line }) => line)).toEqual(['errors:']);
    expect(suggest('last:24h errors:', noValues).map(({ line }) => line)).toEqual([
      'last:24h errors:yes ',
      'last:24h errors:no ',
    ]);
  });

  it('include values of the list', () => {
    const values = (name: string): readonly string[] => (name === 'user' ? ['Ada Lovelace'] : []);
    expect(suggest('user:', values).map(({ line }) => line)).toEqual(['user:"Ada Lovelace" ']);
  });
});

it.each([
  ['2s', 2_000],
  ['1.5min', 90_000],
  ['7d', 604_800_000],
  ['300', 300],
  ['2 s', null],
  ['-1s', null],
])('the duration %s is %s ms', (text, milliseconds) => expect(readDuration(text)).toBe(milliseconds));
