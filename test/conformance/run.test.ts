/** What the interface promises, row by row, over a real socket. */
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { Case } from './case.ts';
import { CASES } from './cases.ts';
import { LINES } from './lines.ts';
import { unsorted } from './order.ts';
import { fieldsOf } from './shapes.ts';
import { type Harness, startHarness } from './harness.ts';
import { Scenarios } from './scenarios.ts';

let harness: Harness;
let scenarios: Scenarios;
beforeAll(async () => {
  harness = await startHarness();
  scenarios = new Scenarios(harness);
});
afterAll(async () => {
  await scenarios.close();
  await harness.close();
});

describe.each(Object.entries(CASES))('%s', (_section, cases) => {
  it.concurrent.for(cases)('$name', run);
});

/** With all that is wrong in the message. */
const expectNone = (wrong: readonly string[]): void => expect(wrong, wrong.join('\n')).toEqual([]);

async function run(wanted: Case, { onTestFinished }: TestContext): Promise<void> {
  const { status, type = /^application\/json/ } = wanted;
  const scenario = await scenarios.of(wanted, onTestFinished);
  const reply = await scenario.call(wanted);
  expect(`${reply.status} ${reply.text}`).toMatch(new RegExp(`^${status} `));
  if (wanted.contains !== undefined) expectNone(scenario.mismatches(reply.json, wanted.contains));
  if (wanted.says) expect(reply.text).toMatch(wanted.says);
  for (const text of wanted.containsNot ?? []) expect(reply.text).not.toContain(scenario.filled(text));
  const headers = { 'x-request-id': /^[\w.-]{1,64}$/, ...wanted.answerHeaders };
  expectNone(scenario.mismatches(Object.fromEntries(reply.headers), headers));
  if (status === 204) expect(reply.text).toBe('');
  else expect(reply.headers.get('content-type')).toMatch(type);
  if (wanted.sorted) expectNone(await unsorted(scenario, wanted.request, wanted.sorted));
  if (wanted.received !== undefined)
    expectNone(scenario.mismatches(await scenario.received(), wanted.received));
  if (wanted.after) {
    const { status: afterwards = 200, contains, until, ...request } = wanted.after;
    const after = await scenario.settled(request, until && contains);
    expect(`${after.status} ${after.text}`).toMatch(new RegExp(`^${afterwards} `));
    if (contains !== undefined) expectNone(scenario.mismatches(after.json, contains));
  }
}

describe('the rows', () => {
  const sections = Object.values(CASES);
  const all = sections.flat();
  const lines = new Set(
    Object.entries(LINES).flatMap(([section, names]) => names.map((name) => `${section}.${name}`)),
  );
  const covered = all.flatMap((one) => linesNamedBy(one).flatMap((line) => linesOf(line, one)));

  /** `Tag.*` are the fields of the record that the case requests. */
  function linesOf(line: string, { contains, received }: Case): string[] {
    if (!line.endsWith('.*')) return [line];
    const fields = [contains, received].flatMap((shape) => (shape === undefined ? [] : fieldsOf(shape)));
    return fields.map((field) => line.slice(0, -1) + field).filter((name) => lines.has(name));
  }

  it('cover every line of the interface', () => {
    const missing = [...lines].filter((line) => !covered.includes(line));
    expect(missing, missing.join('\n')).toEqual([]);
  });

  it('name no line that there is not', () => {
    const known = [...lines, ...Object.keys(LINES).map((name) => `${name}.*`)];
    expect(all.flatMap(linesNamedBy).filter((line) => !known.includes(line))).toEqual([]);
  });

  it('have names of their own', () => {
    for (const cases of sections) {
      const names = cases.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
    }
  });
});

function linesNamedBy({ line = [] }: Case): string[] {
  return [line].flat();
}
