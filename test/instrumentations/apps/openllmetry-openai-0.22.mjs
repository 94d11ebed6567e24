import { trace } from '@opentelemetry/api';
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai-v0.22';
import OpenAI from 'openai-v5';
import * as scenario from '../scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing();
const instrumentation = new OpenAIInstrumentation({ enrichTokens: false });
instrumentation.setTracerProvider(tracing);
instrumentation.manuallyInstrument(OpenAI);

const client = new OpenAI();
await trace.getTracer('weather-agent').startActiveSpan('weather', async (span) => {
  span.setAttributes({ 'session.id': scenario.SESSION, 'user.id': scenario.USER });
  const messages = await scenario.askOpenAi(client);
  await scenario.thankOpenAi(client, messages);
  await scenario.embedWithOpenAi(client);
  span.end();
});
await tracing.shutdown();
