import { setTimeout as delay } from 'node:timers/promises';
import type { RelayedAnswer, RelayedRequest } from '../deliver/relay.ts';
import { millisecondsOf, parseTrace, place, type RecordedTrace, rootOf, attributeText } from './recording.ts';

const FAILURE = 'The database of orders did not respond';

/** Payload of a test, as far as the app reads it. */
interface Payload {
  testId: string;
  prompt: string;
  experiment?: { overrides?: Readonly<Record<string, { prompt?: unknown }>> };
}

/** The app that the tests of example data are sent to: it repeats its recorded responses, which take as long again. */
export class RecordedApp {
  /** Version of its prompt, unless the variant of an experiment chooses another. */
  version = '';
  private readonly responses: ReadonlyMap<string, RecordedTrace>;

  constructor(lines: readonly string[]) {
    this.responses = new Map(
      lines.map((line) => {
        const trace = parseTrace(line);
        const root = rootOf(trace);
        return [keyOf(attributeText(root, 'app.prompt.version'), attributeText(root, 'input.value')), trace];
      }),
    );
  }

  /** Responds to a test. `trace` is null if the app failed: it has no recorded response. */
  async respond({
    headers,
    body,
  }: RelayedRequest): Promise<{ answer: RelayedAnswer; trace: RecordedTrace | null }> {
    const { testId, prompt, experiment } = JSON.parse(body) as Payload;
    const chosen = experiment?.overrides?.['answer']?.prompt ?? this.version;
    const recorded = this.responses.get(keyOf(chosen, prompt));
    if (!recorded) return { answer: { status: 500, headers: {}, body: FAILURE }, trace: null };
    const [start, end] = [Date.now(), rootOf(recorded).endTimeUnixNano];
    const recordedStart = millisecondsOf(rootOf(recorded).startTimeUnixNano);
    await delay(millisecondsOf(end) - recordedStart);
    const [, traceId = '', spanId = ''] = (headers['traceparent'] ?? '').split('-');
    const trace = place(recorded, { traceId, shiftMs: start - recordedStart, delivery: { testId, spanId } });
    return { answer: { status: 200, headers: {}, body: '' }, trace };
  }
}

const keyOf = (version: unknown, prompt: unknown): string => JSON.stringify([version, prompt]);
