// Stands for the platform: hands the handler one request, and stops the process once it has answered.
import { POST } from './handler.js';

const request = new Request('http://localhost/', {
  method: 'POST',
  headers: { baggage: `service.test.id=${process.env.TEST_ID}` },
  body: 'What is the capital of France?',
});
const response = await POST(request);
console.log(response.status, await response.text());
process.exit();
