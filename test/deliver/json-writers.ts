/** Other ways to write the same JSON value: what other languages, and other settings, make of a body they pass on. */
import type { Json } from './json-values.ts';

interface Style {
  number?: (number: number) => string;
  text?: (text: string) => string;
  keys?: (keys: string[]) => string[];
  /** Before and after every mark, key and value. */
  space?: string;
  comma?: string;
  colon?: string;
}

function write(value: Json, style: Style): string {
  const { number = String, text = JSON.stringify, keys = (names) => names } = style;
  const { space = '', comma = ',', colon = ':' } = style;
  const join = (parts: string[]): string => space + parts.join(space + comma + space) + space;
  const writeItem = (item: Json): string => {
    if (typeof item === 'number') return number(item);
    if (typeof item === 'string') return text(item);
    if (typeof item !== 'object' || item === null) return String(item);
    if (Array.isArray(item)) return `[${join(item.map(writeItem))}]`;
    const members = keys(Object.keys(item)).map(
      (key) => text(key) + space + colon + space + writeItem(item[key] as Json),
    );
    return `{${join(members)}}`;
  };
  return space + writeItem(value) + space;
}

const escaped = (character: string, digits = 'lower'): string => {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${digits === 'upper' ? hex.toUpperCase() : hex}`;
};

const withFraction = (number: number): string => {
  const text = Object.is(number, -0) ? '-0' : String(number);
  if (text.includes('e')) return text;
  return text.includes('.') ? `${text}00` : `${text}.0`;
};
const withExponent = (number: number): string => number.toExponential();
const withCapitalExponent = (number: number): string => number.toExponential().toUpperCase();
/** `1` as `100e-2`. */
const asHundredths = (number: number): string => {
  if (number === 0) return '0';
  const [mantissa = '', exponent = '0'] = number.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return `${whole}${fraction}00e${Number(exponent) - fraction.length - 2}`;
};

export const WRITERS: readonly [name: string, write: (value: Json) => string][] = [
  ['JSON.stringify with an indent', (value) => JSON.stringify(value, null, 2)],
  ['JSON.stringify with tabs', (value) => JSON.stringify(value, null, '\t')],
  ['white space everywhere', (value) => write(value, { space: ' \t\r\n' })],
  ['keys in reverse', (value) => write(value, { keys: (names) => names.sort().reverse() })],
  [
    'all that is not ASCII escaped, in capitals',
    (value) =>
      write(value, {
        text: (text) => JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => escaped(unit, 'upper')),
      }),
  ],
  [
    'every character escaped',
    (value) =>
      write(value, {
        text: (text) =>
          `"${text
            .split('')
            .map((unit) => escaped(unit))
            .join('')}"`,
      }),
  ],
  [
    'slashes escaped, as PHP does',
    (value) => write(value, { text: (text) => JSON.stringify(text).replaceAll('/', '\\/') }),
  ],
  [
    'marks of HTML escaped, as Go does',
    (value) =>
      write(value, {
        text: (text) => JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, (unit) => escaped(unit)),
      }),
  ],
  ['numbers as 1.0', (value) => write(value, { number: withFraction })],
  ['numbers as 1e3', (value) => write(value, { number: withExponent })],
  ['numbers as 1E+3', (value) => write(value, { number: withCapitalExponent })],
  ['numbers as 100e-2', (value) => write(value, { number: asHundredths })],
  ['numbers with 17 digits', (value) => write(value, { number: (number) => number.toPrecision(17) })],
];

const pythonNumber = (number: number): string => {
  const [mantissa = '', exponent = '0'] = number.toExponential().split('e-');
  if (Number(exponent) <= 4) return String(number);
  return `${mantissa}e-${exponent.padStart(2, '0')}`;
};

/** What Python's json.dumps makes of a canonical text. */
export function pythonDumps(value: Json): string {
  return write(value, {
    keys: (names) => names.sort(),
    text: (text) => JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => escaped(unit)),
    number: pythonNumber,
    comma: ', ',
    colon: ': ',
  });
}
