import { z } from 'zod';
import { canonicalJson } from '../../../contract/canonical-json.ts';
import { inForm } from '../../../contract/text-forms.ts';
import type { Question } from '../../../evaluate/evaluator.ts';
import type { JudgeSettings } from '../../../evaluate/judge/settings.ts';
import type { PromptSchema } from '../require-valid-input.ts';
import { sha256Hex } from '../../../runtime/sha256.ts';

/** Version of the instructions. Increase it with every change to their words. */
const WRITING_VERSION = 1;
const MAX_PROMPTS = 100;

/** Everything that the prompts of a run are written from. */
export interface PromptBrief {
  taskId: string;
  title: string;
  description: string;
  schema: PromptSchema;
  /** Prompts of the first examples of the task. */
  examples: readonly string[];
  seed: number;
  /** Number of tests of the run that have no prompt yet. */
  waiting: number;
}

/** Prompts as a model writes them: texts, or objects if the task has a schema. */
export type WrittenPrompts = { prompts: (string | Record<string, unknown>)[] };

export interface Wanted {
  count: number;
  /** Latest prompts that were written from the same brief. */
  written: readonly string[];
  /** Reasons why prompts of the last answer were not used. They also keep the next request from being the same one. */
  rejected: readonly string[];
}

const INSTRUCTIONS = `You write prompts that test an application. A prompt is one message as a user of the application would send it: never an answer, a comment or a description of a prompt.

The user's message describes the task of the application, and may show examples of its prompts, the prompts that were already written, and why some were not used. Write as many new prompts as it requests. They must fit the description and be of the kind of the examples, and differ from these, from those already written and from each other in their purpose, not only in their words. Vary topic, wording, length and difficulty as real users do. Use the language of the examples, else of the description. Let the seed decide what you choose: with another seed, write other prompts.`;

const OF_OBJECTS =
  'Each prompt is a JSON object that matches the JSON Schema in the text "schema of a prompt".';

/** Returns the question for some prompts. Everything about the task is data, beside the instructions. */
export function questionOf(
  { title, description, schema, examples, seed }: PromptBrief,
  { count, written, rejected }: Wanted,
): Question<WrittenPrompts> {
  const inputs = [
    { label: 'number of new prompts', text: String(count) },
    { label: 'seed', text: String(seed) },
    { label: 'title of the task', text: title },
    ...(description === '' ? [] : [{ label: 'description of the task', text: description }]),
    ...(schema === null ? [] : [{ label: 'schema of a prompt', text: JSON.stringify(schema) }]),
    ...listed('examples', examples),
    ...listed('prompts that were not used', rejected),
    ...listed('prompts already written', written),
  ];
  const instructions = schema === null ? INSTRUCTIONS : `${INSTRUCTIONS}\n\n${OF_OBJECTS}`;
  const prompt = schema === null ? z.string() : z.record(z.string(), z.unknown());
  const answer = z.object({ prompts: z.array(prompt).min(1).max(MAX_PROMPTS) });
  return { instructions, inputs, answer };
}

const listed = (label: string, texts: readonly string[]): { label: string; text: string }[] =>
  texts.length === 0 ? [] : [{ label, text: JSON.stringify(texts) }];

/**
 * Returns the beginning of the keys of all prompts that a model writes from this brief: other words of the task, another
 * model or another seed give other prompts.
 */
export function keyPrefixOf({ seed, ...brief }: PromptBrief, settings: JudgeSettings): string {
  const { taskId: _, waiting: _waiting, ...task } = brief;
  const { provider, baseUrl, model, temperature } = settings;
  const basis = JSON.stringify({ WRITING_VERSION, provider, baseUrl, model, temperature, ...task });
  return `written:${sha256Hex(basis).slice(0, 16)}:${seed}:`;
}

/** Returns the key of a prompt: two that differ only in case, spaces and punctuation have the same. */
export function keyOf(prefix: string, prompt: WrittenPrompts['prompts'][number]): string {
  const text = typeof prompt === 'string' ? prompt : canonicalJson(prompt);
  return prefix + sha256Hex(folded(text)).slice(0, 32);
}

export const folded = (text: string): string =>
  inForm(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim();
