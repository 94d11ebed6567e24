import type { WebhookTest } from '../../../exporters/otel/src/webhook-payload.ts';
import { callModel, step } from '../agent.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWERS: readonly (readonly [about: RegExp, answer: string])[] = [
  [/refund|money|broken/i, 'You can get a refund within 30 days. Shall I start it for order 4711?'],
  [/parcel|order/i, 'Your parcel 4711 is in Lyon and arrives tomorrow before noon.'],
  [/address/i, 'Yes, until the parcel leaves the depot. Where should it go?'],
  [/password/i, 'I have sent you a link that lets you choose a new password.'],
];
const NO_ANSWER = 'I cannot help with that.';
/** One in this many answers of the weaker model is wrong. */
const WRONG_EVERY = 4;
/** One in this many requests fails. */
const FAILS_EVERY = 17;

let requests = 0;

/** Answers a customer like an agent with a guideline, a tool and a model. The variants of an experiment choose the model. */
export async function answerShopCustomer(
  test: Pick<WebhookTest, 'prompt' | 'overridesFor'>,
): Promise<string> {
  requests += 1;
  const request = requests;
  const { model: wanted } = test.overridesFor('answer');
  const model = typeof wanted === 'string' ? wanted : 'gpt-5.4-mini';
  if (request % FAILS_EVERY === 0) throw new Error('The database of orders did not respond');
  const isWrong = model.endsWith('mini') && request % WRONG_EVERY === 0;
  const found = ANSWERS.find(([about]) => about.test(test.prompt))?.[1];
  const reply = isWrong ? NO_ANSWER : (found ?? NO_ANSWER);
  return step('answer a customer', 'AGENT', async (agent) => {
    agent.setAttribute('input.value', test.prompt);
    await step('retrieve guidelines', 'RETRIEVER', async (span) => {
      await sleep(15);
      span.setAttributes({
        'input.value': test.prompt,
        'retrieval.documents.0.document.id': 'guideline-12',
        'retrieval.documents.0.document.content': 'Refunds are possible within 30 days.',
        'retrieval.documents.0.document.score': 0.91,
      });
    });
    await step('find_parcel', 'TOOL', async (span) => {
      await sleep(20);
      span.setAttributes({
        'tool.name': 'find_parcel',
        'input.value': '{"parcel":"4711"}',
        'output.value': '{"place":"Lyon","due":"tomorrow"}',
      });
    });
    await callModel('answer', {
      takesMs: 30 + (request % 7) * 20,
      question: test.prompt,
      reply,
      tokens: [420 + request, 31],
      model,
    });
    agent.setAttribute('output.value', reply);
    return reply;
  });
}
