import { setFlagsFromString } from 'node:v8';

// Patterns must be executable in linear time, which the flag `l` checks. They run in the usual, faster engine, which
// continues in the linear one after many backtracks (ADR 8).
setFlagsFromString('--enable-experimental-regexp-engine');
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

/** Compiles a pattern for global search, with the flags `s` and `m` if given; returns the reason when it is invalid. */
export function compileOwnPattern(pattern: string, flags = ''): RegExp | string {
  try {
    const compiled = new RegExp(pattern, `g${flags}`);
    if (''.match(compiled) !== null) return 'must not match an empty text';
    const isLinear = 'l';
    void new RegExp(pattern, isLinear + flags);
    return compiled;
  } catch (error) {
    const { message } = error as Error;
    return message.includes('linear time')
      ? 'must be a regular expression that runs in linear time: without look-ahead, back-references and large repetitions'
      : 'must be a regular expression';
  }
}
