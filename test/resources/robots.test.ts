import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRobots } from '../../src/resources/scrape-jobs/robots.ts';
import { readSitemap } from '../../src/resources/scrape-jobs/sitemap.ts';
import { cpuMsOf } from '../support/cpu-ms.ts';

const robots = (...lines: string[]) => readRobots(lines.join('\n'), 'touchstone');
const ALL = 'User-agent: *';

describe('robots.txt', () => {
  it.each<[rules: string[], path: string, allows: boolean]>([
    [[], '/a', true],
    [[ALL, 'Disallow:'], '/a', true],
    [[ALL, 'Disallow: /'], '/a', false],
    [[ALL, 'Disallow: /a'], '/abc', false],
    [[ALL, 'Disallow: /a'], '/b/a', true],
    [[ALL, 'Disallow: /a', 'Allow: /a/b'], '/a/b/c', true],
    [[ALL, 'Allow: /a', 'Disallow: /a/b'], '/a/b/c', false],
    [[ALL, 'Allow: /a', 'Disallow: /a'], '/a', true],
    [[ALL, 'Disallow: /*.php'], '/x/index.php?y', false],
    [[ALL, 'Disallow: /*.php$'], '/x/index.php?y', true],
    [[ALL, 'Disallow: /*.php$'], '/x.php/index.php', false],
    [[ALL, 'Disallow: /a$'], '/a', false],
    [[ALL, 'Disallow: /a$'], '/ab', true],
    [[ALL, 'Disallow: /a*b*c'], '/a1b2c3', false],
    [[ALL, 'Disallow: /a*b*c'], '/a1c2b3', true],
    [[ALL, 'Disallow: *'], '/a', false],
    [[ALL, 'Disallow: /*?q='], '/find?q=1', false],
    [[ALL, 'Disallow: /ä'], '/%C3%A4', false],
    [[ALL, 'Disallow: /%c3%a4'], '/%C3%A4', false],
    [['user-AGENT :  *  # all', '  DISALLOW : /a # not this'], '/a', false],
    [[ALL, 'Disallow: /', '', 'User-agent: Touchstone', 'Disallow: /a'], '/b', true],
    [[ALL, 'Disallow: /', '', 'User-agent: Touchstone', 'Disallow: /a'], '/a', false],
    [['User-agent: touchstone/1.0', 'Disallow: /'], '/a', false],
    [['User-agent: Touchstone'], '/a', true],
    [['User-agent: other', 'Disallow: /'], '/a', true],
    [['User-agent: other', 'User-agent: touchstone', 'Crawl-delay: 5', 'Disallow: /a'], '/a', false],
    [['User-agent: touchstone', 'Disallow: /a', 'User-agent: other', 'Disallow: /b'], '/b', true],
    [
      ['User-agent: touchstone', 'Disallow: /a', 'User-agent: *', 'User-agent: touchstone', 'Disallow: /b'],
      '/b',
      false,
    ],
    [['Disallow: /'], '/a', true],
    [['<html>', 'no rules: here'], '/a', true],
  ])('%j on %s: %s', (rules, path, allows) => {
    expect(robots(...rules).allows(path)).toBe(allows);
  });

  it('may end its lines in any way', () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(readRobots([ALL, 'Disallow: /a'].join(end), 'touchstone').allows('/a')).toBe(false);
  });

  it('names sitemaps, for whomever the rules around them are', () => {
    const { sitemaps } = robots(
      'Sitemap: https://a/1.xml',
      'User-agent: x',
      'sitemap:/2.xml # here',
      'Disallow: /',
    );
    expect(sitemaps).toEqual(['https://a/1.xml', '/2.xml']);
  });

  it('follows the first 500 rules with wildcards, and those of at most 256 characters', () => {
    const many = Array.from({ length: 501 }, (_, index) => `Disallow: /*${String(index).padStart(3, '0')}`);
    const { allows } = robots(ALL, ...many, `Disallow: /*${'x'.repeat(256)}`, 'Disallow: /plain');
    expect([allows('/a499'), allows('/a500'), allows(`/${'x'.repeat(300)}`), allows('/plain')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('finds the same as a search for the pattern', () => {
    const part = fc.constantFrom('a', 'b', '*', '/');
    fc.assert(
      fc.property(
        fc.array(part),
        fc.array(fc.constantFrom('a', 'b', '/')),
        fc.boolean(),
        (parts, path, isEnd) => {
          const pattern = `/${parts.join('')}${isEnd ? '$' : ''}`;
          const search = new RegExp(`^/${parts.join('').replaceAll('*', '.*')}${isEnd ? '$' : ''}`);
          expect(robots(ALL, `Disallow: ${pattern}`).allows(`/${path.join('')}`)).toBe(
            !search.test(`/${path.join('')}`),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is read whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, path) => {
        expect(typeof readRobots(`${ALL}\nDisallow: ${text}`, 'touchstone').allows(path)).toBe('boolean');
      }),
    );
  });
});

describe('a robots.txt that is very long', () => {
  it('takes at most its length', () => {
    const names = 'User-agent:x\n'.repeat(39_000);
    const cpuMs = cpuMsOf(() => {
      expect(readRobots(`${names}Disallow: /`, 'touchstone').allows('/')).toBe(true);
    });
    expect(cpuMs).toBeLessThan(3_000);
  });

  it('is read as far as 512 KiB, complete lines only', () => {
    const begin = 'User-agent: *\nDisallow: /a\n';
    const last = 'Disallow: /b';
    const filler = `${'#'.repeat(512 * 1024 - begin.length - last.length - 1)}\n`;
    const read = (text: string) => readRobots(begin + text, 'touchstone');
    const whole = read(`${filler}${last}`);
    expect([whole.allows('/a'), whole.allows('/b')]).toEqual([false, false]);
    const longer = read(`${filler}${last}cd\nDisallow: /e\n`);
    expect(['/a', '/b', '/bcd', '/e'].map((path) => longer.allows(path))).toEqual([false, true, true, true]);
  });
});

describe('a sitemap', () => {
  it.each<[xml: string, expected: { isIndex: boolean; locations: string[] }]>([
    [
      '<?xml version="1.0"?><urlset><url><loc> https://a/?b=1&amp;c=2\n</loc><lastmod>x</lastmod></url><url><loc><![CDATA[https://a/d]]></loc></url></urlset>',
      { isIndex: false, locations: ['https://a/?b=1&c=2', 'https://a/d'] },
    ],
    [
      '<sitemapindex><sitemap><loc>https://a/1.xml</loc></sitemap></sitemapindex>',
      { isIndex: true, locations: ['https://a/1.xml'] },
    ],
    [
      '<urlset><url><loc>https://a/1</loc><url><loc>https://a/2',
      { isIndex: false, locations: ['https://a/1'] },
    ],
    ['not XML & at all <', { isIndex: false, locations: [] }],
    ['', { isIndex: false, locations: [] }],
  ])('%s', async (xml, expected) => {
    expect(await readSitemap(xml)).toEqual(expected);
  });

  it('gives 10 000 locations at most, and nothing more once it nests too deeply', async () => {
    const many = await readSitemap(`<urlset>${'<url><loc>https://a/</loc></url>'.repeat(10_001)}`);
    expect(many.locations).toHaveLength(10_000);
    const deep = await readSitemap(`${'<a>'.repeat(100_000)}<loc>https://a/</loc>`);
    expect(deep.locations).toEqual([]);
  });
});
