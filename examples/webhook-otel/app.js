import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { isFromTouchstone } from './signature.js';
import { provider } from './tracing.js';

const MAX_BODY = 1_048_576;
const tracer = trace.getTracer('webhook-otel');

createServer((request, response) => {
  const failed = (error) => {
    console.error(error);
    return 500;
  };
  void handle(request)
    .catch(failed)
    .then((status) => response.writeHead(status).end());
}).listen(process.env.PORT ?? 8080, '127.0.0.1', function listening() {
  console.log(`listens on http://127.0.0.1:${this.address().port}`);
});

/** Answers with a status: anything but 200 says that the test has failed. */
async function handle(request) {
  const { method, url, headers } = request;
  if (method !== 'POST' || url !== '/touchstone') return 404;
  if (!(Number(headers['content-length']) <= MAX_BODY)) return 413;
  const body = await text(request);
  if (!isFromTouchstone(headers, body)) return 401;
  // The delivery's traceparent: what runs in this context is part of the test's trace.
  const delivery = propagation.extract(context.active(), headers);
  await context.with(delivery, () => answer(JSON.parse(body).prompt));
  await provider.forceFlush();
  return 200;
}

/** Stands for your app. */
function answer(question) {
  return tracer.startActiveSpan('answer', async (span) => {
    try {
      span.setAttribute('input.value', question);
      const reply = await callModel(question);
      span.setAttribute('output.value', reply);
      return reply;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Stands for the call of a model, with the attributes of OpenTelemetry's GenAI conventions. */
function callModel(question) {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5-mini',
  };
  return tracer.startActiveSpan('chat gpt-5-mini', { attributes }, async (span) => {
    span.setAttributes({ 'gen_ai.usage.input_tokens': 14, 'gen_ai.usage.output_tokens': 1 });
    span.end();
    return question.includes('France') ? 'Paris' : 'I do not know';
  });
}
