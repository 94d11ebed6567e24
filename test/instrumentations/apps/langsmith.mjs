import { Client } from 'langsmith';
import { initializeOTEL } from 'langsmith/experimental/otel/setup';
import { traceable } from 'langsmith/traceable';
import { wrapOpenAI } from 'langsmith/wrappers';
import OpenAI from 'openai';
import * as scenario from '../scenario.mjs';

Object.assign(process.env, {
  LANGSMITH_TRACING: 'true',
  LANGSMITH_TRACING_MODE: 'otel',
  LANGSMITH_PROJECT: 'weather',
});
// Its exporter takes OTEL_EXPORTER_OTLP_ENDPOINT for the complete address.
const { DEFAULT_LANGSMITH_TRACER_PROVIDER: tracing } = initializeOTEL({
  exporterConfig: { url: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces` },
});
// All its client asks of a LangSmith server in this mode is what that server can do.
const langsmith = new Client({ apiKey: 'none', fetchImplementation: async () => Response.json({}) });

const client = wrapOpenAI(new OpenAI(), { client: langsmith });
const callTool = traceable(scenario.getWeather, { name: 'get_weather', run_type: 'tool', client: langsmith });
const retrieve = traceable(
  async () => {
    await scenario.embedWithOpenAi(client);
    return [{ page_content: 'Paris is the capital of France.', type: 'Document', metadata: { id: 'doc-1' } }];
  },
  { name: 'find_documents', run_type: 'retriever', client: langsmith },
);
const agent = traceable(
  async (question) => {
    await retrieve(question);
    const messages = await scenario.askOpenAi(client, callTool);
    // Not streamed: of a stream this package writes the run over the span around it.
    await client.chat.completions.create({
      model: scenario.CHAT_MODEL,
      messages: [...messages, { role: 'user', content: scenario.THANKS }],
    });
    return messages.at(-1).content;
  },
  {
    name: 'weather-agent',
    client: langsmith,
    tags: ['weather'],
    metadata: { session_id: scenario.SESSION, user_id: scenario.USER },
  },
);

await agent(scenario.QUESTION);
await langsmith.awaitPendingTraceBatches();
await tracing.shutdown();
