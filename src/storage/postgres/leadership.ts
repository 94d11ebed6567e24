import type { Write } from '../calls.ts';
import type { StartLeading, Stoppable } from '../replicas.ts';

/** Starts and stops the work of the leader. */
export class Leadership {
  private readonly writeIn: (term: number) => Write;
  private readonly onFailure: (error: Error) => void;
  private readonly members = new Set<Member>();
  private term: number | null = null;

  /**
   * `writeIn` returns the calls of commands that are rejected once another process leads. `onFailure` is called when work does
   * not start or stop, after which this process must end, so that another one leads.
   */
  constructor(writeIn: (term: number) => Write, onFailure: (error: Error) => void) {
    this.writeIn = writeIn;
    this.onFailure = onFailure;
  }

  /** Sets the term in which this process leads; null if it does not. */
  set(term: number | null): void {
    if (term === this.term) return;
    this.term = term;
    for (const member of this.members) member.follow(term);
  }

  whileLeading(start: StartLeading): Stoppable {
    const member = new Member((term) => start({ write: this.writeIn(term) }), this.onFailure);
    this.members.add(member);
    member.follow(this.term);
    return {
      stop: () => {
        this.members.delete(member);
        return member.end();
      },
    };
  }
}

/** Work that follows the terms of its process, one after another. */
class Member {
  private readonly start: (term: number) => Stoppable;
  private readonly onFailure: (error: Error) => void;
  private running: Stoppable | null = null;
  private term: number | null = null;
  private wanted: number | null = null;
  private last: Promise<void> = Promise.resolve();

  constructor(start: (term: number) => Stoppable, onFailure: (error: Error) => void) {
    this.start = start;
    this.onFailure = onFailure;
  }

  follow(term: number | null): void {
    this.wanted = term;
    this.last = this.last.then(() => this.change()).catch(this.onFailure);
  }

  async end(): Promise<void> {
    this.follow(null);
    await this.last;
  }

  private async change(): Promise<void> {
    if (this.term === this.wanted) return;
    await this.running?.stop();
    this.running = this.wanted === null ? null : this.start(this.wanted);
    this.term = this.wanted;
  }
}

const MARK = /^in term (\d+): (.*)$/;

/** Returns the name under which a thread runs a command only while a term lasts. */
export const inTerm = (term: number, name: string): string => `in term ${term}: ${name}`;

/** Returns the name of a command, and the term in which alone it may run; null for any time. */
export function termOf(called: string): { name: string; term: number | null } {
  const [, term, name] = MARK.exec(called) ?? [];
  return name === undefined ? { name: called, term: null } : { name, term: Number(term) };
}
