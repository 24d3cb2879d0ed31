import { isBilled, priceOf } from '@balcao/contract/invoices.rules.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { isPriced } from '@balcao/contract/plans.rules.ts'
import type { Plan, PlanChanges, PlanInput } from '@balcao/contract/plans.ts'
import { readjusted } from '@balcao/contract/pricing.rules.ts'
import { databaseDate } from '../../platform/clock.ts'
import { isReferred, isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope, Scope, Tx } from '../../platform/scope.ts'
import { NO_COMPANY } from '../../platform/work/job-queues.ts'
import { companyChanged, limitsWritten } from '../companies/companies.events.ts'
import { copyPlan, followPlan, type PlanRow } from '../companies/companies.plan.queries.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { settingNow } from '../companies/companies.settings.queries.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import {
  beginBilling,
  dropChange,
  lockSubscription,
  openSubscription,
  planChangeOf,
} from '../subscriptions/subscriptions.queries.ts'
import { applyReadjustment, dropReadjustment } from '../subscriptions/subscriptions.terms.queries.ts'
import { planChanged } from './plans.events.ts'
import {
  deletePlan,
  findPlan,
  holdClient,
  insertPlan,
  lockPlan,
  plansOfCompany,
  shownPlan,
  updatePlan,
  withdrawStandard,
} from './plans.queries.ts'

/** Adds a plan, to the platform or to a company. Refuses with ERR_NO_COMPANY_FOUND, ERR_COMPANY_HAS_PLAN, ERR_PLAN_UNPRICED. */
export async function addPlan(
  platform: PlatformScope,
  { companyId = null, isStandard = false, ...input }: PlanInput & { companyId?: number | null },
): Promise<Plan> {
  const standard = isStandard && companyId === null
  const row = await orSecond(
    platform.transaction(async sql => {
      if (companyId !== null) await holdClient(sql, companyId)
      if (standard) await withdrawStandard(sql)
      const added = await insertPlan(sql, { ...input, companyId, isStandard: standard })
      refuseUnpriced(added)
      await followPlan(sql, added)
      return added
    }),
  )
  await publishPlan(platform, row, 'create')
  return shownPlan(row)
}

/** The fields of a plan that paying users decide (OP-17). */
const ofPayers = ({ recurrence, billingType }: PlanChanges): PlanChanges => ({
  ...(recurrence && { recurrence }),
  ...(billingType && { billingType }),
})

/**
 * Changes a plan; a company's limits and switches follow its own. Without the right `master` everything is ignored but
 * recurrence and billing type. Refuses with ERR_NO_PLAN_FOUND, with ERR_PLAN_STANDARD where no plan would be left for
 * new companies.
 */
export async function changePlan(
  platform: PlatformScope,
  viewer: Viewer,
  planId: number,
  input: PlanChanges,
): Promise<Plan> {
  const isMaster = may(viewer, 'master')
  const { billedFrom, ...given } = input
  const before = await platform.transaction(sql => findPlan(sql, planId))
  refuseForeign(viewer, before)
  const { companyId } = before
  const today = companyId === null ? null : await openBilling(platform.inCompany(companyId))
  const row = await platform.transaction(async sql => {
    if (companyId !== null) await lockSubscription(sql, companyId)
    const { before, changed } = await writePlan(sql, planId, {
      isMaster,
      wanted: isMaster ? given : ofPayers(given),
    })
    // months that a company owed nothing for are not billed later
    if (today !== null && isBilled(changed) && !isBilled(before))
      await beginBilling(sql, companyId!, (isMaster && billedFrom) || today)
    return changed
  })
  await publishPlan(platform, row, 'update')
  return shownPlan(row)
}

/** Creates the subscription of a company that has none; answers the day there. */
const openBilling = (scope: Scope): Promise<string> =>
  scope.transaction(async tx => {
    await openSubscription(tx)
    return dayThere(tx, databaseDate())
  })

async function writePlan(
  sql: Sql,
  planId: number,
  { isMaster, wanted }: { isMaster: boolean; wanted: PlanChanges },
): Promise<{ before: PlanRow; changed: PlanRow }> {
  const before = await lockPlan(sql, planId)
  const changes = isMaster ? await soundFor(sql, before, wanted) : wanted
  const changed = await updatePlan(sql, planId, { ...changes, name: changes.name ?? before.name })
  refuseUnpriced(changed)
  if (isMaster) await followPlan(sql, changed)
  return { before, changed }
}

/** What a company pays at once has a price, where anything of its plan has one. */
function refuseUnpriced(plan: PlanRow): void {
  if (plan.companyId !== null && isPriced(plan) && priceOf(plan).cents === 0)
    refuse('ERR_PLAN_UNPRICED', { field: 'recurrence' })
}

