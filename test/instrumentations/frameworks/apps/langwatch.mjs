import { getLangWatchTracer } from 'langwatch';
import { setupObservability } from 'langwatch/observability/node';
import OpenAI from 'openai';
import { askOpenAi, getWeather, QUESTION, SESSION, USER } from '../../scenario.mjs';

const observability = setupObservability({
  langwatch: { apiKey: 'none', endpoint: process.env.OTEL_EXPORTER_OTLP_ENDPOINT },
  serviceName: 'weather-agent',
});
const tracer = getLangWatchTracer('weather');
const plain = new OpenAI();

/** LangWatch has its users report each call themselves: this is the client with such reports around it. */
const create = ({ messages, ...rest }) =>
  tracer.withActiveSpan('chat', async (span) => {
    span.setType('llm').setInput('chat_messages', messages).setRequestModel(rest.model);
    const answer = await plain.chat.completions.create({ messages, ...rest });
    span.setResponseModel(answer.model).setOutput('chat_messages', [answer.choices[0].message]);
    span.setMetrics({
      promptTokens: answer.usage.prompt_tokens,
      completionTokens: answer.usage.completion_tokens,
    });
    return answer;
  });
const tool = (args) =>
  tracer.withActiveSpan('get_weather', async (span) => {
    span.setType('tool').setInput(args);
    const result = await getWeather(args);
    span.setOutput(result);
    return result;
  });

await tracer.withActiveSpan('weather_agent', async (span) => {
  span.setType('agent').setInput(QUESTION);
  span.setAttributes({ 'langwatch.thread.id': SESSION, 'langwatch.user.id': USER });
  const messages = await askOpenAi({ chat: { completions: { create } } }, tool);
  span.setOutput(messages.at(-1).content);
});
await observability.shutdown();
process.exit(0);
