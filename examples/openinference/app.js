import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { register, withTest } from 'touchstone-otel';
import OpenAI from 'openai';

const touchstone = register({ serviceName: 'weather-writer' });
new OpenAIInstrumentation().manuallyInstrument(OpenAI);

const client = new OpenAI();

const write = (notes) =>
  client.chat.completions.create({
    model: process.env.MODEL ?? 'gpt-5-mini',
    messages: [
      { role: 'system', content: 'Make a sentence of the notes.' },
      { role: 'user', content: notes },
    ],
  });

const { choices } = await withTest(process.env.TEST_ID, () => write('Paris, 18 degrees, sunny'));
console.log(choices[0].message.content);
await touchstone.shutdown();
