import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';
import { PENDING_EVAL, verdict } from '../support/stored-evals.ts';
import { applicationKey } from '../support/stored-tests.ts';
import { filled, filledDeep } from './answers.ts';
import type { Case, Request, Step } from './case.ts';
import { type PieceName, PIECES } from './pieces.ts';
import { mismatches, type Shape } from './shapes.ts';

type ServerName = NonNullable<Case['on']>;

/** The servers that cases ask, and the app of the customers. */
export interface Stage {
  server: (name: ServerName) => TestServer;
  app: CustomerApp;
  close: () => Promise<void>;
}

/** Short, so that nobody waits for silence. */
const SETTINGS = { quietMs: 100, orphanQuietMs: 200, traceDeadlineMs: 1_000 } as const;
const POLL = { timeout: 15_000, interval: 25 };

export async function startStage(): Promise<Stage> {
  const servers: Readonly<Record<ServerName, TestServer>> = {
    usual: await startServer({ config: SETTINGS }),
    limited: await startServer({ config: { rateLimit: 60 } }),
    broken: await startServer(),
  };
  withStore(servers.broken.folder, (database) => database.run('ALTER TABLE tag RENAME TO tag_away'));
  const app = await startCustomerApp();
  // Paths tell what to answer: /200/…; GET is a page of a site.
  app.behave(({ method, path }, response) => {
    const status = Number(path.split('/')[1]);
    if (method === 'GET') response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Help</title><p>How to.');
    else if (status > 0) response.writeHead(status).end('thanks');
  });
  return {
    server: (name) => servers[name],
    app,
    close: async () => {
      for (const server of Object.values(servers)) await server.close();
      await app.close();
    },
  };
}

/** One application of its own organisation, with what a case has asked of it so far. */
export class Act {
  private readonly server: TestServer;
  private readonly app: CustomerApp;
  readonly answers: Record<string, unknown>;
  private readonly made = new Set<PieceName>();

  private constructor(stage: Stage, name: ServerName, answers: Record<string, unknown>) {
    this.server = stage.server(name);
    this.app = stage.app;
    this.answers = answers;
  }

