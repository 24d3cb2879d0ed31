import { clients } from '@balcao/contract/clients.ts'
import { CompanyInvoice, revenue } from '@balcao/contract/revenue.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

test('the invoices of all companies of a month have totals, and a total shows those that it adds up', async () => {
  const page = enter('/invoices?month=2026-11', operator, {
    answers: server =>
      server
        .on(clients.list, { companies: [], hasMore: false })
        .on(revenue.plans, {
          plans: [
            {
              planName: 'Essencial',
              companies: 1,
              paying: { count: 0, value: 0 },
              risk: { count: 0, value: 0 },
              trial: 0,
            },
          ],
          states: { paying: 0, risk: 0, lapsed: 0, trial: 0, paused: 0, off: 0, unbilled: 1 },
          endingTrials: 0,
        })
        .on(revenue.invoiceTotals, {
          ...{ pending: { count: 0, value: 0 }, overdue: { count: 1, value: 9_990 } },
          ...{ paid: { count: 3, value: 29_970 }, cancelled: { count: 0, value: 0 }, paidValue: 29_970 },
        })
        .on(revenue.invoices, {
          rows: [
            sample(CompanyInvoice, {
              ...{
                companyId: 2,
                companyName: 'Lume Móveis',
                planName: 'Essencial',
                status: 'OVERDUE',
                state: 'open',
              },
            }),
          ],
          hasMore: false,
        }),
  })
  await page.sees('Lume Móveis', 'R$ 99,90')
  await page.press(/^Vencidas/)
  await expect
    .poll(() => page.server.asked(revenue.invoices).at(-1)?.query)
    .toMatchObject({ month: '2026-11', part: 'overdue' })
  // the totals stay those of the month
  expect(page.server.asked(revenue.invoiceTotals).every(({ query }) => query.part === undefined)).toBe(true)
  expect(location.search).toContain('part=overdue')
})
