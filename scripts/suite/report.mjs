// What a command of the suite prints: each result when it is there; at the end the duration of each part, what failed (for logs
// of which only the end is kept), and the line `N passed, N failed`.

const MAX_FAILURE_LINES = 25;
const MAX_FAILURE_LINE = 300;
const MAX_FILES = 10;

/** The first lines of what a failed test or check printed. */
export function beginning(text) {
  const lines = text.split('\n').slice(0, MAX_FAILURE_LINES);
  return lines.map((line) => `    ${line.slice(0, MAX_FAILURE_LINE)}`).join('\n');
}

export class Report {
  #since = performance.now();
  #results = [];

  add(results) {
    for (const result of results) {
      if (result.received) process.exit(result.code);
      console.log(result.text);
      this.#results.push(result);
    }
  }

  /** Prints the end, and sets the exit code: 1 if something failed. */
  end() {
    const sum = (field) => this.#results.reduce((total, result) => total + result[field], 0);
    for (const line of this.#durations()) console.log(line);
    for (const failure of this.#results.flatMap(({ failures }) => failures)) console.log(`✗ ${failure}`);
    console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
    process.exitCode = sum('failed') > 0 ? 1 : 0;
  }

  #durations() {
    const files = this.#results.flatMap((result) => result.files ?? []);
    const folders = Map.groupBy(files, ({ name }) => name.split('/').slice(0, -1).slice(0, 2).join('/'));
    const byFolder = [...folders].map(([name, group]) => ({
      name,
      ms: group.reduce((total, { ms }) => total + ms, 0),
    }));
    const longest = (parts) => parts.toSorted((a, b) => b.ms - a.ms);
    return [
      ...table('Duration of each part (some run at the same time)', [
        ...this.#results,
        { name: 'all', ms: performance.now() - this.#since },
      ]),
      ...table('Tests by folder, summed over processes', longest(byFolder)),
      ...table('Slowest files of tests', longest(files).slice(0, MAX_FILES)),
    ];
  }
}

function table(title, parts) {
  if (parts.length === 0) return [];
  return [
    '',
    `${title}:`,
    ...parts.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`),
    '',
  ];
}
