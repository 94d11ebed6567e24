import { trace } from '@opentelemetry/api';
import { setTimeout as sleep } from 'node:timers/promises';

const tracer = trace.getTracer('agent');
const CAPITALS = { France: 'Paris', Peru: 'Lima' };

/** Stands for your agent: the model picks a tool, the tool looks it up. */
export function answer(question, { model }) {
  return step('answer', 'AGENT', { 'input.value': question }, async (span) => {
    const country = await pickCountry(question, model);
    const text = await findCapital(country);
    span.setAttribute('output.value', text);
    return text;
  });
}

/** Stands for the call of a model. An instrumentation of its client makes such a span by itself. */
function pickCountry(question, model) {
  const attributes = { 'llm.model_name': model, 'input.value': question };
  return step('pick country', 'LLM', attributes, async (span) => {
    await sleep(20);
    const country = Object.keys(CAPITALS).find((name) => question.includes(name)) ?? 'unknown';
    span.setAttributes({
      'output.value': country,
      'llm.token_count.prompt': 42,
      'llm.token_count.completion': 3,
    });
    return country;
  });
}

function findCapital(country) {
  const attributes = { 'tool.name': 'find_capital', 'input.value': country };
  return step('find_capital', 'TOOL', attributes, async (span) => {
    const capital = CAPITALS[country] ?? 'I do not know';
    span.setAttribute('output.value', capital);
    return capital;
  });
}

/** A span around `work`, with the attributes of OpenInference. */
function step(name, kind, attributes, work) {
  const options = { attributes: { 'openinference.span.kind': kind, ...attributes } };
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } finally {
      span.end();
    }
  });
}
