import { Laminar, observe } from '@lmnr-ai/lmnr';
import OpenAI from 'openai';
import { askOpenAi, getWeather, QUESTION, SESSION, USER } from '../../scenario.mjs';

const { hostname, port } = new URL(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
Laminar.initialize({
  projectApiKey: 'none',
  baseUrl: `http://${hostname}`,
  httpPort: Number(port),
  forceHttp: true,
  instrumentModules: { OpenAI },
});
const tool = (args) => observe({ name: 'get_weather', spanType: 'TOOL' }, getWeather, args);
await observe(
  { name: 'weather_agent', sessionId: SESSION, userId: USER },
  async () => (await askOpenAi(new OpenAI(), tool)).at(-1).content,
  QUESTION,
);
await Laminar.shutdown();
process.exit(0);
