import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelParameters, readParameters } from '../../../src/traces/conventions/parameters.ts';
import { viewOf } from '../../../src/traces/conventions/span-view.ts';
import { attributesUnder, countingView } from '../../support/flattened.ts';
import type { Values } from '../../support/spans.ts';
import { spanView } from '../../support/views.ts';
import { effort } from '../../support/effort.ts';

const LANGFUSE = { 'langfuse.observation.model.parameters': '{"temperature":0.1}' };
const GEN_AI = { 'gen_ai.request.temperature': 0.2 };
const OPENINFERENCE = { 'llm.invocation_parameters': '{"temperature":0.3}' };
const VERCEL = { 'ai.settings.temperature': 0.4 };

describe('parameters', () => {
  it.each<[string, Values, ModelParameters['value']]>([
    [
      'of GenAI',
      {
        'gen_ai.request.model': 'gpt',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.top_p': 0.9,
        'gen_ai.request.top_k': 40,
        'gen_ai.request.max_tokens': 100,
        'gen_ai.request.seed': 1,
        'gen_ai.request.stop_sequences': ['END'],
        'gen_ai.request.frequency_penalty': 0.1,
        'gen_ai.request.presence_penalty': 0.2,
        'gen_ai.request.choice.count': 2,
        'gen_ai.request.stream': true,
        'gen_ai.request.encoding_formats': ['float'],
        'gen_ai.openai.request.service_tier': 'flex',
        'gen_ai.output.type': 'json',
      },
      {
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        maxTokens: 100,
        seed: 1,
        stop: ['END'],
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        n: 2,
        stream: true,
        encodingFormats: ['float'],
        serviceTier: 'flex',
        outputType: 'json',
      },
    ],
    ['of GenAI, the output alone', { 'gen_ai.output.type': 'text' }, { outputType: 'text' }],
    ['of GenAI, lists in JSON', { 'gen_ai.request.stop_sequences': '["a","b"]' }, { stop: ['a', 'b'] }],
    [
      'of the API of OpenAI',
      {
        'llm.invocation_parameters': JSON.stringify({
          model: 'gpt',
          messages: [],
          tools: [{ type: 'function' }],
          max_completion_tokens: 100,
          stop: 'END',
          n: 2,
          top_p: null,
          stream_options: { include_usage: true },
        }),
      },
      { maxTokens: 100, stop: 'END', n: 2, streamOptions: { include_usage: true } },
    ],
    [
      'of the API of Anthropic',
      {
        'llm.invocation_parameters': {
          model: 'claude',
          system: 'Be brief.',
          max_tokens: 100,
          stop_sequences: ['END'],
          thinking: { type: 'enabled' },
        },
      },
      { maxTokens: 100, stop: ['END'], thinking: { type: 'enabled' } },
    ],
    [
      'of the AI SDK',
      {
        'ai.settings.maxOutputTokens': 100,
        'ai.settings.stopSequences': ['END'],
        'ai.settings.maxRetries': 2,
        'ai.settings.context.userId': 'ada',
      },
      { maxTokens: 100, stop: ['END'], maxRetries: 2 },
    ],
    [
      'of Langfuse',
      { 'langfuse.observation.model.parameters': '{"max_tokens":100,"topP":0.9,"_type":"chat"}' },
      { maxTokens: 100, topP: 0.9, _type: 'chat' },
    ],
    [
      'of two names for one thing, the first',
      { 'llm.invocation_parameters': '{"max_completion_tokens":1,"max_tokens":2}' },
      { maxTokens: 1 },
    ],
    [
      'with names that objects have of their own',
      { 'llm.invocation_parameters': '{"constructor":1,"toString":2}' },
      { constructor: 1, toString: 2 },
    ],
  ])('%s', (_, sent, value) => {
    expect(readParameters(spanView(sent))?.value).toEqual(value);
  });

  it.each<[Values, ModelParameters]>([
    [
      { ...VERCEL, ...OPENINFERENCE, ...GEN_AI, ...LANGFUSE },
      { value: { temperature: 0.1 }, vocabulary: 'langfuse', from: 'langfuse.observation.model.parameters' },
    ],
    [
      { ...VERCEL, ...OPENINFERENCE, ...GEN_AI },
      { value: { temperature: 0.2 }, vocabulary: 'gen_ai', from: 'gen_ai.request.*' },
    ],
    [
      { ...VERCEL, ...OPENINFERENCE, 'gen_ai.request.model': 'gpt' },
      { value: { temperature: 0.3 }, vocabulary: 'openinference', from: 'llm.invocation_parameters' },
    ],
    [
      { ...VERCEL, 'llm.invocation_parameters': '{"model":"gpt"}' },
      { value: { temperature: 0.4 }, vocabulary: 'vercel', from: 'ai.settings.*' },
    ],
    [
      { ...VERCEL, 'langfuse.observation.model.parameters': 'cut {', 'llm.invocation_parameters': '[1]' },
      { value: { temperature: 0.4 }, vocabulary: 'vercel', from: 'ai.settings.*' },
    ],
  ])('of %j the first vocabulary that has any wins entirely', (sent, read) => {
    expect(readParameters(spanView(sent))).toEqual(read);
  });

  it('are not there if nothing names one', () => {
    const view = spanView({
      'gen_ai.request.model': 'gpt',
      'gen_ai.request.tools.0.name': 'get_weather',
      'llm.invocation_parameters': '{"model":"gpt","temperature":null}',
    });
    expect(readParameters(view)).toBeUndefined();
  });

  it('are read from whatever is sent', () => {
    const prefixes = ['gen_ai.request.', 'ai.settings.', 'llm.invocation_parameters', 'gen_ai.output.type'];
    fc.assert(
      fc.property(attributesUnder(prefixes, ['top_p', '_', '__proto__', 'model']), (attributes) => {
        expect(() => readParameters(viewOf(attributes))).not.toThrow();
      }),
      { numRuns: effort(100) },
    );
  });

  it('take work that grows as the span does', () => {
    const looksAt = (keys: number): number => {
      const all = Array.from({ length: keys }, (_, i) => [`gen_ai.request.p${i}`, i]);
      const { view, count } = countingView(Object.fromEntries(all) as Record<string, number>);
      expect(Object.keys(readParameters(view)?.value ?? {})).toHaveLength(keys);
      return count();
    };
    expect(looksAt(20_000)).toBeLessThan(4 * 20_000);
  });
});
