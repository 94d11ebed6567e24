/** One application with at least one of everything, so that a call that shows another's records has something to show. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { judgeCalls } from '../../src/evaluate/judge/call-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { otelTraceUuid } from '../../src/traces/ids.ts';
import type { RecordIds } from './api-calls.ts';
import { besideServer } from './beside-store.ts';
import { type Behaviour, startCustomerApp } from './customer-app.ts';
import { addPerson } from './people.ts';
import type { Call, Tenant, TestServer } from './server.ts';
import { PENDING_EVAL, verdict } from './stored-evals.ts';
import { applicationKey } from './stored-tests.ts';
import { until } from './until.ts';

const JUDGE_CALL = {
  hash: 'hash',
  repeat: 0,
  runId: null,
  judge: 'default',
  model: 'model',
  fingerprint: null,
  inputTokens: 90,
  outputTokens: 3,
  cost: null,
  latencyMs: 5,
  attempts: 1,
  request: null,
};

export interface TenantFixture extends Tenant {
  /** Text that every stored text contains, and no other. */
  marker: string;
  ids: RecordIds;
  chosen: ChosenIds;
  /** Texts that must not appear: keys, secrets of webhooks, values of configured headers. */
  secrets: readonly string[];
  /** Replacements for texts in the examples of the documents, so that no request leaves the machine. */
  texts: Readonly<Record<string, string>>;
}

/** Settings of a server for fixtures, with short timeouts of tests. */
export const FIXTURE_SETTINGS = { quietMs: 100, orphanQuietMs: 200 } as const;

export interface Outside {
  /** Address of the webhooks of all fixtures, and of the site that they scrape. */
  url: string;
  close: () => Promise<void>;
}

/** The customers' apps and a web site, on loopback. The site has one page, which says what its path says. */
export async function startOutside(): Promise<Outside> {
  const { url, behave, close } = await startCustomerApp();
  const behaviour: Behaviour = ({ method, path }, response) => {
    if (method !== 'GET') return response.writeHead(200).end('thanks');
    const isPage = path.startsWith('/help');
    const title = path.split('/').at(-1);
    return response
      .writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      .end(`<title>${title}</title><p>All about ${title}.`);
  };
  behave(behaviour);
  return { url: new URL(url).origin, close };
}

/** Ids that the senders of traces make. */
export type ChosenIds = Ids<'otelTrace' | 'span' | 'session'> & { nativeTrace: string };

/**
 * Fills an application through the API, or the store if the API has no way. `duplicate` is another fixture with the same
 * ids of traces.
 */
export async function createTenantFixture(
  server: TestServer,
  tenant: Tenant,
  outside: Outside,
  sibling?: TenantFixture,
): Promise<TenantFixture> {
  const marker = `mark${randomBytes(6).toString('hex')}`;
  const chosen: ChosenIds = sibling?.chosen ?? {
    otelTrace: randomBytes(16).toString('hex'),
    span: randomBytes(8).toString('hex'),
    session: `session-${marker}`,
    nativeTrace: randomUUID(),
  };
  const builder = new FixtureBuilder(server, tenant, outside, marker);
  const resources = await builder.resources();
  const tests = await builder.tests(resources, chosen);
  const documents = await builder.documents(resources);
  const experiments = await builder.experiments(resources);
  const people = await builder.people(resources, tests);
  const { target, ...issues } = await builder.issues(resources, tests, chosen);
  const members = await builder.members();
  const material = await builder.material(resources);
  const evaluation = await builder.evaluation(resources, tests);
  const { secrets, ...own } = resources;
  return {
    ...tenant,
    marker,
    chosen,
    ids: {
      application: tenant.applicationId,
      session: chosen.session,
      keyId: tenant.apiKey.split('_')[1] as string,
      ...own,
      ...tests,
      ...documents,
      ...experiments,
      ...people,
      ...issues,
      ...members,
      ...material,
      ...evaluation,
    },
    secrets: [tenant.apiKey, ...secrets, ...builder.secrets],
    texts: {
      '"into":"12"': `"into":"${target}"`,
      '"baseline":"previous"': `"baseline":"${tests.runSet}"`,
      'https://shop.example.com/help': `${outside.url}/help/${marker}`,
      'https://app.example.com/touchstone': `${outside.url}/webhook/${marker}`,
    },
  };
}

type Ids<Kind extends keyof RecordIds> = Readonly<Record<Kind, string>>;
type Json = Readonly<Record<string, unknown>>;
interface Made extends Json {
  id: string;
}
type Resources = Awaited<ReturnType<FixtureBuilder['resources']>>;
type Tests = Awaited<ReturnType<FixtureBuilder['tests']>>;

