import { AISDKError, APICallError } from 'ai';
import { maskSecret } from '../../runtime/mask.ts';
import { errorWordsIn } from '../error-words.ts';
import { isPassingStatus } from '../retry.ts';
import { isLargerThanQuota, isRejectedAsTooMany, requestedDelay, slowDownOf } from '../slow-down.ts';
import { JudgeError } from './judge-error.ts';

const MAX_MESSAGE = 500;
const TOO_LONG =
  /context.{0,10}(?:length|window|size|limit|overflow)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|input token count.{0,40}exceeds|reduce the length/i;

const MAY_BE_TOO_LONG: ReadonlySet<number> = new Set([400, 422, 500]);
const FILTERED =
  /content_filter|ResponsibleAIPolicyViolation|data_inspection_failed|content management policy/;

/** Converts an error of the package that calls the endpoint to a JudgeError; returns any other error unchanged. */
export function judgeErrorOf(error: unknown, apiKey: string | null): unknown {
  if (!AISDKError.isInstance(error)) return error;
  if (!APICallError.isInstance(error) || (error.statusCode ?? 0) < 300)
    return new JudgeError(
      'judge_bad_answer',
      'the response of the endpoint does not have the format of its API',
    );
  const { statusCode: status = 0, responseHeaders = {}, responseBody = '' } = error;
  const detail = truncate(maskSecret((error.message || responseBody).trim(), apiKey));
  const message = `the endpoint responded with ${status}${detail && `: ${detail}`}`;
  if (isRejectedAsTooMany(status, responseHeaders, responseBody)) {
    if (isLargerThanQuota(responseBody))
      return new JudgeError(
        'judge_refused',
        `${message}. The judged texts alone exceed the quota of a minute: use a judge with a larger one`,
      );
    const { delayMs: retryAfterMs, isExhausted } = slowDownOf(responseHeaders, responseBody, Date.now());
    if (isExhausted)
      return new JudgeError(
        'judge_refused',
        `${message}. Waiting does not help: the credit or the quota of the day is used up`,
      );
    return new JudgeError('judge_unreachable', message, { isPassing: true, isBusy: true, retryAfterMs });
  }
  const { names, message: said } = errorWordsIn(responseBody);
  const words = `${names} ${said}`;
  if (status === 413 || (MAY_BE_TOO_LONG.has(status) && TOO_LONG.test(words)))
    return new JudgeError(
      'judge_refused',
      `${message}. The judged texts are longer than the context of the model: use a judge with a larger one`,
    );
  if (isPassingStatus(status)) {
    const retryAfterMs = requestedDelay(responseHeaders, Date.now());
    return new JudgeError('judge_unreachable', message, { isPassing: true, retryAfterMs });
  }
  if (status === 400 && FILTERED.test(words))
    return new JudgeError(
      'judge_refused',
      `${message}. The content filter of the endpoint blocked the request: use a judge whose filter allows the judged texts`,
    );
  return new JudgeError('judge_refused', message, { isInvalidRequest: status === 400 || status === 422 });
}

const truncate = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
