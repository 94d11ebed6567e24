/** A support bot that is tested by webhook: what it does depends on the prompt. */
import {
  answer,
  type Behaviour,
  type CustomerApp,
  hang,
  startCustomerApp,
} from '../../support/customer-app.ts';
import type { TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { shopTrace } from './shop-spans.ts';

/** Settings with which tests end within a second or two. */
export const QUICK_TESTS = { quietMs: 150, orphanQuietMs: 300, traceDeadlineMs: 1_000 };

export const PROMPTS = {
  good: 'Where is my parcel 4711?',
  failing: 'Fail with 500, please',
  silent: 'Answer, and send no span',
  hanging: 'Never answer',
} as const;
export type PromptName = keyof typeof PROMPTS;

export interface TestedApp {
  app: CustomerApp;
  taskId: string;
  webhookSecret: string;
  /** Makes the app respond in this way to every request, until it is broken again. */
  respond: (behaviour: Behaviour) => void;
  /** Makes the app process every prompt as if it were a good one. */
  repair: () => void;
  /** Makes what the app does depend on the prompt again. */
  breakAgain: () => void;
  /** Starts tests of a task, with its input examples in turn; resolves to their run and ids. */
  trigger: (repeat: number, taskId?: string) => Promise<{ runId: string; testIds: string[] }>;
  /** Resolves to the test once it has ended. */
  ended: (testId: string) => Promise<{ id: string; status: string }>;
}

/** Sets up webhook, task and evaluators of the application; the prompts of its task are these. */
export async function openTestedApp(
  server: TestServer,
  prompts: readonly PromptName[] = ['good', 'failing', 'silent'],
): Promise<TestedApp> {
  const call = async (method: string, path: string, body?: object, headers = {}): Promise<object> => {
    const reply = await server.call(method, path, { ...(body && { body }), headers });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.json ?? {};
  };
  const app = await startCustomerApp();
  let seed = 100;
  const sendTrace = async (body: string): Promise<void> => {
    const { testId } = JSON.parse(body) as { testId: string };
    seed += 1;
    const { request } = shopTrace(seed, Date.now() - 2_000, { testId });
    await server.call('POST', '/v1/traces', { body: request });
  };
  const good: Behaviour = async (request, response) => {
    await sendTrace(request.body);
    answer(200)(request, response);
  };
  const byPrompt: Behaviour = (request, response) => {
    const { prompt = '' } = JSON.parse(request.body) as { prompt?: string };
    if (prompt === PROMPTS.failing) return answer(500, 'TypeError: order is undefined')(request, response);
    if (prompt === PROMPTS.hanging) return hang(request, response);
    if (prompt === PROMPTS.silent) return answer(200)(request, response);
    return good(request, response);
  };
  app.behave(byPrompt);
  // Only a new webhook shows its secret.
  await server.call('DELETE', '/v0/webhook');
  const { data: webhook } = (await call('POST', '/v0/webhook', { url: app.url, timeoutMs: 600_000 })) as {
    data: { webhookSecret: string };
  };
  const names = ['Polite', 'Mentions the depot'];
  const evalIds: string[] = [];
  for (const [index, name] of names.entries()) {
    const value = index === 0 ? 'e' : 'depot';
    const made = await call('POST', '/v0/definitions', {
      name,
      type: 'ASSERT',
      status: 'ACTIVE',
      globalConfig: { assertions: [{ type: 'contains', value }] },
    });
    evalIds.push((Object.values(made)[0] as { id: string }).id);
  }
  await call('POST', '/v0/definitions/link-application', { evalIds });
  const { task } = (await call('POST', '/v0/tasks', {
    title: 'Find a parcel',
    type: 'STATIC',
    inputExamples: prompts.map((name) => PROMPTS[name]),
  })) as { task: { id: string } };
  return {
    app,
    taskId: task.id,
    webhookSecret: webhook.webhookSecret,
    respond: app.behave,
    repair: () => app.behave(good),
    breakAgain: () => app.behave(byPrompt),
    trigger: async (repeat, taskId = task.id) => {
      const body = { taskIds: [taskId], repeat };
      const started = (await call('POST', '/v0/tasks/trigger', body, {
        prefer: 'return=representation',
      })) as {
        data: [{ runId: string; testIds: string[] }];
      };
      return started.data[0];
    },
    ended: (testId) =>
      until(
        async () => {
          const { test } = (await call('GET', `/v0/tests/${testId}`)) as {
            test: { id: string; status: string };
          };
          return test;
        },
        ({ status }) => status === 'COMPLETED' || status === 'FAILED',
      ),
  };
}
