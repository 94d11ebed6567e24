import { OpenTelemetry } from '@ai-sdk/otel';
import { tellWithAiSdk7 } from '../ai-sdk-7-scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing();
await tellWithAiSdk7(new OpenTelemetry({ runtimeContext: true }));
await tracing.shutdown();
