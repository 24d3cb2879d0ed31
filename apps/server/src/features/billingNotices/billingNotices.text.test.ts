import { expect, test } from 'vitest'
import { autopayFailedLetter } from './billingNotices.autopay.text.ts'
import { valuesFor } from './billingNotices.text.ts'

test('a notice names what is still owed of an invoice, and the whole of one that is paid', () => {
  const notice = { id: 'a', kind: 'paymentReturned', contactName: 'Ana' } as const
  const days = { startInvoicePeriod: '2026-01-01', endInvoicePeriod: '2026-01-31', dueDate: '2026-01-01' }
  const sum = (paidValue: number) =>
    valuesFor('', notice, { ...days, value: 9_990, paidValue }).valueBrl.replace(/\s/u, ' ')
  expect([0, 7_990, 9_990].map(sum)).toEqual(['R$ 99,90', 'R$ 20,00', 'R$ 99,90'])
})

test('a letter says in words why an invoice was not paid by itself; those of a provider are as they are', () => {
  const invoice = { value: 9_990, paidValue: 0, dueDate: '2026-01-01' }
  const reasonIn = (problem: string) =>
    autopayFailedLetter({ kind: 'pix', problem, invoice }).before.find(line => line.startsWith('Motivo'))
  expect(['noFunds', 'Transação negada', ''].map(reasonIn)).toEqual([
    ...['Motivo: sem saldo ou limite no dia do débito', 'Motivo: Transação negada', undefined],
  ])
})
