import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import * as traceloop from '@traceloop/node-server-sdk';
import OpenAI from 'openai';
import * as scenario from '../scenario.mjs';

traceloop.initialize({
  appName: 'weather-agent',
  exporter: new OTLPTraceExporter(),
  instrumentModules: { openAI: OpenAI },
  silenceInitializationMessage: true,
  traceloopSyncEnabled: false,
});

const client = new OpenAI();
const whose = { user_id: scenario.USER, session_id: scenario.SESSION };
const callTool = (args) => traceloop.withTool({ name: 'get_weather' }, scenario.getWeather, args);
const retrieve = () =>
  traceloop.withVectorDBCall({ vendor: 'pinecone', type: 'query' }, async ({ span }) => {
    const { data } = await scenario.embedWithOpenAi(client);
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
        scenario.askOpenAi(client, callTool),
      );
      return scenario.thankOpenAi(client, messages);
    },
    scenario.QUESTION,
  ),
);
await traceloop.forceFlush();
