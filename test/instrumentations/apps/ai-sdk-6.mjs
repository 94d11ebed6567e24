import { createOpenAICompatible } from '@ai-sdk/openai-compatible-v2';
import { embed, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai-v6';
import * as scenario from '../scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing();
const provider = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env.OPENAI_BASE_URL,
  apiKey: process.env.OPENAI_API_KEY,
  includeUsage: true,
});
const telemetry = (functionId) => ({
  isEnabled: true,
  functionId,
  metadata: { sessionId: scenario.SESSION, userId: scenario.USER, tags: ['weather'] },
});

await embed({
  model: provider.embeddingModel(scenario.EMBEDDING_MODEL),
  value: scenario.QUESTION,
  experimental_telemetry: telemetry('find-documents'),
});
const { response } = await generateText({
  model: provider(scenario.CHAT_MODEL),
  system: scenario.SYSTEM,
  prompt: scenario.QUESTION,
  tools: {
    get_weather: tool({
      description: scenario.TOOL.description,
      inputSchema: jsonSchema(scenario.TOOL.parameters),
      execute: scenario.getWeather,
    }),
  },
  stopWhen: stepCountIs(3),
  experimental_telemetry: telemetry('weather-agent'),
});
const stream = streamText({
  model: provider(scenario.CHAT_MODEL),
  system: scenario.SYSTEM,
  messages: [
    { role: 'user', content: scenario.QUESTION },
    ...response.messages,
    { role: 'user', content: scenario.THANKS },
  ],
  temperature: 0.5,
  experimental_telemetry: telemetry('weather-agent'),
});
await stream.consumeStream();
await tracing.shutdown();
