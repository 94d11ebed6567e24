import { expect, it } from 'vitest';
import { noticeText, readNotice } from '../../../src/storage/postgres/notice-text.ts';

it('a notice is read as it was sent', () => {
  const notice = { topic: 'key', text: 'a "key"', from: 'one' } as const;
  expect(readNotice(noticeText(notice))).toEqual(notice);
});

it.each(['', 'hello', 'null', '[]', '7', '{"topic":"key"}', '{"topic":"key","text":1,"from":"one"}'])(
  'what another program publishes is no notice: %s',
  (payload) => {
    expect(readNotice(payload)).toBeNull();
  },
);
