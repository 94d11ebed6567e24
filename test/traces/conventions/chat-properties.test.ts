import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChatMessages } from '../../../src/traces/conventions/chat-messages.ts';
import { genAiDocuments, queryResultDocuments } from '../../../src/traces/conventions/gen-ai-documents.ts';
import {
  genAiEvaluations,
  genAiEventInput,
  genAiEventOutput,
} from '../../../src/traces/conventions/gen-ai-events.ts';
import {
  genAiInputMessages,
  genAiOutputMessages,
  genAiSystemInstructions,
  genAiToolDefinitions,
} from '../../../src/traces/conventions/gen-ai-messages.ts';
import {
  langfuseInputMessages,
  langfuseOutputMessages,
} from '../../../src/traces/conventions/langfuse-messages.ts';
import {
  langsmithInputMessages,
  langsmithOutputMessages,
} from '../../../src/traces/conventions/langsmith-messages.ts';
import type { Message, MessagePart } from '../../../src/traces/conventions/message.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { spanView } from '../../support/views.ts';
import { effort } from '../../support/effort.ts';

/** Words that the readers look for. */
const KEYS =
  `role content parts type text name id tool_calls function arguments input messages choices message
  generations kwargs lc data source image_url url functionCall inlineData mimeType summary call_id result response
  output value prompt system contents candidates audio size metadata score __proto__ 0`.split(/\s+/);
const WORDS = `user assistant tool human text image tool_use tool_result tool-result reasoning function_call
  function_call_output blob file uri HumanMessage json Buffer other data:image/png;base64,aGk= data:
  https://a.test/b [{"type":"text","text":"a"}] {"a":1} [{`.split(/\s+/);

const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5),
    fc.constantFrom(...WORDS, ''),
    fc.string({ maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 5 }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value;

const EVENTS = [
  'gen_ai.client.inference.operation.details',
  'gen_ai.user.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  'gen_ai.content.prompt',
  'gen_ai.content.completion',
  'gen_ai.evaluation.result',
  'db.query.result',
];
const ATTRIBUTES = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.retrieval.documents',
  'gen_ai.prompt',
  'gen_ai.completion',
  'gen_ai.event.content',
  'gen_ai.evaluation.name',
  'gen_ai.evaluation.score.value',
  'db.query.result.id',
  'db.query.result.metadata',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'content',
  'message',
  'tool_calls',
  'role',
];
const attributes = fc.dictionary(fc.constantFrom(...ATTRIBUTES), json, { maxKeys: 8 });
const event = fc.record({ name: fc.constantFrom(...EVENTS), attributes });
const record = fc.record({ name: fc.constantFrom(...EVENTS), attributes, body: json });

const READERS = [
  genAiInputMessages,
  genAiOutputMessages,
  genAiSystemInstructions,
  genAiToolDefinitions,
  genAiEventInput,
  genAiEventOutput,
  genAiEvaluations,
  genAiDocuments,
  queryResultDocuments,
  langfuseInputMessages,
  langfuseOutputMessages,
  langsmithInputMessages,
  langsmithOutputMessages,
];

/** One part for each way in which bytes are sent. */
const mediaParts = (bytes: string): JsonValue[] => {
  const uri = `data:image/png;base64,${bytes}`;
  return [
    uri,
    { type: 'image', image: bytes },
    { type: 'image', data: bytes, mimeType: 'image/png' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } },
    { type: 'image', source_type: 'base64', data: bytes },
    { type: 'image_url', image_url: uri },
    { type: 'image_url', image_url: { url: uri } },
    { type: 'image_url', image_url: { url: bytes } },
    { type: 'input_image', image_url: uri },
    { type: 'input_audio', input_audio: { data: bytes, format: 'wav' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: uri } },
    { type: 'file', data: bytes, mediaType: 'application/pdf' },
    { type: 'input_file', file_data: bytes },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: bytes } },
    { type: 'blob', mime_type: 'image/png', content: bytes },
    { type: 'blob', mime_type: 'image/png', data: bytes },
    { inlineData: { mimeType: 'image/png', data: bytes } },
    { image: { format: 'png', source: { bytes } } },
    { type: 'image_generation_call', result: bytes },
  ];
};

describe('the readers', () => {
  it('take anything, wherever it stands, and give what JSON can hold', () => {
    fc.assert(
      fc.property(
        attributes,
        fc.array(event, { maxLength: 3 }),
        fc.array(record, { maxLength: 3 }),
        (...span) => {
          const view = spanView(...span);
          for (const read of READERS) {
            const found = read(view);
            expect(found === undefined || found.length > 0).toBe(true);
            expect(JSON.parse(JSON.stringify(found ?? null))).toEqual(found ?? null);
          }
        },
      ),
      { numRuns: effort(667) },
    );
  });

  it('give the size of bytes, and never the bytes', () => {
    const bytes = fc.uint8Array({ minLength: 90, maxLength: 300 });
    const wrap = fc.constantFrom<(part: JsonValue) => JsonValue>(
      (part) => ({ role: 'user', content: [part] }),
      (part) => ({ role: 'user', parts: [part] }),
      (part) => ({ role: 'tool', tool_call_id: 'c', content: [part] }),
      (part) => ({
        role: 'user',
        content: [{ type: 'tool_result', content: [{ type: 'text', text: 'a' }, part] }],
      }),
      (part) => ({ role: 'assistant', content: [{ type: 'unknown', within: [{ part }] }] }),
      (part) => ({ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { part } } }] }),
    );
    fc.assert(
      fc.property(bytes, wrap, (sent, inMessage) => {
        const base64 = Buffer.from(sent).toString('base64');
        for (const part of mediaParts(base64)) {
          const found = JSON.stringify(readChatMessages([inMessage(part)]));
          expect(found).toContain(`"size":${sent.length}`);
          expect(found).not.toContain(base64.slice(0, 100));
        }
      }),
    );
  });

  it('understand what they give', () => {
    const words = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', ' ', '.') });
    const id = fc.option(words, { nil: undefined });
    const value = fc.oneof(
      words,
      fc.integer(),
      fc.dictionary(fc.constantFrom('a', 'b'), fc.integer(), { minKeys: 1 }),
    );
    const part: fc.Arbitrary<MessagePart> = fc
      .oneof(
        fc.record({ type: fc.constantFrom('text', 'reasoning'), text: words }),
        fc.record({ type: fc.constant('tool_call'), id, name: words, arguments: value }),
        fc.record({ type: fc.constant('tool_result'), id, name: id, result: value }),
        fc.record({ type: fc.constantFrom('image', 'audio', 'video', 'file'), size: fc.nat() }),
        fc.record({
          type: fc.constantFrom('image', 'audio'),
          uri: fc.webUrl(),
          mimeType: fc.constant('a/b'),
        }),
        fc.record({ type: fc.constant('file'), fileId: words }),
        fc.record({ type: fc.constant('other'), value }),
      )
      .map((found) => JSON.parse(JSON.stringify(found)) as MessagePart);
    const message: fc.Arbitrary<Message> = fc
      .record({
        role: fc.constantFrom('system', 'user', 'assistant'),
        name: id,
        parts: fc.array(part, { maxLength: 4 }),
        finishReason: id,
      })
      .map((found) => JSON.parse(JSON.stringify(found)) as Message);
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
        expect(readChatMessages(messages as unknown as JsonValue)).toEqual(messages);
      }),
      { numRuns: effort(167) },
    );
  });
});
