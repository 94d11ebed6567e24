import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { runCommandLine as runHere } from '../../src/cli/run.ts';
import { run as runAsProgram, startServer } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { SITUATIONS, type Situation, stateOfFolder } from '../support/store-situations.ts';
import { EXPECTED, type Said } from './store-situations.expected.ts';
import { situationsPage } from '../support/store-situations-page.ts';

const COMMANDS = ['doctor', 'verify', 'verify --deep', 'migrate status'] as const;
const OTHER_USER = 65_534;
/** Lines about the machine, which are alike for all stores. */
const OF_MACHINE =
  /^(?:✓ ok {6}(?:Settings|Open files|Permissions|Place|Write-ahead log)|. \w+ +(?:Disk|Place|Open files):)/;

async function say(
  command: string,
  data: string,
  { asOther, env = {} }: Situation,
): Promise<{ code: number; text: string }> {
  const args = [...command.split(' '), '--data-dir', data];
  if (asOther || Object.keys(env).length > 0) {
    const ended = await runAsProgram(args, { env, ...(asOther && { user: OTHER_USER }) });
    return { code: ended.code ?? -1, text: ended.stdout + ended.stderr };
  }
  let text = '';
  const write = (more: string): boolean => Boolean((text += more));
  const code = await runHere(args, { env, out: write, err: write, isTerminal: false, program: 'touchstone' });
  return { code, text };
}

/** Shortens what differs between runs, and omits the lines about the machine with their advice. */
function plain(text: string, data: string): string {
  const lines = text
    .replaceAll(data, 'data')
    .replaceAll(/\b(schema|has|knows) (\d+)/g, (all, word: string, version: string) => {
      const newer = Number(version) - SCHEMA_VERSION;
      return newer === 0 ? `${word} N` : newer === 1 ? `${word} N+1` : all;
    })
    .replaceAll(/\b\d{5,}(?= bytes| of)|(?<= of )\d{5,}/g, '…')
    .replaceAll(/\d+(?= MiB| frames)/g, '…')
    .trimEnd()
    .split('\n');
  return lines
    .filter((line, index) => {
      const of = line.startsWith('   ') ? lines[index - 1] : line;
      return !OF_MACHINE.test(of ?? '');
    })
    .join('\n');
}

describe('doctor, verify and migrate status change nothing, and say what is so', () => {
  let folder: Folder;
  beforeAll(() => {
    folder = temporaryFolder();
    spawnSync('chmod', ['755', folder.path]);
  });
  afterAll(() => folder[Symbol.dispose]());

  it.each(SITUATIONS.map((situation, index) => [situation.what, situation, index] as const))(
    '%s',
    async (what, situation, index) => {
      const data = folder.file(`data-${index}`);
      situation.make(data);
      await using server = situation.beside ? await startServer(data) : null;
      expect(server !== null).toBe(situation.beside === true);
      // A running server writes to its store on its own.
      const isStill = situation.beside ? (name: string): boolean => name === 'secret.key' : undefined;
      const before = stateOfFolder(data, isStill);
      const said: Record<string, Said> = {};
      for (const command of COMMANDS) {
        const { code, text } = await say(command, data, situation);
        said[command] = [code, plain(text, data)];
        expect(stateOfFolder(data, isStill), command).toEqual(before);
      }
      // Without a text of its own, verify --deep says what verify says.
      expect(said).toEqual({ 'verify --deep': EXPECTED[what]?.['verify'], ...EXPECTED[what] });
    },
  );

  it('docs/store-states.md shows them', async () => {
    await expect(situationsPage(EXPECTED)).toMatchFileSnapshot('../../docs/store-states.md');
  });
});
