import { expect, it } from 'vitest';
import { startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';
import { join } from 'node:path';
import { PACKAGE } from './support/built-package.ts';

const OBSERVE = join(PACKAGE, 'src/observe.ts');

/** Streams 1 GB through an observed function, which nothing else keeps. */
const STREAMING_APP = `
import { observe } from '${OBSERVE}';
const touchstone = register();
const answer = observe(async function* () {
  for (let n = 0; n < 4_000; n += 1) yield ITEM;
});
let items = 0;
for await (const item of answer()) items += 1;
await touchstone.shutdown();
console.log(JSON.stringify({ items, exported: touchstone.stats().exported }));
console.log(process.resourceUsage().maxRSS * 1024);
`;
const CONTAINER_BYTES = 256 * 2 ** 20;

it.each([
  ['bytes', 'Buffer.alloc(256 * 1024, n)'],
  [
    'objects with long texts',
    '{ choices: [{ delta: { content: Buffer.alloc(256 * 1024, 97).toString() } }] }',
  ],
])('an app in a container of 256 MB outlives an observed stream of 1 GB of %s', async (_what, item) => {
  await using receiver = await startReceiver();
  const app = new SourceApp(
    STREAMING_APP.replace('ITEM', item),
    {
      TOUCHSTONE_URL: receiver.url,
      TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
      TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
    },
    ['--max-old-space-size=128'],
  );
  const { code, stdout, stderr } = await app.ended;
  expect(code, stderr).toBe(0);
  const [counts = '', peak = ''] = stdout.split('\n');
  expect(JSON.parse(counts)).toEqual({ items: 4_000, exported: 1 });
  expect(Number(peak)).toBeLessThan(CONTAINER_BYTES);
});
