import { setTimeout as sleep } from 'node:timers/promises';
import { type Attributes, type Span, trace } from '@opentelemetry/api';
import type { WebhookTest } from '../../exporters/otel/src/webhook-payload.ts';

const MODEL = 'gpt-5.4-mini';
const GUIDELINE = 'A parcel that is late by up to three days is traced; after that it is sent again.';
const PARCEL = { parcel: '4711', place: 'Lyon', due: 'tomorrow before noon' };

/** Responds like an agent, without any of its costs: it always thinks the same, and takes the same time. */
export async function respondToCustomer({ prompt }: Pick<WebhookTest, 'prompt'>): Promise<string> {
  return step('answer a customer', 'AGENT', async (agent) => {
    agent.setAttribute('input.value', prompt);
    await step('plan', 'CHAIN', async (span) => {
      await sleep(60);
      span.setAttributes({ 'input.value': prompt, 'output.value': 'guideline, then parcel, then answer' });
    });
    await step('retrieve guidelines', 'RETRIEVER', async (span) => {
      await sleep(140);
      span.setAttributes({
        'input.value': prompt,
        'retrieval.documents.0.document.id': 'guideline-12',
        'retrieval.documents.0.document.content': GUIDELINE,
        'retrieval.documents.0.document.score': 0.91,
      });
    });
    await callModel('choose a tool', {
      takesMs: 420,
      question: `${GUIDELINE}\n${prompt}`,
      reply: 'find_parcel {"parcel":"4711"}',
      tokens: [412, 31],
    });
    await step('find_parcel', 'TOOL', async (span) => {
      await sleep(180);
      span.setAttributes({
        'tool.name': 'find_parcel',
        'input.value': '{"parcel":"4711"}',
        'output.value': JSON.stringify(PARCEL),
      });
    });
    const reply = `Your parcel ${PARCEL.parcel} is in ${PARCEL.place} and arrives ${PARCEL.due}.`;
    await callModel('write the answer', {
      takesMs: 560,
      question: JSON.stringify(PARCEL),
      reply,
      tokens: [468, 24],
    });
    agent.setAttribute('output.value', reply);
    return reply;
  });
}

interface ModelCall {
  takesMs: number;
  question: string;
  reply: string;
  tokens: readonly [prompt: number, completion: number];
}

const callModel = (name: string, { takesMs, question, reply, tokens }: ModelCall): Promise<void> =>
  step(name, 'LLM', async (span) => {
    await sleep(takesMs);
    span.setAttributes({
      'llm.provider': 'openai',
      'llm.model_name': MODEL,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': question,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': reply,
      'llm.token_count.prompt': tokens[0],
      'llm.token_count.completion': tokens[1],
    } satisfies Attributes);
  });

/** A span around `work`, in the words of OpenInference. */
function step<T>(name: string, kind: string, work: (span: Span) => Promise<T>): Promise<T> {
  const attributes = { 'openinference.span.kind': kind };
  return trace.getTracer('demo').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } finally {
      span.end();
    }
  });
}