/** Makes the plan of a company what was chosen, once its day has come; a readjustment that waits was of the one before. Idempotent. */
export async function applyChange(platform: PlatformScope, companyId: number, now: Date): Promise<void> {
  const today = await platform.inCompany(companyId).read(tx => dayThere(tx, now))
  const row = await platform.transaction(async sql => {
    // it may be withdrawn or replaced until here
    await lockSubscription(sql, companyId)
    const change = await planChangeOf(sql, companyId)
    if (!change || change.fromDay > today) return null
    const [own] = await plansOfCompany(sql, companyId)
    const changed = own ? await updatePlan(sql, own.id, change.terms) : null
    if (changed) await followPlan(sql, changed)
    await dropChange(sql, companyId)
    // it was announced for the plan that ends
    await dropReadjustment(sql, companyId)
    return changed
  })
  if (row) await publishPlan(platform, row, 'update')
}

/** Gives the plan of a company the prices of the readjustment whose day has come. Idempotent. */
export async function readjustPlan(platform: PlatformScope, companyId: number, now: Date): Promise<void> {
  const today = await platform.inCompany(companyId).read(tx => dayThere(tx, now))
  const row = await platform.transaction(async sql => {
    await lockSubscription(sql, companyId)
    const rate = await applyReadjustment(sql, companyId, today)
    const [own] = rate === null ? [] : await plansOfCompany(sql, companyId)
    if (!own) return null
    const priced = (cents: number) => readjusted(cents, rate!)
    return updatePlan(sql, own.id, {
      ...{ value1Month: priced(own.value1Month), value3Months: priced(own.value3Months) },
      ...{ value6Months: priced(own.value6Months), value12Months: priced(own.value12Months) },
    })
  })
  if (row) await publishPlan(platform, row, 'update')
}

/** Of the platform's plans exactly one is the standard; those of companies never are. */
async function soundFor(
  sql: Sql,
  before: PlanRow,
  { isStandard, ...input }: PlanChanges,
): Promise<PlanChanges> {
  if (before.companyId !== null || isStandard === undefined) return input
  if (before.isStandard && !isStandard) refuse('ERR_PLAN_STANDARD', { field: 'isStandard' })
  if (!before.isStandard && isStandard) await withdrawStandard(sql)
  return { ...input, isStandard }
}

/** Deletes a plan; companies keep their copies. Refuses with ERR_NO_PLAN_FOUND, ERR_PLAN_STANDARD, ERR_PLAN_INVOICED. */
export async function removePlan(platform: PlatformScope, planId: number): Promise<void> {
  const row = await platform
    .transaction(async sql => {
      const before = await lockPlan(sql, planId)
      if (before.isStandard) refuse('ERR_PLAN_STANDARD')
      await deletePlan(sql, planId)
      return before
    })
    .catch((error: unknown) => {
      if (isReferred(error)) return refuse('ERR_PLAN_INVOICED')
      throw error
    })
  await publishPlan(platform, row, 'delete')
}

/**
 * Copies what the platform offers to a company. Refuses with ERR_NO_COMPANY_FOUND, with ERR_NO_PLAN_FOUND what is not
 * offered, with ERR_COMPANY_HAS_PLAN a second one.
 */
export async function assignPlan(platform: PlatformScope, companyId: number, planId: number): Promise<Plan> {
  const row = await orSecond(
    platform.transaction(async sql => {
      await holdClient(sql, companyId)
      const plan = await findPlan(sql, planId)
      if (plan.companyId !== null || !plan.status) refuse('ERR_NO_PLAN_FOUND')
      return copyPlan(sql, companyId, plan)
    }),
  )
  await publishPlan(platform, row, 'create')
  return shownPlan(row)
}

/** Users who are no masters find only the plan of their company. Refuses with ERR_NO_PLAN_FOUND. */
export function refuseForeign(viewer: Viewer, plan: PlanRow): void {
  if (!may(viewer, 'master') && plan.companyId !== viewer.companyId) refuse('ERR_NO_PLAN_FOUND')
}

/** Pushes the plan; a company's plan also to its users, whose menus follow it. A fetch repairs a lost push. */
async function publishPlan(platform: PlatformScope, row: PlanRow, action: 'create' | 'update' | 'delete') {
  const days = Number(await platform.transaction(sql => settingNow(sql, 'limitDays')))
  await platform.inCompany(row.companyId ?? NO_COMPANY).transaction(async tx => {
    tx.emit(planChanged, action === 'delete' ? { action, planId: row.id } : { action, plan: shownPlan(row) })
    if (row.companyId === null) return
    // whether it rests after its trial follows from its plan
    await settleAccountStatus(tx, databaseDate())
    await tx.involve(limitsWritten, { days })
    await notifyUsers(tx)
  })
}

async function notifyUsers(tx: Tx): Promise<void> {
  tx.emit(companyChanged, {})
  await tx.involve(companyChanged, {})
}

const orSecond = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'plans_of_company')) return refuse('ERR_COMPANY_HAS_PLAN')
    throw error
  })
