import { beforeAll, describe, expect, it } from 'vitest';
import { configIssues } from '../../src/evaluate/definition-config.ts';
import { EvaluatePool } from '../../src/evaluate/evaluate-pool.ts';
import { evaluateDefinition } from '../../src/evaluate/evaluators/deterministic.ts';
import { loadLanguageDetector } from '../../src/evaluate/load-language-detector.ts';
import { LANGUAGES } from '../../src/evaluate/measures/language.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

beforeAll(() => loadLanguageDetector());

const judged = (output: unknown, ...assertions: object[]) =>
  evaluateDefinition(
    subjectOf({ output: output as string }),
    appliedDefinition('ASSERT', { assertions }),
  ) as unknown as {
    status: string;
    passed?: boolean;
    score?: number;
    reason: string | null;
    results?: object;
  };
const check = (output: unknown, value: string | string[]) => judged(output, { type: 'language', value });

const ORDER: Readonly<Record<string, string>> = {
  en: 'The order was shipped yesterday and should arrive on Friday.',
  de: 'Die Bestellung wurde gestern verschickt und sollte am Freitag ankommen.',
  fr: 'La commande a été expédiée hier et devrait arriver vendredi.',
  es: 'El pedido se envió ayer y debería llegar el viernes.',
  pt: 'O pedido foi enviado ontem e deve chegar na sexta-feira.',
  it: "L'ordine è stato spedito ieri e dovrebbe arrivare venerdì.",
  nl: 'De bestelling is gisteren verzonden en zou vrijdag moeten aankomen.',
  pl: 'Zamówienie zostało wysłane wczoraj i powinno dotrzeć w piątek.',
  tr: 'Sipariş dün gönderildi ve cuma günü ulaşması gerekiyor.',
  vi: 'Đơn hàng đã được gửi hôm qua và sẽ đến vào thứ Sáu.',
  ru: 'Заказ был отправлен вчера и должен прибыть в пятницу.',
  el: 'Η παραγγελία στάλθηκε χθες και θα φτάσει την Παρασκευή.',
  he: 'ההזמנה נשלחה אתמול ואמורה להגיע ביום שישי.',
  ar: 'تم شحن الطلب أمس ومن المتوقع أن يصل يوم الجمعة.',
  hi: 'ऑर्डर कल भेज दिया गया था और शुक्रवार को पहुंच जाना चाहिए। कृपया हमें लिखें।',
  th: 'คำสั่งซื้อถูกจัดส่งเมื่อวานนี้และจะมาถึงในวันศุกร์',
  ja: 'ご注文は昨日発送され、金曜日に到着する予定です。',
  zh: '订单昨天已发货，预计周五送达。',
  ko: '주문은 어제 발송되었으며 금요일에 도착할 예정입니다.',
};

