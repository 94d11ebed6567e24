import * as anthropic from '@anthropic-ai/sdk';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import * as traceloop from '@traceloop/node-server-sdk';
import * as scenario from '../scenario.mjs';

traceloop.initialize({
  appName: 'weather-agent',
  exporter: new OTLPTraceExporter(),
  instrumentModules: { anthropic },
  silenceInitializationMessage: true,
  traceloopSyncEnabled: false,
});

const client = new anthropic.Anthropic();
const callTool = (args) => traceloop.withTool({ name: 'get_weather' }, scenario.getWeather, args);

await traceloop.withConversation(scenario.SESSION, () =>
  traceloop.withAssociationProperties({ user_id: scenario.USER }, () =>
    traceloop.withAgent({ name: 'weather_agent' }, async () => {
      const messages = await scenario.askAnthropic(client, callTool);
      return scenario.thankAnthropic(client, messages);
    }),
  ),
);
await traceloop.forceFlush();
