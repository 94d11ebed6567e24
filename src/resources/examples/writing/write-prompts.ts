import type { z } from 'zod';
import { findUncanonical } from '../../../contract/canonical-json.ts';
import type { CheckInputs } from '../../../evaluate/check-inputs.ts';
import type { Asked, Asker, AskOptions, Judge } from '../../../evaluate/judge/judge.ts';
import { type Prompt, judgePrompt } from '../../../evaluate/judge/prompt.ts';
import type { Read, Write } from '../../../storage/calls.ts';
import { type Failure, promptNotWritten } from '../../../tests/failures.ts';
import type { JsonValue } from '../../../traces/span-wire.ts';
import { truncate } from '../../../traces/truncate.ts';
import { createExampleBody } from '../contract.ts';
import { assignPrompts, promptBrief, storeWritten, writtenPrompts } from './calls.ts';
import { type WrittenPrompts, folded, keyOf, keyPrefixOf, type PromptBrief, questionOf } from './question.ts';
import type { WrittenPrompt } from './store.ts';

/** Most prompts of one response: longer lists repeat themselves. */
const MAX_AT_ONCE = 10;
/** Consecutive responses without a usable prompt after which the rest of the tests fail. */
const MAX_USELESS = 3;
const MAX_QUOTED = 200;

export interface WritingDeps {
  read: Read;
  write: Write;
  now: () => number;
  /** Model that writes prompts; null when none is configured. */
  promptModel: Judge | null;
  checkInputs: CheckInputs;
}

interface OfRun {
  application: number;
  runId: string;
}

/**
 * Gives each test of a run a prompt: one that was written before from the same brief, else a new one. Returns why some
 * tests have none; null when all have one.
 */
export async function writePrompts(
  deps: WritingDeps,
  { application, runId }: OfRun,
  signal: AbortSignal,
): Promise<Failure | null> {
  const { read, write, now, promptModel } = deps;
  const brief = await read(promptBrief, { application, runId });
  if (brief?.waiting === 0) return null;
  if (!brief) return promptNotWritten('The task was deleted before its prompts were written.');
  if (!promptModel) return promptNotWritten('No prompt model is configured any more.');
  const place = { application, taskId: brief.taskId, prefix: keyPrefixOf(brief, promptModel.settings) };
  let rejected: string[] = [];
  for (let useless = 0; useless < MAX_USELESS; ) {
    const waiting = await write(assignPrompts, { ...place, runId, at: now() });
    if (waiting === 0) return null;
    const written = await read(writtenPrompts, place);
    const question = questionOf(brief, { count: Math.min(waiting, MAX_AT_ONCE), written, rejected });
    const asker = { application, subjectId: runId, runId, repeat: brief.seed };
    const prompt = judgePrompt(question, 'texts about the prompts to write');
    // A wait for others and retries take time, in which an erasure may end the tests.
    const beforeSend = async (): Promise<void> => {
      const current = await read(promptBrief, { application, runId });
      if (!current || current.waiting === 0) throw new NothingWaitsError();
    };
    const asked = await ask(promptModel, { prompt, answer: question.answer, asker, signal, beforeSend });
    if (asked === null) return null;
    if ('error' in asked)
      return promptNotWritten(
        `The prompt model did not answer: ${asked.error.code}: ${asked.error.message}.`,
      );
    const { prompts } = asked.value;
    const checked = await checkedPrompts(deps, { application, brief, prefix: place.prefix }, prompts);
    const found = { ...place, runId, written: checked.usable, at: now() };
    const stored = new Set(await write(storeWritten, found));
    rejected = [...checked.rejected, ...checked.usable.filter(({ key }) => !stored.has(key)).map(repeated)];
    useless = stored.size > 0 ? 0 : useless + 1;
  }
  const [reason] = rejected;
  return promptNotWritten(
    `The prompt model wrote no new prompt that can be used in ${MAX_USELESS} answers: ${reason}.`,
  );
}

/** Thrown in place of a request that no test waits for. */
class NothingWaitsError extends Error {}

/** Asks the model for prompts; returns null if no test waits for them any more. */
async function ask<T>(
  model: Pick<Judge, 'ask'>,
  { prompt, answer, asker, ...options }: { prompt: Prompt; answer: z.ZodType<T>; asker: Asker } & AskOptions,
): Promise<Asked<T> | null> {
  try {
    return await model.ask(prompt, answer, asker, options);
  } catch (error) {
    if (error instanceof NothingWaitsError) return null;
    throw error;
  }
}

const repeated = ({ prompt }: Pick<WrittenPrompt, 'prompt'>): string => `${quoted(prompt)} repeats a prompt`;
const quoted = (prompt: string): string => JSON.stringify(truncate(prompt, MAX_QUOTED));

/** Separates prompts that tests can send from those that they cannot, with the reasons. */
async function checkedPrompts(
  { checkInputs }: WritingDeps,
  { application, brief, prefix }: { application: number; brief: PromptBrief; prefix: string },
  prompts: WrittenPrompts['prompts'],
): Promise<{ usable: WrittenPrompt[]; rejected: string[] }> {
  const { schema, examples } = brief;
  const known = new Set(examples.map(folded));
  const rejected: string[] = [];
  const wellFormed = prompts.flatMap((input): WrittenPrompt[] => {
    const isObject = typeof input !== 'string';
    const prompt = isObject ? JSON.stringify(input) : input.trim();
    const isInput = findUncanonical(input) === null && createExampleBody.safeParse({ input: prompt }).success;
    if (isInput && !known.has(folded(prompt))) return [{ key: keyOf(prefix, input), prompt, isObject }];
    rejected.push(isInput ? repeated({ prompt }) : `${quoted(prompt)} is empty, too long, or no valid text`);
    return [];
  });
  if (schema === null) return { usable: wellFormed, rejected };
  const inputs = wellFormed.map(({ prompt }) => JSON.parse(prompt) as JsonValue);
  const faults = await checkInputs({ application, schema, inputs });
  const usable = wellFormed.filter(({ prompt }, index) => {
    const fault = faults[index];
    if (fault) rejected.push(`${quoted(prompt)} ${fault}`);
    return !fault;
  });
  return { usable, rejected };
}
