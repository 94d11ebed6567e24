import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import { findCredentials } from '../../src/people/login-store.ts';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { besideServer } from '../support/beside-store.ts';
import { type CustomerApp, type Received, startCustomerApp } from '../support/customer-app.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';
import { filled, filledDeep } from './answers.ts';
import type { Case, Request, Step } from './case.ts';
import { type PieceName, PIECES } from './pieces.ts';
import { mismatches, type Shape } from './shapes.ts';
import { signatureOf, signed } from './signing.ts';

type ServerName = NonNullable<Case['on']>;

/** The servers that cases ask, and the app of the customers. */
export interface Harness {
  server: (name: ServerName) => TestServer;
  app: CustomerApp;
  close: () => Promise<void>;
}

export interface FilledRequest {
  method: string;
  path: string;
  headers: Headers;
  /** Undefined without a body. */
  body: unknown;
  form: Readonly<Record<string, string>> | undefined;
}

/** Short, so that no test waits for silence. */
const SETTINGS = { quietMs: 100, orphanQuietMs: 200 } as const;
/** Almost as long as a test may take, for what takes long itself. */
const PATIENCE_MS = 220_000;
const POLL_MS = 25;

const CONFIGS: Readonly<Record<ServerName, Partial<Config>>> = {
  usual: SETTINGS,
  limited: { rateLimit: 1 },
  broken: {},
  impatient: { traceDeadlineMs: 1_000 },
};
const ALL = Object.keys(CONFIGS) as ServerName[];

