/** Thin space that no line breaks at: the separator of thousands. */
const THIN = '\u202f';

/** Formats a whole number with separated thousands, such as `8 984`; from a million on in short, such as `1.62 M`. */
export function formatCount(value: number): string {
  if (Math.abs(value) >= 1e9) return `${(value / 1e9).toFixed(2)} G`;
  if (Math.abs(value) >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  return formatWhole(value);
}

/** Formats a whole number with separated thousands, however large it is. */
export const formatWhole = (value: number): string =>
  String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, THIN);

/** Formats US dollars with as many decimals as small amounts need. */
export function formatMoney(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.0001) return '<$0.0001';
  const decimals = Math.abs(value) >= 100 ? 2 : 4;
  const [whole = '', fraction = ''] = value.toFixed(decimals).split('.');
  return `$${whole.replaceAll(/\B(?=(\d{3})+$)/g, THIN)}.${fraction}`;
}

/** Formats a sum of US dollars for headlines: two decimals from a cent on. */
export const formatSum = (value: number): string =>
  value === 0 || Math.abs(value) >= 0.01
    ? `$${value.toFixed(2).replaceAll(/\B(?=(\d{3})+\.)/g, THIN)}`
    : formatMoney(value);

/** Formats a share from 0 to 1 as percent. */
export const formatPercent = (share: number, decimals = 0): string =>
  `${(share * 100).toFixed(decimals)}${THIN}%`;

/** Formats a number of bytes, such as `1.2 MB`. */
export function formatBytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${step === 0 ? String(value) : (value / 1000 ** step).toFixed(1)} ${units[step]}`;
}
