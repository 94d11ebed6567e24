import { createOpenAICompatible } from '@ai-sdk/openai-compatible-v2';
import { embed, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai-v6';
import * as story from '../story.mjs';
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
  metadata: { sessionId: story.SESSION, userId: story.USER, tags: ['weather'] },
});

await embed({
  model: provider.embeddingModel(story.EMBEDDING_MODEL),
  value: story.QUESTION,
  experimental_telemetry: telemetry('find-documents'),
});
const { response } = await generateText({
  model: provider(story.CHAT_MODEL),
  system: story.SYSTEM,
  prompt: story.QUESTION,
  tools: {
    get_weather: tool({
      description: story.TOOL.description,
      inputSchema: jsonSchema(story.TOOL.parameters),
      execute: story.getWeather,
    }),
  },
  stopWhen: stepCountIs(3),
  experimental_telemetry: telemetry('weather-agent'),
});
const stream = streamText({
  model: provider(story.CHAT_MODEL),
  system: story.SYSTEM,
  messages: [
    { role: 'user', content: story.QUESTION },
    ...response.messages,
    { role: 'user', content: story.THANKS },
  ],
  temperature: 0.5,
  experimental_telemetry: telemetry('weather-agent'),
});
await stream.consumeStream();
await tracing.shutdown();
