import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import * as traceloop from '@traceloop/node-server-sdk';
import OpenAI from 'openai';
import * as story from '../story.mjs';

traceloop.initialize({
  appName: 'weather-agent',
  exporter: new OTLPTraceExporter(),
  instrumentModules: { openAI: OpenAI },
  silenceInitializationMessage: true,
  traceloopSyncEnabled: false,
});

const client = new OpenAI();
const whose = { user_id: story.USER, session_id: story.SESSION };
const callTool = (args) => traceloop.withTool({ name: 'get_weather' }, story.getWeather, args);
const retrieve = () =>
  traceloop.withVectorDBCall({ vendor: 'pinecone', type: 'query' }, async ({ span }) => {
    const { data } = await story.embedWithOpenAi(client);
    span.reportQuery({ queryVector: data[0].embedding });
    const metadata = { source: 'atlas.txt' };
    span.reportResults({
      results: [{ ids: 'doc-1', scores: 0.9, documents: 'Paris is the capital of France.', metadata }],
    });
  });

await traceloop.withAssociationProperties(whose, () =>
  traceloop.withWorkflow(
    { name: 'weather' },
    async () => {
      await traceloop.withTask({ name: 'find_documents' }, retrieve);
      const messages = await traceloop.withAgent({ name: 'weather_agent' }, () =>
        story.askOpenAi(client, callTool),
      );
      return story.thankOpenAi(client, messages);
    },
    story.QUESTION,
  ),
);
await traceloop.forceFlush();
