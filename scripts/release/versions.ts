import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that have the version of package.json too, and where it stands in them. */
const FILES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['exporters/client/package.json', /^( {2}"version": ")([^"]+)(",)$/m],
  ['exporters/otel/package.json', /^( {2}"version": ")([^"]+)(",)$/m],
  ['exporters/python/pyproject.toml', /^(version = ")([^"]+)(")$/m],
];

/** Returns the version of the package in a folder. */
export const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

/** Returns a line for each file whose version is not that of package.json. */
export function findOtherVersions(root: string): string[] {
  const version = versionOf(root);
  return FILES.flatMap(([file, pattern]) => {
    const found = pattern.exec(readFileSync(join(root, file), 'utf8'))?.[2];
    return found === version ? [] : [`${file} has version ${found}, package.json ${version}`];
  });
}

/** Writes the version of package.json into all other files; returns their names. */
export function writeVersions(root: string): string[] {
  const version = versionOf(root);
  return FILES.map(([file, pattern]) => {
    const path = join(root, file);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(
        pattern,
        (_line, before: string, _version: string, after: string) => before + version + after,
      ),
    );
    return file;
  });
}
