import { trace } from '@opentelemetry/api';
import { withTest } from 'touchstone-otel';
import { provider } from './tracing.js';

const tracer = trace.getTracer('shop');

/** Stands for your app, with spans as it had them before. */
function answer(question) {
  return tracer.startActiveSpan('answer', async (span) => {
    const documents = await search(question);
    const text = `Found ${documents.length} umbrella`;
    span.setAttributes({ 'input.value': question, 'output.value': text });
    span.end();
    return text;
  });
}

function search(question) {
  return tracer.startActiveSpan('search', async (span) => {
    const documents = ['red umbrella'].filter((document) => question.includes(document));
    span.end();
    return documents;
  });
}

await withTest(process.env.TEST_ID, () => answer('Do you have a red umbrella?'));
await provider.shutdown();
