import { LangfuseSpanProcessor } from '@langfuse/otel';
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import OpenAI from 'openai';
import * as scenario from '../scenario.mjs';
import { startTracing } from '../tracing.mjs';

const tracing = startTracing(
  new LangfuseSpanProcessor({
    exporter: new OTLPTraceExporter(),
    publicKey: 'pk-lf-1',
    secretKey: 'sk-lf-1',
    environment: 'test',
    release: '1.4.2',
    mediaUploadEnabled: false,
  }),
);
const plain = new OpenAI();

/** Langfuse has its users report each call themselves: this is the client with such reports around it. */
const client = {
  chat: { completions: { create: (request) => (request.stream ? streamed(request) : whole(request)) } },
  embeddings: { create: embedding },
};

const usageDetails = ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
  ...details
}) => ({
  input: input - details.prompt_tokens_details.cached_tokens,
  cache_read_input_tokens: details.prompt_tokens_details.cached_tokens,
  output: output - details.completion_tokens_details.reasoning_tokens,
  output_reasoning_tokens: details.completion_tokens_details.reasoning_tokens,
  total,
});

const whole = ({ model, messages, max_completion_tokens, ...rest }) =>
  startActiveObservation(
    'chat',
    async (generation) => {
      generation.update({ model, input: messages, modelParameters: { max_completion_tokens } });
      const answer = await plain.chat.completions.create({ model, messages, max_completion_tokens, ...rest });
      generation.update({
        model: answer.model,
        output: answer.choices[0].message,
        usageDetails: usageDetails(answer.usage),
        costDetails: { input: 0.0001, output: 0.0002, total: 0.0003 },
      });
      return answer;
    },
    { asType: 'generation' },
  );

const streamed = ({ model, messages, temperature, ...rest }) =>
  startActiveObservation(
    'chat stream',
    async (generation) => {
      generation.update({
        model,
        input: messages,
        modelParameters: { temperature },
        prompt: { name: 'thanks', version: 3, isFallback: false },
      });
      const stream = await plain.chat.completions.create({
        ...rest,
        model,
        messages,
        temperature,
        stream: true,
      });
      const chunks = [];
      for await (const chunk of stream) {
        if (chunks.length === 0) generation.update({ completionStartTime: new Date() });
        chunks.push(chunk);
      }
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      generation.update({ output: text, usageDetails: usageDetails(chunks.at(-1).usage) });
      return chunks;
    },
    { asType: 'generation' },
  );

function embedding({ model, input }) {
  return startActiveObservation(
    'embed',
    async (observation) => {
      const { usage } = await plain.embeddings.create({ model, input });
      observation.update({ model, input, usageDetails: { input: usage.prompt_tokens } });
    },
    { asType: 'embedding' },
  );
}

const retrieve = (retriever) => {
  retriever.update({
    input: scenario.QUESTION,
    output: [{ id: 'doc-1', content: 'Paris is the capital of France.', score: 0.9 }],
  });
  return scenario.embedWithOpenAi(client);
};

const callTool = (args) =>
  startActiveObservation(
    'get_weather',
    async (tool) => {
      const output = await scenario.getWeather(args);
      tool.update({ input: args, output });
      return output;
    },
    { asType: 'tool' },
  );

await propagateAttributes(
  {
    sessionId: scenario.SESSION,
    userId: scenario.USER,
    tags: ['weather'],
    metadata: { tier: 'gold' },
    version: '7',
  },
  () =>
    startActiveObservation(
      'weather-agent',
      async (agent) => {
        agent.update({ input: scenario.QUESTION, metadata: { attempt: 1 } });
        await startActiveObservation('find_documents', retrieve, { asType: 'retriever' });
        const messages = await scenario.askOpenAi(client, callTool);
        await scenario.thankOpenAi(client, messages);
        agent.update({ output: messages.at(-1).content });
        agent.setTraceIO({ input: scenario.QUESTION, output: messages.at(-1).content });
        agent.startObservation(
          'done',
          { level: 'WARNING', statusMessage: 'no forecast' },
          { asType: 'event' },
        );
      },
      { asType: 'agent' },
    ),
);
await tracing.shutdown();
