import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Envelope, openEnvelope, Outbox, type ScheduleSend } from '../../src/runtime/outbox.ts';

interface Message {
  name: string;
  bytes?: Uint8Array;
  /** Functions cannot be cloned. */
  broken?: () => void;
}

function openOutbox(schedule: ScheduleSend = queueMicrotask) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const arrived: Message[][] = [];
  port2.on('message', (envelope: Envelope<Message>) => {
    const messages: Message[] = [];
    openEnvelope(envelope, (message) => messages.push(message));
    arrived.push(messages);
  });
  const unsendable: string[] = [];
  const outbox = new Outbox<Message>(port1, { schedule, onUnsendable: ({ name }) => unsendable.push(name) });
  const names = (): string[] => arrived.flat().map(({ name }) => name);
  return { outbox, arrived, names, unsendable };
}

const broken = (name: string): Message => ({ name, broken: () => undefined });

describe('an outbox', () => {
  it('sends what is added in one turn as one array, and keeps the order over many', async () => {
    const { outbox, arrived, names } = openOutbox();
    const sent: string[] = [];
    for (let turn = 0; turn < 20; turn++) {
      for (let i = 0; i <= turn % 4; i++) {
        sent.push(`${turn} ${i}`);
        outbox.add({ name: `${turn} ${i}` });
      }
      await delay(0);
    }
    await expect.poll(names).toEqual(sent);
    expect(arrived).toHaveLength(20);
  });

  it('waits for what schedules it', async () => {
    const due: (() => void)[] = [];
    const { outbox, names } = openOutbox((send) => due.push(send));
    outbox.add({ name: 'a' });
    outbox.add({ name: 'b' });
    expect(due).toHaveLength(1);
    due[0]?.();
    outbox.add({ name: 'c' });
    expect(due).toHaveLength(2);
    due[1]?.();
    await expect.poll(names).toEqual(['a', 'b', 'c']);
  });

  it('loses only the message that cannot be sent, and keeps the order of the others', async () => {
    const { outbox, names, unsendable } = openOutbox();
    for (const message of [{ name: 'a' }, broken('b'), { name: 'c' }, broken('d'), { name: 'e' }]) {
      outbox.add(message);
    }
    await expect.poll(names).toEqual(['a', 'c', 'e']);
    expect(unsendable).toEqual(['b', 'd']);
    outbox.add(broken('alone'));
    await expect.poll(() => unsendable).toEqual(['b', 'd', 'alone']);
  });

  it('moves the bytes of messages beside one that cannot be sent', async () => {
    const { outbox, arrived, names } = openOutbox();
    const bytes = new Uint8Array([1, 2, 3]);
    outbox.add({ name: 'a', bytes }, [bytes.buffer]);
    outbox.add(broken('b'));
    await expect.poll(names).toEqual(['a']);
    expect(arrived.flat()[0]?.bytes).toEqual(new Uint8Array([1, 2, 3]));
    expect(bytes.byteLength).toBe(0);
  });

  it('reports a message whose bytes were moved before, and sends the others', async () => {
    const { outbox, names, unsendable } = openOutbox();
    const bytes = new Uint8Array(8);
    outbox.add({ name: 'first', bytes }, [bytes.buffer]);
    outbox.add({ name: 'again', bytes }, [bytes.buffer]);
    outbox.add({ name: 'other' });
    await expect.poll(names).toEqual(['first', 'other']);
    expect(unsendable).toEqual(['again']);
  });
});
