import { AISDKError, APICallError } from 'ai';
import { maskSecret } from '../../runtime/mask.ts';
import { isPassingStatus, retryAfterOf } from '../retry.ts';
import { JudgeError } from './judge-error.ts';

const MAX_MESSAGE = 500;

/** Converts an error of the package that calls the endpoint to a JudgeError; returns any other error unchanged. */
export function judgeErrorOf(error: unknown, apiKey: string | null): unknown {
  if (!AISDKError.isInstance(error)) return error;
  if (!APICallError.isInstance(error) || (error.statusCode ?? 0) < 300)
    return new JudgeError(
      'judge_bad_answer',
      'the response of the endpoint does not have the format of its API',
    );
  const { statusCode: status = 0, responseHeaders, responseBody = '' } = error;
  const detail = truncate(maskSecret((error.message || responseBody).trim(), apiKey));
  const message = `the endpoint responded with ${status}${detail && `: ${detail}`}`;
  if (isPassingStatus(status)) {
    const retryAfterMs = retryAfterOf(responseHeaders?.['retry-after']);
    return new JudgeError('judge_unreachable', message, { isPassing: true, retryAfterMs });
  }
  return new JudgeError('judge_refused', message, { isInvalidRequest: status === 400 || status === 422 });
}

const truncate = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
