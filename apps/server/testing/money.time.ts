import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import { switchOff } from '../src/features/clients/clients.actions.ts'
import { billCompany } from '../src/features/invoices/invoices.billing.actions.ts'
import { billedCompanies } from '../src/features/invoices/invoices.queries.ts'
import { applyChange, readjustPlan } from '../src/features/plans/plans.actions.ts'
import { readjustmentsDue } from '../src/features/pricing/pricing.queries.ts'
import { endedSubscriptions } from '../src/features/subscriptions/subscriptions.ends.queries.ts'
import { changesDue, listPauses } from '../src/features/subscriptions/subscriptions.queries.ts'
import type { Sql } from '../src/platform/postgres/db.ts'
import { sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope } from '../src/platform/scope.ts'
import { isDeath, platformDyingOnce } from './ledger.ts'
import { settleOrdersOfLife } from './money.orders.ts'
import { beginDay, type Life, type MoneyScene, momentOf, read, readjustedBy, writing } from './money.scene.ts'
import { ZONE } from './money.zone.ts'

/**
 * So many days pass. On days on which a plan changes or the service ends the hourly work runs; else days without a run are caught up with.
 * `dies`: the process dies at that statement of it, and runs again.
 */
export async function passDays(scene: MoneyScene, life: Life, days: number, dies?: number): Promise<void> {
  const until = daysFrom(life.today, days)
  while (life.today < until) {
    await rest(scene, life, nextStop(life, until))
    if (dies !== undefined) {
      const dying = platformDyingOnce(scene.app.platform.scopes.platform(), dies)
      await runChores(scene, life, dying).catch(error => {
        if (!isDeath(error)) throw error
      })
    }
    await runChores(scene, life)
    comeToPass(life)
  }
}

/** The first day on which something is due. */
function nextStop({ today, waiting, readjustment, endsOn }: Life, until: string): string {
  const days = [waiting?.from, readjustment?.from, endsOn ? daysFrom(endsOn, 1) : undefined]
  return [...days.filter(day => day !== undefined && day > today), until].toSorted()[0]!
}

/** What waited for its day. */
function comeToPass(life: Life): void {
  const { today, waiting, readjustment, prices, endsOn } = life
  if (waiting && waiting.from <= today) {
    prices.push(waiting)
    Object.assign(life, { waiting: null, readjustment: null })
  } else if (readjustment && readjustment.from <= today) {
    prices.push({ ...readjustedBy(prices.at(-1)!, readjustment.rate), from: readjustment.from })
    life.readjustment = null
  }
  if (endsOn !== null && endsOn < today) life.isOff = true
}

/** Does what is due by the day, as the hourly jobs, the worker of orders, and the one that charges nothing below the least. */
export async function runChores(
  scene: MoneyScene,
  life: Life,
  platform: PlatformScope = scene.app.platform.scopes.platform(),
): Promise<void> {
  const { app } = scene
  const { companyId, today } = life
  await app.database.script(`update invoices set payment_problem = 'belowLeast' where company_id = ${companyId}
    and status in ('PENDING', 'OVERDUE') and value - paid_value between 1 and ${LEAST_CENTS - 1}`)
  const now = momentOf(today)
  const isDue = async (find: (sql: Sql) => Promise<number[]>) =>
    (await app.platform.scopes.platform().transaction(find)).includes(companyId)
  const bill = () => billCompany(platform.inCompany(companyId), writing(life))
  if (await isDue(sql => changesDue(sql, now))) {
    await bill()
    await applyChange(platform, companyId, now)
  }
  if (await isDue(sql => readjustmentsDue(sql, now))) {
    await bill()
    await readjustPlan(platform, companyId, now)
  }
  if (await isDue(sql => endedSubscriptions(sql, now, ZONE)))
    await switchOff(platform, companyId, { timeZone: ZONE, now })
  if (await isDue(sql => billedCompanies(sql, now, ZONE))) await bill()
  await settleOrdersOfLife(scene, life, platform)
}

/** Less is charged by no provider. */
const LEAST_CENTS = 500

/** Day after day: on which nothing is billed. */
async function rest(scene: MoneyScene, life: Life, until: string): Promise<void> {
  const { app } = scene
  const pauses = await app.platform.scopes.inCompany(life.companyId).transaction(listPauses)
  const [terms] = await read<{ trial: string; from: string; unpaid: string | null }>(
    app.platform.scopes.platform(),
    tag`select to_char(s.unpaid_since, 'YYYY-MM-DD') as unpaid, coalesce(to_char(s.billed_from, 'YYYY-MM-DD'), '') as from,
        coalesce(to_char(coalesce(s.trial_ends_on,
          case when c.lead_id is not null then c.created_at::date + ${TRIAL_DAYS}::int end), 'YYYY-MM-DD'), '') as trial
      from subscriptions s join companies c on c.id = s.company_id where s.company_id = ${life.companyId}`,
  )
  const { trial = '', from: first = '' } = terms ?? {}
  const unpaid = terms?.unpaid ?? until
  for (; life.today < until; life.today = daysFrom(life.today, 1)) {
    const day = life.today
    const isPaused = pauses.some(({ from, until }) => from <= day && (until === null || until > day))
    if (isPaused || life.endsOn !== null || life.isOff || day < trial || day < first || day >= unpaid)
      life.unbilled.add(day)
  }
  await beginDay(scene, life)
}
