import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { MAIN } from '../support/build.ts';
import { freePort } from '../support/free-port.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startStandInJudge } from '../support/stand-in-judge.ts';
import { EXAMPLES, evaluateScript, installExample, readReadme, runInShell } from './example.ts';

const INSTALL_MS = 900_000;
const FAST = { quietMs: 200 };

beforeAll(() => installExample('evaluate'), INSTALL_MS);

const settings = async ({ url, apiKey, applicationId }: TestServer): Promise<Record<string, string>> => ({
  TOUCHSTONE_URL: url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
  PORT: String(await freePort()),
});

interface Verdicts {
  verdicts: { rule: string; status: string; passed: boolean | null; reason: string }[];
}

/** Runs the example by the commands of its README; what it prints. */
async function evaluate(server: TestServer): Promise<Verdicts[]> {
  const folder = join(EXAMPLES, 'evaluate');
  const printed = await runInShell(evaluateScript(), folder, await settings(server));
  return JSON.parse(printed.slice(printed.indexOf('['), printed.lastIndexOf(']') + 1)) as Verdicts[];
}

it('has the verdicts of its README, without any model', async () => {
  const server = await startServer({ config: FAST });
  expect(await evaluate(server)).toMatchObject(readReadme('evaluate').excerpt as object[]);
  await server.close();
});

it('has what a judge says, where there is one', async () => {
  await using judge = await startStandInJudge(({ messages }) => {
    const isSure = messages.join().includes('Lima');
    return { say: { rationale: `It is ${isSure ? 'plain' : 'curt'}.`, verdict: isSure ? 'yes' : 'no' } };
  });
  const server = await startServer({
    config: { ...FAST, judgeBaseUrl: judge.openAi, judgeModel: 'stand-in' },
  });
  const polite = (await evaluate(server)).map(({ verdicts }) =>
    verdicts.find(({ rule }) => rule === 'Polite'),
  );
  expect(polite).toEqual([
    { rule: 'Polite', status: 'COMPLETED', passed: true, reason: 'It is plain.' },
    { rule: 'Polite', status: 'COMPLETED', passed: false, reason: 'It is curt.' },
  ]);
  expect(judge.requests).toHaveLength(2);
  await server.close();
});

it('is judged by the gate as the README of the project says', async () => {
  const readme = readFileSync(join(EXAMPLES, '../README.md'), 'utf8');
  const chapter = readme.slice(readme.indexOf('\n## First verdict\n'));
  const [, command = '', said = ''] = /```sh\ntouchstone (.*?)\n```.*?```\n(.*?)```/s.exec(chapter) ?? [];
  const gate = `"${process.execPath}" "${MAIN}" ${command} || echo "exit code $?"`;
  const server = await startServer({ config: FAST });
  const script = evaluateScript().replace('\nkill', `\n${gate}\nkill`);
  const printed = await runInShell(script, join(EXAMPLES, 'evaluate'), await settings(server));
  await server.close();

  const lines = said.split('\n');
  expect(lines.length).toBeGreaterThan(8);
  expect(printed.split('\n').filter((line) => lines.includes(line) && line !== '')).toEqual(
    lines.filter((line) => line !== ''),
  );
  expect(printed).toContain('exit code 1');
});
