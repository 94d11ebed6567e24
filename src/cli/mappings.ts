import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { setMappingsBody } from '../resources/own-rules/contract.ts';
import { ownVersion, setOwnRules } from '../traces/calls.ts';
import { chooseApplication } from './choose-application.ts';
import { withExistingStore } from './data-folder.ts';
import { directCalls } from './direct-calls.ts';
import type { Io } from './io.ts';
import { readJsonFile } from './read-json-file.ts';

const APPLICATION_FLAG = '--application-id';
const FLAGS = { values: [DATA_DIR_FLAG, APPLICATION_FLAG], switches: ['--json'] };
const MAX_BYTES = 1024 * 1024;

/** Prints the own mapping rules of an application, as `mappings import` reads them. */
export async function showMappings(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, FLAGS);
  if (words[0] !== undefined) throw new StartupError(`mappings takes no "${words[0].slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const stored = await withExistingStore(config, async (database) => {
    const { application } = chooseApplication(database, flags.get(APPLICATION_FLAG));
    return directCalls(database).read(ownVersion, { application, part: 'mappings' });
  });
  const rules: unknown = JSON.parse(stored?.content ?? '[]');
  io.out(`${JSON.stringify({ version: stored?.version ?? 0, rules }, null, 2)}\n`);
}

/** Replaces the own mapping rules of an application by those of a file. A running server applies them within a second. */
export async function importMappings(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, FLAGS);
  const [path] = words;
  if (path === undefined || words.length > 1) throw new StartupError('mappings import needs one file.');
  const content = readJsonFile(path, MAX_BYTES, (problem) => {
    throw new StartupError(`The file ${path} ${problem}.`);
  });
  const checked = setMappingsBody.pick({ rules: true }).safeParse(content);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new StartupError(
      `The file ${path} is invalid at ${issue?.path.join('.') ?? ''}: ${issue?.message}.`,
    );
  }
  const { config } = readConfig(flags, io.env);
  const { version } = await withExistingStore(config, async (database) => {
    const { application } = chooseApplication(database, flags.get(APPLICATION_FLAG));
    return directCalls(database).write(setOwnRules, {
      application,
      part: 'mappings',
      content: JSON.stringify(checked.data.rules),
      at: Date.now(),
    });
  });
  const rules = checked.data.rules.length;
  io.out(
    flags.has('--json')
      ? `${JSON.stringify({ version, rules })}\n`
      : `${rules} rules stored as version ${version}; \`touchstone remap\` applies them to stored traces.\n`,
  );
}
