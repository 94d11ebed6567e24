import { expect, it } from 'vitest';
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
  await server.call('POST', '/v0/topics', { body: { title: ALL.slice(0, 200) } });
  await server.call('POST', '/v0/tasks', { body: { title: ALL.slice(0, 200), type: 'STATIC' } });
});

// A report of the policy or a request to another host fails the test too.
it('no text of a span or a record becomes anything but text', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const columns = 'timestamp,name,input,output,models,environment,services,user,session';
  for (const path of [...SCREENS_TO_LOOK_AT.map(([, one]) => one), `/traces?columns=${columns}`]) {
    await visitor.open(path);
    expect(await visitor.page.evaluate('window.harmed'), path).toBeUndefined();
  }
  expect(await visitor.page.getByText(TEXTS[0] as string).count()).toBeGreaterThan(2);
});
