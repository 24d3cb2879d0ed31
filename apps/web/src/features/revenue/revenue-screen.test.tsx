import {
  ListedLead,
  Receipt,
  RevenueMonth,
  RevenueRow,
  revenue,
  Subscriber,
} from '@balcao/contract/revenue.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const none = { count: 0, value: 0 }

test('the operator reads money by month, and each figure opens the rows behind it', async () => {
  const page = enter('/revenue', operator, {
    answers: server =>
      server
        .on(revenue.months, {
          months: [
            sample(RevenueMonth, {
              ...{
                month: '2026-11',
                day: '2026-11-20',
                mrr: { count: 2, value: 29_980 },
                new: { count: 1, value: 9_990 },
              },
              ...{
                reactivated: none,
                expansion: none,
                contraction: none,
                churned: { count: 1, value: -5_000 },
              },
              ...{
                received: { count: 1, value: 19_990 },
                refunded: none,
                churnRate: 33.3,
                revenueChurnRate: 12,
              },
            }),
          ],
        })
        .on(revenue.rows, {
          rows: [
            sample(RevenueRow, {
              id: 2,
              companyName: 'Lume Móveis',
              move: 'churned',
              before: 5_000,
              after: 0,
            }),
            sample(RevenueRow, { id: -1, companyName: '', move: 'churned', before: 4_000, after: 0 }),
          ],
          hasMore: false,
        })
        .on(revenue.receipts, {
          rows: [
            sample(Receipt, {
              kind: 'payment',
              day: '2026-11-04',
              companyId: 2,
              companyName: 'Ateliê',
              value: 19_990,
            }),
            sample(Receipt, {
              rowId: -1,
              kind: 'payment',
              day: '2026-11-03',
              companyId: null,
              companyName: '',
            }),
          ],
          hasMore: false,
        }),
  })
  await page.sees('11/2026', '33,3% das empresas, 12% da receita')
  await page.press('Perdida: 11/2026, -R$ 50,00')
  await page.dialog().sees('Lume Móveis', 'Empresa excluída')
  expect(page.server.asked(revenue.rows)[0]?.query).toMatchObject({ month: '2026-11', move: 'churned' })
  await page.dialog().press('Fechar')
  await page.press('Recebido: 11/2026, R$ 199,90')
  await page.dialog().sees('Ateliê', 'Empresa excluída')
  expect(page.server.asked(revenue.receipts)[0]?.query).toMatchObject({ month: '2026-11', kind: 'payment' })
})

test('subscriptions by plan and the funnel of leads open their rows, too', async () => {
  const page = enter('/revenue/plans', operator, {
    answers: server =>
      server
        .on(revenue.plans, {
          plans: [
            {
              planName: 'Essencial',
              companies: 3,
              paying: { count: 2, value: 19_980 },
              risk: { count: 0, value: 0 },
              trial: 1,
            },
          ],
          states: { paying: 2, risk: 0, lapsed: 0, trial: 1, paused: 0, off: 0, unbilled: 0 },
          endingTrials: 1,
        })
        .on(revenue.subscribers, {
          rows: [
            sample(Subscriber, {
              id: 7,
              companyName: 'Padaria',
              state: 'trial',
              trialEndsOn: '2026-12-01',
            }),
          ],
          hasMore: false,
        })
        .on(revenue.funnel, { months: [{ month: '2026-11', asked: 4, completed: 2, invoiced: 1, paid: 0 }] })
        .on(revenue.leads, { rows: [sample(ListedLead, { name: 'Rui', state: 'expired' })], hasMore: false }),
  })
  await page.press('Testes que terminam em 7 dias, 1')
  await page.dialog().sees('Padaria')
  expect(page.server.asked(revenue.subscribers)[0]?.query).toMatchObject({ ending: 'soon' })
  await page.dialog().press('Fechar')
  await page.press('Leads')
  await page.sees('Rui', 'Link vencido')
  await page.press('Completaram: 11/2026, 2')
  await expect
    .poll(() => page.server.asked(revenue.leads).at(-1)?.query)
    .toMatchObject({ month: '2026-11', reached: 'completed' })
})

test('whoever is no operator sees no revenue', async () => {
  enter('/revenue', helena)
  await expect.poll(() => location.pathname).toBe('/tickets')
})
