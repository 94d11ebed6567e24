import {
  getRetrieverAttributes,
  setSession,
  setUser,
  traceAgent,
  traceRetriever,
  traceTool,
} from '@arizeai/openinference-core';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { context } from '@opentelemetry/api';
import OpenAI from 'openai';
import * as scenario from '../scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing();
new OpenAIInstrumentation({ tracerProvider: tracing }).manuallyInstrument(OpenAI);

const client = new OpenAI();
const callTool = traceTool(scenario.getWeather, { name: 'get_weather' });
const retrieve = traceRetriever(
  async () => {
    await scenario.embedWithOpenAi(client);
    return [
      {
        id: 'doc-1',
        content: 'Paris is the capital of France.',
        score: 0.9,
        metadata: { source: 'atlas.txt' },
      },
    ];
  },
  { name: 'find_documents', processOutput: (documents) => getRetrieverAttributes({ documents }) },
);
const agent = traceAgent(
  async (question) => {
    await retrieve(question);
    const messages = await scenario.askOpenAi(client, callTool);
    await scenario.thankOpenAi(client, messages);
    return messages.at(-1).content;
  },
  { name: 'weather-agent' },
);

const whose = setUser(setSession(context.active(), { sessionId: scenario.SESSION }), {
  userId: scenario.USER,
});
await context.with(whose, () => agent(scenario.QUESTION));
await tracing.shutdown();
