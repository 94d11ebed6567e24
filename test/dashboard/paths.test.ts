import { describe, expect, it } from 'vitest';
import { type Href, PATHS, type PathParam } from '../../src/dashboard/app/paths.ts';
import { sourcesOf } from '../support/sources.ts';

describe('The paths of screens', () => {
  it('are those of the screens', () => {
    const screens = [...sourcesOf('src/dashboard', /^screens?\.ts$/).values()].join('\n');
    const paths = [...screens.matchAll(/^ {2}path: '([^']*)',$/gm)].map(([, path = '']) => path);
    expect(paths.toSorted()).toEqual([...PATHS].toSorted());
  });

  it('are the only ones that a link compiles with', () => {
    const id = String(Math.random());
    const links: Href[] = ['/', '/tests', `/tests/${id}`, '/tests?status=FAILED', `/tests/${id}?tab=${id}`];
    // @ts-expect-error There is no such screen.
    links.push(`/test/${id}`);
    // @ts-expect-error There is a list of evaluators, none of evals.
    links.push('/evals');
    // @ts-expect-error No path has this parameter.
    const param: PathParam = 'spanId';
    expect([links.length, param]).toEqual([7, 'spanId']);
  });
});
