import { type OtlpTrace, type SpanOptions, TraceBuilder } from './trace-builder.ts';

const QUESTIONS: readonly (readonly [question: string, answer: string])[] = [
  ['I want my money back', 'You can get a refund within 30 days. Shall I start it for order 4711?'],
  ['Where is my parcel 4711?', 'It left the depot at 09:12 and arrives today before 18:00.'],
  ['Can I change the delivery address?', 'Yes, until the parcel leaves the depot. Where should it go?'],
  ['My vase arrived broken', 'I am sorry. Please send a photo; a new vase leaves tomorrow.'],
  ['Do you deliver to the moon?', 'I do not know about that.'],
];
const MODELS = ['gpt-5.4-mini', 'gpt-5.4', 'claude-opus-5'] as const;
const TOOLS = ['find_parcel', 'lookup_customer', 'refund', 'get_policy'] as const;
const ENVIRONMENTS = ['production', 'production', 'staging'] as const;
const DAY_MS = 86_400_000;
const DAYS = 7;
const TURNS = 3;
/** A PNG of one pixel. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Returns traces of the last days: conversations of several turns, with errors, documents, tools, an image, and one long trace. */
export function shopTraces(count: number, now: number): OtlpTrace[] {
  const usual = Array.from({ length: count }, (_, index) => {
    // More at noon than at night, and never in the future.
    const share = index / count;
    const wave = Math.sin(share * DAYS * 2 * Math.PI) / (DAYS * 8);
    return answerTrace(index, now - 60_000 - Math.max(0, share + wave) * DAYS * DAY_MS);
  });
  return [...usual, imageTrace(now - 2 * 3_600_000), longTrace(now - 5 * 3_600_000)];
}

function answerTrace(index: number, start: number): OtlpTrace {
  const [question, answer] = at(QUESTIONS, index * 7 + Math.floor(index / 5));
  const session = Math.floor(index / TURNS);
  const trace = new TraceBuilder({
    'session.id': `conversation-${session}`,
    'user.id': `customer-${session % 23}`,
    'tag.tags': session % 4 === 0 ? ['vip'] : ['web'],
  });
  const steps = 1 + (index % 4);
  const modelMs = 300 + ((index * 137) % 2_700);
  const end = start + steps * 260 + modelMs + 40;
  const failed = index % 11 === 5 ? 'The warehouse did not respond within 5 s' : undefined;
  const root = trace.add({
    name: index % 9 === 4 ? 'summarise complaints' : 'answer a customer',
    kind: 'AGENT',
    start,
    end,
    attributes: { 'input.value': question, ...(failed ? {} : { 'output.value': answer }) },
    error: failed,
  });
  let clock = start + 20;
  for (let n = 0; n < steps; n += 1) {
    trace.add(n === 0 ? retrieval(question, clock, root) : tool(at(TOOLS, index + n), clock, root, failed));
    clock += 260;
  }
  const model = at(MODELS, index * 5 + session);
  trace.add({ ...chat({ model, question, answer, start: clock, end: clock + modelMs }), parent: root });
  return trace.build('support-bot', at(ENVIRONMENTS, index));
}

const retrieval = (query: string, start: number, parent: string): SpanOptions => ({
  name: 'retrieve guidelines',
  kind: 'RETRIEVER',
  start,
  end: start + 140,
  parent,
  attributes: {
    'input.value': query,
    'retrieval.documents.0.document.id': 'guideline-12',
    'retrieval.documents.0.document.content': 'Refunds are possible within 30 days of delivery.',
    'retrieval.documents.0.document.score': 0.91,
    'retrieval.documents.1.document.id': 'guideline-7',
    'retrieval.documents.1.document.content': 'A parcel that is late by three days is traced.',
    'retrieval.documents.1.document.score': 0.74,
  },
});

const tool = (name: string, start: number, parent: string, error: string | undefined): SpanOptions => ({
  name,
  kind: 'TOOL',
  start,
  end: start + 180,
  parent,
  attributes: {
    'tool.name': name,
    'input.value': '{"parcel":"4711"}',
    ...(error === undefined && { 'output.value': '{"place":"Lyon","due":"tomorrow before noon"}' }),
  },
  error,
});

interface Chat {
  model: string;
  question: string;
  answer: string;
  start: number;
  end: number;
}

const chat = ({ model, question, answer, start, end }: Chat): SpanOptions => ({
  name: `chat ${model}`,
  kind: 'LLM',
  start,
  end,
  attributes: {
    'llm.provider': model.startsWith('claude') ? 'anthropic' : 'openai',
    'llm.model_name': model,
    'llm.input_messages.0.message.role': 'system',
    'llm.input_messages.0.message.content': 'You help customers of a web shop. Be brief and polite.',
    'llm.input_messages.1.message.role': 'user',
    'llm.input_messages.1.message.content': question,
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': answer,
    'llm.token_count.prompt': 400 + Math.round((end - start) / 2),
    'llm.token_count.completion': 20 + Math.round((end - start) / 30),
  },
});

/** A question with a picture in it. */
function imageTrace(start: number): OtlpTrace {
  const trace = new TraceBuilder({ 'session.id': 'conversation-picture', 'user.id': 'customer-1' });
  const question = 'What is wrong with this vase?';
  const answer = 'It has a crack. A new one leaves tomorrow.';
  const root = trace.add({
    name: 'look at a picture',
    kind: 'AGENT',
    start,
    end: start + 1_900,
    attributes: { 'input.value': question, 'output.value': answer },
  });
  const { attributes, ...span } = chat({
    model: 'gpt-5.4',
    question,
    answer,
    start: start + 20,
    end: start + 1_880,
  });
  const content = 'llm.input_messages.1.message.contents';
  trace.add({
    ...span,
    parent: root,
    attributes: {
      ...attributes,
      [`${content}.0.message_content.type`]: 'text',
      [`${content}.0.message_content.text`]: question,
      [`${content}.1.message_content.type`]: 'image',
      [`${content}.1.message_content.image.image.url`]: IMAGE,
    },
  });
  return trace.build('support-bot', 'production');
}

/** An agent that researches for long: 40 rounds of tools and models. */
function longTrace(start: number): OtlpTrace {
  const trace = new TraceBuilder({ 'session.id': 'research-1', 'user.id': 'analyst' });
  const rounds = 40;
  const roundMs = 2_400;
  const question = 'Why do customers of Lyon complain about late parcels?';
  const answer = 'One depot was closed for four days; its parcels were sorted by hand.';
  const root = trace.add({
    name: 'research complaints',
    kind: 'AGENT',
    start,
    end: start + rounds * roundMs + 100,
    attributes: { 'input.value': question, 'output.value': answer },
  });
  for (let round = 0; round < rounds; round += 1) {
    const begun = start + 50 + round * roundMs;
    const chain = trace.add({
      name: `round ${round + 1}`,
      kind: 'CHAIN',
      start: begun,
      end: begun + roundMs - 20,
      parent: root,
    });
    for (let n = 0; n < 8; n += 1)
      trace.add(
        tool(
          at(TOOLS, round + n),
          begun + n * 90,
          chain,
          (round * 8 + n) % 61 === 60 ? 'No such parcel' : undefined,
        ),
      );
    const model = at(MODELS, round);
    trace.add({
      ...chat({ model, question, answer, start: begun + 950, end: begun + 2_300 }),
      parent: chain,
    });
  }
  return trace.build('researcher', 'production');
}
