// Generates a client in TypeScript, with schemas for zod: node generate.mjs openapi.json FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

const [input, folder] = process.argv.slice(2);
await createClient({
  input,
  output: { path: join(folder, 'generated'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
  logs: { level: 'silent' },
});
const parts = ['client/index.ts', 'sdk.gen.ts', 'zod.gen.ts'];
writeFileSync(join(folder, 'all.ts'), parts.map((part) => `export * from './generated/${part}';\n`).join(''));
