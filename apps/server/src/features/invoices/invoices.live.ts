import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { masters, payers, publish } from '../../platform/live.ts'
import { invoiceChanged } from './invoices.events.ts'

export const live = [
  publish(invoiceChanged, (companyId, { planId, told }, push) =>
    push(invoiceChannelOf(planId), [payers(companyId), masters], told),
  ),
]
