import { readFileSync, realpathSync, statSync } from 'node:fs';
import { readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { checkEndpoint, type EndpointReport } from '../evaluate/judge/check-endpoint.ts';
import type { JudgeSettings, JudgesSettings } from '../evaluate/judge/settings.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { checkLine } from './check-line.ts';
import type { Io } from './io.ts';
import { readJudges } from './judges-file.ts';
import { writeSecret } from './write-secret.ts';

const FILE_FLAG = '--judges-file';

/**
 * Sends probes to a judge, or to all of them, and prints what each endpoint needs. Writes it into the judges file, unless
 * `--dry-run` is given. Returns 1 if a judge cannot be used. Throws StartupError.
 */
export async function checkJudges(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, { values: [FILE_FLAG], switches: ['--dry-run', '--json'] });
  const [name, more] = words;
  if (more !== undefined) throw new StartupError(`judges check takes one name; got "${more}" too.`);
  const { config } = readConfig(new Map([...flags].filter(([flag]) => flag === FILE_FLAG)), io.env);
  const judges = chosen(readJudges(config, io.env, createPriceList()), name);
  const reports: { judge: string; report: EndpointReport }[] = [];
  const never = new AbortController().signal;
  for (const judge of judges) {
    const report = await checkEndpoint(judge, never);
    reports.push({ judge: judge.name, report });
    if (!flags.has('--json'))
      io.out(`${judge.name}: ${report.summary}\n${report.checks.map(checkLine).join('')}`);
  }
  const needed = reports.filter(({ report }) => Object.keys(report.needs).length > 0);
  const { judgesFile } = config;
  const isWritten = needed.length > 0 && judgesFile !== null && !flags.has('--dry-run');
  if (isWritten) writeSettings(judgesFile, needed);
  if (flags.has('--json')) {
    const shown = reports.map(({ judge, report }) => ({ judge, ...report }));
    io.out(`${JSON.stringify({ judges: shown, isWritten }, null, 2)}\n`);
  } else if (needed.length > 0) io.out(resultText(needed, isWritten ? judgesFile : null));
  return reports.some(({ report }) => report.checks.some(({ level }) => level === 'problem')) ? 1 : 0;
}

function chosen({ judges }: JudgesSettings, name: string | undefined): readonly JudgeSettings[] {
  if (judges.length === 0)
    throw new StartupError('No judge is set up: set TOUCHSTONE_JUDGES_FILE or TOUCHSTONE_JUDGE_MODEL.');
  if (name === undefined) return judges;
  const named = judges.filter((judge) => judge.name === name);
  if (named.length > 0) return named;
  const names = judges.map((judge) => judge.name).join(', ');
  throw new StartupError(`There is no judge "${name.slice(0, 80)}". Judges: ${names}.`);
}

type Needed = readonly { judge: string; report: EndpointReport }[];

/** Writes settings into the judges file, whose other content, mode and owner stay. */
function writeSettings(path: string, needed: Needed): void {
  const file = JSON.parse(readFileSync(path, 'utf8')) as { judges: Record<string, object> };
  for (const { judge, report } of needed) file.judges[judge] = { ...file.judges[judge], ...report.needs };
  try {
    const target = realpathSync(path);
    writeSecret(target, `${JSON.stringify(file, null, 2)}\n`, statSync(target));
  } catch (error) {
    throw new StartupError(
      `The judges file ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

const resultText = (needed: Needed, path: string | null): string =>
  [
    path === null ? 'Settings that the judges file should have:' : `Written to ${path}:`,
    ...needed.map(({ judge, report }) => `  judges.${judge}: ${JSON.stringify(report.needs)}`),
    ...(path === null ? [] : ['Restart the server to use them.']),
    '',
  ].join('\n');
