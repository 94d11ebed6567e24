import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import { callTarget, startTests, TIMEOUT_MS } from './target.ts';
import { startWebhookApp } from './webhook-app.ts';

const TESTS = { full: 100, short: 30 };
const PATTERNS = ['^(a+)+$', '^(a|a)*$', '(a*)*b', '^(\\w+\\s?)*$', '(x+x+)+y|^(aa?)+$'];
const BETWEEN_ROUNDS_MS = 2_000;

/** Has tests judged by regular expressions that backtrack without end. */
export const expensiveDefinitions: Attack = async (target, begun, end) => {
  const app = await startWebhookApp(target, `${'a'.repeat(60)}!`);
  const definitions = PATTERNS.map((value, index) => ({
    name: `Expensive ${index}`,
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'regex', value }] },
  }));
  const count = target.isShort ? TESTS.short : TESTS.full;
  const { taskId } = await startTests(target, app.url, definitions, count);
  await delay(BETWEEN_ROUNDS_MS);
  begun();
  while (!end.aborted) {
    // Rejected while the tests are still being judged.
    const round = callTarget(target, 'POST', `/v0/tasks/${taskId}/evaluate`, { force: true }, TIMEOUT_MS);
    await round.catch(() => undefined);
    await Promise.race([delay(BETWEEN_ROUNDS_MS), once(end, 'abort')]);
  }
  app.close();
  return `${count} tests with ${PATTERNS.length} expensive rules each`;
};
