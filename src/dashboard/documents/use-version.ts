import type { UseQueryResult } from '@tanstack/react-query';
import type { DocumentVersion } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Returns one version of a document with its content. */
export const useVersion = (
  id: string,
  number: number | undefined,
): UseQueryResult<{ data: DocumentVersion }> =>
  useApi(
    '/v0/documents/{id}/versions/{n}',
    { path: { id, n: number ?? 0 } },
    { enabled: number !== undefined },
  );
