import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../../support/process.ts';
import { temporaryFolder } from '../../support/storage.ts';

it('a wrong file of judges ends the start of the server, which leaves nothing behind', async () => {
  using folder = temporaryFolder();
  const path = folder.file('judges.json');
  const judge = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1/', model: 'qwen3:32b' };
  writeFileSync(path, JSON.stringify({ judges: { a: { ...judge, apiKeyEnv: 'NOT_SET' } } }));
  const args = ['--port', '0', '--data-dir', folder.file('data'), '--judges-file', path];
  expect(await run(args)).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: `The judges file ${path}: judges.a.apiKeyEnv names a variable that is not set.\n`,
  });
});
