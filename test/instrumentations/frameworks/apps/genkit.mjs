import { createRequire } from 'node:module';
import { openAICompatible } from '@genkit-ai/compat-oai';
import { genkit, z } from 'genkit';
import { enableTelemetry, flushTracing } from 'genkit/tracing';
import { CHAT_MODEL, getWeather, QUESTION, SYSTEM, TOOL } from '../../scenario.mjs';

// Genkit brings an older SDK of OpenTelemetry than the other packages have.
const ofGenkit = createRequire(createRequire(import.meta.url).resolve('@genkit-ai/core'));
const { OTLPTraceExporter } = ofGenkit('@opentelemetry/exporter-trace-otlp-proto');
const { SimpleSpanProcessor } = ofGenkit('@opentelemetry/sdk-trace-base');

await enableTelemetry({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] });
const ai = genkit({
  plugins: [openAICompatible({ name: 'openai', baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' })],
});
const weather = ai.defineTool(
  {
    name: TOOL.name,
    description: TOOL.description,
    inputSchema: z.object({ city: z.string() }),
    outputSchema: z.string(),
  },
  getWeather,
);
const flow = ai.defineFlow(
  { name: 'weather_agent', inputSchema: z.string(), outputSchema: z.string() },
  async (question) => {
    const { text } = await ai.generate({
      model: `openai/${CHAT_MODEL}`,
      system: SYSTEM,
      prompt: question,
      tools: [weather],
    });
    return text;
  },
);
await flow(QUESTION);
await flushTracing();
process.exit(0);
