import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClient } from '../api/client.ts';
import type { Decision, RunSet, RunSetIssue } from '../api/generated/schema.ts';
import { StartupError } from '../errors.ts';
import { judgedAgainText } from '../resources/run-sets/judged-again.ts';
import { makeReport, NO_ADVISORY, type Report } from '../resources/run-sets/report.ts';
import { savingText } from '../resources/run-sets/sure-gate.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import type { Io } from './io.ts';
import { advisoryOf } from './test-advisory.ts';
import { reportRetry } from './test-calls.ts';
import { checkChoice, startedText } from './test-choice.ts';
import { comparisonText } from './test-comparison.ts';
import { correctedOf } from './test-corrected.ts';
import { issuesText } from './test-issues.ts';
import { junitXml } from './test-junit.ts';
import { markdownOf } from './test-markdown.ts';
import { readPlan, readTestOptions, type TestOptions } from './test-options.ts';
import { regressionPlanText } from './test-plan-regression.ts';
import { planText } from './test-plan.ts';
import {
  cancelSet,
  decideOn,
  exitCodeFor,
  issuesOfSet,
  lookAt,
  readRunSet,
  startBatch,
  waitForCanaries,
  startRunSet,
} from './test-run-set.ts';
import { type ChosenTask, chosenTasks, outcomeOf, type ServerAccess } from './test-runs.ts';
import { endAfter, Interruption, stoppable } from './test-stop.ts';
import { rejudgeBaseline } from './test-rejudge.ts';
import { reportText } from './test-text.ts';
import { type TestProgress, waitForTests } from './test-wait.ts';

/** Time limit of the calls before and after the wait. */
const CALLS_MS = 60_000;
const CANCEL_MS = 10_000;
const COULD_NOT_RUN = 2;
const NOTHING: Report = { tasks: [], rate: null, advisory: [], corrected: [] };

