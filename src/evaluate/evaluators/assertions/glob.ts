/**
 * Reports whether a name is as the pattern has it, upper or lower case: `*` stands for any text, `?` for one
 * character.
 */
export function matchesGlob(name: string, pattern: string): boolean {
  const [text, wanted] = [name.toLowerCase(), pattern.toLowerCase()];
  let [at, next] = [0, 0];
  // Where the last star stands, and up to where it reaches so far.
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
