import { pricesOf, trialEnd } from '@balcao/contract/leads.rules.ts'
import { soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { dayOutside } from '../../outside/brand.ts'
import { useLeadText } from './leads.text.ts'

/** The first payment and its day, for a sign-up of today; nothing where invoices are not automatic. */
export function FirstInvoice({ plan, recurrence }: { plan: Plan; recurrence: Plan['recurrence'] }) {
  const t = useLeadText()
  if (!plan.automaticInvoice) return null
  const sold = soldBy(plan, recurrence)
  const { total } = pricesOf(plan).find(one => one.recurrence === sold)!
  const day = dayOutside(trialEnd(new Date().toISOString()))
  return t(plan.restsAfterTrial ? 'afterTrial' : 'firstInvoice', { total, day })
}
