import { describe, expect, it } from 'vitest';
import { modelCallAsCurl } from '../../src/dashboard/trace/model-call-as-curl.ts';
import { codeTokens } from '../../src/dashboard/ui/code-tokens.ts';

const shown = (code: string, language: string): string =>
  codeTokens(code, language)
    .filter(({ kind, text }) => kind !== 'plain' && text.trim() !== '')
    .map(({ kind, text }) => `${kind} ${text}`)
    .join(' | ');

describe('the colours of code', () => {
  it.each([
    [
      'json',
      '{"a": "x", "b": [-1.5e3, true]}',
      'name "a" | string "x" | name "b" | number -1.5e3 | word true',
    ],
    [
      'python',
      'def f(): # say\n  return """a\nb"""',
      'word def | comment # say | word return | string """a\nb"""',
    ],
    [
      'ts',
      "const a = `x`; // done\nif (1) 'y'",
      "word const | string `x` | comment // done | word if | number 1 | string 'y'",
    ],
    ['sql', "SELECT 'it''s' FROM t -- all", "word SELECT | string 'it''s' | word FROM | comment -- all"],
    [
      'sh',
      'for f in $A; do echo "$f"; done',
      'word for | word in | name $A | word do | string "$f" | word done',
    ],
    [
      'xml',
      '<a b="c"><!-- d --></a>',
      'word <a | name b | string "c" | word > | comment <!-- d --> | word </a | word >',
    ],
    ['cobol', 'MOVE 1 TO A', ''],
  ])('%s: %s', (language, code, expected) => expect(shown(code, language)).toBe(expected));

  it('never change the code, also where it ends early', () => {
    for (const language of ['json', 'python', 'ts', 'sql', 'sh', 'xml'])
      for (const code of ['"a', "'", '/* x', '<!-- x', '"""', '\\', '${', '{"a":"\\"b', ''])
        expect(
          codeTokens(code, language)
            .map(({ text }) => text)
            .join(''),
        ).toBe(code);
  });

  it('are left out of long code', () => {
    const code = '1 '.repeat(60_000);
    expect(codeTokens(code, 'json')).toEqual([{ kind: 'plain', text: code }]);
  });
});

describe('a model call as a command', () => {
  const call = (fields: Readonly<Record<string, unknown>>): Parameters<typeof modelCallAsCurl>[0] =>
    ({
      mapped: {
        fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }])),
      },
    }) as never;

  it('has the messages, tools and parameters in one JSON text that a shell takes as it is', () => {
    const text = modelCallAsCurl(
      call({
        model: 'gpt-5.4',
        parameters: { temperature: 0.2 },
        inputMessages: [
          { role: 'user', parts: [{ type: 'text', text: "Where's it?" }] },
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: { id: 1 } }] },
          { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'here' }] },
        ],
      }),
    );
    const [, quoted = ''] = /-d '([^]*)'$/.exec(text) ?? [];
    expect(JSON.parse(quoted.replaceAll(String.raw`'\''`, "'"))).toEqual({
      model: 'gpt-5.4',
      temperature: 0.2,
      messages: [
        { role: 'user', content: "Where's it?" },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'here' },
      ],
    });
  });

  it('is not made of another span', () =>
    expect(() => modelCallAsCurl(call({ input: 'x' }))).toThrow('no model call'));
});