describe('the check of the language', () => {
  it.each(Object.entries(ORDER))('recognises %s, and no other language in its place', (language, output) => {
    expect(check(output, language)).toMatchObject({ status: 'COMPLETED', passed: true, score: 1 });
    const others = Object.keys(ORDER).filter((one) => one !== language);
    expect(check(output, others)).toMatchObject({ status: 'COMPLETED', passed: false, score: 0 });
  });

  it('says which language it is, and which one was expected', () => {
    const reason = 'the output is in German (de); expected: English (en) or French (fr)';
    expect(check(ORDER['de'], ['en', 'fr']).reason).toBe(`0 of 1 hold; language: ${reason}`);
    expect(judged(ORDER['de'], { type: 'language', value: 'en', not: true })).toMatchObject({ passed: true });
  });

  it.each<[what: string, output: string, value: string]>([
    ['a code in upper case', ORDER['de'] as string, 'DE'],
    ['a region', ORDER['pt'] as string, 'pt-BR'],
    [
      'Norwegian Bokmål',
      'Bestillingen ble sendt i går og skal etter planen komme på fredag, men ikke før.',
      'nb',
    ],
    ['Indonesian', 'Pesanan telah dikirim kemarin dan akan tiba pada hari Jumat.', 'id'],
    ['decomposed letters', (ORDER['vi'] as string).normalize('NFD'), 'vi'],
    ['traditional characters', '訂單昨天已經出貨，預計星期五送達。', 'zh-Hant'],
    [
      'words of English',
      `${ORDER['de']} Bitte prüfen Sie Ihr Dashboard, und klicken Sie auf „Order status“.`,
      'de',
    ],
  ])('takes %s', (_what, output, value) => {
    expect(check(output, value)).toMatchObject({ passed: true });
  });

  it.each<[what: string, output: unknown]>([
    [
      'code',
      `${ORDER['fr']}\n\`\`\`js\n${'const order = await fetchOrder(identifier); // shipped\n'.repeat(9)}\`\`\``,
    ],
    ['an open fence', `${ORDER['fr']}\n\`\`\`\n${ORDER['en']} ${ORDER['en']}`],
    [
      'addresses',
      `${ORDER['fr']} https://example.com/the-order/was-shipped/yesterday?and=should+arrive service@the-order-was-shipped.example`,
    ],
    ['tags', `<div class="the order was shipped yesterday"><p>${ORDER['fr']}</p></div>`],
    ['names of members', { theAnswerToTheQuestion: ORDER['fr'], theReasonForTheAnswer: [ORDER['fr']] }],
  ])('does not look at %s', (_what, output) => {
    expect(check(output, 'fr')).toMatchObject({ passed: true });
  });

  it('judges the language of most of a long text', () => {
    const text = (de: number, en: number): string =>
      `${`${ORDER['de']}\n`.repeat(de)}${`${ORDER['en']}\n`.repeat(en)}`;
    expect(check(text(70, 30), 'de')).toMatchObject({ passed: true });
    expect(check(text(30, 70), 'de')).toMatchObject({ passed: false });
    expect(check(text(1, 40), 'de')).toMatchObject({ passed: false });
    expect(check('@ '.repeat(400_000), 'de').status).toBe('SKIPPED');
  });

  it.each<[output: unknown]>([
    ['Yes'],
    ['OK, 42.'],
    ['Lima'],
    ['Paris.'],
    ['iPhone 15 Pro'],
    ['東京'],
    ['привет'],
    ['{"city":"Lima","ok":true}'],
    ['https://example.com/a/very/long/address/with/many/words/of/a/language'],
    ['😀😀😀😀😀😀😀😀😀😀😀😀'],
    ['12.5 kg, 13.5 kg, 14.5 kg and 15.5 kg'],
    ['```sql\nSELECT name, price FROM orders WHERE id = 5 AND shipped = TRUE\n```'],
  ])('does not decide about %j', (output) => {
    for (const assertion of [{ value: 'en' }, { value: 'de', not: true }])
      expect(judged(output, { type: 'language', ...assertion })).toMatchObject({
        status: 'SKIPPED',
        reason: expect.stringContaining('the output is too short to tell its language') as string,
      });
  });

  it('does not decide between languages that are close', () => {
    const { status, reason } = check('Lima es la capital del Perú.', 'es');
    expect([status, reason]).toEqual([
      'SKIPPED',
      '0 of 1 hold; language: the output is too short to tell Spanish (es) from Catalan (ca)',
    ]);
    expect(check('Lima es la capital del Perú.', ['es', 'ca'])).toMatchObject({ passed: true });
    expect(check('Lima es la capital del Perú.', 'de')).toMatchObject({ passed: false });
  });

  it('does not count beside others if it cannot decide', () => {
    const language = { type: 'language', value: 'es', weight: 3 };
    const undecided = { type: 'language', passed: false, weight: 0, undecided: true };
    expect(judged('Lima', language, { type: 'equals', value: 'Lima' })).toMatchObject({
      status: 'COMPLETED',
      passed: true,
      score: 1,
      results: { assertions: [undecided, { passed: true, weight: 1 }] },
    });
    expect(judged('Lima', language, { type: 'equals', value: 'Rome' })).toMatchObject({
      passed: false,
      score: 0,
    });
    const set = { type: 'assert-set', assertions: [language], not: true };
    expect(judged('Lima', set)).toMatchObject({ status: 'SKIPPED' });
    expect(judged('Lima', set, { type: 'contains', value: 'Lima' })).toMatchObject({
      passed: true,
      results: { assertions: [{ type: 'assert-set', undecided: true }, { passed: true }] },
    });
  });

  it('fails without an output', () => {
    expect(check(null, 'de')).toMatchObject({ status: 'COMPLETED', passed: false });
  });

  it('rejects a code that is none, or of a language that is not recognised', () => {
    const issues = (value: unknown): string[] =>
      configIssues('ASSERT', { assertions: [{ type: 'language', value }] }).map(({ message }) => message);
    expect(issues('German')).toEqual([
      `must be the ISO 639-1 code of a language that is recognised: ${LANGUAGES.join(', ')}`,
    ]);
    expect(issues(['de', 'sw'])).toHaveLength(1);
    expect(issues([])).toHaveLength(1);
    expect(issues(undefined)).toHaveLength(1);
    expect(issues(['de', 'en'])).toEqual([]);
  });

  it('has the languages of its detector', async () => {
    const { eld } = await import('eld/extrasmall');
    expect(Object.values(eld.info().Languages).toSorted()).toEqual(LANGUAGES);
  });
});

it('the detector is loaded in the thread of evaluations, for checks of the definition and of the example', async () => {
  const metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error()),
    memory: { used: 0, limit: 0 },
  });
  const pool = new EvaluatePool({ metrics, now: Date.now });
  const language = [{ type: 'language', value: 'de' }];
  const definitions = [
    appliedDefinition('ASSERT', { assertions: language }),
    { ...appliedDefinition('ASSERT', { assertions: [], exampleAssertions: true }), checks: language },
  ];
  const subject = subjectOf({ output: ORDER['de'] as string });
  const verdicts = await pool.evaluateAll({ application: 1, subject, definitions });
  await pool.close();
  expect(verdicts).toMatchObject([
    { status: 'COMPLETED', passed: true },
    { status: 'COMPLETED', passed: true },
  ]);
});
