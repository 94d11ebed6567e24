/** Sessions with a text of their own, of which half are erased. */
import { setTimeout as delay } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { findTexts } from '../support/folder-bytes.ts';
import { listed } from './balance.ts';
import { callUntilDone } from './insist.ts';

interface EraserOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  random: () => number;
  /** Pause between two sessions, milliseconds. */
  pauseMs: number;
}

const ERASED_SHARE = 0.5;
const MAX_SPANS = 4;
const POLL_MS = 250;

interface SentSession {
  id: string;
  /** Text that occurs in each span of the session and nowhere else. */
  secret: string;
  spans: number;
  isErased: boolean;
}

/** Sends sessions and erases some of them. */
export class Eraser {
  readonly sessions: SentSession[] = [];
  private readonly options: EraserOptions;

  constructor(options: EraserOptions) {
    this.options = options;
  }

  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.options;
    const erasing: Promise<void>[] = [];
    while (!stop.aborted || erasing.length === 0) {
      const session = await this.sendSession(deadline);
      this.sessions.push(session);
      if (random() < ERASED_SHARE) erasing.push(this.erase(session, deadline));
      await delay(pauseMs * (0.5 + random()));
    }
    await Promise.all(erasing);
  }

  /** Adds to `differences` what is left of erased sessions in the files of the folder, and what is missing of the others. */
  check(database: Sqlite.Database, folder: string, differences: string[]): void {
    const erased = this.sessions.filter(({ isErased }) => isErased);
    const secrets = erased.map(({ secret }) => secret);
    for (const { file, found } of findTexts(folder, secrets)) {
      const left = erased.filter(({ secret }) => found.includes(secret));
      differences.push(
        `${file} has texts of ${left.length} erased sessions: ${listed(left.map(({ id }) => id))}`,
      );
    }
    const countOf = database
      .prepare('SELECT coalesce(sum(span_count), 0) FROM trace WHERE session_id = ?')
      .pluck();
    const wrong = this.sessions.filter(
      ({ id, spans, isErased }) => countOf.get(id) !== (isErased ? 0 : spans),
    );
    if (wrong.length > 0)
      differences.push(
        `${wrong.length} sessions have other spans than were sent, or have some although they are erased: ${listed(wrong.map(({ id, isErased }) => `${id}${isErased ? ' (erased)' : ''}`))}`,
      );
  }

  private async sendSession(deadline: AbortSignal): Promise<SentSession> {
    const { random, url, headers } = this.options;
    const number = this.sessions.length + 1;
    const [id, secret] = [`session-${number}-${hex(random, 8)}`, `secret ${hex(random, 16)} of ${number}`];
    const traceId = hex(random, 32);
    const spans = Array.from({ length: 1 + Math.floor(random() * MAX_SPANS) }, () => ({
      traceId,
      spanId: hex(random, 16),
      name: 'turn',
      startTimeUnixNano: '1767225600000000000',
      endTimeUnixNano: '1767225601000000000',
      attributes: Object.entries({ 'session.id': id, 'input.value': secret }).map(([key, value]) => ({
        key,
        value: { stringValue: value },
      })),
    }));
    const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    await callUntilDone(`${url}/v1/traces`, { headers, body, deadline });
    return { id, secret, spans: spans.length, isErased: false };
  }

  /** Erases a session and waits until the receipt says that it is complete. */
  private async erase(session: SentSession, deadline: AbortSignal): Promise<void> {
    const { url, headers } = this.options;
    const created = (await callUntilDone(`${url}/v0/erasures`, {
      headers,
      body: { sessionId: session.id },
      deadline,
    })) as { data: { id: string; status: string } };
    let { status } = created.data;
    while (status !== 'COMPLETED') {
      await delay(POLL_MS);
      const { data } = (await callUntilDone(`${url}/v0/erasures/${created.data.id}`, {
        headers,
        deadline,
      })) as {
        data: { status: string };
      };
      ({ status } = data);
    }
    session.isErased = true;
  }
}

const hex = (random: () => number, digits: number): string =>
  Array.from({ length: digits }, (_, index) =>
    Math.floor(random() * (index === 0 ? 15 : 16) + (index === 0 ? 1 : 0)).toString(16),
  ).join('');
