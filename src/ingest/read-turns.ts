import { FairQueue } from '../runtime/fair-queue.ts';
import type { Party } from '../runtime/party.ts';

/** Bytes of all bodies after which the others wait for the next turn of the event loop: about a millisecond of work. */
const TURN_BYTES = 1024 * 1024;
/** Bytes that a socket delivers at once. */
const CHUNK_BYTES = 64 * 1024;

interface Waiting {
  group: Party;
  resume: () => void;
}

/**
 * Limits what one turn of the event loop reads of request bodies. Node reads up to 2 MiB of each socket before it looks
 * at other events, so that thirty large bodies would delay every request by tens of milliseconds. Organisations
 * whose bodies wait take turns.
 */
export class ReadTurns {
  private readonly queue = new FairQueue<Waiting>();
  private left = TURN_BYTES;
  private isScheduled = false;

  /** Records bytes of a body that have arrived; returns true if the rest must wait for a later turn. */
  isOver(bytes: number): boolean {
    this.left -= bytes;
    this.schedule();
    return this.left <= 0;
  }

  /** Calls `resume` in the turn of the organisation. */
  wait(group: Party, resume: () => void): void {
    this.queue.push(group, { group, resume });
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.left = TURN_BYTES;
      for (let bodies = 0; bodies < TURN_BYTES / CHUNK_BYTES; bodies++) this.resumeNext();
      if (this.queue.size > 0) this.schedule();
    });
  }

  private resumeNext(): void {
    const next = this.queue.take();
    if (!next) return;
    this.queue.charge(next.group, CHUNK_BYTES);
    next.resume();
  }
}
