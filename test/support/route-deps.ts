import type { Principal } from '../../src/contract/scope.ts';
import type { EndpointDeps } from '../../src/server/add-route.ts';
import type { UploadLimits } from '../../src/server/read-upload.ts';

/** Dependencies of routes that need no key. */
export const routeDeps = (uploads: UploadLimits): EndpointDeps => ({
  authenticate: () => Promise.reject(new Error('no key is needed')),
  record: (_route, _call, handle) => handle(),
  clientAddress: () => '127.0.0.1',
  uploads,
  withhold: Object.assign(<T>(_principal: Principal, value: T) => Promise.resolve(value), {
    before: () => Promise.resolve(null),
  }),
});
