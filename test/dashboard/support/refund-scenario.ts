/** Refunds of a support bot: prompt v15 of a support bot answers shorter, and breaks 16 of 31 examples. */
import { randomBytes, randomUUID } from 'node:crypto';
import { withStore } from '../../../src/cli/data-folder.ts';
import { saveEvals } from '../../../src/evaluate/eval-store.ts';
import type { SavedEval } from '../../../src/evaluate/eval-record.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { TestServer } from '../../support/server.ts';
import { evalOf, verdict } from '../../support/stored-evals.ts';
import { applicationKey, storeRun, storeTest, type StoredTest } from '../../support/stored-tests.ts';
import { until } from '../../support/until.ts';

type Cause = 'order number' | 'tool' | 'days' | 'error' | null;
type Line = readonly [input: string, expected: string, before: string, after: string, cause: Cause];

const ASKS = 'Asks for the order number and a photo of the damage.';
const ASKED = 'Please send me the order number and a photo of the damage; then I start the refund.';
const SENT = 'The refund could not be made: the order was not delivered yet. Please call 0800 4711.';

const PROMPT_14 =
  'Answer in full sentences. Before you promise a refund, ask for the order number and a photo. Returns are possible for 30 days. Never invent a tracking number.';
const PROMPT_15 =
  'Answer in at most two sentences. Offer refunds quickly; customers should not have to ask twice. Never invent a tracking number.';

/** What customers ask, and what each version of the prompt makes the bot say. */
const LINES: readonly Line[] = [
  [
    'My blender arrived broken. I want my money back.',
    ASKS,
    `I am sorry about the blender. ${ASKED}`,
    'I am sorry about the blender. Your refund of €49.90 is on its way and reaches you in 3 to 5 days.',
    'order number',
  ],
  [
    'The lamp has a crack. Can I get a refund?',
    ASKS,
    `Of course. ${ASKED}`,
    'Of course. We refund the full price today.',
    'order number',
  ],
  [
    'The parcel was wet and all three books are ruined, refund please',
    ASKS,
    `How annoying! ${ASKED}`,
    'How annoying! The refund for your books is arranged.',
    'order number',
  ],
  [
    'Bitte Geld zurück, die Kanne ist undicht.',
    'Fragt nach der Bestellnummer und einem Foto.',
    'Das tut mir leid. Bitte schicken Sie mir die Bestellnummer und ein Foto.',
    'Die Erstattung ist veranlasst. Sie erhalten eine E-Mail.',
    'order number',
  ],
  [
    'One chair of four has a broken leg.',
    ASKS,
    `Sorry to hear that. ${ASKED}`,
    'One chair is refunded, €64.50.',
    'order number',
  ],
  [
    'The screen of the tablet flickers, I want a refund.',
    ASKS,
    `That should not happen. ${ASKED}`,
    'Your money is on its way.',
    'order number',
  ],
  [
    'Half of the plates are in pieces.',
    ASKS,
    `I am sorry. ${ASKED}`,
    'I have refunded the plates.',
    'order number',
  ],
  [
    'Refund order 5512-B please, the jacket has the wrong size.',
    'Says that the refund could not be made, and names the hotline.',
    `I tried to refund order 5512-B. ${SENT}`,
    'Done! €89.00 goes back to your card.',
    'tool',
  ],
  [
    'Please refund 7719-A, I sent it back on Monday',
    'Says that the refund follows once the parcel is checked in.',
    'Thank you. As soon as the parcel is checked in, the refund follows.',
    'Your refund of €31.20 has been sent.',
    'tool',
  ],
  [
    'Order 4410-K: refund to my PayPal account',
    'Says that the refund goes to the card that paid.',
    'A refund goes to the card that paid; I cannot send it to PayPal.',
    'I have refunded €24.50 to your PayPal account.',
    'tool',
  ],
  [
    'Cancel 9021-C and pay me back',
    'Says that the order has left the depot.',
    'Order 9021-C has left the depot, so I cannot cancel it.',
    'Cancelled, and the money is on its way.',
    'tool',
  ],
  [
    'How long can I send the shoes back?',
    '30 days from delivery, unworn, in the box.',
    'You can return shoes within 30 days of delivery, unworn and in their box.',
    'You can return shoes within 14 days of delivery if they are unworn.',
    'days',
  ],
  [
    'Is it too late to return a coat after three weeks?',
    'No, 30 days.',
    'No: you can return it within 30 days of delivery.',
    'Yes, after 14 days a return is not possible.',
    'days',
  ],
  [
    'Until when can I return a present?',
    '30 days from delivery.',
    'Within 30 days of delivery.',
    'Within 14 days only.',
    'days',
  ],
  [
    'I never got an answer about my refund',
    'Apologises and asks for the order number.',
    `I am sorry. ${ASKED}`,
    '',
    'error',
  ],
  [
    'Refund for order 3321-D, second try',
    'Says what became of the first refund.',
    'Your refund of 21 Nov arrived on your card.',
    '',
    'error',
  ],
  ...[
    'Where is my parcel 4711?',
    'Can I keep the damaged mug and get half of the price back?',
    'Which card gets the refund?',
    'Do I have to pay for the return?',
    'Can my neighbour bring the parcel back?',
    'I lost the box. Can I still return the radio?',
    'When does the depot open?',
    'May I exchange the coat for a larger one?',
    'The coupon was not applied to my order.',
    'Is a refund possible in cash?',
    'I need an invoice for the return.',
    'My account shows the refund twice.',
    'The courier did not ring.',
    'Can I change the delivery address?',
    'Do you refund the shipping too?',
  ].map(
    (input, at): Line => [
      input,
      'Answers the question, and asks nothing that is known.',
      `Gladly. Here is what you need to know about “${input}” and your order, step by step.`,
      `Gladly. Here is what you need to know, in ${at + 2} words.`,
      null,
    ],
  ),
];

