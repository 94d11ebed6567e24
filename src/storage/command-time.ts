/** Milliseconds after which a command of many steps ends, and leaves the rest to the next one. */
const COMMAND_MS = 200;

/**
 * Time of a command that works in steps. All other commands of the application wait for it, and over a network each of its
 * statements takes a round trip: rows alone do not limit how long it lasts.
 */
export class CommandTime {
  private readonly end = performance.now() + COMMAND_MS;

  /** Returns whether no further step may begin. The first step of a command does not ask. */
  get isOver(): boolean {
    return performance.now() > this.end;
  }
}
