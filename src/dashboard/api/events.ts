import { answerOf } from '../../api/client.ts';

export interface StreamEvent {
  name: string;
  data: string;
  /** Empty if the server gave none. */
  id: string;
}

/** Longest event that is read, in characters. */
const MAX_EVENT = 8 * 1024 * 1024;
/** Milliseconds after which a silent stream is taken for broken: servers send a heartbeat at least every 15 s. */
const SILENCE_MS = 40_000;

/**
 * Yields the Server-Sent Events of a call made with `parseAs: 'stream'`, until its stream ends. Throws when nothing arrives
 * for `silenceMs`: a connection may be lost without an end.
 */
export async function* serverEvents(
  call: Promise<{ data?: unknown; error?: unknown; response: Response }>,
  { silenceMs = SILENCE_MS } = {},
): AsyncGenerator<StreamEvent, void> {
  const stream = (await answerOf(call)) as ReadableStream<Uint8Array>;
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let waiting = '';
  try {
    while (true) {
      const { done, value } = await withinSilence(reader.read(), silenceMs);
      if (done) return;
      const texts = (waiting + decoder.decode(value, { stream: true })).split('\n\n');
      waiting = texts.pop() ?? '';
      if (waiting.length > MAX_EVENT) throw new Error(`An event has more than ${MAX_EVENT} characters.`);
      for (const text of texts) {
        const event = parseEvent(text);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinSilence<T>(reading: Promise<T>, silenceMs: number): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => silence.reject(new Error(`The stream was silent for ${silenceMs} ms.`)),
    silenceMs,
  );
  try {
    return await Promise.race([reading, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads one event; null for a comment, which keeps the connection open. */
function parseEvent(text: string): StreamEvent | null {
  let name = 'message';
  let id = '';
  const data: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length);
    else if (line.startsWith('id: ')) id = line.slice('id: '.length);
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
  }
  return data.length === 0 ? null : { name, data: data.join('\n'), id };
}
