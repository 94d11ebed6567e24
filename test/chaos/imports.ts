/** Imports of examples: a file is sent until it is acknowledged, sometimes again, sometimes with other texts for the same keys. */
import { setTimeout as delay } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { listed } from './balance.ts';
import { callUntilDone, insist, send } from './insist.ts';

interface ImporterOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  random: () => number;
  /** Pause between two files, milliseconds. */
  pauseMs: number;
}

const MAX_ROWS = 400;
/** Part of files that change examples of an earlier one. */
const CHANGED_SHARE = 0.3;
/** Part of files that are sent again although they were acknowledged. */
const REPEATED_SHARE = 0.2;

/** Imports files of examples into one task. */
export class Importer {
  /** Text of each acknowledged example by its key. */
  readonly examples = new Map<string, string>();
  readonly faults: string[] = [];
  private readonly options: ImporterOptions;
  private taskId = '';
  private made = 0;

  private constructor(options: ImporterOptions) {
    this.options = options;
  }

  static async open(options: ImporterOptions, deadline: AbortSignal): Promise<Importer> {
    const importer = new Importer(options);
    const { task } = (await callUntilDone(`${options.url}/v0/tasks`, {
      headers: options.headers,
      body: { title: 'Imported' },
      deadline,
    })) as { task: { id: string } };
    importer.taskId = task.id;
    return importer;
  }

  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.options;
    while (!stop.aborted) {
      const rows = random() < CHANGED_SHARE ? this.changedRows() : this.newRows();
      await this.sendRows(rows, deadline);
      if (random() < REPEATED_SHARE) await this.sendRows(rows, deadline);
      await delay(pauseMs * (0.5 + random()));
    }
  }

  /** Adds to `differences` the acknowledged examples that the store does not have exactly once with their text. */
  check(database: Sqlite.Database, differences: string[]): void {
    const rows = database
      .prepare('SELECT key, prompt FROM example WHERE key IS NOT NULL AND task_id = ?')
      .all(this.taskId) as { key: string; prompt: string }[];
    const stored = Map.groupBy(rows, ({ key }) => key);
    const wrong = [...this.examples].filter(([key, text]) => {
      const [example, second] = stored.get(key) ?? [];
      return example === undefined || second !== undefined || example.prompt !== text;
    });
    if (wrong.length > 0)
      differences.push(
        `${wrong.length} examples were imported and are not stored once with their text: ${listed(wrong.map(([key]) => key))}`,
      );
    const unknown = [...stored.keys()].filter((key) => !this.examples.has(key));
    if (unknown.length > 0)
      differences.push(`${unknown.length} stored examples were never imported: ${listed(unknown)}`);
    differences.push(...this.faults.map((fault) => `imports: ${fault}`));
  }

  private newRows(): Map<string, string> {
    const count = 1 + Math.floor(this.options.random() * MAX_ROWS);
    return new Map(Array.from({ length: count }, () => [`key-${++this.made}`, this.newText()] as const));
  }

  private changedRows(): Map<string, string> {
    const known = [...this.examples.keys()];
    const first = Math.floor(this.options.random() * known.length);
    return new Map(known.slice(first, first + MAX_ROWS).map((key) => [key, this.newText()] as const));
  }

  private newText(): string {
    return `question ${Math.floor(this.options.random() * 2 ** 48).toString(36)}?`;
  }

  private async sendRows(rows: ReadonlyMap<string, string>, deadline: AbortSignal): Promise<void> {
    if (rows.size === 0) return;
    const body = [...rows].map(([key, input]) => JSON.stringify({ key, input })).join('\n');
    await insist(async () => {
      const reply = await send(`${this.options.url}/v0/tasks/${this.taskId}/examples/import`, {
        method: 'POST',
        headers: { ...this.options.headers, 'content-type': 'application/x-ndjson' },
        body,
      });
      if (reply === null) return 'no response';
      if (reply.status === 503 || reply.status === 429) return 'unavailable';
      const text = reply.body.toString();
      if (reply.status !== 200) this.faults.push(`response ${reply.status}: ${text.slice(0, 200)}`);
      else this.checkReport(text, rows.size);
      return 'accepted';
    }, deadline);
    for (const [key, text] of rows) this.examples.set(key, text);
  }

  private checkReport(text: string, rows: number): void {
    const { data } = JSON.parse(text) as {
      data: { created: number; updated: number; unchanged: number };
    };
    const { created, updated, unchanged } = data;
    if (created + updated + unchanged !== rows)
      this.faults.push(
        `${rows} rows were sent; the report is ${JSON.stringify({ created, updated, unchanged })}`,
      );
  }
}
