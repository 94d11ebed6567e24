import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embed, generateText, jsonSchema, registerTelemetry, stepCountIs, streamText, tool } from 'ai';
import * as scenario from './scenario.mjs';

/** The scenario with the AI SDK 7, the chat with Anthropic's API. Session and user are part of the runtime context. */
export async function tellWithAiSdk7(openTelemetry) {
  registerTelemetry(openTelemetry);
  const openai = createOpenAICompatible({
    name: 'openai',
    baseURL: process.env.OPENAI_BASE_URL,
    apiKey: process.env.OPENAI_API_KEY,
  });
  const claude = createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` })(scenario.CLAUDE_MODEL);
  const runtimeContext = { sessionId: scenario.SESSION, userId: scenario.USER };
  const telemetry = { includeRuntimeContext: { sessionId: true, userId: true } };

  await embed({
    model: openai.embeddingModel(scenario.EMBEDDING_MODEL),
    value: scenario.QUESTION,
    telemetry: { functionId: 'find-documents' },
  });
  const { responseMessages } = await generateText({
    model: claude,
    instructions: scenario.SYSTEM,
    prompt: scenario.QUESTION,
    tools: {
      get_weather: tool({
        description: scenario.TOOL.description,
        inputSchema: jsonSchema(scenario.TOOL.parameters),
        execute: scenario.getWeather,
      }),
    },
    stopWhen: stepCountIs(3),
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    runtimeContext,
    telemetry: { ...telemetry, functionId: 'weather-agent' },
  });
  const stream = streamText({
    model: claude,
    instructions: scenario.SYSTEM,
    messages: [
      { role: 'user', content: scenario.QUESTION },
      ...responseMessages,
      { role: 'user', content: scenario.THANKS },
    ],
    temperature: 0.5,
    runtimeContext,
    telemetry: { ...telemetry, functionId: 'weather-agent' },
  });
  await stream.consumeStream();
}
