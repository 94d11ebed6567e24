/** An application with a little of everything: a support bot whose traces, tests and verdicts the screens show. */
import { randomUUID } from 'node:crypto';
import { seededRandom } from '../../../bench/seeded.ts';
import type { Database } from '../../../src/storage/database.ts';
import { withStore } from '../../../src/cli/data-folder.ts';
import type { SavedEval } from '../../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../../src/evaluate/eval-store.ts';
import { maskingCommands } from '../../../src/resources/masking/store.ts';
import type { FailureCode } from '../../../src/tests/failures.ts';
import { otelTraceUuid } from '../../../src/traces/ids.ts';
import type { TestServer } from '../../support/server.ts';
import { evalOf, PENDING_EVAL, verdict } from '../../support/stored-evals.ts';
import { applicationKey, storeRun, storeTest, type StoredTest } from '../../support/stored-tests.ts';
import { shopTrace } from './shop-spans.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TOPICS: readonly (readonly [title: string, tasks: readonly string[], passing: number])[] = [
  ['Refunds', ['Refund within 30 days', 'Refund of a damaged parcel', 'No refund after a year'], 0.72],
  ['Shipping', ['Find a parcel', 'Change the delivery address'], 0.93],
  ['Accounts', ['Reset a password', 'Close an account'], 0.84],
];
const DOCUMENTS = [
  [
    'Refunds',
    'POLICY',
    'Customers may return a parcel within 30 days of its delivery.\n\nThe money arrives on the card that paid. Parcels that were damaged on the way are refunded at once.',
  ],
  ['Opening hours of the depots', 'KNOWLEDGE', 'All depots open at 08:00 and close at 20:00.'],
  [
    'Where parcels are tracked',
    'KNOWLEDGE',
    'Each parcel has a number of four digits, which the app can look up.',
  ],
] as const;
const TAGS = [
  ['smoke', '#3B82F6'],
  ['billing', '#a16207'],
] as const;
const MASKING = {
  detectors: ['email', 'phone', 'card'],
  patterns: [
    { name: 'employee', pattern: 'EMP-\\d{6}' },
    { name: 'voucher', pattern: 'V[A-Z]{4}-\\d{2,8}' },
  ],
  removeAttributes: ['http.request.header.*'],
  exemptAttributes: ['url.full'],
};
const MASKED: readonly (readonly [detector: string, attribute: string, most: number])[] = [
  ['email', 'gen_ai.input.messages', 42],
  ['email', 'gen_ai.output.messages', 9],
  ['email', 'user.id', 3],
  ['phone', 'gen_ai.input.messages', 12],
  ['voucher', 'gen_ai.tool.call.result', 0.9],
  ['removed', 'http.request.header.cookie', 180],
];
const FAILURES: readonly (readonly [code: FailureCode, count: number])[] = [
  ['trace_missing', 9],
  ['webhook_timeout', 4],
  ['webhook_status', 2],
];

/** Notes that belong to no issue. */
const NOTES = [
  { text: 'Promises the refund before it knows the order.', start: 8, end: 24, quote: 'can get a refund' },
  { text: 'Polite, and it names the time.' },
  { text: 'Asks for the address again, which the customer has given already.' },
];

/** Issues with the first and the end of the traces that are linked. */
const ISSUES = [
  ['Promises the refund without an order number', 'HIGH', 0, 9],
  ['Names 14 days instead of 30 for returns', 'MEDIUM', 9, 10],
] as const;

export interface Shop {
  /** Ids of its traces, newest first. */
  traceIds: string[];
  /** Ids of its first task and of the topic of that task. */
  taskId: string;
  topicId: string;
  /** Id of a document with two versions. */
  documentId: string;
  /** Id of the first evaluator. */
  definitionId: string;
}

interface ShopTask {
  id: string;
  topicId: string;
  /** Share of its tests that pass. */
  passing: number;
  exampleIds: string[];
}

/** Fills the first application of the server. */
export const openShop = (server: TestServer): Promise<Shop> => new ShopBuilder(server).build();

class ShopBuilder {
  private readonly server: TestServer;
  private readonly now = Date.now();
  private readonly random = seededRandom(7);

  constructor(server: TestServer) {
    this.server = server;
  }

