import { trace } from '@opentelemetry/api';
import { register, withTest } from 'touchstone-otel';

// With `strict`, the app fails when a span is lost. It is for tries and tests: leave it out in production.
const touchstone = register({ serviceName: 'quickstart', strict: true });
const tracer = trace.getTracer('quickstart');

/** Stands for your app: a span around the work, with what went in and what came out. */
function answer(question) {
  return tracer.startActiveSpan('answer', async (span) => {
    try {
      const text = question.includes('France') ? 'Paris' : 'I do not know';
      span.setAttributes({ 'input.value': question, 'output.value': text });
      return text;
    } finally {
      span.end();
    }
  });
}

await withTest(process.env.TEST_ID, () => answer('What is the capital of France?'));
await touchstone.shutdown();
