import { describe, expect, it } from 'vitest';
import { mediaHeaders } from '../../src/resources/traces/media-headers.ts';
import { readSpan, readSpanMedia } from '../../src/traces/read-span.ts';
import { MS, spanHex, traceBytes, type Values } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const { newTenant } = useStore();

interface Detail extends Record<string, unknown> {
  mapped: {
    fields: Record<string, { value: unknown; vocabulary: string; from: string }>;
    unmapped: string[];
  };
}

const wanted = ({ application }: Tenant, id: number, trace = 1) => ({
  application,
  traceIds: [traceBytes(trace)],
  spanId: spanHex(id),
});
function read(tenant: Tenant, id: number, trace = 1): Detail | null {
  const bytes = readSpan(tenant.database, wanted(tenant, id, trace));
  return bytes && (JSON.parse(Buffer.from(bytes).toString()) as { data: Detail }).data;
}

describe('readSpan', () => {
  it('returns what the list of spans returns of it', () => {
    const tenant = newTenant();
    tenant.store([
      { id: 1, name: 'root' },
      {
        id: 2,
        parent: 1,
        name: 'chat',
        status: 2,
        message: 'too long',
        attributes: { 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 3, own: 'value' },
      },
    ]);
    const [listed] = tenant.spans(1, { payload: true, spanIds: [spanHex(2)] })?.data ?? [];
    const shared = Object.entries(listed ?? {}).filter(([name]) => name !== 'depth' && name !== 'childCount');
    expect(shared.length).toBeGreaterThan(10);
    expect(read(tenant, 2)).toMatchObject(Object.fromEntries(shared));
    expect(read(tenant, 2)).toMatchObject({
      parentId: spanHex(1),
      status: { code: 'ERROR', message: 'too long' },
      endTime: '2026-01-01T00:00:00.001Z',
      model: 'm',
      usage: { promptTokens: 3 },
      cost: null,
      mapped: { unmapped: ['own'], fields: { model: { value: 'm', from: 'gen_ai.request.model' } } },
    });
  });

  it('returns the version that replaced the others', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1, name: 'first' }]);
    tenant.store([{ id: 1, name: 'second', start: MS }]);
    expect(read(tenant, 1)).toMatchObject({ name: 'second' });
    tenant.rewrite(1);
    expect(read(tenant, 1)).toMatchObject({ name: 'second' });
  });

  it('finds each span of a large trace', () => {
    const tenant = newTenant();
    const ids = Array.from({ length: 3_000 }, (_, i) => i + 1);
    tenant.store(ids.map((id) => ({ id, name: `span ${id}`, start: id * 1_000 })));
    for (const id of [1, 2, 1_024, 1_025, 2_999, 3_000])
      expect(read(tenant, id)).toMatchObject({ id: spanHex(id), name: `span ${id}` });
  });

  it.each([
    ['of another trace', 1, 2],
    ['that is named as a parent only', 9, 1],
    ['that nobody sent', 77, 1],
  ])('finds no span %s', (_which, id, trace) => {
    const tenant = newTenant();
    tenant.store([{ id: 1, parent: 9 }]);
    tenant.store([{ id: 5, trace: 2 }]);
    expect(read(tenant, id, trace)).toBeNull();
  });

  it('finds no span of another application', () => {
    newTenant().store([{ id: 1 }]);
    expect(read(newTenant(), 1)).toBeNull();
  });
});

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const WAV = Buffer.from('RIFF0000WAVEfmt and more than a hundred characters of sound '.repeat(3));
const pngUri = `data:image/png;base64,${PNG.toString('base64')}`;
const messages = (...content: unknown[]): string => JSON.stringify([{ role: 'user', content }]);

describe('readSpanMedia', () => {
  it.each<[how: string, attributes: Values, media: [mimeType: string | null, bytes: Buffer][]]>([
    [
      'as data URIs in messages of OpenAI',
      {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.contents.0.message_content.type': 'text',
        'llm.input_messages.0.message.contents.0.message_content.text': 'Look',
        'llm.input_messages.0.message.contents.1.message_content.type': 'image',
        'llm.input_messages.0.message.contents.1.message_content.image.image.url': pngUri,
      },
      [['image/png', PNG]],
    ],
    [
      'as blobs of the GenAI conventions',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': JSON.stringify([
          {
            role: 'user',
            parts: [
              { type: 'blob', mime_type: 'audio/wav', modality: 'audio', content: WAV.toString('base64') },
              { type: 'uri', modality: 'image', uri: 'https://example.com/a.png' },
              { type: 'blob', mime_type: 'image/png', modality: 'image', content: pngUri },
            ],
          },
        ]),
      },
      [
        ['audio/wav', WAV],
        ['image/png', PNG],
      ],
    ],
    [
      'as parts of the Vercel AI SDK, in base64 and as a list of bytes',
      {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.prompt.messages': messages(
          { type: 'file', mediaType: 'audio/wav', data: WAV.toString('base64') },
          { type: 'image', image: [...PNG] },
        ),
      },
      [
        ['audio/wav', WAV],
        [null, PNG],
      ],
    ],
    [
      'with percent signs',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': messages({
          type: 'image_url',
          image_url: { url: 'data:image/svg+xml,%3Csvg%2F%3E' },
        }),
      },
      [['image/svg+xml', Buffer.from('<svg/>')]],
    ],
  ])('decodes what was sent %s', (_how, attributes, media) => {
    const tenant = newTenant();
    tenant.store([{ id: 1, attributes }]);
    const found = media.map((_one, index) => {
      const one = readSpanMedia(tenant.database, { ...wanted(tenant, 1), index });
      return one && [one.mimeType, Buffer.from(one.bytes)];
    });
    expect(found).toEqual(media);
    expect(readSpanMedia(tenant.database, { ...wanted(tenant, 1), index: media.length })).toBeNull();
    const parts = (read(tenant, 1)?.mapped.fields['inputMessages']?.value ?? []) as {
      parts: { mediaIndex?: number; size?: number }[];
    }[];
    const numbered = parts
      .flatMap((message) => message.parts)
      .filter(({ mediaIndex }) => mediaIndex !== undefined);
    expect(numbered.map(({ mediaIndex, size }) => [mediaIndex, size])).toEqual(
      media.map(([, bytes], index) => [index, bytes.length]),
    );
  });
});

describe('mediaHeaders', () => {
  it.each<[mimeType: string | null, bytes: Buffer, type: string, disposition: string]>([
    ['image/png', PNG, 'image/png', 'inline'],
    ['IMAGE/JPG; q=1', PNG, 'image/jpeg', 'inline'],
    [null, PNG, 'image/png', 'inline'],
    [null, WAV, 'audio/wav', 'inline'],
    [null, Buffer.from('<html>'), 'application/octet-stream', 'attachment; filename="media-3.bin"'],
    ['text/html', PNG, 'application/octet-stream', 'attachment; filename="media-3.bin"'],
    ['image/svg+xml', PNG, 'application/octet-stream', 'attachment; filename="media-3.bin"'],
    ['application/pdf', PNG, 'application/octet-stream', 'attachment; filename="media-3.bin"'],
    ['image/png\r\nx: y', PNG, 'application/octet-stream', 'attachment; filename="media-3.bin"'],
  ])('of %s let a browser run nothing', (mimeType, bytes, type, disposition) => {
    expect(mediaHeaders({ mimeType, bytes }, 3)).toEqual({
      'content-type': type,
      'content-disposition': disposition,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
  });
});
