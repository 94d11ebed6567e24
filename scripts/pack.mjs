// Writes every package into packages/: what the server serves, and the server itself.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packServer } from './packages.ts';
import { run } from './run.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const { code } = await run(process.execPath, ['scripts/build.mjs', '--if-changed']);
if (code !== 0) process.exit(code);
rmSync('packages', { recursive: true, force: true });
mkdirSync('packages');
cpSync('dist/packages', 'packages', { recursive: true });
console.log(await packServer('dist', 'packages'));
