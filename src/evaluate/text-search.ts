/** Length up to which the engine's own search is fast enough for every text. */
const SHORT = 64;

/**
 * Reports whether the text contains the part, in linear time (Knuth, Morris and Pratt 1977). `String.includes` takes
 * time with the product of both lengths for adversarial texts, and cannot be interrupted.
 */
export function includesText(text: string, part: string): boolean {
  if (part.length <= SHORT) return text.includes(part);
  if (part.length > text.length) return false;
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}

/** Computes, for each prefix, the length of its longest border: a prefix of it that is also its suffix. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at += 1) {
    const unit = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === unit) length += 1;
    borders[at] = length;
  }
  return borders;
}
