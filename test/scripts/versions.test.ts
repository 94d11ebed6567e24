import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOtherVersions, versionOf, writeVersions } from '../../scripts/release/versions.ts';
import { ROOT } from '../support/sources.ts';

const FILES = [
  'package.json',
  'exporters/client/package.json',
  'exporters/otel/package.json',
  'exporters/python/pyproject.toml',
];

describe('The version', () => {
  it('is the same in all packages', () => {
    expect(findOtherVersions(ROOT)).toEqual([]);
  });

  it('of package.json is written into all others', () => {
    const root = mkdtempSync(join(tmpdir(), 'touchstone-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      cpSync(join(ROOT, file), join(root, file));
    }
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    writeFileSync(join(root, 'package.json'), manifest.replace(versionOf(root), '7.8.9'));
    expect(findOtherVersions(root)).toHaveLength(FILES.length - 1);
    writeVersions(root);
    expect(findOtherVersions(root)).toEqual([]);
    expect(readFileSync(join(root, 'exporters/python/pyproject.toml'), 'utf8')).toContain(
      'version = "7.8.9"',
    );
  });
});
