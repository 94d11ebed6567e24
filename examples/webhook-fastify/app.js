import { trace } from '@opentelemetry/api';
import { createWebhookHandler, register, toFastifyPlugin } from 'touchstone-otel';
import fastify from 'fastify';

const touchstone = register({ serviceName: 'webhook-fastify' });
const tracer = trace.getTracer('webhook-fastify');

const handler = createWebhookHandler({
  validate: 'api', // the server checks the signatures, so that the app keeps no secret
  touchstone,
  // An experiment may change the settings of the step `answer`; other tests leave them as they are.
  run: ({ prompt, overridesFor }) => answer(prompt, { model: 'gpt-5-mini', ...overridesFor('answer') }),
});

/** Stands for your app, with the call of a model. */
function answer(question, { model }) {
  const attributes = { 'openinference.span.kind': 'LLM', 'llm.model_name': model, 'input.value': question };
  return tracer.startActiveSpan('answer', { attributes }, async (span) => {
    const text = question.includes('France') ? 'Paris' : 'I do not know';
    span.setAttribute('output.value', text);
    span.end();
    return text;
  });
}

const app = fastify();
app.register(toFastifyPlugin(handler), { prefix: '/touchstone' });
app.post('/ask', (request) =>
  answer(request.body.question, { model: 'gpt-5-mini' }).then((text) => ({ text })),
);

console.log(`listens on ${await app.listen({ port: Number(process.env.PORT ?? 8080), host: '127.0.0.1' })}`);
