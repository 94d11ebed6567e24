import { AppError } from '../../errors.ts';
import { WireError } from '../../traces/wire/reader.ts';
import { OtlpDecodeError } from './decode-error.ts';

/** Runs `read`; a body that cannot be parsed becomes AppError `bad_request`, because a retry cannot succeed. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError)
      throw new AppError('bad_request', `the body is not a valid OTLP message: ${error.message}`);
    if (error instanceof OtlpDecodeError) throw new AppError('bad_request', error.message);
    throw error;
  }
}
