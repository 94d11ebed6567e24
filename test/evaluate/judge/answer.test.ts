import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readAnswer } from '../../../src/evaluate/judge/answer.ts';

const schema = z.object({ rationale: z.string(), verdict: z.enum(['yes', 'no']) });
const yes = { rationale: 'It is.', verdict: 'yes' as const };
const text = JSON.stringify(yes);

describe('an answer is read', () => {
  it.each<[string, raw: string]>([
    ['as it is', text],
    ['with space around it', `\n ${text} \n`],
    ['in a fence', `\`\`\`json\n${JSON.stringify(yes, null, 2)}\n\`\`\``],
    ['behind a thought', `<think>{"a": 1} Should it be {"verdict": "no"}? No.</think>\n${text}`],
    ['before other text', `${text}\nI hope this helps {you}!`],
    ['said twice', `${text}\n${text}`],
    ['with members nobody asked for', JSON.stringify({ ...yes, confidence: 1 })],
    ['behind a bracket that is never closed', `{ ${text}`],
    [
      'behind a thought that quotes an answer',
      `<think>${JSON.stringify({ ...yes, verdict: 'no' })}</think>${text}`,
    ],
    ['behind a thought without its opening tag', `Is it? {"verdict": "no"}\n</think>\n\n${text}`],
    ['behind a thought in capitals', `\n<THINKING>No. {"rationale": "", "verdict": "no"}</THINKING> ${text}`],
    ['before a quoted end of a thought', `It is. ${text} It ends with </think>{"verdict":"no"}`],
    ['in a list of its own', `[${text}]`],
    ['with capitals and a full stop', JSON.stringify({ ...yes, verdict: ' Yes. ' })],
    ['with a boolean for the word', JSON.stringify({ ...yes, verdict: true })],
  ])('%s', (_name, raw) => {
    expect(readAnswer(raw, schema)).toEqual({ value: yes });
  });
});

describe('an answer cannot be used', () => {
  it.each<[string, raw: string, problem: string | RegExp]>([
    ['that is nothing', '', 'it contains no JSON object'],
    ['that is no JSON', 'Yes, it does.', 'it contains no JSON object'],
    ['that breaks off', text.slice(0, -5), 'it contains no JSON object'],
    ['with a wrong word', '{"rationale":"","verdict":"maybe"}', /^verdict: .*"yes"\|"no"/],
    ['that lacks something', '{"verdict":"yes"}', /^rationale: .*expected string/],
    ['that is a list of several', `[${text}, ${text}]`, /expected object/],
    ['with a word that only begins like one', '{"rationale":"","verdict":"yes and no"}', /^verdict: /],
    ['that is another JSON value', '"yes"', /expected object/],
    [
      'that quotes another one',
      `It said ${text}. {"rationale":"It is not.","verdict":"no"}`,
      'it contains several JSON objects that fit the schema',
    ],
    [
      'that quotes the end of a thought and another one',
      `I say {"rationale":"It is not.","verdict":"no"}, although the output ends with </think>${text}`,
      'it contains several JSON objects that fit the schema',
    ],
    [
      'that quotes the end of a thought in its thought',
      `<think>It ends with </think>${text}</think>{"rationale":"It is not.","verdict":"no"}`,
      'it contains several JSON objects that fit the schema',
    ],
  ])('%s', (_name, raw, problem) => {
    expect(readAnswer(raw, schema)).toEqual({
      problem: typeof problem === 'string' ? problem : (expect.stringMatching(problem) as string),
    });
  });

  it('that is huge, in good time', () => {
    for (const part of ['{', '[{', '{}', '{"a":1} ', '"{', '\\"', '```json\n{'])
      expect(readAnswer(part.repeat(2 ** 20 / part.length), schema)).toHaveProperty('problem');
  });
});

it.each<[string, z.ZodType, given: unknown, value: unknown]>([
  [
    'a word for a boolean',
    z.object({ isRelevant: z.boolean() }),
    { isRelevant: 'Yes' },
    { isRelevant: true },
  ],
  ['a text for a number', z.object({ scores: z.array(z.int()) }), { scores: ['4', 5] }, { scores: [4, 5] }],
])('%s is repaired where the schema requires it', (_name, of, given, value) => {
  expect(readAnswer(JSON.stringify(given), of)).toEqual({ value });
});

it('a rationale that quotes the end of a thought keeps its answer', () => {
  const quoting = { ...yes, rationale: `It says </think>${JSON.stringify({ ...yes, verdict: 'no' })}` };
  expect(readAnswer(JSON.stringify(quoting), schema)).toEqual({ value: quoting });
});

it('is found whatever surrounds it, unless that fits too', () => {
  const around = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '}', ']', '\\', '`', ':') });
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(readAnswer(before + text + after, schema)).toEqual({ value: yes });
    }),
  );
});
