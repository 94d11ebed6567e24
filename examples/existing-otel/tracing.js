import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { recordTests, TouchstoneSpanProcessor } from 'touchstone-otel';

export const provider = new NodeTracerProvider({
  sampler: recordTests(new TraceIdRatioBasedSampler(0.01)), // was: new TraceIdRatioBasedSampler(0.01)
  spanProcessors: [
    new TouchstoneSpanProcessor(), // new
    new BatchSpanProcessor(new ConsoleSpanExporter()),
  ],
});
provider.register();
