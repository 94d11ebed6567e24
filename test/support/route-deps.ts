import type { RouteDeps } from '../../src/server/add-route.ts';
import type { UploadLimits } from '../../src/server/read-upload.ts';

/** What routes that need no key are added with. */
export const routeDeps = (uploads: UploadLimits): RouteDeps => ({
  authenticate: () => Promise.reject(new Error('no key is needed')),
  record: (_route, _call, handle) => handle(),
  clientAddress: () => '127.0.0.1',
  uploads,
});
