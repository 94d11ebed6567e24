import {
  currentSpanId,
  currentTraceId,
  feedback,
  observe,
  register,
  score,
  updateObservation,
  withTest,
} from 'touchstone-otel';

// With `strict`, the app fails when a span is lost. It is for tries and tests: leave it out in production.
const touchstone = register({ serviceName: 'observe', strict: true });

const DOCUMENTS = ['Paris is the capital of France.', 'Lima is the capital of Peru.'];

const search = observe(
  async function search(question) {
    return DOCUMENTS.filter((text) =>
      question.split(/\W+/).some((word) => /^[A-Z]/.test(word) && text.includes(word)),
    );
  },
  { kind: 'retriever' },
);

/** Stands for a model that responds word by word. */
const generate = observe(
  async function* generate(question, documents) {
    yield* (documents[0] ?? 'I do not know.').match(/\S+\s*/g);
    updateObservation({ model: 'stand-in', inputTokens: 24, outputTokens: 6 });
  },
  { kind: 'llm' },
);

const answer = observe(
  async function answer(question) {
    let text = '';
    for await (const word of generate(question, await search(question))) text += word;
    score('grounded', DOCUMENTS.includes(text), { explanation: 'The answer is one of the documents.' });
    return { text, traceId: currentTraceId(), spanId: currentSpanId() };
  },
  {
    kind: 'agent',
    input: (question) => question,
    output: ({ text }) => text,
    session: (_question, chat) => chat.id,
    user: (_question, chat) => chat.user,
    tags: ['beta'],
    metadata: { plan: 'large' },
  },
);

const { traceId } = await withTest(process.env.TEST_ID, () =>
  answer('What is the capital of France?', { id: 'chat-1', user: 'ada' }),
);

// Later, when the user has read the answer.
if (!(await feedback(true, { traceId, comment: 'Right' }))) process.exitCode = 1;
await touchstone.shutdown();