interface Ended {
  report: Report;
  /** Null if no decision was reached. */
  decision: Decision | null;
  /** Issues that the tests concern. */
  issues: readonly RunSetIssue[];
  /** Null if no tests were started. */
  runSetId: string | null;
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
    const ended = await stoppable((interrupted) => runTests(options, texts, interrupted));
    const { report, decision, issues, runSetId, problem, code } = ended;
    if (problem !== null) io.err(`${problem}\n`);
    if (options.junit !== null) writeReport(options.junit, junitXml(report, { problem, runSetId }));
    if (options.markdown !== null) writeReport(options.markdown, markdownOf(ended, options.account.baseUrl));
    if (isJson) {
      const { comparison = null, ...rest } = decision ?? {};
      const decided = decision && rest;
      io.out(
        `${JSON.stringify({ code, problem, runSetId, ...report, issues, decision: decided, comparison })}\n`,
      );
    }
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
  set: RunSet;
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
  let started: Started | null = null;
  try {
    const tasks = await chosenTasks(patient, options.tasks);
    const notes = await checkChoice(patient, tasks, options);
    for (const note of notes) io.out(`${note}\n`);
    // Not interruptible, because only this process knows which tests it has started.
    const set = await startRunSet(within(CALLS_MS), tasks, options);
    started = { within, tasks, set, options };
    io.out(startedText(set, tasks));
    await waitForTests(patient, () => progressOf(patient, set.id), io);
    if (options.untilSure) await testUntilSure(patient, started, io);
    await waitForCanaries(patient, set.id);
    if (options.rejudgesBaseline)
      await rejudgeBaseline(patient, () => lookAt(within(CALLS_MS), set.id, options), io);
    const report = await shownReport(started, io);
    const decision = await decideOn(within(CALLS_MS), set.id, options);
    if (decision.comparison) io.out(comparisonText(decision.comparison));
    for (const one of decision.judgedAgain) io.out(`\n${judgedAgainText(one)}\n`);
    for (const { message } of decision.gates) io.out(`\n${message}\n`);
    const issues = await issuesOfSet(within(CALLS_MS), set.id);
    if (issues.length > 0) io.out(issuesText(issues));
    return { report, decision, issues, runSetId: set.id, problem: null, code: exitCodeFor(decision) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return giveUp(started, error, io);
  }
}

/** Tests further batches until the decision is sure, or all examples were tested; then prints what that has saved. */
async function testUntilSure(
  server: ServerAccess,
  { set: { id, examples }, within, options }: Started,
  io: Io,
): Promise<void> {
  for (;;) {
    const { outcome, rate, ...counts } = await lookAt(within(CALLS_MS), id, options);
    const { untilSure, tests } = await readRunSet(within(CALLS_MS), id);
    if (tests.open > 0) {
      await waitForTests(server, () => progressOf(server, id), io);
      continue;
    }
    // What could not be judged leaves the result unknown, however many are tested.
    const isFaulty = rate === null || counts.tests - counts.judged > options.allowSkipped;
    const isOver = outcome !== 'INCONCLUSIVE' || isFaulty || tests.total >= examples;
    // Examples that were deleted, or a run set that was cancelled, leave nothing to continue with.
    if (isOver || !(await startBatch(within(CALLS_MS), id))) {
      const { failUnder } = options;
      const design = { failUnder, batch: untilSure?.batch ?? 1, mostExamples: examples };
      if (rate) io.out(`${savingText(rate, design)}\n`);
      return;
    }
    await waitForTests(server, () => progressOf(server, id), io);
  }
}

async function progressOf(server: ServerAccess, id: string): Promise<TestProgress> {
  const { tests, runIds } = await readRunSet(server, id);
  return { ...tests, runs: runIds.map((runId) => ({ runId })) };
}

/** Prints the results so far, and cancels the unfinished tests. */
async function giveUp(started: Started | null, error: StartupError, io: Io): Promise<Ended> {
  const isHurried = error instanceof Interruption;
  const ended = {
    problem: error.message,
    code: isHurried ? error.exitCode : COULD_NOT_RUN,
    runSetId: started?.set.id ?? null,
    decision: null,
    issues: [],
  };
  let report = NOTHING;
  if (started === null) return { ...ended, report };
  try {
    if (!isHurried) report = await shownReport(started, io);
    await cancelSet(started.within(CANCEL_MS), started.set.id);
  } catch (further) {
    if (!(further instanceof StartupError)) throw further;
    io.err(`${further.message} Tests may still be in progress.\n`);
  }
  return { ...ended, report };
}

async function shownReport({ within, tasks, set, options }: Started, io: Io): Promise<Report> {
  const { runIds } = await readRunSet(within(CALLS_MS), set.id);
  const runs = runIds.map((runId) => ({ runId }));
  const outcome = await outcomeOf(within(CALLS_MS), runs);
  const { advisory: ofDecision } = await lookAt(within(CALLS_MS), set.id, {
    ...options,
    withAdvisory: false,
  });
  const found = await advisoryOf(within(CALLS_MS), runs, ofDecision);
  const advisory = options.withAdvisory ? NO_ADVISORY : found;
  const report = makeReport(tasks, outcome, {
    question: options.question,
    equalTasks: options.equalTasks,
    advisory,
    ...(found.hasGated && { corrected: await correctedOf(within(CALLS_MS), runs, options) }),
  });
  // Intervals of tests of a fixed size do not hold for tests that stop when they are sure.
  const shown = options.untilSure ? withoutRates(report) : report;
  io.out(reportText(shown));
  return shown;
}

const withoutRates = ({ tasks, ...report }: Report): Report => ({
  ...report,
  rate: null,
  corrected: [],
  tasks: tasks.map((task) => ({ ...task, rate: null, corrected: [] })),
});

/** Returns a function that creates the server of the options, which can be called until a signal aborts. */
function servers({ account }: TestOptions, io: Io): (signal: AbortSignal) => ServerAccess {
  const api = createClient(account);
  const onTrouble = reportRetry(io);
  return (signal) => ({ api, url: account.baseUrl, signal, onTrouble });
}

function writeReport(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text);
  } catch (error) {
    throw new StartupError(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
}
