import { styleText } from 'node:util';
import { dim, truncateLine } from '../../src/cli/terminal-text.ts';

const COLUMNS = 100;
/** Longer than news of a test takes to come, so that lines can be put in the order of their times. */
const HOLD_MS = 1_500;

const COLOURS = { server: 'cyan', app: 'magenta', test: 'green', spans: 'yellow' } as const;
export type Source = keyof typeof COLOURS;

interface Line {
  at: number;
  source: Source;
  text: string;
}

/** Prints the lines of several sources as one log, in the order of the events. Its times begin when it is made, which is after a build. */
export class DemoLog {
  readonly #begun = Date.now();
  #lines: Line[] = [];
  readonly #timer = setInterval(() => this.#print(Date.now() - HOLD_MS), 50);

  /** Prints a line. `at`: time of the event, in Unix milliseconds. */
  print(source: Source, text: string, at = Date.now()): void {
    this.#lines.push({ at, source, text });
  }

  /** Prints what is left. */
  end(): void {
    clearInterval(this.#timer);
    this.#print(Infinity);
  }

  #print(until: number): void {
    const due = this.#lines.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    this.#lines = this.#lines.filter(({ at }) => at > until);
    for (const { at, source, text } of due) {
      const seconds = (Math.max(0, at - this.#begun) / 1_000).toFixed(2).padStart(6);
      const reported = truncateLine(text, COLUMNS - 18);
      console.log(`${dim(`${seconds} s`)}  ${styleText(COLOURS[source], source.padEnd(8))}${reported}`);
    }
  }
}
