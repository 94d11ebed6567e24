import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, numbersInText } from '../../src/evaluate/numbers-in-text.ts';
import { effort } from '../support/effort.ts';

const read = (text: string, decimal: Decimal = '.'): (number | null)[] =>
  [...numbersInText(text, decimal)].map(({ value }) => value);

describe('numbers in a text', () => {
  it.each<[text: string, found: (number | null)[]]>([
    ['It is 1,234.5 m high', [1234.5]],
    ['Zusammen 1.234,50 Euro', [1234.5]],
    ['1.234.567', [1_234_567]],
    ['12.345.678,9', [12_345_678.9]],
    ['₹1,23,45,678.90', [12_345_678.9]],
    ['1,23,45,678', [12_345_678]],
    ['1,234,567', [1_234_567]],
    ['$9{,}500', [9500]],
    ['$9\\,500$', [9500]],
    ['It is .5', [0.5]],
    ['-.5', [-0.5]],
    ['-$5', [-5]],
    ['$-5', [-5]],
    ['€-1.234,50', [-1234.5]],
    ['Between 3 and −7', [3, -7]],
    ['1\u202f234,5', [1234.5]],
    ['1\u00a0234\u00a0567', [1_234_567]],
    ['1\u2009234.5', [1234.5]],
    ["CHF 1'234.50", [1234.5]],
    ['合計は２０です', [20]],
    ['１，２３４．５', [1234.5]],
    ['الجواب ٤٢', [42]],
    ['١٬٢٣٤٫٥', [1234.5]],
    ['پاسخ ۴۲', [42]],
    ['उत्तर ४२', [42]],
    ['1.5e3', [1500]],
    ['2E-3', [0.002]],
    ['12 %', [12]],
    ['99.5%', [99.5]],
    ['6.02 × 10²³', [6.02e23]],
    ['$1.5 \\times 10^{-3}$', [0.0015]],
    ['3x10^8 m/s', [3e8]],
    ['10⁶', [1e6]],
    ['10²', [10]],
    ['1e5km', [1e5]],
    ['10 000', [10_000]],
    ['1 234 567,50', [1_234_567.5]],
    ['-1 234', [-1234]],
    ['2024 100', [2024, 100]],
    ['1 100 10', [1, 100, 10]],
    ['1_000_000', [1_000_000]],
    ['1&nbsp;234', [1234]],
    ['1~234', [1234]],
    ['1\u200a234', [1234]],
    ['12\u02bc345', [12_345]],
    ['1½', [1.5]],
    ['¾', [0.75]],
    ['\u20135', [-5]],
    ['3\u20135', [3, 5]],
    ['-US$5', [-5]],
    ['-R$ 1.234,56', [-1234.56]],
    ['In 2024-05', [2024, 5]],
    ['on 2024-05-01', [null]],
    ['at 12:30', [null]],
    ['2^10', [null]],
    ['0x1F', [null]],
    ['5.e2', [null]],
    ['5\u00a06', [5, 6]],
    ['1, 2, 3', [1, 2, 3]],
    ['Done in 42.', [42]],
    ['(42)', [42]],
    ['none', []],
    ['The version 1.2.3', [null]],
    ['on 12.05.2024', [null]],
    ['1,2,3', [null]],
    ['1,234,56', [null]],
    ['1.234.56', [null]],
    ['1,234.567,8', [null]],
    ['1,5 litres', [null]],
    ['5k', [5000]],
    ['1.5k stars', [1500]],
    ['$5M', [5e6]],
    ['-$2.5bn', [-2.5e9]],
    ['£5m', [5e6]],
    ['5 M€', [5e6]],
    ['5k USD', [5000]],
    ['5 million people', [5e6]],
    ['$1.2 Billion', [1.2e9]],
    ['3 Mio. Euro', [3e6]],
    ['2 Milliarden', [2e9]],
    ['2,5 Millionen', [null]],
    ['3 lakhs', [300_000]],
    ['5万', [50_000]],
    ['5千克', [5]],
    ['1億2000万', [null]],
    ['300K', [null]],
    ['0.5M', [null]],
    ['7B', [null]],
    ['300 K', [300]],
    ['5m', [5]],
    ['5km', [5]],
    ['5 mnemonics', [5]],
    ['3/4', [0.75]],
    ['-1/2', [-0.5]],
    ['It is 1/3.', [1 / 3]],
    ['1 1/2', [1.5]],
    ['3 1/2 million', [3.5e6]],
    ['\\frac{3}{4}', [0.75]],
    ['$\\dfrac{1}{2}$', [0.5]],
    ['5/0', [null]],
    ['05/2024', [null]],
    ['1.5/2', [null]],
    ['1/2/3/4', [null]],
    ['100 200 300', [null]],
    ['234 567', [null]],
    ['100 000', [100_000]],
    ['100 200 050', [100_200_050]],
    ['€100 200 300', [100_200_300]],
    ['100 200 300,50', [100_200_300.5]],
    ['100 200 300 €', [100_200_300]],
  ])('%s', (text, found) => expect(read(text)).toEqual(found));

  it.each<[text: string, found: (number | null)[]]>([
    ['1,5 Liter', [1.5]],
    ['10.000 Einwohner', [10_000]],
    ['1,234.50', [1234.5]],
    [',5', [0.5]],
    ['1.5', [null]],
    ['2,5 Millionen', [2.5e6]],
    ['234 567', [234_567]],
    ['100 200 300', [100_200_300]],
  ])('%s, where a comma begins the fraction', (text, found) => expect(read(text, ',')).toEqual(found));

  it.each([
    ['en-US', '.'],
    ['de-DE', ','],
    ['de-CH', '.'],
    ['fr-FR', ','],
    ['sv-SE', ','],
    ['en-IN', '.'],
    ['ar-EG', '.'],
    ['fa-IR', '.'],
    ['mr-IN', '.'],
  ] as const)('are what was formatted for %s', (locale, decimal) => {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), fc.nat(99), (whole, cents) => {
        const value = Number(`${whole}.${String(cents).padStart(2, '0')}`);
        // Marks of the direction of writing are no part of a number.
        const text = format.format(value).replaceAll(/[\u200e\u200f\u061c]/g, '');
        expect(read(`a ${text} b`, decimal)).toEqual([value]);
      }),
      { numRuns: effort(60) },
    );
  });

  it('are read completely or not at all: digits with points, commas, bars and letters are one token', () => {
    const part = fc.nat(99_999).map(String);
    const joined = fc
      .tuple(part, fc.array(fc.tuple(fc.constantFrom('.', ',', '/'), part), { maxLength: 4 }))
      .map(([head, rest]) => head + rest.flat().join(''));
    const scale = fc.constantFrom('', 'k', 'K', 'M', 'bn', ' million', '万');
    fc.assert(
      fc.property(joined, scale, fc.constantFrom<Decimal>('.', ','), (digits, suffix, decimal) => {
        const [token, ...others] = numbersInText(`a ${digits}${suffix} b`, decimal);
        expect(others).toEqual([]);
        expect(token?.value === null || token?.text === `${digits}${suffix}`).toBe(true);
      }),
      { numRuns: effort(300) },
    );
  });

  it('are fractions and multiples as JavaScript calculates them', () => {
    const cents = fc.tuple(fc.nat(999_999), fc.nat(99));
    fc.assert(
      fc.property(fc.nat(9_999), fc.integer({ min: 1, max: 9_999 }), cents, (above, below, [whole, part]) => {
        expect(read(`x ${above}/${below}`)).toEqual([above / below]);
        const decimal = `${whole}.${String(part).padStart(2, '0')}`;
        expect(read(`${decimal}k`)).toEqual([Number(`${decimal}e3`)]);
        expect(read(`$${decimal}M`)).toEqual([Number(`${decimal}e6`)]);
        expect(read(`${decimal} billion`)).toEqual([Number(`${decimal}e9`)]);
      }),
      { numRuns: effort(100) },
    );
  });
});
