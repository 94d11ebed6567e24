import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/contract/canonical-json.ts';
import { payload } from './json-values.ts';
import { pythonDumps } from './json-writers.ts';

const SCRIPT = `
import json, sys
for line in sys.stdin.buffer:
    print(json.dumps(json.loads(line)))
`;

it("what stands for Python's json.dumps writes as Python does", () => {
  const bodies = fc.sample(payload, 1000);
  const input = bodies.map(canonicalJson).join('\n');
  const { stdout } = spawnSync('python3', ['-c', SCRIPT], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  expect(bodies.map(pythonDumps)).toEqual(stdout.trimEnd().split('\n'));
});
