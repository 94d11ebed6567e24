import { randomUUID } from 'node:crypto';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { SCOPES } from '../contract/scope.ts';
import { StartupError } from '../errors.ts';
import { generateKey } from '../resources/api-keys/key-text.ts';
import { insertKey } from '../resources/api-keys/store.ts';
import { createApplicationBody, withDefaults } from '../resources/applications/contract.ts';
import { insertApplication } from '../resources/applications/store.ts';
import { withExistingStore } from './data-folder.ts';
import type { Io } from './io.ts';
import { formatTable } from './tables.ts';

/** Creates an application and its first admin key, like `POST /v0/applications`. */
export function createApplicationCommand(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, '--title', '--type'],
    switches: ['--new-organisation', '--json'],
  });
  if (words[0] !== undefined) throw new StartupError(`applications create takes no "${words[0]}".`);
  const title = createApplicationBody.shape.title.safeParse(flags.get('--title') ?? '');
  if (!title.success) throw new StartupError('--title must be given, 1 to 256 characters long.');
  const type = createApplicationBody.shape.type.safeParse(flags.get('--type') ?? 'CHATBOT');
  if (!type.success) throw new StartupError('--type must be CHATBOT or AGENT.');

  const at = Date.now();
  const id = randomUUID();
  const { text, keyId, hash } = generateKey();
  withExistingStore(readConfig(flags, io.env).config, (database) =>
    database.transaction(() => {
      // Without --new-organisation, the application belongs to the organisation of the first one.
      const first = flags.has('--new-organisation')
        ? undefined
        : database.get<{ orgId: string }>(
            'SELECT org_id AS orgId FROM application ORDER BY application LIMIT 1',
          );
      const application = insertApplication(database, {
        id,
        orgId: first?.orgId ?? randomUUID(),
        fields: withDefaults({ title: title.data, type: type.data }),
        at,
      });
      const key = { id: randomUUID(), keyId, hash, name: 'First key' };
      insertKey(database, { ...key, application, scopes: SCOPES, at, expiresAt: null });
    }),
  );
  io.out(
    flags.has('--json')
      ? `${JSON.stringify({ applicationId: id, key: text, keyId })}\n`
      : `application  ${id}\nAPI key      ${text}  (shown only now)\n`,
  );
}

export function listApplications(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: ['--json'] });
  if (words[0] !== undefined) throw new StartupError(`applications list takes no "${words[0]}".`);
  const rows = withExistingStore(readConfig(flags, io.env).config, (database) =>
    database.all<{ id: string; orgId: string; title: string; type: string }>(
      'SELECT id, org_id AS orgId, title, type FROM application ORDER BY application',
    ),
  );
  if (flags.has('--json')) {
    io.out(`${JSON.stringify({ applications: rows })}\n`);
    return;
  }
  io.out(
    formatTable(
      ['APPLICATION', 'ORGANISATION', 'TYPE', 'TITLE'],
      rows.map(({ id, orgId, type, title }) => [id, orgId, type, title]),
    ),
  );
}
