import type { Context } from '@opentelemetry/api';
import { isUuid } from './test-context.ts';
import { WebhookError } from './webhook-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The variant of an experiment that a test belongs to. */
export interface WebhookExperiment {
  experimentId: string;
  experimentVariantId: string;
  /** Step name → parameter → value. */
  overrides: Readonly<Record<string, Fields>>;
}

/** A test to run, as its delivery describes it. */
export interface WebhookTest {
  testId: string;
  /** Input to run the app with. */
  prompt: string;
  /** The same as an object, when the task has a prompt schema; `prompt` is then its JSON text. */
  promptObject?: Fields;
  metadata?: Fields;
  /** Experiment that the test belongs to, if any. */
  experiment?: WebhookExperiment;
  /** The settings that the experiment changes in a step of the app, by parameter; `{}` when it changes none. */
  overridesFor: (stepName: string) => Fields;
  /** Complete body, including fields that are unknown to this version. */
  payload: Fields;
  /** The test's context, for `startSpan()` in runtimes that lose the active one at `await`. */
  context: Context;
  /** Aborts when no request waits for the result any longer. */
  signal: AbortSignal;
}

const NO_OVERRIDES: Fields = Object.freeze({});

/** The JSON text of a body that holds an object, and the object. Throws a {@link WebhookError} with 400. */
export function parseObject(body: Uint8Array): { text: string; payload: Fields } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const payload = JSON.parse(text) as unknown;
    if (isObject(payload)) return { text, payload };
  } catch {
    // Said below, for other values too.
  }
  throw new WebhookError(400, 'The body is not a JSON object in UTF-8');
}

/** Reads the body of a delivery. Throws a {@link WebhookError} with 400. */
export function readTest(body: Uint8Array): Omit<WebhookTest, 'signal' | 'context'> {
  const { payload } = parseObject(body);
  const { testId, prompt, promptObject, metadata, experiment } = payload;
  if (typeof testId !== 'string' || !isUuid(testId)) {
    throw new WebhookError(400, 'The body has no testId that is a UUID');
  }
  if (typeof prompt !== 'string') throw new WebhookError(400, 'The body has no prompt that is a string');
  const overrides = experiment == null ? {} : overridesOf(experiment);
  return {
    testId,
    prompt,
    ...(isObject(promptObject) && { promptObject }),
    ...(isObject(metadata) && { metadata }),
    ...(experiment != null && { experiment: { ...(experiment as WebhookExperiment), overrides } }),
    overridesFor: (stepName) =>
      (Object.hasOwn(overrides, stepName) ? overrides[stepName] : undefined) ?? NO_OVERRIDES,
    payload,
  };
}

/** An experiment whose overrides can't be read must not run as the baseline. */
function overridesOf(experiment: unknown): WebhookExperiment['overrides'] {
  if (isObject(experiment)) {
    const { experimentId, experimentVariantId, overrides = {} } = experiment;
    const hasIds = typeof experimentId === 'string' && typeof experimentVariantId === 'string';
    if (hasIds && isObject(overrides) && Object.values(overrides).every(isObject)) {
      return overrides as WebhookExperiment['overrides'];
    }
  }
  throw new WebhookError(400, 'The experiment in the body does not have the documented form');
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