/** Starts the servers with these names, by default all. */
export async function startHarness(names: readonly ServerName[] = ALL): Promise<Harness> {
  const servers: Partial<Record<ServerName, TestServer>> = {};
  for (const name of names) servers[name] = await startServer({ config: CONFIGS[name] });
  if (servers.broken)
    besideServer(servers.broken.folder, (database) => database.run('ALTER TABLE tag RENAME TO tag_away'));
  const app = await startCustomerApp();
  // The path tells the status: /200/…; 0 is no answer. GET is a page of a site.
  app.behave(({ method, path }, response) => {
    const status = Number(/^\/(\d+)\//.exec(path)?.[1] ?? 404);
    if (status === 0) return;
    if (method === 'GET')
      response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Help</title><p>How to.');
    else response.writeHead(status).end('thanks');
  });
  return {
    server: (name) => {
      const server = servers[name];
      if (!server) throw new Error(`the server ${name} was not started`);
      return server;
    },
    app,
    close: async () => {
      for (const server of Object.values(servers)) await server.close();
      await app.close();
    },
  };
}

/** One application of its own organisation, with what a case has asked of it so far. */
export class Scenario {
  private readonly server: TestServer;
  private readonly app: CustomerApp;
  readonly answers: Record<string, unknown>;
  private readonly made = new Set<PieceName>();
  /** How many requests to its webhook were looked at. */
  private seen = 0;
  /** Streams that are read, and calls that are not answered yet. */
  private readonly streams: ReadableStreamDefaultReader[] = [];
  private readonly underWay: Promise<Reply>[] = [];

  private constructor(harness: Harness, name: ServerName, answers: Record<string, unknown>) {
    this.server = harness.server(name);
    this.app = harness.app;
    this.answers = answers;
  }

  static async begin(harness: Harness, name: ServerName): Promise<Scenario> {
    const { status, text, json } = await harness.server(name).call('POST', '/v0/applications', {
      body: { title: 'Help desk', type: 'CHATBOT', newOrganisation: true },
    });
    if (status !== 201) throw new Error(text);
    const { data, apiKey } = json as { data: { id: string }; apiKey: { key: string } };
    const app = new URL(harness.app.url).origin;
    return new Scenario(harness, name, {
      application: data,
      apiKey,
      app,
      now: Date.now(),
    });
  }

  /** Does what a case has before. */
  async prepare(given: readonly (PieceName | Step)[]): Promise<void> {
    for (const step of given) {
      if (typeof step !== 'string') await this.take(step);
      else if (!this.made.has(step)) {
        this.made.add(step);
        await this.prepare(PIECES[step]);
      }
    }
  }

  /** Closes what is open. */
  async end(): Promise<void> {
    await Promise.all(this.streams.map((stream) => stream.cancel()));
    await Promise.all(this.underWay);
  }

  mismatches(value: unknown, shape: Shape): string[] {
    return mismatches(value, shape, this.answers);
  }

  filled(text: string): string {
    return String(filled(text, this.answers));
  }

  private async take(step: Step): Promise<void> {
    if ('received' in step) this.answers[step.as] = await this.received();
    else if ('relayed' in step) this.answers[step.as] = await this.relayed(step.relayed);
    else if ('sign' in step) this.answers[step.as] = signed(this.answers, step.sign);
    else if ('linkFor' in step) this.answers[step.as] = { token: this.newLink(this.filled(step.linkFor)) };
    else await this.callUntil(step);
  }

  private async callUntil({ as, whole, until, ...request }: Extract<Step, Request>): Promise<void> {
    const reply = await this.settled(request, until);
    if (reply.status >= 300) throw new Error(`${request.request}: ${reply.status} ${reply.text}`);
    if (as !== undefined) this.answers[as] = whole ? reply.json : recordOf(reply.json);
  }

  /** The first answer that is like `until`. */
  async settled(request: Request, until?: Shape): Promise<Reply> {
    let reply = await this.call(request);
    const wrong = (): string[] => (until === undefined ? [] : this.mismatches(reply.json, until));
    await patiently(async () => {
      if (wrong().length > 0) reply = await this.call(request);
      return wrong().join('\n');
    });
    return reply;
  }

  async call(request: Request): Promise<Reply> {
    const response = await this.send(request);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.answers['cookie'] = { value: cookie.split(';', 1)[0] };
    const text = isStream ? await this.firstEvent(response) : await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  private send(request: Request): Promise<Response> {
    const { method, path, headers, body, form } = this.requestOf(request);
    return fetch(this.server.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: bytesOf(body) }),
      ...(form && { body: formOf(form) }),
    });
  }

  /** Returns a request with the values of earlier answers. */
  requestOf({ request, headers, body, form }: Request): FilledRequest {
    const [method = '', path = ''] = (filled(request, this.answers) as string).split(/ (.*)/s);
    const { application, apiKey } = this.answers as { application: { id: string }; apiKey: { key: string } };
    const all = new Headers({ 'x-api-key': apiKey.key, 'x-application-id': application.id });
    if (body !== undefined) all.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(filledDeep(headers ?? {}, this.answers) as Headers)) {
      if (value === null) all.delete(name);
      else all.set(name, value as string);
    }
    return {
      method,
      path,
      headers: all,
      body: filledDeep(body, this.answers),
      form: form && (filledDeep(form, this.answers) as typeof form),
    };
  }

  /** The stream stays open until the end. */
  private async firstEvent(response: Response, name = /\n\n/): Promise<string> {
    const stream = (response.body as ReadableStream<Uint8Array>).getReader();
    this.streams.push(stream);
    const decoder = new TextDecoder();
    let said = '';
    while (!name.test(said)) {
      const { value, done } = await stream.read();
      if (done) throw new Error(`the stream ended after ${said}`);
      said += decoder.decode(value, { stream: true });
    }
    return said;
  }

  private newLink(email: string): string {
    return besideServer(this.server.folder, (database) => {
      const found = findCredentials(database, { email });
      return createSetupLink(database, { userId: found?.user.id ?? null, at: Date.now() });
    });
  }

  private async relayed(request: Request): Promise<unknown> {
    const listening = await this.send({ request: 'GET /v0/webhook/listen' });
    this.underWay.push(this.call(request));
    const said = await this.firstEvent(listening, /^event: delivery\n.*\n\n/m);
    return JSON.parse(/^data: (.*)$/m.exec(said)?.[1] ?? '');
  }

  /** What the webhook was sent since this was asked last; waits for it. */
  async received(): Promise<Record<string, unknown>> {
    const { id } = this.answers['application'] as { id: string };
    const all = (): Received[] =>
      this.app.received.filter(({ path, method }) => path.includes(id) && method === 'POST');
    await patiently(() => (all().length > this.seen ? '' : 'the webhook was sent nothing'));
    this.seen = all().length;
    const { method, headers, body } = all().at(-1) as Received;
    const json = JSON.parse(body) as unknown;
    return { method, headers, body, json, signature: signatureOf(this.answers, headers, body) };
  }
}

/** Looks until nothing is wrong any more. Throws what is wrong when that takes too long. */
async function patiently(look: () => string | Promise<string>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
    const wrong = await look();
    if (wrong === '') return;
    if (Date.now() > end) throw new Error(wrong);
  }
}

const bytesOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file') form.set(name, new Blob([value]), 'material.csv');
    else form.set(name, value);
  }
  return form;
}

const WRAPPERS = ['data', 'task', 'test', 'run', 'document'];

/** What an answer wraps; one that wraps nothing is the record. */
function recordOf(json: unknown): unknown {
  const name = WRAPPERS.find((wrapper) => Object.hasOwn(json ?? {}, wrapper));
  return name === undefined ? json : (json as Record<string, unknown>)[name];
}
