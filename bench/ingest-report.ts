import type { Row } from './ingest-rows.ts';
import type { RowResult, Sent } from './ingest-row.ts';
import { quantile } from './load.ts';

/** A small write beside any load is to be answered within this time, milliseconds. */
export const WORST_WRITE_MS = 300;

/** The numbers of a row, by the names that are printed. Times are milliseconds. */
export function columnsOf(result: RowResult) {
  const { alone, loaded, beside, peakMemory, bytesOnDisk, checkpoints, compared } = result;
  const { latencies } = alone.result;
  return {
    'spans/s': Math.round(rateOf(alone)),
    'CPU s/M spans': round(cpuPerMillion(alone), 1),
    'ack p50': round(quantile(latencies, 0.5), 1),
    'ack p99': round(quantile(latencies, 0.99), 1),
    'beside: spans/s': Math.round(rateOf(loaded)),
    writes: beside.writes.length,
    'write p99': round(quantile(beside.writes, 0.99), 1),
    'write worst': round(beside.writes.at(-1) ?? Number.NaN, 1),
    'list p99': round(quantile(beside.lists, 0.99), 1),
    'trace p99': round(quantile(beside.traces, 0.99), 1),
    checkpoints: checkpoints.count,
    'checkpoint wait': round((checkpoints.seconds * 1000) / checkpoints.count, 1),
    evals: beside.evals,
    errors: beside.failed,
    'B/span sent': Math.round(alone.bytes / alone.spans),
    'B/span on disk': bytesOnDisk === null ? null : Math.round(bytesOnDisk),
    'peak MiB': Math.round(peakMemory),
    'of storing nothing': compared && round(rateOf(alone) / compared.nothing, 2),
    'of plain SQLite': compared && round(rateOf(alone) / compared.plain, 2),
  };
}

/** CPU microseconds a span by thread, of the load alone. */
export function threadColumns({ alone }: RowResult): Record<string, number> {
  const threads = [...alone.cpu.threads].filter(([, seconds]) => seconds >= 0.01);
  return Object.fromEntries(
    [['total', alone.cpu.total] as const, ...threads].map(([name, seconds]) => [
      name,
      round((seconds * 1e6) / alone.spans, 1),
    ]),
  );
}

export function isLate({ beside }: RowResult): boolean {
  return (beside.writes.at(-1) ?? 0) >= WORST_WRITE_MS;
}

/** One line for a row, printed as soon as it is measured. */
export function lineOf({ name }: Row, result: RowResult): string {
  const columns = columnsOf(result);
  const shown = ['spans/s', 'CPU s/M spans', 'ack p50', 'ack p99', 'write p99', 'write worst'] as const;
  return `${name.padEnd(44)} ${shown.map((column) => `${column} ${columns[column]}`).join('   ')}`;
}

const rateOf = ({ spans, result }: Sent): number => spans / result.seconds;
const cpuPerMillion = ({ spans, cpu }: Sent): number => (cpu.total * 1e6) / spans;

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
