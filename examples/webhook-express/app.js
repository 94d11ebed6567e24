import { createWebhookHandler, register, toNodeListener } from 'touchstone-otel';
import express from 'express';
import { answer } from './agent.js';

const touchstone = register({ serviceName: 'webhook-express' });

const handler = createWebhookHandler({
  secret: process.env.TOUCHSTONE_WEBHOOK_SECRET,
  touchstone,
  // An experiment may change the settings of the step `answer`; other tests leave them as they are.
  run: ({ prompt, overridesFor }) => answer(prompt, { model: 'gpt-5-mini', ...overridesFor('answer') }),
});

const app = express();
app.post('/touchstone', toNodeListener(handler)); // before express.json(): the signature is over the raw body
app.use(express.json());
app.post('/ask', (request, response, next) => {
  answer(request.body.question, { model: 'gpt-5-mini' }).then((text) => response.json({ text }), next);
});

const server = app.listen(process.env.PORT ?? 8080, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
