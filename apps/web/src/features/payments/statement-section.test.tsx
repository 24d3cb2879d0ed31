import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { payments, type StatementLine } from '@balcao/contract/payments.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { expect, test, vi } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const period = '2026-11-01 – 2026-11-30'
const lines: StatementLine[] = [
  { on: '2026-11-06', kind: 'refund', id: 3, text: '=1+1; "sim"', value: -500, balance: -500 },
  { on: '2026-11-05', kind: 'cancelled', id: 6, text: 'paused', value: 123_450, balance: 0 },
  { on: '2026-11-01', kind: 'invoice', id: 6, text: period, value: -123_450, balance: -123_450 },
]

test('a company reads its statement with the balance, and saves all of it, also when a line is added meanwhile', async () => {
  const saved: Blob[] = []
  const url = vi.spyOn(URL, 'createObjectURL').mockImplementation(file => {
    saved.push(file as Blob)
    return 'blob:statement'
  })
  let isMoving = true
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      server
        .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis' }))
        .on(plans.ofCompany, [sample(Plan, { id: 4 })])
        .on(payments.statement, ({ query }) => {
          const at = (query.pageNumber ?? 1) - 1
          // once, the second page repeats the line that a new one moved to it
          const line = isMoving && at === 1 ? lines[0]! : lines[at]!
          if (at === 2) isMoving = false
          return { balance: -500, balanceBrl: '-R$ 5,00', lines: [line], hasMore: at < 2 }
        }),
  })
  await page.sees('Saldo: -R$ 5,00', 'Devolução')
  await page.press('Baixar CSV')
  await expect.poll(() => saved.length).toBe(1)
  expect((await saved[0]!.text()).replace('\ufeff', '').split('\r\n')).toEqual([
    'Dia;Lançamento;Descrição;Valor;Saldo',
    `2026-11-06;Devolução;"'=1+1; ""sim""";-5,00;-5,00`,
    '2026-11-05;Fatura cancelada;A assinatura está pausada;1234,50;0,00',
    '2026-11-01;Fatura;01/11/2026 – 30/11/2026;-1234,50;-1234,50',
    '',
  ])
  url.mockRestore()
  page.server.complaints.length = 0
})
