import type { MessagePort, Transferable, Worker } from 'node:worker_threads';

export type Port = MessagePort | Worker;

/** Size up to which bytes are copied into one buffer for all messages, because moving a buffer costs more. */
const MAX_COPIED_BYTES = 64 * 1024;

/** Messages that are sent together, and the bytes that belong to some of them. */
export interface Envelope<Message> {
  messages: Message[];
  /** Bytes of all messages with few bytes, one after the other. */
  packed?: Uint8Array;
  /** Bytes of each message: the end of its bytes in `packed`, or its own buffer when they are many; null for none. */
  bytes?: (number | Uint8Array | null)[];
}

interface Letter<Message> {
  message: Message;
  transfer: readonly Transferable[];
  bytes: Uint8Array | null;
}

export type ScheduleSend = (send: () => void) => void;

export interface OutboxOptions<Message> {
  /**
   * Schedules the sending: `setImmediate` where each event adds one message, `queueMicrotask` where one event adds
   * many.
   */
  schedule: ScheduleSend;
  /** Called for a message that cannot be cloned; the others are still sent. */
  onUnsendable: (message: Message, error: unknown) => void;
}

/**
 * Sends messages to another thread in batches: everything added before the scheduled callback runs shares one
 * envelope. Waking a thread and delivering a message cost more than most messages themselves.
 */
export class Outbox<Message> {
  private readonly port: Port;
  private readonly options: OutboxOptions<Message>;
  private letters: Letter<Message>[] = [];

  constructor(port: Port, options: OutboxOptions<Message>) {
    this.port = port;
    this.options = options;
  }

  /** Adds a message. Its `bytes` must not be used afterwards, because their buffer may be moved. */
  add(message: Message, transfer: readonly Transferable[] = [], bytes: Uint8Array | null = null): void {
    this.letters.push({ message, transfer, bytes });
    if (this.letters.length === 1) this.options.schedule(() => this.send());
  }

  private send(): void {
    const letters = this.letters;
    this.letters = [];
    try {
      this.post(letters);
    } catch (error) {
      if (letters.length === 1) this.options.onUnsendable((letters[0] as Letter<Message>).message, error);
      else for (const letter of letters) this.sendAlone(letter);
    }
  }

  private sendAlone(letter: Letter<Message>): void {
    try {
      this.post([letter]);
    } catch (error) {
      this.options.onUnsendable(letter.message, error);
    }
  }

  private post(letters: readonly Letter<Message>[]): void {
    const messages = letters.map(({ message }) => message);
    const transfer = letters.flatMap((letter) => letter.transfer);
    if (letters.every(({ bytes }) => bytes === null)) {
      this.port.postMessage({ messages } satisfies Envelope<Message>, transfer);
      return;
    }
    const copied = letters.filter(isCopied).map(({ bytes }) => bytes as Uint8Array);
    // Not from the pool of small buffers, which would be cloned completely.
    const packed = new Uint8Array(copied.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    const bytes = letters.map((letter) => {
      if (letter.bytes === null) return null;
      if (!isCopied(letter)) {
        transfer.push(letter.bytes.buffer as ArrayBuffer);
        return letter.bytes;
      }
      packed.set(letter.bytes, end);
      return (end += letter.bytes.length);
    });
    this.port.postMessage({ messages, packed, bytes } satisfies Envelope<Message>, [
      ...transfer,
      packed.buffer,
    ]);
  }
}

const isCopied = ({ bytes }: Letter<unknown>): boolean => bytes !== null && bytes.length <= MAX_COPIED_BYTES;

/** Passes each message of an envelope, with its bytes, to `take`. */
export function openEnvelope<Message>(
  { messages, packed, bytes }: Envelope<Message>,
  take: (message: Message, bytes: Uint8Array | null) => void,
): void {
  let start = 0;
  for (const [index, message] of messages.entries()) {
    const place = bytes?.[index] ?? null;
    if (typeof place === 'number') {
      take(message, packed?.subarray(start, place) ?? null);
      start = place;
    } else take(message, place);
  }
}
