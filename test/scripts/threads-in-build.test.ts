import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/sources.ts';

const THREADS = join(ROOT, 'dist/workers');
const CONTRACT = join(ROOT, 'src/resources/tests/contract.ts');
/** A description in a contract that the stores import, which only the document of the API needs. */
const DESCRIPTION = 'First 300 characters of the reason for the verdict.';

describe.each(readdirSync(THREADS))('%s of the build', (file) => {
  const code = readFileSync(join(THREADS, file), 'utf8');

  it('is one file', () => {
    const names = [...code.matchAll(/^import [^'"]*["']([^'"]+)["']/gm)].map(([, name = '']) => name);
    const others = names.filter((name) => !isBuiltin(name));
    // Data of a library that a thread loads when it needs it.
    const isData = file.startsWith('static.');
    expect(names.length > 0).toBe(!isData);
    expect(others.filter((name) => name !== 'better-sqlite3')).toEqual([]);
  });

  it('lacks the schemas of the API that it does not use', () => {
    expect(readFileSync(CONTRACT, 'utf8')).toContain(DESCRIPTION);
    expect(code).not.toContain(DESCRIPTION);
  });
});
