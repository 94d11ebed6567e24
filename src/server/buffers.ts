import { Transform } from 'node:stream';

/** Copies pieces of any size into buffers of `size` bytes; only the last one is smaller. */
export function inBuffers(size: number): Transform {
  let buffer = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (let at = 0; at < piece.length; ) {
        const taken = piece.copy(buffer, filled, at);
        at += taken;
        filled += taken;
        if (filled < size) continue;
        this.push(buffer);
        buffer = Buffer.allocUnsafeSlow(size);
        filled = 0;
      }
      done();
    },
    flush(done) {
      if (filled > 0) this.push(buffer.subarray(0, filled));
      done();
    },
  });
}
