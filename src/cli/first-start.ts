import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { SCOPES } from '../contract/scope.ts';
import { generateKey, keyFrom } from '../resources/api-keys/key-text.ts';
import { insertKey } from '../resources/api-keys/store.ts';
import { withDefaults } from '../resources/applications/contract.ts';
import { insertApplication } from '../resources/applications/store.ts';
import type { Database, StoreConnection } from '../storage/database.ts';
import { writeSecret } from './write-secret.ts';

type Presets = Pick<Config, 'bootstrapOrgId' | 'bootstrapApplicationId' | 'bootstrapApiKey'>;

/** Tenant that a start found in the store, or created in an empty one. */
export interface Tenancy {
  /** Id of the first application of the store. */
  applicationId: string;
  /** True if this start created the application. */
  isNew: boolean;
  warning: string | null;
}

/**
 * Creates the first organisation, application and admin key of an empty store, in one transaction. A generated key is
 * written to `keyFile` before it is stored, so that it is never lost; a preset one is not written to a file. Without a file, and
 * without a preset one, no key is made.
 */
export function ensureTenancy(database: StoreConnection, presets: Presets, keyFile: string | null): Tenancy {
  return database.transaction((): Tenancy => {
    const first = database.get<{ id: string }>('SELECT id FROM application ORDER BY application LIMIT 1');
    if (!first) return { applicationId: makeFirst(database, presets, keyFile), isNew: true, warning: null };
    const ignored = ignoredPresets(database, presets);
    return {
      applicationId: first.id,
      isNew: false,
      warning:
        ignored.length === 0
          ? null
          : `The store is not empty, so the presets that differ from it were ignored: ${ignored.join(', ')}.`,
    };
  });
}

function makeFirst(database: Database, presets: Presets, keyFile: string | null): string {
  const at = Date.now();
  const applicationId = presets.bootstrapApplicationId ?? randomUUID();
  const application = insertApplication(database, {
    id: applicationId,
    orgId: presets.bootstrapOrgId ?? randomUUID(),
    fields: withDefaults({ title: 'Default', type: 'CHATBOT' }),
    at,
  });
  const preset = presets.bootstrapApiKey === null ? null : keyFrom(presets.bootstrapApiKey);
  if (preset === null && keyFile === null) return applicationId;
  const { text, keyId, hash } = preset ?? generateKey();
  insertKey(database, {
    application,
    id: randomUUID(),
    keyId,
    hash,
    name: 'First key',
    scopes: SCOPES,
    at,
    expiresAt: null,
  });
  if (!preset && keyFile !== null) writeSecret(keyFile, `${text}\n`);
  return applicationId;
}

function ignoredPresets(database: Database, presets: Presets): string[] {
  const { bootstrapOrgId, bootstrapApplicationId, bootstrapApiKey } = presets;
  const has = (table: 'organisation' | 'application', id: string): boolean =>
    database.get(`SELECT 1 FROM ${table} WHERE id = :id`, { id }) !== undefined;
  const ignored: string[] = [];
  if (bootstrapOrgId !== null && !has('organisation', bootstrapOrgId)) ignored.push('BOOTSTRAP_ORG_ID');
  if (bootstrapApplicationId !== null && !has('application', bootstrapApplicationId)) {
    ignored.push('BOOTSTRAP_APPLICATION_ID');
  }
  if (bootstrapApiKey !== null && !hasKey(database, bootstrapApiKey)) ignored.push('BOOTSTRAP_API_KEY');
  return ignored;
}

function hasKey(database: Database, text: string): boolean {
  const key = keyFrom(text);
  const stored =
    key &&
    database.get<{ hash: Uint8Array }>('SELECT hash FROM api_key WHERE key_id = :keyId', {
      keyId: key.keyId,
    });
  return Boolean(key && stored && timingSafeEqual(key.hash, stored.hash));
}
