// Loaded before the server and in each of its threads: shifts the wall clock by the milliseconds that a file contains.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let shiftMs = 0;

function readShift() {
  try {
    shiftMs = Number(readFileSync(process.env.CHAOS_CLOCK_FILE, 'utf8')) || 0;
  } catch {
    // Without the file the clock is right.
  }
}
readShift();
setInterval(readShift, 50).unref();

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
