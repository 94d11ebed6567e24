/** Reports whether a name matches the pattern, ignoring case: `*` matches any text, `?` one character. */
export function matchesGlob(name: string, pattern: string): boolean {
  const [text, wanted] = [name.toLowerCase(), pattern.toLowerCase()];
  let [at, next] = [0, 0];
  // Position of the last star, and of the end of the text that it matches so far.
  let [star, reach] = [-1, 0];
  while (at < text.length) {
    if (wanted[next] === '*') {
      [star, reach] = [next, at];
      next += 1;
    } else if (next < wanted.length && (wanted[next] === '?' || wanted[next] === text[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      reach += 1;
      [at, next] = [reach, star + 1];
    } else return false;
  }
  return /^\**$/.test(wanted.slice(next));
}
