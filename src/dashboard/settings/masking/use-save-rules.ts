import { useAction } from '../../api/use-api.ts';
import { announce } from '../../ui/status-line.tsx';
import type { MaskingFields } from './masking-draft.ts';

/** Saves the masking rules of the application. */
export const useSaveRules = () =>
  useAction(
    ['/v0/masking'],
    (api, body: MaskingFields) => api.PUT('/v0/masking', { body }),
    () => announce('Masking saved'),
  );
