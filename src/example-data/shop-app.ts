import { setTimeout as delay } from 'node:timers/promises';
import type { RelayedAnswer, RelayedRequest } from '../deliver/relay.ts';
import { type OtlpTrace, TraceBuilder } from './trace-builder.ts';

const ANSWERS: readonly (readonly [about: RegExp, answer: string])[] = [
  [/refund|money|broken/i, 'You can get a refund within 30 days. Shall I start it for order 4711?'],
  [/parcel|order/i, 'Your parcel 4711 is in Lyon and arrives tomorrow before noon.'],
  [/address/i, 'Yes, until the parcel leaves the depot. Where should it go?'],
  [/password/i, 'I have sent you a link that lets you choose a new password.'],
];
const NO_ANSWER = 'I cannot help with that.';
const USUAL_MODEL = 'gpt-5.4-mini';
/** One in this many answers of the weaker model is wrong. */
const WRONG_EVERY = 4;
/** One in this many requests fails. */
const FAILS_EVERY = 17;
const FAILURE = 'The database of orders did not respond';

/** Payload of a test, as far as the app reads it. */
interface Payload {
  testId: string;
  prompt: string;
  experiment?: { overrides?: Readonly<Record<string, { model?: unknown }>> };
}

/** The app that the tests of example data are sent to: an agent with a guideline, a tool and a model. */
export class ShopApp {
  private requests = 0;

  /** Answers a test. The variants of an experiment choose the model. `trace` is null if the app failed. */
  async respond({
    headers,
    body,
  }: RelayedRequest): Promise<{ answer: RelayedAnswer; trace: OtlpTrace | null }> {
    const { testId, prompt, experiment } = JSON.parse(body) as Payload;
    const request = (this.requests += 1);
    const start = Date.now();
    await delay(60 + (request % 7) * 20);
    if (request % FAILS_EVERY === 0)
      return { answer: { status: 500, headers: {}, body: FAILURE }, trace: null };
    const wanted = experiment?.overrides?.['answer']?.model;
    const model = typeof wanted === 'string' ? wanted : USUAL_MODEL;
    const [, traceId = '', parent = ''] = (headers['traceparent'] ?? '').split('-');
    const place = { traceId, parent, testId, start, end: Date.now() };
    const reply = replyTo(prompt, model === USUAL_MODEL && request % WRONG_EVERY === 0);
    const trace = answerTrace(place, { prompt, reply, model, inputTokens: 420 + request });
    return { answer: { status: 200, headers: {}, body: '' }, trace };
  }
}

const replyTo = (prompt: string, isWrong: boolean): string =>
  (isWrong ? undefined : ANSWERS.find(([about]) => about.test(prompt))?.[1]) ?? NO_ANSWER;

interface Place {
  traceId: string;
  /** Id of the span of the delivery. */
  parent: string;
  testId: string;
  /** Start and end, in Unix milliseconds. */
  start: number;
  end: number;
}
interface Answer {
  prompt: string;
  reply: string;
  model: string;
  inputTokens: number;
}

function answerTrace({ traceId, parent, testId, start, end }: Place, answer: Answer): OtlpTrace {
  const { prompt, reply, model, inputTokens } = answer;
  const trace = new TraceBuilder({}, traceId);
  const agent = trace.add({
    name: 'answer a customer',
    kind: 'AGENT',
    start,
    end,
    parent,
    attributes: { 'service.test.id': testId, 'input.value': prompt, 'output.value': reply },
  });
  trace.add({
    name: 'retrieve guidelines',
    kind: 'RETRIEVER',
    start,
    end: start + 15,
    parent: agent,
    attributes: {
      'input.value': prompt,
      'retrieval.documents.0.document.id': 'guideline-12',
      'retrieval.documents.0.document.content': 'Refunds are possible within 30 days.',
      'retrieval.documents.0.document.score': 0.91,
    },
  });
  trace.add({
    name: 'find_parcel',
    kind: 'TOOL',
    start: start + 16,
    end: start + 36,
    parent: agent,
    attributes: {
      'tool.name': 'find_parcel',
      'input.value': '{"parcel":"4711"}',
      'output.value': '{"place":"Lyon","due":"tomorrow"}',
    },
  });
  trace.add({
    name: `chat ${model}`,
    kind: 'LLM',
    start: start + 37,
    end,
    parent: agent,
    attributes: {
      'llm.provider': model.startsWith('claude') ? 'anthropic' : 'openai',
      'llm.model_name': model,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': prompt,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': reply,
      'llm.token_count.prompt': inputTokens,
      'llm.token_count.completion': 31,
    },
  });
  return trace.build('support-bot', 'staging');
}
