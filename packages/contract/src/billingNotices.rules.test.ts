import { describe, expect, test } from 'vitest'
import {
  describeNotice,
  hoursUntilOpen,
  isStillTrue,
  noticeHtml,
  noticeKinds,
  noticeText,
  remindersOn,
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
    [4, ['delayedPayment']],
    [5, ['delayedPaymentAgain']],
    [8, ['delayedPaymentAgain']],
    [9, []],
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
    for (const kind of noticeKinds)
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

test('the six places are filled; others stay as they were written (NTPL-004)', () => {
  const values = valuesOfNotice('invoiceCreated', 'Ana', { ...invoice, valueBrl: 'R$ 99,90' }, urls)
  expect(
    noticeText(
      '{{contactName}} {{ valueBrl }} {{dueDate}} {{description}} {{notificationWppUrl}} {{notificationEmailUrl}} {{toString}} {{nome}}',
      values,
    ),
  ).toBe(
    'Ana R$ 99,90 10/11/2026 A fatura do período de 01/11/2026 a 30/11/2026 está disponível e vence em 10/11/2026. https://x.test/n/wpp/1 https://x.test/n/email/1 {{toString}} {{nome}}',
  )
})

test('a name that is HTML, or a place, is text in a letter', () => {
  const name = `<img src=x onerror="alert('1')"> {{valueBrl}} $&`
  const values = valuesOfNotice('invoiceDay', name, { ...invoice, valueBrl: 'R$ 1,00' }, urls)
  expect(noticeHtml('<b>{{contactName}}</b>', values)).toBe(
    '<b>&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; {{valueBrl}} $&amp;</b>',
  )
})

test('each kind is said in words of its own', () => {
  expect(new Set(noticeKinds.map(kind => describeNotice(kind, invoice))).size).toBe(noticeKinds.length)
})
