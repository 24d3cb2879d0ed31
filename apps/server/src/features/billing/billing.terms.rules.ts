import type { Plan } from '@balcao/contract/plans.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import type { PlanTerms } from '../subscriptions/subscriptions.table.ts'

/** What the plan of the company is after it changed. */
export function planTermsOf(plan: PlanRow, recurrence: Plan['recurrence']): PlanTerms {
  const {
    id: _id,
    companyId: _company,
    isStandard: _standard,
    highlighted: _high,
    status: _status,
    billingType: _type,
    automaticInvoice: _automatic,
    ...terms
  } = plan
  return { ...terms, recurrence }
}

/** Whether a company gets the same: prices, limits and name. */
export function hasSameTerms(terms: PlanTerms, other: PlanTerms): boolean {
  const { slogan: _slogan, description: _description, ...decisive } = terms
  return Object.entries(decisive).every(([name, value]) => other[name as keyof PlanTerms] === value)
}

/** A plan of the platform as it was when somebody ordered it. */
export const planOfTerms = (id: number, terms: PlanTerms): PlanRow => ({
  ...terms,
  ...{ id, companyId: null, isStandard: false, highlighted: 0 as const, status: true },
  ...{ billingType: 'BOLETO' as const, automaticInvoice: true },
})