export interface RefundScenario {
  taskId: string;
  /** The run with prompt v14, and the one with v15. */
  beforeId: string;
  runId: string;
  /** Evaluators by name. */
  definitions: Readonly<Record<'orderNumber' | 'toolCalls' | 'returnWindow' | 'facts', string>>;
}

const HOUR = 3_600_000;
const APP_ERROR = {
  code: 'webhook_status',
  message: 'The webhook responded with status 500: “prompt v15 has no template”',
  hint: 'Look at the log of the app.',
} as const;

/** Stores the task, its evaluators and both runs with their traces. */
export async function storeRefunds(server: TestServer): Promise<RefundScenario> {
  const make = async (path: string, body: object): Promise<{ id: string }> => {
    const { json, text, status } = await server.call('POST', path, { body });
    if (status >= 300) throw new Error(`${path}: ${text}`);
    const made = json as { data?: { id: string }; task?: { id: string }; definition?: { id: string } };
    return (made.data ?? made.task ?? made.definition ?? json) as { id: string };
  };
  const rule = (name: string, value: string) =>
    make('/v0/definitions', {
      name,
      type: 'ASSERT',
      status: 'ACTIVE',
      globalConfig: { assertions: [{ type: 'icontains', value }] },
    });
  const orderNumber = (await rule('Asks for the order number', 'order number')).id;
  const toolCalls = (await rule('Tool calls', 'issue_refund')).id;
  const returnWindow = (await rule('Names 30 days', '30 days')).id;
  const facts = (
    await make('/v0/definitions', {
      name: 'Facts',
      type: 'FACT',
      status: 'ACTIVE',
      globalConfig: {},
    })
  ).id;
  const definitions = { orderNumber, toolCalls, returnWindow, facts };
  const task = await make('/v0/tasks', { title: 'Refund requests', type: 'STATIC', status: 'ACTIVE' });
  const exampleIds: string[] = [];
  for (const [input, expected] of LINES)
    exampleIds.push((await make(`/v0/tasks/${task.id}/examples`, { input, expected })).id);
  const now = Date.now();
  const of = { taskId: task.id, exampleIds, definitions };
  const beforeId = await storeVersion(server, { ...of, isBefore: true, at: now - 48 * HOUR });
  const runId = await storeVersion(server, { ...of, isBefore: false, at: now - 2 * HOUR });
  return { taskId: task.id, beforeId, runId, definitions };
}

interface Version {
  taskId: string;
  exampleIds: readonly string[];
  definitions: RefundScenario['definitions'];
  isBefore: boolean;
  at: number;
}

async function storeVersion(server: TestServer, version: Version): Promise<string> {
  const { taskId, exampleIds, isBefore, at } = version;
  const run = { id: randomUUID(), taskId, createdAt: at };
  const tests = LINES.map(([input, , before, after, cause], index) => {
    const hasFailed = !isBefore && cause === 'error';
    const test: StoredTest = {
      id: randomUUID(),
      run,
      status: hasFailed ? 'FAILED' : 'COMPLETED',
      phase: 'done',
      prompt: input,
      exampleIndex: index,
      exampleId: exampleIds[index] ?? '',
      createdAt: at + index,
      failure: hasFailed ? APP_ERROR : null,
    };
    return { test, input, output: isBefore ? before : after, cause };
  });
  // Traces first: spans of a test that is stored would have it judged again.
  for (const [index, { test, input, output, cause }] of tests.entries()) {
    if (test.status === 'FAILED') continue;
    const body = traceOf({ testId: test.id, input, output, at: at + index, isBefore, index, cause });
    await server.call('POST', '/v1/traces', { body });
  }
  await until(
    async () =>
      withStore(server.folder, (database) => database.get('SELECT 1 FROM test_touch') === undefined),
    (isQuiet) => isQuiet,
  );
  withStore(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    database.transaction(() => storeTests(database, application, tests, version));
  });
  return run.id;
}

