import { canonicalJson } from '../contract/canonical-json.ts';

export interface PayloadOf {
  testId: string;
  prompt: string;
  promptObject: unknown;
  metadata: unknown;
  experiment: unknown;
}

/**
 * The body of a test's webhook, canonical JSON (RFC 8785) as UTF-8. What a task or test has not is left out.
 * Its values were checked when they came in, so that all of them can be canonical.
 */
export function payloadBytes({ testId, prompt, promptObject, metadata, experiment }: PayloadOf): Buffer {
  const optional = Object.entries({ promptObject, metadata, experiment }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Buffer.from(canonicalJson({ testId, prompt, ...Object.fromEntries(optional) }));
}

/** Returns the prompts for the tests of one trigger: the input examples in turn, else the task's own description. */
export function promptsOf(task: {
  title: string;
  description: string;
  inputExamples: readonly string[];
}): string[] {
  if (task.inputExamples.length > 0) return [...task.inputExamples];
  return [task.description.trim() === '' ? task.title : task.description];
}

/** The object that a prompt is the JSON text of, where the task says that prompts are objects. */
export function promptObjectOf(prompt: string, schema: unknown): unknown {
  if (schema === null || schema === undefined) return null;
  try {
    const value: unknown = JSON.parse(prompt);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
