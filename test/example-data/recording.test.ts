import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RecordedApp } from '../../src/example-data/recorded-app.ts';
import {
  millisecondsOf,
  parseTrace,
  place,
  readLines,
  readRecords,
  rootOf,
  attributeText,
} from '../../src/example-data/recording.ts';

const records = readRecords();
const inputsOf = (examples: object[]): string[] =>
  examples.map((example) => (example as { input: string }).input);
const LIMIT_BYTES = 1_000_000;

it('the recording has at most 1 MB', () => {
  const files = ['records.json', 'traffic.jsonl.gz', 'responses.jsonl.gz'];
  const sizes = files.map(
    (file) => statSync(new URL(`../../src/example-data/${file}`, import.meta.url)).size,
  );
  expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(LIMIT_BYTES);
});

it('live traffic is of the two weeks before the end of the recording, with both versions of the prompt', async () => {
  const roots = (await readLines('traffic')).map((line) => rootOf(parseTrace(line)));
  expect(roots.length).toBeGreaterThan(300);
  const end = Date.parse(records.recordedUntil);
  const times = roots.map((root) => end - millisecondsOf(root.endTimeUnixNano));
  expect(Math.min(...times)).toBeGreaterThan(0);
  expect(Math.max(...times) / 86_400_000).toSatisfy((days: number) => days > 13 && days < 15);
  const versions = new Set(roots.map((root) => attributeText(root, 'app.prompt.version')));
  for (const run of records.runs) expect(versions).toContain(run);
});

it('the app has a response to each prompt of its tests, except for the one at which v15 fails', async () => {
  const roots = (await readLines('responses')).map((line) => rootOf(parseTrace(line)));
  const recorded = roots.map((root) => [
    attributeText(root, 'app.prompt.version'),
    attributeText(root, 'input.value'),
  ]);
  const compared = records.experiment.tasks.flatMap((index) =>
    inputsOf(records.tasks[index]?.examples ?? []),
  );
  const inputs = records.tasks.flatMap((task) => inputsOf(task.examples));
  const expected = [
    ...records.runs.flatMap((version) => inputs.map((input) => [version, input])),
    ...compared.map((input) => ['v16', input]),
  ];
  const missing = expected.filter(
    ([version, input]) => !recorded.some(([v, i]) => v === version && i === input),
  );
  expect(missing).toEqual([['v15', 'Three orders, three refunds: 5101-C, 5102-C and 5103-C']]);
});

it('a placed trace has the id, times, parent and test of its place, and is otherwise as recorded', async () => {
  const [line = ''] = await readLines('responses');
  const before = parseTrace(line);
  const traceId = 'a'.repeat(32);
  const delivery = { testId: 'test-1', spanId: 'b'.repeat(16) };
  const after = place(before, { traceId, shiftMs: 1_500, delivery });
  const [recorded, placed] = [before, after].map((trace) => trace.resourceSpans[0].scopeSpans[0].spans);
  expect(placed?.map((span) => span.traceId)).toEqual(recorded?.map(() => traceId));
  expect(
    millisecondsOf(rootOf(after).startTimeUnixNano) - millisecondsOf(rootOf(before).startTimeUnixNano),
  ).toBe(1_500);
  expect(rootOf(after)).toMatchObject({ parentSpanId: delivery.spanId });
  expect(attributeText(rootOf(after), 'service.test.id')).toBe('test-1');
  expect(placed?.slice(1).map((span) => span.parentSpanId)).toEqual(
    recorded?.slice(1).map((span) => span.parentSpanId),
  );
});

it('the app responds with 500 to a prompt that was not recorded', async () => {
  const app = new RecordedApp(await readLines('responses'));
  const body = JSON.stringify({ testId: 'test-1', prompt: 'Never asked' });
  const response = await app.respond({ id: '1', headers: {}, body, timeoutMs: 1_000 });
  expect(response).toMatchObject({ answer: { status: 500 }, trace: null });
});
