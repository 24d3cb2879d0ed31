import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { masters, payers, publish } from '../../platform/live/live.ts'
import { invoiceChanged } from './invoices.events.ts'

export const live = [
  publish(invoiceChanged, (companyId, { planId, push: payload }, push) =>
    push(invoiceChannelOf(planId), [payers(companyId), masters], payload),
  ),
]
