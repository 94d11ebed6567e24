import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, expect, it } from 'vitest';
import { pureInitializers } from '../../scripts/pure-initializers.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = "import { used } from '../contract.ts';\nconsole.log(used);";

/** Bundles the start of a thread with a module, in which `make` is a call whose effects the bundler cannot know. */
async function bundle(contract: string, { start = START, isMarked = true } = {}): Promise<string> {
  const src = join(mkdtempSync(join(folder, 'case-')), 'src');
  mkdirSync(join(src, 'workers'), { recursive: true });
  writeFileSync(join(src, 'contract.ts'), contract.replaceAll('make(', 'globalThis.make('));
  writeFileSync(join(src, 'workers/start.ts'), start.replaceAll('make(', 'globalThis.make('));
  const bundler = await rolldown({
    input: join(src, 'workers/start.ts'),
    plugins: isMarked ? [pureInitializers({ entries: /[\\/]workers[\\/]/ })] : [],
    treeshake: { propertyReadSideEffects: false },
  });
  const { output } = await bundler.generate({ codeSplitting: false });
  await bundler.close();
  return output[0].code;
}

it.each([
  ['a call', "const other = make('unused');"],
  ['an exported call', "export const other = make('unused');"],
  ['a chain of calls', "export const other = make('unused').with('more').with('most');"],
  ['a call within a call', "export const other = make('outer', { of: [make('unused')] });"],
  ['a new object', "export const other = new Map([['unused', make('unused')]]);"],
  ['a call with an assertion of its type', "export const other = make('unused') as Map<string, string>;"],
  [
    'what only unused constants need',
    "const one = make('unused');\nexport const two = one.with('one', one);",
  ],
])('%s that nothing uses is dropped', async (_what, unused) => {
  const contract = `export const used = make('used');\n${unused}`;
  const marked = await bundle(contract);
  expect(marked).toContain('"used"');
  expect(marked).not.toContain('unused');
  expect(await bundle(contract, { isMarked: false })).toContain('unused');
});

it.each([
  ['a call that is a statement', "make('kept');\nexport const used = 1;"],
  ['a call in a function that is used', "export const used = () => make('kept');"],
  ['what a used constant needs', "const needed = make('kept');\nexport const used = make('used', needed);"],
])('%s is kept', async (_what, contract) => {
  expect(await bundle(contract)).toContain('kept');
});

it('a call in the start of a thread is kept, because it is the work', async () => {
  const start = "const opened = make('kept');\nexport {};";
  expect(await bundle('export const used = 1;', { start })).toContain('kept');
});
