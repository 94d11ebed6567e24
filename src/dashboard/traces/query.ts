import type { paths } from '../../api/generated/schema.ts';

export type TracesQuery = NonNullable<paths['/v0/traces']['get']['parameters']['query']>;
