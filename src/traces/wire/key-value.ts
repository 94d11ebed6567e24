import { skipUnknown, WIRE_BYTES, type WireReader } from './reader.ts';

/** Checks the AnyValue that ends at `end`, and leaves the reader there; returns false when it nests too deeply. */
type CheckValue = (reader: WireReader, end: number, depth: number) => boolean;

/** Byte ranges of the key and of the value of a KeyValue. One object serves for many. */
export class KeyValue {
  keyStart = 0;
  keyEnd = 0;
  /** Start of the value; equal to the end when there is no value. */
  valueStart = 0;
  valueEnd = 0;

  /**
   * Reads the KeyValue that ends at `end`, and leaves the reader there. The last of a repeated field takes effect.
   */
  read(reader: WireReader, end: number): void {
    this.readChecked(reader, end, 0, skipValue);
  }

  /** Reads like `read`, and checks every value; false when one of them nests too deeply. */
  readChecked(reader: WireReader, end: number, depth: number, check: CheckValue): boolean {
    const outer = reader.end;
    reader.end = end;
    this.keyStart = this.keyEnd = 0;
    this.valueStart = this.valueEnd = end;
    let fine = true;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((1 << 3) | WIRE_BYTES)) {
        const size = reader.length();
        this.keyStart = reader.pos;
        this.keyEnd = reader.pos += size;
      } else if (tag === ((2 << 3) | WIRE_BYTES)) {
        const size = reader.length();
        const valueStart = reader.pos;
        const valueEnd = valueStart + size;
        if (!check(reader, valueEnd, depth)) fine = false;
        this.valueStart = valueStart;
        this.valueEnd = valueEnd;
      } else skipUnknown(reader, tag, 2);
    }
    reader.end = outer;
    return fine;
  }
}

const skipValue: CheckValue = (reader, end) => {
  reader.pos = end;
  return true;
};
