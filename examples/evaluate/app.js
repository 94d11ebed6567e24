import { trace } from '@opentelemetry/api';
import { createWebhookHandler, register, toNodeListener } from 'touchstone-otel';
import { createServer } from 'node:http';

const touchstone = register({ serviceName: 'evaluate' });
const tracer = trace.getTracer('evaluate');
const CAPITALS = { France: 'Paris', Peru: 'Lima' };

const handler = createWebhookHandler({
  validate: 'api', // the server checks the signatures, so that the app keeps no secret
  touchstone,
  run: ({ prompt }) => answer(prompt),
});

/** Stands for your agent: it looks the capital up, and knows two of them. */
function answer(question) {
  return step('answer', { 'openinference.span.kind': 'AGENT', 'input.value': question }, (span) => {
    const country = /of (\w+)/.exec(question)?.[1] ?? '';
    const capital = step(
      'find_capital',
      { 'openinference.span.kind': 'TOOL', 'tool.name': 'find_capital' },
      () => (Object.hasOwn(CAPITALS, country) ? CAPITALS[country] : null),
    );
    span.setAttribute('output.value', capital ?? 'I do not know.');
  });
}

/** A span around `work`, with the attributes of OpenInference. */
function step(name, attributes, work) {
  return tracer.startActiveSpan(name, { attributes }, (span) => {
    try {
      return work(span);
    } finally {
      span.end();
    }
  });
}

const server = createServer(toNodeListener(handler)).listen(process.env.PORT ?? 8080, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
