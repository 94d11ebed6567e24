import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds, user and system, of a process since its start. */
export interface CpuTime {
  total: number;
  /** CPU time by thread name; threads of the same name are added up. */
  threads: Map<string, number>;
}

/** Reads the CPU time of a process from /proc; NaN where that is missing. */
export function cpuTime(pid: number): CpuTime {
  const threads = new Map<string, number>();
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const { name, seconds } = readStat(`/proc/${pid}/task/${task}/stat`);
      threads.set(name, (threads.get(name) ?? 0) + seconds);
    }
    return { total: readStat(`/proc/${pid}/stat`).seconds, threads };
  } catch {
    return { total: Number.NaN, threads };
  }
}

/** Returns what was used between two readings. */
export function cpuBetween(before: CpuTime, after: CpuTime): CpuTime {
  const threads = new Map(
    [...after.threads].map(([name, seconds]) => [name, seconds - (before.threads.get(name) ?? 0)]),
  );
  return { total: after.total - before.total, threads };
}

function readStat(file: string): { name: string; seconds: number } {
  const stat = readFileSync(file, 'latin1');
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  // Fields 14 and 15 of proc(5), of which the first two are the id and the name.
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { name: shortName(stat.slice(stat.indexOf('(') + 1, end)), seconds: ticks / TICKS_PER_SECOND };
}

const SHORT_NAMES: Readonly<Record<string, string>> = { 'node-MainThread': 'main', 'node-V8Worker': 'V8' };
const shortName = (name: string): string => SHORT_NAMES[name] ?? name;
