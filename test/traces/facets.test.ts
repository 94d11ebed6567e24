import { describe, expect, it } from 'vitest';
import { traceFacets } from '../../src/traces/facets.ts';
import type { TraceFilter } from '../../src/traces/trace-where.ts';
import { MS, type SpanSpec } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const { newTenant } = useStore();
const facetsOf = (tenant: Tenant, filter: TraceFilter = {}) =>
  traceFacets(tenant.database, { ...tenant.owner, filter });

const call = (trace: number, model: string, more: Partial<SpanSpec> = {}): SpanSpec => ({
  trace,
  id: trace,
  name: `chat ${model}`,
  start: trace * MS,
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model },
  ...more,
});

describe('traceFacets', () => {
  it('counts traces by their properties, the most frequent first', () => {
    const tenant = newTenant();
    tenant.store([
      call(1, 'm1', { resource: { 'service.name': 'bot', 'deployment.environment.name': 'production' } }),
      call(2, 'm2', { status: 2 }),
      call(3, 'm2'),
      { trace: 3, id: 30, parent: 3, name: 'again', attributes: { 'gen_ai.request.model': 'm2' } },
    ]);
    expect(facetsOf(tenant)).toEqual({
      traces: 3,
      isTruncated: false,
      facets: {
        name: [
          { value: 'chat m2', traces: 2 },
          { value: 'chat m1', traces: 1 },
        ],
        status: [
          { value: 'ok', traces: 2 },
          { value: 'error', traces: 1 },
        ],
        model: [
          { value: 'm2', traces: 2 },
          { value: 'm1', traces: 1 },
        ],
        service: [
          { value: 'app', traces: 2 },
          { value: 'bot', traces: 1 },
        ],
        environment: [{ value: 'production', traces: 1 }],
        provider: [],
        kind: [{ value: 'LLM', traces: 3 }],
        tag: [],
      },
    });
  });

  it('counts those that meet the filters, of one application', () => {
    const [tenant, other] = [newTenant(), newTenant()];
    tenant.store([call(1, 'm1'), call(2, 'm2')]);
    other.store([call(1, 'm3')]);
    const { traces, facets } = facetsOf(tenant, { model: ['m2'] });
    expect([traces, facets.model]).toEqual([1, [{ value: 'm2', traces: 1 }]]);
  });

  it('shows the 20 most frequent values', () => {
    const tenant = newTenant();
    tenant.store(Array.from({ length: 50 }, (_, i) => call(i + 1, i < 25 ? 'often' : `rare ${i}`)));
    const { model } = facetsOf(tenant).facets;
    expect(model).toHaveLength(20);
    expect(model[0]).toEqual({ value: 'often', traces: 25 });
  });

  it('of no traces are empty', () => {
    const { traces, facets } = facetsOf(newTenant());
    expect([traces, Object.values(facets).flat()]).toEqual([0, []]);
  });
});