function storeTests(
  database: Database,
  application: number,
  tests: readonly { test: StoredTest; output: string; cause: Cause }[],
  { definitions, isBefore, at }: Version,
): void {
  const [first] = tests;
  if (first) storeRun(database, application, first.test.run);
  for (const { test, output, cause } of tests) {
    storeTest(database, application, test);
    if (test.status === 'FAILED') continue;
    const found = isBefore ? null : cause;
    const evals: SavedEval[] = [
      ruleOf(test, definitions.orderNumber, found === 'order number', 'never asks for the order number'),
      ruleOf(
        test,
        definitions.toolCalls,
        found === 'tool',
        'issue_refund ended in an error (“order not delivered yet”)',
      ),
      ruleOf(test, definitions.returnWindow, found === 'days', 'says 14 days, expected 30 days'),
      factsOf(test, definitions.facts, found === null ? null : output),
    ];
    saveEvals(database, { application, evals, at });
  }
}

function ruleOf(test: StoredTest, definitionId: string, hasFailed: boolean, why: string): SavedEval {
  const assertions = [
    { type: 'icontains', not: false, weight: 1, score: hasFailed ? 0 : 1, passed: !hasFailed, reason: why },
  ];
  return evalOf(test, definitionId, {
    ...verdict(!hasFailed),
    definitionType: 'ASSERT',
    results: { assertions },
    reason: hasFailed ? `0 of 1 hold; ${why}` : '1 of 1 hold',
  });
}

/** The judge quotes the last sentence of a wrong answer. */
function factsOf(test: StoredTest, definitionId: string, wrong: string | null): SavedEval {
  const statement = wrong?.split(/(?<=[.!?]) /).at(-1) ?? '';
  const falsePositives =
    wrong === null ? [] : [{ statement, rationale: 'The ground truth does not say so.' }];
  return evalOf(test, definitionId, {
    ...verdict(wrong === null),
    definitionType: 'FACT',
    results: { falsePositives, falseNegatives: [] },
    reason: null,
    cost: 0.0021,
  });
}

interface TraceOptions {
  testId: string;
  input: string;
  output: string;
  at: number;
  isBefore: boolean;
  index: number;
  cause: Cause;
}

function traceOf({ testId, input, output, at, isBefore, index, cause }: TraceOptions): object {
  const traceId = randomBytes(16).toString('hex');
  const root = randomBytes(8).toString('hex');
  const durationMs = (isBefore ? 2_400 : 1_500) + index * 37;
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const int = (key: string, intValue: number) => ({ key, value: { intValue: String(intValue) } });
  const nano = (ms: number): string => `${at + ms}000000`;
  const ids = [text('service.test.id', testId), text('app.prompt.version', isBefore ? 'v14' : 'v15')];
  const spans = [
    {
      traceId,
      spanId: root,
      name: 'answer a customer',
      kind: 2,
      startTimeUnixNano: nano(0),
      endTimeUnixNano: nano(durationMs),
      attributes: [...ids, text('input.value', input), text('output.value', output)],
    },
    {
      traceId,
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: root,
      name: 'chat gpt-5.4-mini',
      kind: 3,
      startTimeUnixNano: nano(40),
      endTimeUnixNano: nano(durationMs - 60),
      attributes: [
        ...ids,
        text('gen_ai.operation.name', 'chat'),
        text('gen_ai.request.model', 'gpt-4o-mini'),
        int('gen_ai.usage.input_tokens', 700 + index * 11),
        int('gen_ai.usage.output_tokens', isBefore ? 240 : 90),
        text(
          'gen_ai.system_instructions',
          JSON.stringify([{ type: 'text', content: isBefore ? PROMPT_14 : PROMPT_15 }]),
        ),
      ],
    },
    ...(cause === 'tool'
      ? [
          {
            traceId,
            spanId: randomBytes(8).toString('hex'),
            parentSpanId: root,
            name: 'issue_refund',
            kind: 1,
            startTimeUnixNano: nano(300),
            endTimeUnixNano: nano(900),
            attributes: [
              ...ids,
              text('gen_ai.operation.name', 'execute_tool'),
              text('gen_ai.tool.name', 'issue_refund'),
            ],
            status: { code: 2, message: '409 order not delivered yet' },
          },
        ]
      : []),
  ];
  return {
    resourceSpans: [
      { resource: { attributes: [text('service.name', 'support-bot')] }, scopeSpans: [{ spans }] },
    ],
  };
}
