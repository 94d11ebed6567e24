import { canonicalJson } from '../contract/canonical-json.ts';

export interface PayloadOf {
  testId: string;
  prompt: string;
  promptObject: unknown;
  metadata: unknown;
  experiment: unknown;
}

/**
 * Returns the webhook body of a test: canonical JSON (RFC 8785) in UTF-8, without absent fields. All values were
 * checked on arrival, so each has a canonical form.
 */
export function payloadBytes({ testId, prompt, promptObject, metadata, experiment }: PayloadOf): Buffer {
  const optional = Object.entries({ promptObject, metadata, experiment }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Buffer.from(canonicalJson({ testId, prompt, ...Object.fromEntries(optional) }));
}

/** Returns the object that the prompt encodes as JSON, if the schema of the task says that prompts are objects. */
export function promptObjectOf(prompt: string, schema: unknown): unknown {
  if (schema === null || schema === undefined) return null;
  try {
    const value: unknown = JSON.parse(prompt);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
