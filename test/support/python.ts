/** Python for tests: a virtual environment with pinned packages, which later runs use again, and our own package. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demand } from '../../scripts/suite/needs.ts';
import { writeWheel } from '../../scripts/wheel.ts';
import { takeTurn } from './workspace.ts';

const run = promisify(execFile);
/** The sources of our Python package. */
export const PYTHON_PACKAGE = join(import.meta.dirname, '../../exporters/python');
const CACHE = join(import.meta.dirname, '../../node_modules/.cache');
const MAX_INSTALL_MS = 240_000;
const UV = 'uv==0.13.9';

/** Returns a Python that has the packages of our tests. */
export const testPython = (): Promise<string> => pythonWith(join(PYTHON_PACKAGE, 'tests/requirements.txt'));

/** Builds our package as a wheel in a folder and installs it beside the wheel; returns both paths. */
export async function installPackage(
  python: string,
  to: string,
): Promise<{ wheel: string; installed: string }> {
  const [wheel, installed] = [join(to, writeWheel(PYTHON_PACKAGE, to)), join(to, 'installed')];
  await run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--no-compile',
    '--target',
    installed,
    wheel,
  ]);
  return { wheel, installed };
}

/** Versions of Python that the package supports. */
export const PYTHON_VERSIONS = ['3.10', '3.11', '3.12', '3.13', '3.14'] as const;

/** Returns the programs of the Pythons of this machine, on the PATH or of pyenv, by version. */
export function findPythons(): Map<string, string> {
  const found = new Map<string, string>();
  const ofPyenv = join(process.env['HOME'] ?? '', '.pyenv/versions');
  const folders = existsSync(ofPyenv) ? readdirSync(ofPyenv) : [];
  for (const version of PYTHON_VERSIONS) {
    const names = folders
      .filter((name) => name.startsWith(`${version}.`))
      .map((name) => join(ofPyenv, name, 'bin/python3'));
    for (const program of [...names, `python${version}`]) {
      const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
      if (stdout?.startsWith(`Python ${version}.`)) found.set(version, program);
    }
  }
  return found;
}

/** Returns the Python of a virtual environment that has exactly the packages of a requirements file. */
export async function pythonWith(requirements: string, base = 'python3'): Promise<string> {
  demand('python3-venv');
  const { stdout: version } = await run(base, ['--version']);
  const packages = readFileSync(requirements, 'utf8');
  const hash = createHash('sha256').update(`${version}${packages}`).digest('hex').slice(0, 16);
  const folder = join(CACHE, `python-${hash}`);
  const python = join(folder, 'bin/python');
  const stamp = join(folder, '.stamp');
  if (existsSync(stamp)) return python;
  mkdirSync(CACHE, { recursive: true });
  const release = await takeTurn(join(CACHE, `.installing-${hash}`));
  try {
    if (existsSync(stamp)) return python;
    rmSync(folder, { recursive: true, force: true });
    await run(base, ['-m', 'venv', folder]);
    // Neither compiles files: most are never imported. uv installs the rest in a tenth of the time that pip takes.
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-compile',
      '--disable-pip-version-check',
      '--retries',
      '2',
    ];
    await run(python, [...pip, UV], { timeout: MAX_INSTALL_MS });
    const uv = ['pip', 'install', '--quiet', '--no-cache', '--python', python, '-r', requirements];
    await run(join(folder, 'bin/uv'), uv, { timeout: MAX_INSTALL_MS });
    writeFileSync(stamp, version);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(
      `The Python packages of ${requirements} could not be installed from PyPI. Check the network and run again.\n${stderr}`,
      { cause: error },
    );
  } finally {
    release();
  }
  return python;
}
