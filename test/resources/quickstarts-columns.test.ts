import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { CONVERSATIONS, DOCUMENTS } from '../../src/resources/quickstarts/import-columns.ts';
import { conversationReader, documentReader } from '../../src/resources/quickstarts/import-formats.ts';

const written = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replaceAll('_', ' '),
  name.replaceAll('_', '-'),
];

it.each(Object.entries(CONVERSATIONS).filter(([field]) => !['role', 'content', 'input'].includes(field)))(
  'takes %s of a conversation from a column named any of %j',
  (field, names) => {
    for (const name of names.flatMap(written)) {
      const row = conversationReader(['input', name]).read({ input: 'Hi', [name]: ' value ' });
      const output = row.turns.find(({ role }) => role === 'assistant')?.content;
      expect(field === 'output' ? output : row[field as 'topic'], name).toBe('value');
    }
  },
);

it.each(Object.entries(DOCUMENTS))('takes %s of a document from a column named any of %j', (field, names) => {
  const others = { title: 'a', content: 'b' };
  for (const name of names.flatMap(written)) {
    const columns = Object.keys(others).filter((column) => column !== field);
    const row = documentReader([...columns, name]).read({ ...others, [name]: ' value ' });
    expect(row[field as keyof typeof DOCUMENTS], name).toBe('value');
  }
});

it('takes the first of several names for one thing', () => {
  const { read, unusedColumns } = conversationReader(['prompt', 'expected', 'input', 'answer']);
  expect(unusedColumns).toEqual(['prompt', 'expected']);
  const row = read({
    prompt: 'second',
    expected: 'second',
    input: 'first',
    answer: 'first',
  });
  expect(row.turns.map(({ content }) => content)).toEqual(['first', 'first']);
});

it('rejects a header or a row with a sentence, or makes something of it, whatever they are', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom(...Object.values({ ...CONVERSATIONS, ...DOCUMENTS }).flat()),
  );
  const table = fc.dictionary(name, fc.oneof(fc.string(), fc.constantFrom('user', 'assistant', '')));
  fc.assert(
    fc.property(table, table, (header, row) => {
      for (const reader of [conversationReader, documentReader]) {
        try {
          const values = Object.values(reader(Object.keys(header)).read({ ...header, ...row }));
          for (const value of values) expect(['string', 'object']).toContain(typeof value);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).message).toMatch(/^(The header needs|has no|has an unknown role)/);
        }
      }
    }),
  );
});