  async build(): Promise<Shop> {
    const { applicationId } = this.server;
    await this.call('PUT', `/v0/applications/${applicationId}`, {
      title: 'Support bot',
      context: 'Helps customers of a web shop.',
    });
    const definitions = await Promise.all(
      ['Polite', 'Right parcel', 'Answers the question'].map((name) => this.makeDefinition(name)),
    );
    const stored = await this.sendTraces(60);
    const traceIds = stored.map(otelTraceUuid);
    const tasks = await this.makeTasks();
    await this.makeQueue(traceIds);
    await this.makeIssues(traceIds, tasks[0]?.topicId ?? '');
    for (const [at, note] of NOTES.entries())
      await this.make('/v0/notes', { traceId: traceIds[at], ...note });
    await this.call('PUT', '/v0/masking', MASKING);
    withStore(this.server.folder, (database) => {
      const application = applicationKey(database, applicationId);
      this.countMasked(database, application);
      const save = (evals: SavedEval[], at: number): void => saveEvals(database, { application, evals, at });
      save(this.evalsOfTraces(stored, definitions), this.now);
      save(this.evalsOfConversation(stored, definitions), this.now);
      for (const week of [1, 0]) {
        const at = this.now - week * 7 * DAY - 2 * DAY;
        for (const { id: taskId, passing, exampleIds } of tasks) {
          const run = { id: randomUUID(), taskId, createdAt: at };
          storeRun(database, application, run);
          const tests = this.testsOf(run, 14 + week * 4, exampleIds);
          for (const test of tests) storeTest(database, application, test);
          const share = week === 1 ? 0.9 : passing;
          const judged = tests.flatMap((test) =>
            definitions.map((definition) =>
              evalOf(test, definition, { ...verdict(this.random() < share), cost: 0.0021 }),
            ),
          );
          save(judged, at);
        }
      }
      const run = { id: randomUUID(), taskId: tasks[0]?.id ?? '', createdAt: this.now - HOUR };
      storeRun(database, application, run);
      for (const [code, count] of FAILURES) {
        const failure = { code, message: 'It failed.', hint: 'Look at the app.' };
        for (const test of this.testsOf(run, count))
          storeTest(database, application, { ...test, status: 'FAILED', phase: 'done', failure });
      }
      // As of a judge model, on several days.
      database.run(
        'UPDATE eval SET input_tokens = 900, output_tokens = 30 WHERE application = ?',
        application,
      );
    });
    const [first] = tasks;
    const topicId = first?.topicId ?? '';
    const [definitionId = ''] = definitions;
    const documentId = await this.makeDocuments(topicId);
    return { traceIds, taskId: first?.id ?? '', topicId, documentId, definitionId };
  }

  private async sendTraces(count: number): Promise<Buffer[]> {
    const stored: Buffer[] = [];
    for (let index = 0; index < count; index += 1) {
      const at = this.now - (index + 1) * 7_300 - Math.floor(index / 20) * HOUR;
      const { otelTraceId, request } = shopTrace(index + 1, at);
      await this.call('POST', '/v1/traces', request);
      stored.push(Buffer.from(otelTraceId, 'hex'));
    }
    return stored;
  }

  private async makeDefinition(name: string): Promise<string> {
    const globalConfig = { assertions: [{ type: 'contains', value: 'e' }] };
    return (await this.make('/v0/definitions', { name, type: 'ASSERT', status: 'ACTIVE', globalConfig })).id;
  }

  private async makeTasks(): Promise<ShopTask[]> {
    const made: ShopTask[] = [];
    const tags = await this.makeTags();
    for (const [title, tasks, passing] of TOPICS) {
      const topic = await this.make('/v0/topics', { title, status: 'ACTIVE' });
      for (const task of tasks) {
        const inputExamples = ['I want my money back', 'Where is my parcel 4711?'];
        const body = { title: task, type: 'STATIC', status: 'ACTIVE', inputExamples, topicId: topic.id };
        const { id } = await this.make('/v0/tasks', body);
        await this.call('PUT', `/v0/tasks/${id}/schedule`, {
          criticality: made.length % 2 ? 'MEDIUM' : 'HIGH',
          cron: made.length % 3 ? null : made.length % 2 ? '30 9 * * MON' : '30 9 * * *',
          timezone: 'Europe/Berlin',
        });
        made.push({ id, topicId: topic.id, passing, exampleIds: await this.expectAnswers(id) });
      }
    }
    const taskIds = made.map(({ id }) => id);
    await this.call('POST', '/v0/tasks/tags', { taskIds, addTagIds: tags.slice(0, 1) });
    await this.call('POST', '/v0/tasks/tags', { taskIds: taskIds.slice(0, 3), addTagIds: tags.slice(1) });
    return made;
  }

