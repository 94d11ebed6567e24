import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embed, generateText, jsonSchema, registerTelemetry, stepCountIs, streamText, tool } from 'ai';
import * as story from './story.mjs';

/** The story with the AI SDK 7, the chat with Anthropic's API. Session and user are part of the runtime context. */
export async function tellWithAiSdk7(openTelemetry) {
  registerTelemetry(openTelemetry);
  const openai = createOpenAICompatible({
    name: 'openai',
    baseURL: process.env.OPENAI_BASE_URL,
    apiKey: process.env.OPENAI_API_KEY,
  });
  const claude = createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` })(story.CLAUDE_MODEL);
  const runtimeContext = { sessionId: story.SESSION, userId: story.USER };
  const telemetry = { includeRuntimeContext: { sessionId: true, userId: true } };

  await embed({
    model: openai.embeddingModel(story.EMBEDDING_MODEL),
    value: story.QUESTION,
    telemetry: { functionId: 'find-documents' },
  });
  const { responseMessages } = await generateText({
    model: claude,
    instructions: story.SYSTEM,
    prompt: story.QUESTION,
    tools: {
      get_weather: tool({
        description: story.TOOL.description,
        inputSchema: jsonSchema(story.TOOL.parameters),
        execute: story.getWeather,
      }),
    },
    stopWhen: stepCountIs(3),
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    runtimeContext,
    telemetry: { ...telemetry, functionId: 'weather-agent' },
  });
  const stream = streamText({
    model: claude,
    instructions: story.SYSTEM,
    messages: [
      { role: 'user', content: story.QUESTION },
      ...responseMessages,
      { role: 'user', content: story.THANKS },
    ],
    temperature: 0.5,
    runtimeContext,
    telemetry: { ...telemetry, functionId: 'weather-agent' },
  });
  await stream.consumeStream();
}
