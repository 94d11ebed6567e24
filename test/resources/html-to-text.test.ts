import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/resources/scrape-jobs/decode-text.ts';
import { htmlToText, NestedTooDeeply } from '../../src/resources/scrape-jobs/html-to-text.ts';

const lines = (...text: string[]): string => text.join('\n');

describe('the text of a page', () => {
  it.each<[rule: string, html: string, text: string]>([
    ['is one line for a run of words', ' Hello\n  <b>big</b>\t<i>world</i> ', 'Hello big world'],
    ['keeps words together that tags divide', 'to<b>ge</b>ther', 'together'],
    ['knows entities', '&lt;b&gt; &amp;amp; &eacute;&#x1F642;&nbsp;x &nosuch;', '<b> &amp; é🙂 x &nosuch;'],
    [
      'has a blank line between paragraphs',
      '<p>a</p><p>b<div>c</div>d',
      lines('a', '', 'b', '', 'c', '', 'd'),
    ],
    ['has headings', '<h1>A</h1>x<h3>B <em>c</em></h3>', lines('# A', '', 'x', '', '### B c')],
    ['has lists', '<ul><li>a<li><p>b</p></ul>', lines('- a', '- b')],
    ['has numbered lists', '<ol start=3><li>a</li><li>b</li></ol>x', lines('3. a', '4. b', '', 'x')],
    [
      'has lists within lists',
      '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>',
      lines('- a', '  1. b', '  2. c', '- d'),
    ],
    [
      'has tables',
      '<table><tr><th>Name<th>Price<tr><td>Tea<td> 3 €</table>',
      lines('Name | Price', 'Tea | 3 €'),
    ],
    ['has line breaks', 'a<br>b<br/>c', lines('a', 'b', 'c')],
    [
      'has code as it stands',
      'see<pre>if (x)\n  <b>y</b>();\n\nend</pre>there',
      lines('see', '', '```', 'if (x)', '  y();', '', 'end', '```', '', 'there'),
    ],
    [
      'leaves out what is for browsers, and what is on every page',
      'a<script>alert("<p>b</p>")</script><style>p{}</style><nav>b<p>c</nav><footer>d</footer><noscript>e</noscript><svg><title>f</title><text>g</text></svg><template><p>h</template>i',
      'ai',
    ],
    ['leaves out comments', 'a<!-- <p>b</p> -->c', 'ac'],
    ['is empty for an empty page', '<html><head><title>x</title></head><body> </body></html>', ''],
    ['goes on after tags that were never opened', '</div></ul></nav></pre></p>a</b></h1>', 'a'],
    ['goes on after a tag that never ends', 'a<p title="', 'a'],
  ])('%s', async (_definition, html, text) => {
    expect((await htmlToText(html)).text).toBe(text);
  });

  it('is interrupted beyond 500 000 characters', async () => {
    const { text } = await htmlToText('<p>x y</p>'.repeat(200_000));
    expect(text.length).toBeGreaterThan(490_000);
    expect(text.length).toBeLessThanOrEqual(500_000);
  });
});

describe('what a page says of itself', () => {
  it.each([
    ['<title> A  &amp; B </title><h1>C</h1>', { title: 'A & B' }],
    ['<h2>x</h2><h1>C</h1>', { title: 'x' }],
    ['<svg><title>no</title></svg><title>yes</title>', { title: 'yes' }],
    ['<p>x', { title: '', description: '' }],
    [`<title>${'🙂'.repeat(200)}</title>`, { title: '🙂'.repeat(128) }],
    ['<meta name=Description content=" What\nit is ">', { description: 'What it is' }],
    ['<meta property=og:description content=b><meta name=description content=a>', { description: 'a' }],
    ['<meta property=og:description content=b>', { description: 'b' }],
    ['<base href="/docs/"><base href="/no/">', { base: '/docs/' }],
  ])('%s', async (html, expected) => {
    expect(await htmlToText(html)).toMatchObject(expected);
  });

  it('has links, each once, also those that stand in what is left out', async () => {
    const html =
      '<nav><a href="/a">A</a></nav><a href=" b#c ">B</a><map><area href="d"></map><a>x</a><a href="/a">';
    expect((await htmlToText(html)).links).toEqual(['/a', 'b#c', 'd']);
  });

  it('has a thousand links at most, none of more than 2000 characters', async () => {
    const html = Array.from({ length: 1_500 }, (_, index) => `<a href="/${index}">x</a>`).join('');
    expect((await htmlToText(html)).links).toHaveLength(1_000);
    expect((await htmlToText(`<a href="${'x'.repeat(2_001)}">x</a>`)).links).toEqual([]);
  });
});

it('rejects tags that are nested too deeply', async () => {
  await expect(htmlToText('<div>'.repeat(513))).rejects.toThrow(NestedTooDeeply);
  expect((await htmlToText(`${'<div>'.repeat(500)}x`)).text).toBe('x');
});

it('reads any pieces of HTML, without a tag that it knows in the text', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<pre>',
      '</pre>',
      '<ul>',
      '<li>',
      '</ul>',
      '<table>',
      '<td>',
      '</table>',
      '<h2>',
    ),
    fc.constantFrom(
      '<nav>',
      '</nav>',
      '<script>',
      '</script>',
      '<title>',
      '</title>',
      '<a href="x">',
      '<br>',
      '\n',
    ),
    fc.constantFrom('word', ' ', '&lt;', '🙂', '<!--', '-->'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const { text } = await htmlToText(pieces.join(''));
      expect(text).toBe(text.trim());
      expect(text).not.toMatch(/<\/?(?:p|ul|li|table|td|h2|br|a)\b/);
    }),
  );
});

it('reads any text at all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (html) => {
      expect(typeof (await htmlToText(html)).text).toBe('string');
    }),
  );
});

describe('decoding', () => {
  const latin = Buffer.from('caf\u00e9', 'latin1');
  const meta = (charset: string): Buffer =>
    Buffer.concat([Buffer.from(`<meta charset="${charset}">`), latin]);

  it.each<[rule: string, body: Uint8Array, contentType: string, text: string]>([
    ['is by UTF-8 when nothing is said', Buffer.from('café'), 'text/html', 'café'],
    ['is by the content type', latin, 'text/html; Charset="ISO-8859-1"', 'café'],
    ['is by what the page says', meta('windows-1252'), 'text/html', '<meta charset="windows-1252">café'],
    [
      'is by the content type rather than by the page',
      Buffer.from('<meta charset=latin1>é'),
      'text/html;charset=utf-8',
      '<meta charset=latin1>é',
    ],
    ['is by the byte order mark first', Buffer.from('\ufeffé'), 'text/html; charset=latin1', 'é'],
    ['knows UTF-16', Buffer.from('\ufeffé', 'utf16le'), 'text/html', 'é'],
    [
      'does not believe a page that calls itself UTF-16',
      Buffer.from('<meta charset=utf-16>é'),
      'text/html',
      '<meta charset=utf-16>é',
    ],
    ['passes over encodings nobody knows', Buffer.from('é'), 'text/html; charset=klingon', 'é'],
    ['replaces what is none', Buffer.from([0x61, 0xff]), 'text/html', 'a\ufffd'],
  ])('%s', (_definition, body, contentType, text) => {
    expect(decodeText(body, contentType)).toBe(text);
  });
});