  /** Gives the examples of a task their expected outputs, and returns their ids. */
  private async expectAnswers(taskId: string): Promise<string[]> {
    const path = `/v0/tasks/${taskId}/examples`;
    const { json } = await this.server.call('GET', path);
    const ids = (json as { data: { id: string }[] }).data.map(({ id }) => id);
    const [refund = '', parcel = ''] = ids;
    const expected = 'You can return the parcel within 30 days.';
    await this.call('PUT', `${path}/${refund}`, { expected, split: 'test', tags: ['refund', 'policy'] });
    await this.call('PUT', `${path}/${parcel}`, { expected: { parcel: 4711, state: 'on its way' } });
    return ids;
  }

  private async makeTags(): Promise<string[]> {
    const made: string[] = [];
    for (const [name, color] of TAGS) {
      const description = name === 'smoke' ? 'Runs before every release.' : null;
      made.push((await this.make('/v0/tags', { name, color, description })).id);
    }
    return made;
  }

  private async makeDocuments(topicId: string): Promise<string> {
    const [first = ''] = await Promise.all(
      DOCUMENTS.map(async ([title, type, content]) => {
        const body = { title, type, content, topicId, assignee: 'ada', isVerified: type === 'POLICY' };
        return (await this.make('/v0/documents', body)).id;
      }),
    );
    const [, , content] = DOCUMENTS[0];
    const versions = `/v0/documents/${first}/versions`;
    await this.make(versions, { content: content.replace('30 days', '60 days, 90 for members') });
    await this.call('PUT', `${versions}/2`, { status: 'REVIEW' });
    return first;
  }

  private async makeQueue(traceIds: readonly string[]): Promise<void> {
    const queue = await this.make('/v0/human-annotation-queues', { title: 'Refunds of this week' });
    for (const traceId of traceIds.slice(0, 12))
      await this.make('/v0/human-annotation-queue-items', {
        queueId: queue.id,
        traceId,
      });
  }

  private async makeIssues(traceIds: readonly string[], topicId: string): Promise<void> {
    const description = 'The bot promises money before it has the order number and a photo.';
    for (const [title, priority, from, to] of ISSUES) {
      const { id } = await this.make('/v0/issues', {
        source: 'HUMAN_ANNOTATION',
        title,
        priority,
        topicId,
        description,
      });
      await this.call('POST', `/v0/issues/${id}/links`, { selection: { ids: traceIds.slice(from, to) } });
    }
  }

  private evalsOfTraces(stored: readonly Buffer[], definitions: readonly string[]): SavedEval[] {
    const judged = stored.filter((_, index) => index % 3 !== 2);
    return judged.flatMap((traceId, index) =>
      definitions.map((definitionId, which) => ({
        ...PENDING_EVAL,
        ...verdict(index % 7 !== which * 2),
        id: randomUUID(),
        definitionType: 'ASSERT' as const,
        definitionId,
        traceId,
      })),
    );
  }

  /** Evals of the conversation `session-3`, whose last trace is the third. */
  private evalsOfConversation(
    stored: readonly Buffer[],
    [definitionId = '']: readonly string[],
  ): SavedEval[] {
    return stored.slice(2, 3).map((traceId) => ({
      ...PENDING_EVAL,
      ...verdict(false),
      id: randomUUID(),
      definitionType: 'CONVERSATION' as const,
      definitionId,
      traceId,
      reason: 'The refund was promised, but never confirmed.',
    }));
  }

  /** Stores counts as the masking of a month leaves them. */
  private countMasked(database: Database, application: number): void {
    const today = Math.floor(this.now / DAY);
    const random = seededRandom(11);
    for (let ago = 29; ago >= 0; ago -= 1) {
      const counts = MASKED.map(([detector, attribute, most]) => ({
        detector,
        attribute,
        count: Math.round(most * random()),
      })).filter(({ count }) => count > 0);
      maskingCommands.recordMasked(database, { application, day: today - ago, counts });
    }
  }

  private testsOf(run: StoredTest['run'], count: number, exampleIds: readonly string[] = []): StoredTest[] {
    return Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      run,
      status: 'COMPLETED',
      phase: 'done',
      exampleIndex: index % 2,
      ...(exampleIds[index % 2] !== undefined && { exampleId: exampleIds[index % 2] }),
      createdAt: run.createdAt + index * 1_000,
    }));
  }

  private async make(path: string, body: object): Promise<{ id: string }> {
    const [made] = Object.values(await this.call('POST', path, body)) as { id: string }[];
    if (!made) throw new Error(`POST ${path} returned nothing`);
    return made;
  }

  private async call(method: string, path: string, body: object): Promise<object> {
    const { status, text, json } = await this.server.call(method, path, { body });
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return json as object;
  }
}
