import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkJudges } from '../../../src/cli/judges-check.ts';
import type { Check } from '../../../src/contract/check.ts';
import {
  type JudgeBehaviour,
  type JudgeRequest,
  type StandInJudge,
  startStandInJudge,
} from '../../support/stand-in-judge.ts';
import { type Folder, temporaryFolder } from '../../support/storage.ts';

const YES = { rationale: 'It is.', verdict: 'yes' };
const rejected = (message: string): JudgeBehaviour => ({
  status: 400,
  body: JSON.stringify({ error: { message } }),
});
const completion = (choice: object, more: object = {}): JudgeBehaviour => ({
  status: 200,
  body: JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm-1',
    choices: [choice],
    ...more,
  }),
});

let folder: Folder;
let path: string;
let model: StandInJudge | null = null;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('judges.json');
});
afterEach(async () => {
  folder[Symbol.dispose]();
  await model?.[Symbol.asyncDispose]();
  model = null;
});

interface Checked {
  code: number;
  text: string;
  file: { judges: Record<string, object>; default: string };
}

async function check(
  behave: (request: JudgeRequest) => JudgeBehaviour,
  more: object = {},
  words: readonly string[] = [],
): Promise<Checked> {
  model = await startStandInJudge(behave);
  const judge = { provider: 'openai-compatible', baseUrl: model.openAi, model: 'm', ...more };
  writeFileSync(path, JSON.stringify({ judges: { main: judge }, default: 'main' }), { mode: 0o600 });
  let text = '';
  const io = {
    env: { TOUCHSTONE_JUDGES_FILE: path },
    out: (part: string) => (text += part),
    err: () => undefined,
  };
  const code = await checkJudges(words, io as never);
  return { code, text, file: JSON.parse(readFileSync(path, 'utf8')) as Checked['file'] };
}

const found = async (
  ...args: Parameters<typeof check>
): Promise<{ checks: Check[]; code: number; needs: object }> => {
  const [behave, more, words = []] = args;
  const { text, code } = await check(behave, more, [...words, '--json']);
  const { judges } = JSON.parse(text) as { judges: { checks: Check[]; needs: object }[] };
  return { code, checks: judges[0]?.checks ?? [], needs: judges[0]?.needs ?? {} };
};

