/**
 * Writes a Python package as a wheel: a zip file with metadata, which a machine without Python can build.
 * https://packaging.python.org/specifications/binary-distribution-format/
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { parse } from 'smol-toml';

/** The parts of pyproject.toml that are used here; `pip install .` builds the same package by it. */
interface PyProject {
  project: {
    name: string;
    version: string;
    description: string;
    readme: string;
    license: string;
    'license-files': string[];
    keywords: string[];
    'requires-python': string;
    dependencies: string[];
    classifiers: string[];
    scripts?: Record<string, string>;
    'entry-points'?: Record<string, Record<string, string>>;
  };
  tool: { hatch: { build: { targets: { wheel: { packages: string[] } } } } };
}

type Files = Record<string, Uint8Array>;

// A zip file can hold no earlier time. With a fixed one, the same sources give the same bytes.
const TIME = new Date(1980, 0, 1);

/** Builds the wheel of the package in `folder` into the folder `to`, and returns its file name. */
export function writeWheel(folder: string, to: string): string {
  const { project, tool } = parse(
    readFileSync(join(folder, 'pyproject.toml'), 'utf8'),
  ) as unknown as PyProject;
  const base = `${project.name.replaceAll(/[-_.]+/g, '_')}-${project.version}`;
  const info = `${base}.dist-info`;
  const files: Files = {};
  for (const root of tool.hatch.build.targets.wheel.packages) addFolder(files, join(folder, root), root);
  for (const name of project['license-files']) {
    files[`${info}/licenses/${name}`] = readFileSync(join(folder, name));
  }
  files[`${info}/METADATA`] = Buffer.from(
    metadataOf(project, readFileSync(join(folder, project.readme), 'utf8')),
  );
  files[`${info}/WHEEL`] = Buffer.from(
    'Wheel-Version: 1.0\nGenerator: touchstone\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  );
  const scripts = project.scripts ? { console_scripts: project.scripts } : {};
  const entryPoints = entryPointsOf({ ...scripts, ...project['entry-points'] });
  if (entryPoints !== '') files[`${info}/entry_points.txt`] = Buffer.from(entryPoints);
  files[`${info}/RECORD`] = Buffer.from(recordOf(files, `${info}/RECORD`));

  const name = `${base}-py3-none-any.whl`;
  writeFileSync(join(to, name), zipSync(files, { mtime: TIME }));
  return name;
}

function addFolder(files: Files, folder: string, root: string): void {
  const name = root.slice(root.lastIndexOf('/') + 1);
  const paths = readdirSync(folder, { encoding: 'utf8', recursive: true }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  for (const path of paths.sort()) {
    const isSource = statSync(join(folder, path)).isFile() && !/(?:^|\/)__pycache__\//.test(path);
    if (isSource) files[`${name}/${path}`] = readFileSync(join(folder, path));
  }
}

function metadataOf(project: PyProject['project'], readme: string): string {
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['Keywords', project.keywords.join(',')],
    ['License-Expression', project.license],
    ...project['license-files'].map((file) => ['License-File', file]),
    ...project.classifiers.map((classifier) => ['Classifier', classifier]),
    ['Requires-Python', project['requires-python']],
    ...project.dependencies.map((dependency) => ['Requires-Dist', dependency]),
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`;
}

const entryPointsOf = (groups: Readonly<Record<string, Record<string, string>>>): string =>
  Object.entries(groups)
    .map(([group, entries]) => {
      const lines = Object.entries(entries).map(([name, target]) => `${name} = ${target}\n`);
      return `[${group}]\n${lines.join('')}`;
    })
    .join('\n');

function recordOf(files: Files, record: string): string {
  const lines = Object.entries(files).map(([path, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    return `${path},sha256=${hash},${bytes.length}`;
  });
  return [...lines, `${record},,`, ''].join('\n');
}
