import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import { ownerOf } from '../../contract/owner.ts';
import { AT, ID } from '../../contract/example-values.ts';
import { route, type Route } from '../../contract/route.ts';
import { includesScope, type Principal, type ScopeName } from '../../contract/scope.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createKey, listKeys, revokeKey } from './calls.ts';
import { createdKey, createKeyBody, type ListedKey, listedKey } from './contract.ts';
import { generateKey } from './key-text.ts';

export interface ApiKeyDeps extends StoreCalls {
  /** Called after a key was revoked. */
  onRevoked: (keyId: string) => void;
}

const exampleKey: ListedKey = {
  id: ID.key,
  keyId: '4fQz81LmKx2P',
  name: 'CI',
  applicationId: ID.application,
  createdAt: AT,
  updatedAt: AT,
};

export const apiKeyRoutes = (deps: ApiKeyDeps): Route[] => [
  createApiKeyRoute(deps),
  listApiKeysRoute(deps),
  revokeApiKeyRoute(deps),
];

const createApiKeyRoute = ({ write, now }: ApiKeyDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/api-keys',
    operationId: 'createApiKey',
    group: 'API keys',
    summary: 'Create an API key',
    scope: 'admin',
    body: createKeyBody,
    response: z.object({ data: createdKey }),
    example: {
      body: { name: 'CI', scopes: ['ingest', 'read'] },
      response: { data: { id: ID.key, key: 'sk_4fQz81LmKx2P_…', name: 'CI' } },
    },
    status: 201,
    async handler({ principal, body: { name, ...body } }) {
      const scopes = scopesFor(principal, body.scopes);
      const at = now();
      const expiresAt = body.expiresAt == null ? null : Date.parse(body.expiresAt);
      if (expiresAt !== null && expiresAt <= at) {
        throw invalid([{ code: 'custom', message: 'must be in the future', path: ['expiresAt'] }]);
      }
      const id = randomUUID();
      const { text, keyId, hash } = generateKey();
      await write(createKey, {
        application: principal.application,
        id,
        keyId,
        hash,
        name,
        scopes,
        at,
        expiresAt,
      });
      return { data: { id, key: text, name } };
    },
  });

const listApiKeysRoute = ({ read }: ApiKeyDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/api-keys',
    operationId: 'listApiKeys',
    group: 'API keys',
    summary: 'List the API keys of the application',
    scope: 'admin',
    response: z.object({ data: z.array(listedKey) }),
    example: { response: { data: [exampleKey] } },
    async handler({ principal }) {
      return { data: await read(listKeys, { owner: ownerOf(principal) }) };
    },
  });

const revokeApiKeyRoute = ({ write, now, onRevoked }: ApiKeyDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/api-keys/{id}',
    operationId: 'revokeApiKey',
    group: 'API keys',
    summary: 'Revoke an API key',
    description:
      'The key stops working at once. The last active key with the scope `admin` cannot be revoked (409).',
    scope: 'admin',
    params: z.object({ id: uuid }),
    response: null,
    errors: ['not_found', 'conflict'],
    async handler({ principal: { application }, params: { id } }) {
      const { keyId } = await write(revokeKey, { application, id, at: now() });
      onRevoked(keyId);
      return undefined;
    },
  });

/** A new key gets at most the scopes of the key that creates it, and `admin` only if requested. */
function scopesFor({ scopes: own, actor }: Principal, asked: readonly ScopeName[] | undefined): ScopeName[] {
  if (!asked) {
    const scopes = [...own].filter((name) => name !== 'admin');
    if (scopes.length > 0) return scopes;
    throw invalid([
      { code: 'custom', message: 'must be set, because this key has no scopes to pass on', path: ['scopes'] },
    ]);
  }
  const missing = asked.find((name) => !includesScope(own, name));
  if (missing)
    throw new AppError(
      'forbidden',
      `${actor.type === 'user' ? 'Your role' : 'This API key'} lacks the scope "${missing}" and cannot pass it on`,
    );
  return [...new Set(asked)];
}
