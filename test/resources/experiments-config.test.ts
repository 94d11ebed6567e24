import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigNode, descendantsOf, mergedConfigs } from '../../src/resources/experiments/config.ts';
import type { VariantConfig } from '../../src/resources/experiments/variant-contract.ts';

const node = (id: string, parentId: string | null, configPatch: VariantConfig): ConfigNode => ({
  id,
  parentId,
  configPatch,
});

const BASE = node('base', null, { answer: { model: 'small', stop: ['a', 'b'] }, find: { k: 5 } });

describe('the settings of a variant', () => {
  it.each<[rule: string, patch: VariantConfig, config: VariantConfig]>([
    ['are those of its parent', {}, BASE.configPatch],
    ['gain a step', { rank: { n: 1 } }, { ...BASE.configPatch, rank: { n: 1 } }],
    [
      'gain a parameter of a step',
      { answer: { temperature: 0 } },
      { answer: { model: 'small', stop: ['a', 'b'], temperature: 0 }, find: { k: 5 } },
    ],
    [
      'have the parameters it names, whole',
      { answer: { model: 'large', stop: ['c'] } },
      { answer: { model: 'large', stop: ['c'] }, find: { k: 5 } },
    ],
    [
      'may be null',
      { find: { k: null } },
      { answer: { model: 'small', stop: ['a', 'b'] }, find: { k: null } },
    ],
    [
      'may be called like what all objects have',
      { constructor: { toString: 1 } },
      { ...BASE.configPatch, constructor: { toString: 1 } },
    ],
    ['keep a step it has nothing to say of', { find: {} }, BASE.configPatch],
  ])('%s', (_definition, patch, config) => {
    expect(mergedConfigs([node('child', 'base', patch), BASE]).get('child')).toEqual(config);
  });

  it('go through all its parents, the nearest last, in whatever order they are given', () => {
    const line = [
      BASE,
      node('one', 'base', { answer: { model: 'one', seed: 1 } }),
      node('two', 'one', { answer: { model: 'two' } }),
      node('side', 'one', { answer: { seed: 9 } }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(line, { minLength: line.length }), (nodes) => {
        const configs = mergedConfigs(nodes);
        expect(configs.get('two')?.['answer']).toEqual({ model: 'two', stop: ['a', 'b'], seed: 1 });
        expect(configs.get('side')?.['answer']).toEqual({ model: 'one', stop: ['a', 'b'], seed: 9 });
        expect(configs.get('base')).toEqual(BASE.configPatch);
      }),
    );
  });
});

it('what is built on a variant is itself and all below it', () => {
  const nodes = [
    node('two', 'one', {}),
    BASE,
    node('one', 'base', {}),
    node('side', 'base', {}),
    node('three', 'two', {}),
  ];
  const below = (id: string): string[] => descendantsOf(nodes, id).map((found) => found.id);
  expect(below('one')).toEqual(['two', 'one', 'three']);
  expect(below('three')).toEqual(['three']);
  expect(below('base')).toHaveLength(nodes.length);
});