const isDelivered = ({ status }: Json): boolean => status === 'DELIVERED';

class FixtureBuilder {
  /** Secrets besides those of `resources`. */
  readonly secrets: string[] = [];
  private readonly marker: string;
  private readonly server: TestServer;
  private readonly tenant: Tenant;
  private readonly outside: Outside;

  constructor(server: TestServer, tenant: Tenant, outside: Outside, marker: string) {
    this.marker = marker;
    this.server = server;
    this.tenant = tenant;
    this.outside = outside;
  }

  private async call(method: string, path: string, body?: unknown, more: Call = {}): Promise<Json> {
    const headers = { ...this.tenant.headers, ...more.headers };
    const reply = await this.server.call(method, path, {
      ...(body !== undefined && { body }),
      ...more,
      headers,
    });
    if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.text}`);
    return (reply.json ?? {}) as Json;
  }

  /** The record in the answer, whatever it is wrapped in. */
  private async make(path: string, body: object): Promise<Made> {
    const [made] = Object.values(await this.call('POST', path, body));
    return made as Made;
  }

  private async upload(path: string, fields: Json, content: string): Promise<Made> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    form.set('file', new Blob([content]), `${this.marker}.csv`);
    const encoded = new Response(form);
    const headers = { 'content-type': String(encoded.headers.get('content-type')) };
    const body = new Uint8Array(await encoded.arrayBuffer());
    const [made] = Object.values(await this.call('POST', path, undefined, { headers, body }));
    return made as Made;
  }

  private reaches(path: string, wanted: string): Promise<unknown> {
    return this.shows(path, (record) => {
      const { status } = record as Json;
      if (status === 'FAILED') throw new Error(`${path} has failed`);
      return status === wanted;
    });
  }

  /** Waits for a record to be as it should. */
  private shows(path: string, isWanted: (record: unknown) => boolean): Promise<unknown> {
    return until(async () => Object.values(await this.call('GET', path))[0], isWanted);
  }

  /** Waits for all metrics, which are shown and would change what is read later. */
  private async metricsComputed(): Promise<void> {
    const due = 'SELECT count(*) AS count FROM figure WHERE application = ? AND due_at = ready_at';
    const isWanted = (): boolean =>
      besideServer(this.server.folder, (database) => {
        const application = applicationKey(database, this.tenant.applicationId);
        return database.get<{ count: number }>(due, application)?.count === 0;
      });
    await this.shows('/v0/tasks', isWanted);
  }

  /** Creates the records that tests and documents refer to, and the webhook. */
  async resources() {
    const { marker, outside } = this;
    const title = `Title ${marker}`;
    await this.call('PUT', `/v0/applications/${this.tenant.applicationId}`, {
      title,
      description: marker,
      context: marker,
    });
    const key = await this.make('/v0/api-keys', { name: `Key ${marker}` });
    const { id: tag } = await this.make('/v0/tags', { name: title, description: marker });
    const { id: view } = await this.make('/v0/views', {
      name: title,
      screen: 'traces',
      filter: { q: [marker] },
      isShared: true,
    });
    const { id: erasure } = await this.make('/v0/erasures', { userId: `nobody ${marker}` });
    const { id: styleGuide } = await this.make('/v0/style-guides', {
      content: [{ heading: title, content: marker }],
    });
    const { id: quickstart } = await this.make('/v0/quickstarts', {
      name: `Quickstart ${marker}`,
      styleGuideId: styleGuide,
    });
    const { id: topic } = await this.make('/v0/topics', {
      title,
      quickstartId: quickstart,
      description: marker,
      assignedTo: marker,
    });
    const { id: task } = await this.make('/v0/tasks', {
      title,
      description: marker,
      type: 'STATIC',
      inputExamples: [`Who is ${marker}?`],
      metadata: { note: marker },
      topicId: topic,
    });
    const { id: example } = await this.make(`/v0/tasks/${task}/examples`, {
      input: `Where is ${marker}?`,
      expected: marker,
      rubric: marker,
      metadata: { note: marker },
      tags: [marker],
      split: marker,
      key: marker,
    });
    await this.call('POST', '/v0/tasks/tags', { taskIds: [task], addTagIds: [tag] });
    await this.call('PUT', `/v0/tasks/${task}/schedule`, { criticality: 'LOW' });
    const headerValue = `Bearer header-of-${randomBytes(8).toString('hex')}`;
    const { id: webhook, webhookSecret } = await this.make('/v0/webhook', {
      url: `${outside.url}/webhook/${marker}`,
      headers: { authorization: headerValue },
    });
    const secret = String(webhookSecret);
    const secrets = [String(key['key']), secret, secret.replace('whsec_', ''), headerValue];
    return {
      key: key.id,
      tag,
      view,
      erasure,
      styleGuide,
      quickstart,
      topic,
      task,
      example,
      webhook,
      secrets,
    };
  }

  /** A test that is over, its delivery, and the traces of a conversation: one by OpenTelemetry, one native. */
  async tests(
    { task }: Resources,
    { otelTrace, span, session, nativeTrace }: ChosenIds,
  ): Promise<Ids<'run' | 'runSet' | 'test' | 'delivery' | 'trace' | 'otelTrace' | 'span'>> {
    const { marker } = this;
    const { data } = await this.call(
      'POST',
      '/v0/tasks/trigger',
      { taskIds: [task] },
      { headers: { prefer: 'return=representation' } },
    );
    const [{ runId: run, testIds }] = data as [{ runId: string; testIds: [string] }];
    const [test] = testIds;
    const trace = otelTraceUuid(Buffer.from(otelTrace, 'hex'));
    await this.call('PUT', '/v0/masking', { removeAttributes: [`removed.${marker}`] });
    await this.call('PUT', '/v0/mappings', { rules: [{ key: `own.${marker}`, field: 'metadata' }] });
    await this.call('PUT', '/v0/prices', { prices: { [marker]: { input: 1, output: 1 } } });
    const attributes = { 'service.test.id': test, 'session.id': session, [`removed.${marker}`]: 'a' };
    await this.call('POST', '/v1/traces', this.spans(otelTrace, span, attributes));
    const record = { traceId: otelTrace, spanId: span, body: { stringValue: marker } };
    const logRecords = [{ ...record, eventName: 'gen_ai.user.message', timeUnixNano: `${Date.now()}000000` }];
    await this.call('POST', '/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    const at = new Date().toISOString();
    const native = { type: 'trace', timestamp: at, traceId: nativeTrace, testId: test, input: marker };
    const step = { type: 'tool', timestamp: at, name: marker, toolInput: marker, toolOutput: marker };
    const events = [{ ...native, referenceId: session, metadata: { note: marker } }, step];
    await this.call('POST', '/v0/ingest', { events: [...events, { type: marker, timestamp: at }] });
    await this.reaches(`/v0/tests/${test}`, 'COMPLETED');
    const { data: deliveries } = await this.call('GET', `/v0/webhook/deliveries?testId=${test}`);
    const [{ id: delivery }] = deliveries as [Made];
    const runSet = await this.decidedRunSet(task);
    return { run, runSet, test, delivery, trace, otelTrace, span };
  }

  /** Creates a run set whose tests are over, with a recorded decision, so that it has evidence. */
  private async decidedRunSet(task: string): Promise<string> {
    const { marker } = this;
    // A regression example of the first issue.
    await this.call('POST', `/v0/tasks/${task}/examples`, {
      input: `Is it ${marker}?`,
      split: 'issue-1',
    });
    const set = await this.call('POST', '/v0/run-sets', {
      taskIds: [task],
      title: marker,
      branch: marker,
      examples: {},
    });
    const { id, runIds } = set['data'] as Made & { runIds: readonly string[] };
    const { data } = await this.call('GET', `/v0/tests?runId=${runIds.join()}`);
    const timestamp = new Date().toISOString();
    const events = (data as Made[]).map((test) => {
      const texts = { input: `Who is ${marker}?`, output: `It is ${marker}.` };
      return { type: 'trace', timestamp, traceId: randomUUID(), testId: test.id, ...texts };
    });
    await this.call('POST', '/v0/ingest', { events });
    await this.shows(`/v0/run-sets/${id}`, (record) => (record as Json)['status'] !== 'RUNNING');
    await this.call('POST', `/v0/run-sets/${id}/decision`);
    return id;
  }

  private spans(traceId: string, spanId: string, own: Json): Json {
    const { marker } = this;
    const attributes = {
      ...own,
      'user.id': `user-${marker}`,
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': `model-${marker}`,
      'gen_ai.provider.name': `provider-${marker}`,
      'input.value': `Who is ${marker}?`,
      'output.value': `It is ${marker}.`,
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'file', uri: `data:text/plain,${marker}` }] },
      ]),
      'langfuse.trace.tags': marker,
    };
    const written = (values: Json) =>
      Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: value } }));
    const nanoseconds = BigInt(Date.now()) * 1_000_000n;
    const times = {
      startTimeUnixNano: String(nanoseconds),
      endTimeUnixNano: String(nanoseconds + 5_000_000n),
    };
    const span = { traceId, spanId, name: `chat ${marker}`, ...times, attributes: written(attributes) };
    const rejected = { ...span, spanId: '0'.repeat(16) };
    const resource = {
      attributes: written({ 'service.name': `bot-${marker}`, 'deployment.environment.name': marker }),
    };
    return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span, rejected] }] }] };
  }

  /** Creates documents by hand, by upload and from a site; one of them has two versions. */
  async documents({ topic, tag }: Resources): Promise<Ids<'document' | 'version' | 'scrapeJob'>> {
    const { marker, outside } = this;
    const fields = { topicId: topic, assignee: `assignee-${marker}` };
    const { id: document } = await this.make('/v0/documents', {
      title: `Document ${marker}`,
      content: `All about ${marker}.`,
      type: 'KNOWLEDGE',
      metadata: { note: marker },
      ...fields,
    });
    const version = await this.make(`/v0/documents/${document}/versions`, { content: `More on ${marker}.` });
    const table = `title,content\nRow ${marker},About ${marker}.\n`;
    await this.upload('/v0/documents/upload', { type: 'POLICY', ...fields }, table);
    const { id: scrapeJob } = await this.make('/v0/scrape-jobs', {
      name: `Site ${marker}`,
      url: `${outside.url}/help/${marker}`,
      initiatedBy: marker,
      ...fields,
    });
    await this.reaches(`/v0/scrape-jobs/${scrapeJob}`, 'COMPLETED');
    await this.call('PUT', `/v0/documents/${document}/tags`, { tagIds: [tag] });
    return { document, version: version.id, scrapeJob };
  }

  async experiments({ task }: Resources): Promise<Ids<'step' | 'experiment' | 'variant'>> {
    const { marker } = this;
    const title = `Title ${marker}`;
    const { id: step } = await this.make('/v0/inference-steps', {
      type: 'LLM',
      externalId: 'answer',
      title,
      description: marker,
    });
    const { id: experiment } = await this.make('/v0/experiments', {
      title,
      description: marker,
      inferenceStepIds: [step],
      taskIds: [task],
      assignee: marker,
    });
    const fields = { title, description: marker, configPatch: { answer: { model: marker } } };
    const variants = `/v0/experiments/${experiment}/variants`;
    const { id: baseline } = await this.make(variants, fields);
    const { id: variant } = await this.make(variants, { ...fields, status: 'PENDING', parentId: baseline });
    return { step, experiment, variant };
  }

  /** Creates an issue with a note as its evidence. */
  async issues(
    { topic }: Resources,
    { trace }: Tests,
    { nativeTrace }: ChosenIds,
  ): Promise<Ids<'note' | 'issue' | 'issueLink' | 'issueWebhook' | 'issueMessage'> & { target: string }> {
    const { marker } = this;
    const { id: issueWebhook, webhookSecret } = await this.make('/v0/issue-webhook', {
      url: `${this.outside.url}/issues/${marker}`,
    });
    this.secrets.push(String(webhookSecret));
    const { id: note } = await this.make('/v0/notes', { traceId: trace, text: `It names ${marker}.` });
    const { id: issue } = await this.make('/v0/issues', {
      source: 'API',
      title: `Title ${marker}`,
      description: marker,
      topicId: topic,
      ownerId: marker,
      match: marker,
    });
    await this.call('POST', `/v0/issues/${issue}/links`, { noteIds: [note] });
    await this.call('POST', `/v0/issues/${issue}/links`, { selection: { ids: [nativeTrace] } });
    const { id: target } = await this.make('/v0/issues', { source: 'TEST', title: `Other ${marker}` });
    const [link] = (await this.call('GET', `/v0/issues/${issue}/occurrences`))['data'] as Made[];
    const all = '/v0/issue-webhook/messages';
    const messages = await this.shows(all, (found) => (found as Json[]).every(isDelivered));
    const [message] = messages as Made[];
    return { note, issue, issueLink: link?.id ?? '', issueWebhook, issueMessage: message?.id ?? '', target };
  }

  async people({ topic }: Resources, { trace }: Tests): Promise<Ids<'queue' | 'queueItem' | 'annotation'>> {
    const { marker } = this;
    const { id: queue } = await this.make('/v0/human-annotation-queues', {
      title: `Queue ${marker}`,
      topicId: topic,
      assigneeId: marker,
    });
    const { id: queueItem } = await this.make('/v0/human-annotation-queue-items', {
      queueId: queue,
      traceId: trace,
    });
    const { id: annotation } = await this.make('/v0/human-annotations', {
      traceId: trace,
      verdict: true,
      critique: `It names ${marker}.`,
      annotatorId: marker,
      source: 'TRACE_PAGE',
    });
    return { queue, queueItem, annotation };
  }

  async members(): Promise<Ids<'user' | 'invitation'>> {
    const { marker, tenant } = this;
    const { id: user } = addPerson(this.server, tenant, { role: 'viewer', name: marker });
    const { id: invitation } = await this.make(`/v0/applications/${tenant.applicationId}/invitations`, {
      email: `${marker}@example.com`,
      role: 'viewer',
    });
    return { user, invitation };
  }

  /** Takes the quickstart to where its style scores wait to be confirmed. */
  async material({ quickstart }: Resources): Promise<Ids<'upload' | 'conversation'>> {
    const { marker } = this;
    const { id: upload } = await this.upload(
      '/v1/quickstarts/uploads',
      { quickstartId: quickstart },
      `topic,task,input\nTopic ${marker},Task ${marker},Where is ${marker}?\n`,
    );
    await this.reaches(`/v0/quickstarts/${quickstart}`, 'TASKS_TOPICS_REVIEW');
    for (const status of ['KNOWLEDGE_BASE_REVIEW', 'POLICIES_REVIEW', 'STYLE_REVIEW'])
      await this.call('PUT', `/v0/quickstarts/${quickstart}`, { status });
    const { data } = await this.call('GET', `/v0/quickstarts/${quickstart}/conversations`);
    const [conversation] = data as Made[];
    if (!conversation) throw new Error('the upload has made no conversation');
    return { upload, conversation: conversation.id };
  }

  /** Definitions linked in each of the three ways, and evals of the test and of a trace; the first of each. */
  async evaluation(
    { styleGuide, task, topic }: Resources,
    tests: Tests,
  ): Promise<Ids<'definition' | 'eval'>> {
    const { marker } = this;
    const name = `Definition ${marker}`;
    const globalConfig = { criterion: `Is it ${marker}?` };
    const { id: definition } = await this.make('/v0/definitions', { name, type: 'CUSTOM', globalConfig });
    const { id: ofTopic } = await this.make('/v0/definitions', {
      name,
      type: 'STYLE',
      styleGuideId: styleGuide,
    });
    const { id: ofAll } = await this.make('/v0/definitions', { name, type: 'NATURALNESS' });
    const link = { config: { expected: marker } };
    await this.call('POST', '/v0/definitions/link', { evalIds: [definition], taskIds: [task], ...link });
    await this.call('POST', '/v0/definitions/link', { evalIds: [ofTopic], topicIds: [topic], ...link });
    await this.call('POST', '/v0/definitions/link-application', { evalIds: [ofAll] });
    const traceId = Buffer.from(tests.otelTrace, 'hex');
    const ofTest: SavedEval = {
      ...PENDING_EVAL,
      ...verdict(true),
      id: randomUUID(),
      definitionId: definition,
      taskId: task,
      runId: tests.run,
      testId: tests.test,
      traceId,
      runType: 'MANUAL',
      results: { note: marker },
      reason: `It names ${marker}.`,
      judge: { model: marker },
      cost: 0.01,
      latencyMs: 5,
    };
    const ofTrace = {
      ...PENDING_EVAL,
      ...verdict(false),
      id: randomUUID(),
      definitionId: definition,
      traceId,
    };
    besideServer(this.server.folder, (database) => {
      const application = applicationKey(database, this.tenant.applicationId);
      saveEvals(database, { application, evals: [ofTest, ofTrace], at: Date.now() });
      // As of a judge model.
      judgeCalls.tryInsert(
        database,
        { application, at: Date.now() },
        { ...JUDGE_CALL, subjectId: ofTest.id, raw: marker },
      );
      // As of a prompt model.
      judgeCalls.tryInsert(
        database,
        { application, at: Date.now() },
        { ...JUDGE_CALL, subjectId: tests.run, runId: tests.run, raw: marker },
      );
      const took = 'UPDATE eval SET input_tokens = 90, output_tokens = 3 WHERE application = ?';
      database.run(took, application);
      // A computation that took long on a busy machine would let the next one wait for twenty times as long.
      database.run('UPDATE figure SET ready_at = 0, due_at = 0 WHERE application = ?', application);
    });
    await this.metricsComputed();
    return { definition, eval: ofTest.id };
  }
}
