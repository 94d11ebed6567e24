import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClient } from '../api/client.ts';
import { StartupError } from '../errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import type { Io } from './io.ts';
import { advisoryOf, NO_ADVISORY } from './test-advisory.ts';
import { comparisonText, comparisonWith } from './test-comparison.ts';
import { correctedOf } from './test-corrected.ts';
import { exitCodeOf, gateVerdictOf, regressionGate } from './test-gate.ts';
import { junitXml } from './test-junit.ts';
import { readPlan, readTestOptions, type TestOptions } from './test-options.ts';
import { regressionPlanText } from './test-plan-regression.ts';
import { planText } from './test-plan.ts';
import { makeReport, type Report } from './test-report.ts';
import {
  cancelTests,
  checkRuns,
  type ChosenTask,
  chosenTasks,
  outcomeOf,
  type ServerAccess,
  type TriggeredRun,
  startTests,
} from './test-runs.ts';
import { endAfter, Interruption, stoppable } from './test-stop.ts';
import { reportText } from './test-text.ts';
import { waitForTests } from './test-wait.ts';
import { checkChoice, startedText } from './test-choice.ts';
import { reportRetry } from './test-calls.ts';

/** Time limit of the calls before and after the wait. */
const CALLS_MS = 60_000;
const CANCEL_MS = 10_000;
const COULD_NOT_RUN = 2;
const NOTHING: Report = { tasks: [], rate: null, advisory: [], corrected: [] };

interface Ended {
  report: Report;
  /** Reason why some or all tests are missing; null when none are. */
  problem: string | null;
  code: number;
}

/**
 * Runs tests of tasks and decides whether enough passed. Exit codes: 0 = enough passed; 1 = too few passed; 2 =
 * unknown, because not all could be run and judged; 130 or 143 = ended by a signal.
 */
export async function testCommand(args: readonly string[], io: Io): Promise<number> {
  try {
    const plan = readPlan(args);
    if (plan !== null) {
      io.out('findLoss' in plan ? regressionPlanText(plan) : planText(plan));
      return 0;
    }
    const options = readTestOptions(args, io.env);
    const { isJson } = options;
    const texts = isJson ? { ...io, out: io.err } : io;
    const { report, problem, code } = await stoppable((interrupted) => runTests(options, texts, interrupted));
    if (problem !== null) io.err(`${problem}\n`);
    if (options.junit !== null) writeJunit(options.junit, junitXml(report, problem));
    if (isJson) io.out(`${JSON.stringify({ code, problem, ...report })}\n`);
    return code;
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    io.err(`${error.message}\n`);
    return COULD_NOT_RUN;
  }
}

/** Tests that were started, and their server. */
interface Started {
  /** Creates a server whose calls have this time limit. */
  within: (milliseconds: number) => ServerAccess;
  tasks: readonly ChosenTask[];
  runs: readonly TriggeredRun[];
  options: TestOptions;
}

async function runTests(options: TestOptions, io: Io, interrupted: AbortSignal): Promise<Ended> {
  const ask = servers(options, io);
  const within = (milliseconds: number): ServerAccess =>
    ask(endAfter(milliseconds, `${options.account.baseUrl} did not respond in time.`));
  const late = endAfter(
    options.timeoutMs,
    'The time limit (--timeout) is over; unfinished tests are cancelled.',
  );
  const patient = ask(AbortSignal.any([interrupted, late]));

  const runs: TriggeredRun[] = [];
  let tasks: ChosenTask[] = [];
  try {
    await checkRuns(patient, options.baseline);
    tasks = await chosenTasks(patient, options.tasks);
    const notes = await checkChoice(patient, tasks, options);
    for (const note of notes) io.out(`${note}\n`);
    // Not interruptible, because only this process knows which tests it has started.
    await startTests(within(CALLS_MS), { ...options, tasks, runs });
    io.out(startedText(runs, tasks, options));
    await waitForTests(patient, runs, io);
    const report = await shownReport({ within, tasks, runs, options }, io);
    const gates = [gateVerdictOf(report, options)];
    if (options.baseline.length > 0) {
      const comparison = await comparisonWith(within(CALLS_MS), runs, options);
      io.out(comparisonText(comparison));
      if (options.margin !== null)
        gates.push(regressionGate(comparison, { ...options, margin: options.margin }));
    }
    for (const { message } of gates) io.out(`\n${message}\n`);
    const code = exitCodeOf(gates);
    return { report, problem: null, code };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return giveUp({ within, tasks, runs, options }, error, io);
  }
}

/** Prints the results so far, and cancels the unfinished tests. */
async function giveUp(started: Started, error: StartupError, io: Io): Promise<Ended> {
  const isHurried = error instanceof Interruption;
  const ended = { problem: error.message, code: isHurried ? error.exitCode : COULD_NOT_RUN };
  let report = NOTHING;
  try {
    if (!isHurried && started.runs.length > 0) report = await shownReport(started, io);
    await cancelTests(started.within(CANCEL_MS), started.runs);
  } catch (further) {
    if (!(further instanceof StartupError)) throw further;
    io.err(`${further.message} Tests may still be in progress.\n`);
  }
  return { ...ended, report };
}

async function shownReport({ within, tasks, runs, options }: Started, io: Io): Promise<Report> {
  const outcome = await outcomeOf(within(CALLS_MS), runs);
  const found = await advisoryOf(within(CALLS_MS), runs);
  const advisory = options.withAdvisory ? NO_ADVISORY : found;
  const report = makeReport(tasks, outcome, {
    question: options.question,
    equalTasks: options.equalTasks,
    advisory,
    ...(found.hasGated && { corrected: await correctedOf(within(CALLS_MS), runs, options) }),
  });
  io.out(reportText(report));
  return report;
}

/** Returns a function that creates the server of the options, which can be called until a signal aborts. */
function servers({ account }: TestOptions, io: Io): (signal: AbortSignal) => ServerAccess {
  const api = createClient(account);
  const onTrouble = reportRetry(io);
  return (signal) => ({ api, url: account.baseUrl, signal, onTrouble });
}

function writeJunit(path: string, xml: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, xml);
  } catch (error) {
    throw new StartupError(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
}
