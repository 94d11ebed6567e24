import { openai } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { register, withTest } from 'touchstone-otel';
import { generateText, registerTelemetry, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const touchstone = register({ serviceName: 'weather-agent' });
registerTelemetry(new OpenTelemetry());

const getWeather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async () => '18 degrees, sunny',
});

const answer = (question) =>
  generateText({
    model: openai.chat(process.env.MODEL ?? 'gpt-5-mini'),
    prompt: question,
    tools: { get_weather: getWeather },
    stopWhen: stepCountIs(3),
    telemetry: { functionId: 'weather-agent' },
  });

const { text } = await withTest(process.env.TEST_ID, () => answer('What is the weather in Paris?'));
console.log(text);
await touchstone.shutdown();
