import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfInvoices: Carried[] = [
  carried('invoices', {
    withCompany: true,
    // the page of the other operator's provider
    set: { payment_link: "''", payment_problem: "''", fiscal_note_url: "''" },
    plain: ['cancelled_by'],
  }),
  carried('payments', {
    withCompany: true,
    // unique among all companies, and of the other operator's provider
    set: { provider_id: "''" },
    refers: { entered_for: 'invoices' },
    plain: ['recorded_by'],
  }),
  carried('payment_refunds', {
    withCompany: true,
    // one that is wanted or asked for is refused by the worker, and waits for a master: whether the other installation paid it is
    // not known
    plain: ['recorded_by'],
  }),
  carried('payment_returns', {
    withCompany: true,
    plain: ['answered_by'],
  }),
]
