import { createRequire } from 'node:module';
import { metrics, trace } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import * as scenario from '../scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing();
const logging = new LoggerProvider({ processors: [new BatchLogRecordProcessor(new OTLPLogExporter())] });
const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true });
instrumentation.setTracerProvider(tracing);
instrumentation.setLoggerProvider(logging);
// Without one, even one that does nothing, it fails at the end of each call.
instrumentation.setMeterProvider(metrics.getMeterProvider());

// It patches what is required after it.
const { OpenAI } = createRequire(import.meta.url)('openai');
const client = new OpenAI();
await trace.getTracer('weather-agent').startActiveSpan('weather', async (span) => {
  span.setAttributes({ 'session.id': scenario.SESSION, 'user.id': scenario.USER });
  const messages = await scenario.askOpenAi(client);
  await scenario.thankOpenAi(client, messages);
  await scenario.embedWithOpenAi(client);
  span.end();
});
await tracing.shutdown();
await logging.shutdown();