  static async begin(stage: Stage, name: ServerName): Promise<Act> {
    const { status, text, json } = await stage.server(name).call('POST', '/v0/applications', {
      body: { title: 'Help desk', type: 'CHATBOT', newOrganisation: true },
    });
    if (status !== 201) throw new Error(text);
    const { data, apiKey } = json as { data: { id: string }; apiKey: { key: string } };
    const app = new URL(stage.app.url).origin;
    return new Act(stage, name, { application: data, apiKey, app, url: stage.server(name).url, now: Date.now() });
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

  mismatches(value: unknown, shape: Shape): string[] {
    return mismatches(value, shape, this.answers);
  }

  filled(text: string): string {
    return String(filled(text, this.answers));
  }

  /** What is wrong with the order of a list, or with its pages of two. */
  async unsorted(request: Case['request'], sorted: NonNullable<Case['sorted']>): Promise<string[]> {
    const list = async (query: string): Promise<Entry[]> => {
      const joined = `${request}${request.includes('?') ? '&' : '?'}${query}` as Case['request'];
      return ((await this.call({ request: joined })).json as { data: Entry[] }).data;
    };
    const whole = await list('limit=100');
    const pages: Entry[] = [];
    for (let skip = 0; skip < whole.length; skip += 2) pages.push(...(await list(`limit=2&skip=${skip}`)));
    const ids = (entries: readonly Entry[]): string => entries.map(({ id }) => id).join();
    return [
      ...(whole.length < 3 ? [`${whole.length} entries prove no order`] : []),
      ...(ids(pages) === ids(whole) ? [] : [`pages say ${ids(pages)}, the whole list ${ids(whole)}`]),
      ...outOfOrder(whole, sorted),
    ];
  }

  private async take(step: Step): Promise<void> {
    if ('received' in step) this.answers[step.as] = await this.received();
    else if ('sign' in step) this.answers[step.as] = this.signed(step.sign);
    else if ('storeEval' in step) this.answers[step.as] = this.storeEval();
    else for (let i = 0; i < (step.times ?? 1); i++) await this.callUntil(step);
  }

  private async callUntil({ as, until, ...request }: Request & { as?: string; until?: Shape }): Promise<void> {
    const reply = await this.settled(request, until);
    expect(reply.status, `${request.request}: ${reply.text}`).toBeLessThan(300);
    if (as !== undefined) this.answers[as] = recordOf(reply.json);
  }

  /** The first answer that is like `until`. */
  async settled(request: Request, until?: Shape): Promise<Reply> {
    let reply = await this.call(request);
    if (until !== undefined)
      await expect
        .poll(async () => {
          reply = await this.call(request);
          return mismatches(reply.json, until, this.answers);
        }, POLL)
        .toEqual([]);
    return reply;
  }

  async call({ request, headers, body, form }: Request): Promise<Reply> {
    const [method = '', path = ''] = (filled(request, this.answers) as string).split(/ (.*)/s);
    const { application, apiKey } = this.answers as { application: { id: string }; apiKey: { key: string } };
    const all = new Headers({ 'x-api-key': apiKey.key, 'x-application-id': application.id });
    if (body !== undefined) all.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(filledDeep(headers ?? {}, this.answers) as Headers)) {
      if (value === null) all.delete(name);
      else all.set(name, value as string);
    }
    const response = await fetch(this.server.url + path, {
      method,
      headers: all,
      ...(body !== undefined && { body: bytesOf(filledDeep(body, this.answers)) }),
      ...(form && { body: formOf(filledDeep(form, this.answers) as typeof form) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  /** What the webhook was sent last; waits for it. */
  async received(): Promise<Record<string, unknown>> {
    const { id } = this.answers['application'] as { id: string };
    const find = () => this.app.received.findLast(({ path, method }) => path.includes(id) && method === 'POST');
    await expect.poll(find, POLL).toBeDefined();
    const { method, headers, body } = find() as NonNullable<ReturnType<typeof find>>;
    return { method, headers, body, json: JSON.parse(body) as unknown, signatures: this.signaturesOf(headers, body) };
  }

  /** What a receiver works out by itself. */
  private signaturesOf(headers: Readonly<Record<string, unknown>>, body: string) {
    const secret = (this.answers['webhook'] as { webhookSecret: string }).webhookSecret;
    const { 'x-service-timestamp': at, 'webhook-id': id, 'webhook-timestamp': seconds } = headers;
    return {
      service: hmac(secret, `${String(at)}.${body}`).toString('hex'),
      standard: `v1,${hmac(secret, `${String(id)}.${String(seconds)}.${body}`).toString('base64')}`,
    };
  }

  private signed({ body, afterMs = 0, secret = '{{webhook.webhookSecret}}' }: { body: string; afterMs?: number; secret?: string }) {
    const timestamp = Date.now() + afterMs;
    const text = filled(body, this.answers) as string;
    const signature = hmac(filled(secret, this.answers) as string, `${timestamp}.${text}`).toString('hex');
    return { timestamp, signature, body: text, upperSignature: signature.toUpperCase() };
  }

  private storeEval(): { id: string } {
    const { application, definition, test, trace } = this.answers as Record<string, Record<string, string>>;
    const id = crypto.randomUUID();
    const of = (record: Record<string, string> | undefined, field: string): string => record?.[field] as string;
    withStore(this.server.folder, (database) =>
      saveEvals(database, {
        application: applicationKey(database, of(application, 'id')),
        evals: [
          {
            ...PENDING_EVAL,
            ...verdict(true, 0.75),
            id,
            definitionId: of(definition, 'id'),
            testId: of(test, 'id'),
            taskId: of(test, 'taskId'),
            runId: of(test, 'runId'),
            traceId: Buffer.from(of(trace, 'id').replaceAll('-', ''), 'hex'),
            runType: 'MANUAL',
            results: { answer: 'yes' },
            reason: 'It is kind.',
            judge: { model: 'judge-1' },
            cost: 0.002,
            latencyMs: 350,
          },
        ],
        at: Date.now(),
      }),
    );
    return { id };
  }
}

interface Entry extends Readonly<Record<string, unknown>> {
  id: string;
}

/** Neighbours in the wrong order: what is null comes last in both directions, ties go by id. */
function outOfOrder(entries: readonly Entry[], [field, direction]: readonly [string, 'asc' | 'desc']): string[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: unknown, other: unknown): number =>
    one === other ? 0 : one === null ? sign : other === null ? -sign : String(one) < String(other) ? -1 : 1;
  return entries.slice(1).flatMap((entry, i) => {
    const before = entries[i] as Entry;
    const order = compare(before[field], entry[field]) || compare(before.id, entry.id);
    return order * sign < 0 ? [] : [`${shownIn(before, field)} is before ${shownIn(entry, field)}`];
  });
}

const shownIn = (entry: Entry, field: string): string => `${String(entry[field])} (${entry.id})`;

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

/** The secret is the base64 of the key, after `whsec_`. */
const hmac = (secret: string, text: string): Buffer =>
  createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64')).update(text).digest();

const WRAPPERS = ['data', 'task', 'test', 'run', 'document'];

/** What an answer wraps; the rest of it goes along where the record leaves room. */
function recordOf(json: unknown): unknown {
  const name = WRAPPERS.find((wrapper) => Object.hasOwn((json ?? {}) as object, wrapper));
  return name === undefined ? json : (json as Record<string, unknown>)[name];
}
