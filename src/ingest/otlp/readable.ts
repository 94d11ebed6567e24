import { AppError } from '../../errors.ts';
import type { Steps } from '../../runtime/steps.ts';
import { FieldLimitError, WireError } from '../../traces/wire/reader.ts';
import type { DecodeWork } from '../decode-work.ts';
import { OtlpDecodeError } from './decode-error.ts';

/** Reads in steps; a body that cannot be parsed becomes AppError `bad_request`, because a retry cannot succeed. */
export function* readableSteps<T>(read: Steps<T>, work: DecodeWork): Steps<T> {
  try {
    return yield* read;
  } catch (error) {
    throw readError(error, work);
  }
}

function readError(error: unknown, work: DecodeWork): unknown {
  if (error instanceof WireError)
    return new AppError('bad_request', `the body is not a valid OTLP message: ${error.message}`);
  if (error instanceof FieldLimitError) return work.tooManyFields();
  if (error instanceof OtlpDecodeError) return new AppError('bad_request', error.message);
  return error;
}
