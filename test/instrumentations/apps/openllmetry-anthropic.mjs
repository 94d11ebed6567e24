import * as anthropic from '@anthropic-ai/sdk';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import * as traceloop from '@traceloop/node-server-sdk';
import * as story from '../story.mjs';

traceloop.initialize({
  appName: 'weather-agent',
  exporter: new OTLPTraceExporter(),
  instrumentModules: { anthropic },
  silenceInitializationMessage: true,
  traceloopSyncEnabled: false,
});

const client = new anthropic.Anthropic();
const callTool = (args) => traceloop.withTool({ name: 'get_weather' }, story.getWeather, args);

await traceloop.withConversation(story.SESSION, () =>
  traceloop.withAssociationProperties({ user_id: story.USER }, () =>
    traceloop.withAgent({ name: 'weather_agent' }, async () => {
      const messages = await story.askAnthropic(client, callTool);
      return story.thankAnthropic(client, messages);
    }),
  ),
);
await traceloop.forceFlush();
