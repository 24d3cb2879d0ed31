import { describe, expect, test } from 'vitest'
import {
  describeNotice,
  hoursUntilOpen,
  isOutdated,
  isStillTrue,
  noticeHtml,
  noticeKinds,
  noticeText,
  remindersOn,
  subjectOfNotice,
  trialNoticeOn,
  valuesOfNotice,
} from './billingNotices.rules.ts'
import { daysFrom } from './invoices.rules.ts'

const DUE = '2026-11-10'
const wishes = { invoiceDaysBeforeExpiration: 5, invoiceDaysAfterExpiration: 5 }
const on = (days: number, status = days > 0 ? 'OVERDUE' : 'PENDING', wanted = wishes) =>
  remindersOn(daysFrom(DUE, days), { dueDate: DUE, status }, wanted)

describe('reminders', () => {
  test.each([
    [-6, []],
    [-5, ['invoiceBefore']],
    [-1, ['invoiceBefore']],
    [0, ['invoiceDay']],
    [1, ['delayedPayment']],
    [2, ['delayedPayment']],
    [3, []],
    [5, ['delayedPaymentAgain']],
    [6, ['delayedPaymentAgain']],
    [7, []],
  ])('%i days from the day: %j (NSUB-007, NSUB-008, OP-18) [OP-18, NSUB-001 … NSUB-010]', (days, kinds) => {
    expect(on(days)).toEqual(kinds)
  })

  test('0 days is never; a second reminder a day after is the first', () => {
    const none = { invoiceDaysBeforeExpiration: 0, invoiceDaysAfterExpiration: 0 }
    expect(on(-1, 'PENDING', none)).toEqual([])
    expect(on(5, 'OVERDUE', none)).toEqual([])
    expect(on(1, 'OVERDUE', { ...none, invoiceDaysAfterExpiration: 1 })).toEqual(['delayedPayment'])
  })

  test.each(['RECEIVED', 'CONFIRMED'])('of an invoice that is %s nobody is reminded', status => {
    for (let days = -10; days < 20; days++) expect(on(days, status)).toEqual([])
    for (const kind of noticeKinds.filter(one => !one.startsWith('trial')))
      expect(isStillTrue(kind, { status })).toBe(kind === 'invoiceConfirmedPayment')
  })
})

test.each([
  [0, 8],
  [7, 1],
  [8, 0],
  [19, 0],
  [20, 12],
  [23, 9],
])('at %i hours people are reminded in %i', (hour, hours) => {
  expect(hoursUntilOpen(hour)).toBe(hours)
})

const invoice = { startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: DUE }
const urls = {
  notificationWppUrl: 'https://x.test/n/wpp/1',
  notificationEmailUrl: 'https://x.test/n/email/1',
}

test('the places are filled; others stay as they were written (NTPL-004)', () => {
  const values = valuesOfNotice('invoiceCreated', 'Ana', { ...invoice, valueBrl: 'R$ 99,90' }, urls)
  expect(
    noticeText(
      '{{contactName}} {{ valueBrl }} {{dueDate}} {{description}} {{subject}} {{notificationWppUrl}} {{notificationEmailUrl}} {{toString}} {{nome}}',
      values,
    ),
  ).toBe(
    'Ana R$ 99,90 10/11/2026 A fatura do período de 01/11/2026 a 30/11/2026 está disponível e vence em 10/11/2026. Fatura de R$ 99,90 com vencimento em 10/11/2026 https://x.test/n/wpp/1 https://x.test/n/email/1 {{toString}} {{nome}}',
  )
})

test('a name that is HTML, or a place, is text in a letter', () => {
  const name = `<img src=x onerror="alert('1')"> {{valueBrl}} $&`
  const values = valuesOfNotice('invoiceDay', name, { ...invoice, valueBrl: 'R$ 1,00' }, urls)
  expect(noticeHtml('<b>{{contactName}}</b>', values)).toBe(
    '<b>&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; {{valueBrl}} $&amp;</b>',
  )
})

test('each kind has its own text and its own subject', () => {
  expect(new Set(noticeKinds.map(kind => describeNotice(kind, invoice))).size).toBe(noticeKinds.length)
  const subjects = noticeKinds.map(kind => subjectOfNotice(kind, 'R$ 99,90', DUE))
  expect(new Set(subjects).size).toBe(noticeKinds.length)
  // it may be a part of the payment
  expect(describeNotice('paymentReturned', invoice)).toMatch(/no todo ou em parte/)
})

test.each([
  [-4, null],
  [-3, 'trialSoon'],
  [-2, 'trialSoon'],
  [-1, 'trialTomorrow'],
  [0, null],
])('%i days from its end the notice of a trial is %s', (days, kind) => {
  expect(trialNoticeOn(daysFrom(DUE, days), DUE)).toBe(kind)
})

test('a notice leaves up to a day later than it should have, and not as if it were of today afterwards', () => {
  const after = (hours: number) => new Date(Date.parse('2026-11-10T11:00:00Z') + hours * 3_600_000)
  expect(isOutdated('2026-11-10T11:00:00Z', after(24))).toBe(false)
  expect(isOutdated('2026-11-10T11:00:00Z', after(24.1))).toBe(true)
})
