import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** An app that adds two numbers. It answers the webhook, and sends a trace with its input and output for each test. */
const { TOUCHSTONE_URL, TOUCHSTONE_API_KEY, TOUCHSTONE_APPLICATION_ID, PORT = '8080' } = process.env;

const answer = (question) => {
  const [, a, b] = /(\d+) \+ (\d+)/.exec(question) ?? [];
  return String(Number(a) + Number(b));
};

async function handle(request, response) {
  const { prompt, testId } = JSON.parse(await text(request));
  const trace = { type: 'trace', timestamp: new Date().toISOString(), testId, input: prompt };
  const sent = await fetch(`${TOUCHSTONE_URL}/v0/ingest`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': TOUCHSTONE_API_KEY,
      'x-application-id': TOUCHSTONE_APPLICATION_ID,
    },
    body: JSON.stringify({ events: [{ ...trace, output: answer(prompt) }] }),
  });
  response.writeHead(sent.status).end();
}

createServer((request, response) => void handle(request, response)).listen(Number(PORT), '127.0.0.1');
