import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfInvoices: Carried[] = [
  carried('invoices', {
    // the page of the other operator's provider
    set: { payment_link: "''", payment_problem: "''", fiscal_note_url: "''" },
    plain: ['cancelled_by'],
  }),
  carried('payments', {
    // unique among all companies, and of the other operator's provider
    set: { provider_id: "''" },
    refers: { entered_for: 'invoices' },
    plain: ['recorded_by'],
  }),
  carried('payment_refunds', {
    // one that is wanted or asked for is refused by the worker, and waits for a master: whether the other installation paid it is
    // not known
    plain: ['recorded_by'],
  }),
  carried('payment_returns', {
    plain: ['answered_by'],
  }),
]
