import { OpenTelemetry } from '@ai-sdk/otel';
import { setSession, setUser } from '@arizeai/openinference-core';
import { isOpenInferenceSpan, OpenInferenceBatchSpanProcessor } from '@arizeai/openinference-vercel';
import { context } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { tellWithAiSdk7 } from '../ai-sdk-7-scenario.mjs';
import { SESSION, USER } from '../scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing(
  new OpenInferenceBatchSpanProcessor({ exporter: new OTLPTraceExporter(), spanFilter: isOpenInferenceSpan }),
);
const openTelemetry = new OpenTelemetry({
  usage: true,
  providerMetadata: true,
  embedding: true,
  runtimeContext: true,
});
const whose = setUser(setSession(context.active(), { sessionId: SESSION }), { userId: USER });
await context.with(whose, () => tellWithAiSdk7(openTelemetry));
await tracing.shutdown();
