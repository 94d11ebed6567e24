import { trace } from '@opentelemetry/api';
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai-v0.22';
import OpenAI from 'openai-v5';
import * as story from '../story.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing();
const instrumentation = new OpenAIInstrumentation({ enrichTokens: false });
instrumentation.setTracerProvider(tracing);
instrumentation.manuallyInstrument(OpenAI);

const client = new OpenAI();
await trace.getTracer('weather-agent').startActiveSpan('weather', async (span) => {
  span.setAttributes({ 'session.id': story.SESSION, 'user.id': story.USER });
  const messages = await story.askOpenAi(client);
  await story.thankOpenAi(client, messages);
  await story.embedWithOpenAi(client);
  span.end();
});
await tracing.shutdown();
