import { expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { useStage } from './support/browser.ts';
import { SCREENS_TO_LOOK_AT } from './support/screen-list.ts';

/** Texts that become markup, scripts, links or styles where a page is careless. */
const TEXTS = [
  '<img src=x onerror="window.harmed=1">',
  '<script>window.harmed=1</script>',
  '"><svg onload=window.harmed=1>',
  "'-window.harmed=1-'",
  'javascript:window.harmed=1',
  '</title><script>window.harmed=1</script>',
  '{{constructor.constructor("window.harmed=1")()}}',
  '<iframe srcdoc="<script>parent.harmed=1</script>">',
  '<style>*{display:none}</style>',
  '<a href="https://evil.example/?x=">click</a><link rel=stylesheet href=https://evil.example/a.css>',
  '\u202egnp.exe\u0000\ud800',
];
const ALL = TEXTS.join(' ').toWellFormed().replaceAll('\0', '');

const stage = useStage(async (server) => {
  const attributes = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  for (const [index, text] of [...TEXTS, ALL].map((one) => one.toWellFormed()).entries()) {
    const span = {
      traceId: `${index + 1}`.padStart(32, 'a'),
      spanId: `${index + 1}`.padStart(16, 'b'),
      name: text,
      startTimeUnixNano: `${Date.now() - index}000000`,
      endTimeUnixNano: `${Date.now()}000000`,
      status: { code: 2, message: text },
      attributes: attributes({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.request.model': text,
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: text }] },
        ]),
        'session.id': text,
        'user.id': text,
      }),
    };
    const resource = {
      attributes: attributes({ 'service.name': text, 'deployment.environment.name': text }),
    };
    await server.call('POST', '/v1/traces', {
      body: { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] },
    });
  }
  await server.call('PUT', `/v0/applications/${server.applicationId}`, {
    body: { title: ALL.slice(0, 200), context: ALL },
  });
  await server.call('POST', '/v0/api-keys', { body: { name: ALL.slice(0, 200) } });
  await storeHostileRecords(server);
});

/** Addresses of the records with hostile texts. */
const records: string[] = [];

async function storeHostileRecords(server: TestServer): Promise<void> {
  const make = async (path: string, body: object): Promise<string> => {
    const { json } = await server.call('POST', path, { body });
    return (Object.values(json as object)[0] as { id: string }).id;
  };
  const title = ALL.slice(0, 200);
  const topicId = await make('/v0/topics', { title, description: ALL, assignedTo: title });
  const tagId = await make('/v0/tags', { name: title, description: ALL });
  const taskId = await make('/v0/tasks', {
    title,
    type: 'STATIC',
    description: ALL,
    topicId,
    inputExamples: [ALL],
    metadata: { [title]: ALL },
  });
  await server.call('PUT', `/v0/tasks/${taskId}/schedule`, { body: { criticality: 'LOW' } });
  await server.call('POST', '/v0/tasks/tags', { body: { taskIds: [taskId], addTagIds: [tagId] } });
  const document = { title, content: ALL, type: 'POLICY', topicId, assignee: title };
  const documentId = await make('/v0/documents', document);
  const versions = `/v0/documents/${documentId}/versions`;
  await server.call('POST', versions, { body: { title, content: `${ALL} ${ALL}` } });
  records.push(`/documents/${documentId}?to=2&from=1`, `/documents/${documentId}?tab=chunks`);
  records.push(`/conversations/${encodeURIComponent(TEXTS[0] as string)}`);
  const tabs = ['', '?tab=examples', '?tab=settings'];
  records.push(...tabs.map((tab) => `/tasks/${taskId}${tab}`));
  const issueId = await make('/v0/issues', { source: 'API', title, description: ALL, topicId });
  const traceId = `1`.padStart(32, 'a');
  const noteId = await make('/v0/notes', { traceId, text: ALL, start: 0, end: 4, quote: ALL });
  await server.call('POST', `/v0/issues/${issueId}/links`, { body: { noteIds: [noteId] } });
  await server.call('POST', `/v0/issues/${issueId}/reject`, { body: { reason: ALL } });
  records.push('/issues?status=all', '/issues/1', '/issues/1?tab=settings', `/traces/${traceId}?tab=notes`);
  records.push(`/topics/${topicId}`, `/topics/${topicId}?tab=settings`);
}

// A report of the policy or a request to another host fails the test too.
it('no text of a span or a record becomes anything but text', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const columns = 'timestamp,name,input,output,models,environment,services,user,session';
  const screens = SCREENS_TO_LOOK_AT.map(([, one]) => one);
  for (const path of [...screens, ...records, `/traces?columns=${columns}`]) {
    await visitor.open(path);
    expect(await visitor.page.evaluate('window.harmed'), path).toBeUndefined();
  }
  expect(await visitor.page.getByText(TEXTS[0] as string).count()).toBeGreaterThan(2);
});