describe('touchstone judges check', () => {
  it('finds nothing to change at an endpoint that takes everything', async () => {
    const { code, checks, needs } = await found(() => ({ say: YES }), { embeddingModel: 'e' });
    expect(checks.filter(({ level }) => level !== 'ok').map(({ name }) => name)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual([
      'Connection',
      'Clock',
      'Speed',
      'Usage',
      'Cost',
      'Quota',
      'Reasoning',
      'Length',
      'Truncation',
      'Form',
      'Parameter temperature',
      'Parameter seed',
      'Parameter max_tokens',
      'Harmful texts',
      'Embeddings',
    ]);
    expect([code, needs]).toEqual([0, {}]);
  });

  it.each<[string, JudgeBehaviour, object]>([
    [
      'can be used',
      { say: YES },
      { isUsable: true, summary: 'It answers, and follows the form of verdicts.' },
    ],
    [
      'has a wrong key',
      { status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' },
      { isUsable: false, latencyMs: null, summary: expect.stringMatching(/401.*Check apiKey/) as string },
    ],
    [
      'has a model that the endpoint does not know',
      { status: 404, body: '{"error":{"message":"The model `m` does not exist"}}' },
      { isUsable: false, summary: expect.stringMatching(/Check the name of the model/) as string },
    ],
    [
      'answers without JSON',
      { say: 'Yes, it is.' },
      { isUsable: false, summary: expect.stringMatching(/No form gives an answer/) as string },
    ],
  ])('says in a sentence that a judge %s, and what that cost', async (_name, behaviour, expected) => {
    const prices = { input: 1, output: 2 };
    const { text } = await check(() => behaviour, { prices }, ['--json']);
    const [report] = (
      JSON.parse(text) as { judges: { isUsable: boolean; cost: number; latencyMs: number | null }[] }
    ).judges;
    expect(report).toMatchObject({ judge: 'main', ...expected });
    if (report?.latencyMs !== null) expect(report?.cost).toBeGreaterThan(0);
    else expect(report.cost).toBe(0);
  });

  it('writes what the endpoint needs into the file, and keeps the rest of it', async () => {
    const behave = ({ body }: JudgeRequest): JudgeBehaviour => {
      if ('response_format' in body && (body['response_format'] as { type: string }).type === 'json_schema')
        return rejected('response_format json_schema is not supported');
      if ('temperature' in body) return rejected('temperature is not supported with this model');
      if ('seed' in body) return rejected('seed is not supported');
      return { say: YES };
    };
    const { text, file } = await check(behave, { seed: 7, prices: { input: 1, output: 2 } });
    expect(file).toMatchObject({
      default: 'main',
      judges: {
        main: {
          model: 'm',
          structuredOutput: 'json_object',
          temperature: null,
          seed: null,
          prices: { input: 1, output: 2 },
        },
      },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(text).toContain('Set structuredOutput to "json_object".');
    expect(text).toContain(`Written to ${path}:`);
  });

  it('changes nothing with --dry-run', async () => {
    const { text, file } = await check(
      ({ body }) => ('temperature' in body ? rejected('temperature is not supported') : { say: YES }),
      {},
      ['main', '--dry-run'],
    );
    expect(file.judges['main']).not.toHaveProperty('temperature');
    expect(text).toContain('judges.main: {"temperature":null}');
  });

  it('raises the limit of tokens where the model reasons first', async () => {
    const { checks, needs } = await found(
      ({ body }) => {
        const isShort = Number(body['max_tokens']) < 2_000;
        const message = {
          role: 'assistant',
          content: isShort ? '' : JSON.stringify(YES),
          reasoning_content: 'hmm',
        };
        return completion({ index: 0, message, finish_reason: isShort ? 'length' : 'stop' });
      },
      { maxOutputTokens: 512 },
    );
    expect(needs).toEqual({ maxOutputTokens: 2_048 });
    const levels = Object.fromEntries(checks.map(({ name, level }) => [name, level]));
    expect(levels).toMatchObject({ Length: 'warning', Truncation: 'ok', Reasoning: 'ok', Usage: 'warning' });
    expect(checks.find(({ name }) => name === 'Reasoning')?.message).toContain('reasoning_content');
  });

  it.each([
    [{ status: 401, body: '{"error":{"message":"wrong key"}}' }, 'api-key'],
    [{ status: 404, body: '{}' }, 'Check baseUrl'],
    [{ status: 429, body: '{}' }, 'Check again when the quota is refilled.'],
  ])('says what to do when the endpoint responds with %j', async (behaviour, advice) => {
    const { code, checks } = await found(() => behaviour);
    expect(code).toBe(1);
    expect(checks).toMatchObject([
      { name: 'Connection', level: 'problem', advice: expect.stringContaining(advice) as string },
    ]);
    expect(model?.requests).toHaveLength(1);
  });

  it('names endpoints that do not judge harmful texts', async () => {
    const { checks } = await found(({ messages }) =>
      messages.some((text) => text.includes('idiot'))
        ? completion({
            index: 0,
            message: { role: 'assistant', content: '' },
            finish_reason: 'content_filter',
          })
        : { say: YES },
    );
    expect(checks.find(({ level }) => level !== 'ok')).toMatchObject({
      name: 'Harmful texts',
      level: 'warning',
    });
  });

  it('rejects a name that no judge has', async () => {
    await expect(check(() => ({ say: YES }), {}, ['other'])).rejects.toThrow(
      'There is no judge "other". Judges: main.',
    );
  });
});
