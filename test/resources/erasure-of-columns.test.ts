import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEXT_COLUMNS } from '../../src/resources/erasures/text-columns.ts';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { besideServer } from '../support/beside-store.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { traceBytes } from '../support/spans.ts';
import { erasing } from './erasure-support.ts';

/** The text that reaches every column; the ids of the user and of the session have it too. */
const SECRET = 'quartzgodwit';
const [USER, SESSION] = [`user ${SECRET}`, `session ${SECRET}`];

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
});
const { contains, saying, trigger, over } = judging(() => server);
const { erase, filesWith } = erasing(() => server);

const attributesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** Sends a trace, and a log record of its span, that have the text wherever they can. */
async function send(trace: number): Promise<string> {
  const traceId = traceBytes(trace).toString('hex');
  const spanId = '00000000000000a1';
  const span = {
    traceId,
    spanId,
    name: `call ${SECRET}`,
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000000500000000',
    attributes: [
      ...attributesOf({
        'user.id': USER,
        'session.id': SESSION,
        'input.value': `Where is the ${SECRET}?`,
        'output.value': `The ${SECRET} is here.`,
        'llm.model_name': `model ${SECRET}`,
        metadata: JSON.stringify({ [`key ${SECRET}`]: SECRET }),
      }),
      { key: 'tag.tags', value: { arrayValue: { values: [{ stringValue: `tag ${SECRET}` }] } } },
    ],
  };
  const resource = { attributes: attributesOf({ 'service.name': `service ${SECRET}` }) };
  const record = {
    traceId,
    spanId,
    timeUnixNano: '1790000000100000000',
    eventName: 'gen_ai.user.message',
    body: { stringValue: SECRET },
  };
  for (const [path, body] of [
    ['/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }],
    ['/v1/logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] }],
  ] as const)
    expect(await server.call('POST', path, { body })).toMatchObject({ status: 200 });
  return traceId;
}

interface Made {
  id: string;
  taskId: string;
}
async function exampleOf(traceId: string): Promise<Made> {
  return (await server.ok('POST', `/v0/traces/${traceId}/example`, { body: {} })).data;
}

/** Copies the text of a trace through the API to what people and the service make of it. */
async function copyThroughApi(): Promise<void> {
  const traceId = await send(1);
  const annotation = {
    traceId,
    verdict: true,
    source: 'TRACE_PAGE',
    critique: SECRET,
    correctedOutput: SECRET,
  };
  expect((await server.call('POST', '/v0/human-annotations', { body: annotation })).status).toBe(201);
  const note = { traceId, text: SECRET, quote: SECRET, start: 0, end: 1 };
  expect((await server.call('POST', '/v0/notes', { body: note })).status).toBe(201);
  const { id, taskId } = await exampleOf(traceId);
  const content = {
    expected: SECRET,
    rubric: SECRET,
    rubrics: { Tone: SECRET },
    assertions: [{ type: 'contains', value: SECRET }],
    metadata: { note: SECRET },
    tags: [SECRET],
    split: SECRET,
  };
  const definition = await contains('godwit');
  const task = { status: 'ACTIVE', evalDefinitions: [{ evalDefinitionId: definition.id }] };
  // The second change makes a version of what the first one stored.
  for (const [path, body] of [
    [`/v0/tasks/${taskId}/examples/${id}`, content],
    [`/v0/tasks/${taskId}/examples/${id}`, { rubric: `${SECRET} again` }],
    [`/v0/tasks/${taskId}`, task],
  ] as const)
    expect(await server.call('PUT', path, { body })).toMatchObject({ status: 200 });

  app.behave(saying(SECRET));
  expect(await over(await trigger(taskId))).toMatchObject({ status: 'COMPLETED' });
  app.behave(answer(500, `I heard ${SECRET}`, { 'x-heard': SECRET }));
  expect(await over(await trigger(taskId))).toMatchObject({ status: 'FAILED' });
  for (const filter of [{ userId: [USER] }, { sessionId: [SESSION] }]) {
    const view = { screen: 'traces', name: Object.keys(filter).join(), filter };
    expect((await server.call('POST', '/v0/views', { body: view })).status).toBe(201);
  }
  for (const match of [`user:"${USER}"`, `session:"${SESSION}"`]) {
    const issue = { source: 'API', title: 'Lost', match };
    expect((await server.call('POST', '/v0/issues', { body: issue })).status).toBe(201);
  }

  // Of a trace that is deleted, a hash of its user and session is kept while its example is there.
  await exampleOf(await send(2));
  const deleted = traceBytes(2).toString('hex');
  expect((await server.call('DELETE', `/v0/traces/${deleted}`)).status).toBe(204);
}

/** Statements for columns that the API reaches only by a judge, a stop of the process or a version before this one. */
const BY_SQL = [
  `UPDATE human_annotation SET criteria = '[{"citations":[{"quote":"${SECRET}"}]}]'`,
  `UPDATE eval SET results = '{"quote":"${SECRET}"}', judge = '{"quote":"${SECRET}"}', reason = '${SECRET}'`,
  `INSERT INTO judge_call (application, subject_id, hash, repeat, judge, model, latency_ms, attempts, created_at, request, raw)
   SELECT application, id, 'hash', 0, 'judge', 'model', 1, 1, 0, '${SECRET}', '${SECRET}' FROM eval LIMIT 1`,
  `UPDATE test SET prompt_object = '{"question":"${SECRET}"}', metadata = '{"note":"${SECRET}"}'`,
  `UPDATE example SET key = 'written by hand: ${SECRET}'`,
  `INSERT INTO audit_entry (application, created_at, actor_type, actor_id, actor_name, action, resource_id, request_id)
   SELECT application, 0, 'user', 'ada', 'Ada', 'evaluateSession', '${SESSION}', '${randomUUID()}' FROM application LIMIT 1`,
  `INSERT OR IGNORE INTO monitored_session (application, session_id, due_at)
   SELECT application, '${SESSION}', 4102444800000 FROM application LIMIT 1`,
  `INSERT INTO purge (tkey, application, trace_id, session_id)
   SELECT tkey + 1000000, application, randomblob(16), session_id FROM trace ORDER BY tkey DESC LIMIT 1`,
  `INSERT INTO open_step (application, tkey, match, start_ns, span_id)
   SELECT application, tkey, x'01', 0, x'02' FROM trace ORDER BY tkey LIMIT 1`,
];

/** Columns whose values do not show the text, so that the rows are counted. */
const NOT_PLAIN = new Set([
  'chunk.skeleton',
  'chunk.payload',
  'open_step.match',
  'copied_trace.user_hash',
  'copied_trace.session_hash',
]);
/** Columns that only an erasure in progress fills. */
const OF_ERASURE = new Set(['erasure.subject', 'erasure.other_forms']);

const COLUMNS = Object.entries(TEXT_COLUMNS).flatMap(([table, columns]) =>
  Object.keys(columns).map((column) => ({ table, column, name: `${table}.${column}` })),
);

/** Returns the listed columns that have the text, or a value that stands for it. */
const columnsWithText = (): string[] =>
  besideServer(server.folder, (database) =>
    COLUMNS.filter(({ table, column, name }) => {
      const condition = NOT_PLAIN.has(name)
        ? `${column} IS NOT NULL`
        : `instr(CAST(${column} AS BLOB), CAST(:secret AS BLOB)) > 0`;
      return database.get(`SELECT 1 FROM ${table} WHERE ${condition} AND :secret <> ''`, { secret: SECRET });
    }).map(({ name }) => name),
  );

it('leaves the text of a trace in no listed column and in no file, after it was in each of them', async () => {
  await copyThroughApi();
  await send(3);
  besideServer(server.folder, (database) => {
    for (const statement of BY_SQL) database.run(statement);
  });
  expect(columnsWithText()).toEqual(COLUMNS.map(({ name }) => name).filter((name) => !OF_ERASURE.has(name)));

  expect(await erase({ userId: USER })).toMatchObject({ status: 'COMPLETED' });
  // The session is an id of its own, which views and the audit log may name.
  const receipt = await erase({ sessionId: SESSION });
  expect(columnsWithText()).toEqual([]);
  expect(receipt.copies).toMatchObject({ total: 0, data: [] });
  expect(filesWith(SECRET)).toEqual([]);
});
