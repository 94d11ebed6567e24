import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';
import { CHAT_MODEL, getWeather, QUESTION, SESSION, SYSTEM, TOOL, USER } from '../../scenario.mjs';

const openai = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env.OPENAI_BASE_URL,
  apiKey: 'none',
});
const agent = new Agent({
  id: 'weather_agent',
  name: 'weather_agent',
  instructions: SYSTEM,
  model: openai(CHAT_MODEL),
  tools: {
    get_weather: createTool({
      id: TOOL.name,
      description: TOOL.description,
      inputSchema: z.object({ city: z.string() }),
      execute: getWeather,
    }),
  },
});
const exporter = new OtelExporter({
  provider: {
    custom: {
      endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
      protocol: 'http/protobuf',
    },
  },
});
const observability = new Observability({
  configs: { otel: { serviceName: 'weather-agent', exporters: [exporter] } },
});
const mastra = new Mastra({ agents: { agent }, observability, logger: false });
await mastra.getAgent('agent').generate(QUESTION, {
  tracingOptions: { metadata: { sessionId: SESSION, userId: USER }, tags: ['weather'] },
});
await observability.shutdown();
