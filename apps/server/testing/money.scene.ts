import { priceOf, type RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import { defaultFlags, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { PlanInput } from '@balcao/contract/plans.ts'
import { readjusted } from '@balcao/contract/pricing.rules.ts'
import { addClient } from '../src/features/clients/clients.actions.ts'
import { holdSubscription } from '../src/features/invoices/invoices.hold.actions.ts'
import { addPlan, assignPlan } from '../src/features/plans/plans.actions.ts'
import { plansOfCompany } from '../src/features/plans/plans.queries.ts'
import { planChangeOf } from '../src/features/subscriptions/subscriptions.queries.ts'
import { rowsFrom, type sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope, Tx } from '../src/platform/scope.ts'
import type { Action } from './money.steps.ts'
import { unique } from './rows.ts'
import type { TestApp } from './test-app.ts'

/** The prices of the plans that a company chooses among: cents a period, and its months. */
export const OFFERED = [
  { cents: 9_990, months: 1, recurrence: 'month1' },
  { cents: 29_970, months: 1, recurrence: 'month1' },
  { cents: 300_000, months: 12, recurrence: 'months12' },
  { cents: 45_000, months: 3, recurrence: 'months3' },
] as const

export interface Price {
  from: string
  cents: number
  months: RecurrenceMonths
}

/** A charge at its provider. */
export interface FoundCharge {
  reference: string
  chargeId: string
  provider: 'asaas' | 'mercadopago'
  value: number
}

interface Collected {
  charge: FoundCharge
  value: number
  back: number
}

/** What is on sale, by the place of it in OFFERED. */
export interface PlanOnSale extends Omit<Price, 'from'> {
  id: number
  isOnSale: boolean
}

/** A dearer plan that was ordered: what it costs when it is paid. */
interface Ordered {
  invoiceId: number
  to: number
  price: Omit<Price, 'from'>
}

/** What a company did, in the words of who stands outside: the ledger of the product is compared with it. */
export interface Life {
  companyId: number
  planId: number
  today: string
  offers: PlanOnSale[]
  order: Ordered | null
  /** What came of each charge, and was given back. */
  collected: Map<string, Collected>
  /** Cents that people handed over, and that were given back of them. */
  handed: number
  handedBack: number
  /** Cents of invoices that were given back as a gift. */
  given: Map<number, number>
  prices: Price[]
  /** Of invoices that were issued before a master edited the plan: they stay, unless they are made anew. */
  issued: Map<number, Omit<Price, 'from'>>
  waiting: Price | null
  /** Of the plan of now, by hundredths of a percent. */
  readjustment: { from: string; rate: number } | null
  /** Days on which nothing is billed. */
  unbilled: Set<string>
  isOff: boolean
  /** It was deleted, and so many charges of it can still be paid. */
  left: FoundCharge[] | null
  /** The last day of the service, where it was ended. */
  endsOn: string | null
  /** What was paid of each invoice when billing had stopped for who does not pay; null: it had not. */
  stopped: Map<number, number> | null
  /** Periods that may pass unpaid beyond those that the operator lets pass. */
  leave: number
  steps: number
  refused: number
}

export interface MoneyScene {
  app: TestApp
  viewer: Viewer
}

export interface Doing {
  scene: MoneyScene
  life: Life
  step: Action
  platform: PlatformScope
  /** The same for one action that is done twice. */
  id: string
}

export type Of<Name extends Action['do']> = Doing & { step: Extract<Action, { do: Name }> }

export const GRACE_DAYS = 5
const FROM = '2031-01-31'

export async function setMoneyScene(app: TestApp): Promise<MoneyScene> {
  const master = await app.as('master@balcao.test')
  await app.database.script(
    `insert into settings (key, value) values ('graceDays', '${GRACE_DAYS}') on conflict (key) do update set value = excluded.value`,
  )
  const { id, name, queues } = master.user
  const viewer: Viewer = {
    ...{ id, name, companyId: master.user.companyId, profile: 'admin', master: 1, payPanelAccess: true },
    ...{ queueIds: queues.map(queue => queue.id), signMessage: false, authorization: defaultFlags },
  }
  await app.database.script(PRICES_BY_THE_DAY)
  return { app, viewer }
}

/** What a plan costs counts from the moment of the life of its company. */
const PRICES_BY_THE_DAY = `
  create table life_moments (of_company integer primary key, moment timestamptz not null);
  create function price_since() returns trigger language plpgsql security definer set search_path = public as $$ begin
    NEW.since := coalesce((select moment from life_moments where of_company = NEW.company_id), NEW.since);
    return NEW;
  end $$;
  create trigger price_since before insert on plan_prices for each row execute function price_since()`

/** The day of a life begins. */
export async function beginDay({ app }: MoneyScene, life: Pick<Life, 'companyId' | 'today'>): Promise<void> {
  const moment = momentOf(life.today).toISOString()
  await app.database.script(`insert into life_moments values (${life.companyId}, '${moment}')
    on conflict (of_company) do update set moment = excluded.moment`)
}

async function offer(platform: PlatformScope): Promise<PlanOnSale[]> {
  const plan = async (values: Partial<PlanInput>) =>
    (await addPlan(platform, { name: `Plano ${unique()}`, ...values })).id
  const ids = [
    await plan({ value1Month: 9_990 }),
    await plan({ value1Month: 29_970 }),
    await plan({ value1Month: 30_000, value12Months: 25_000 }),
    await plan({ value1Month: 16_000, value3Months: 15_000 }),
  ]
  return OFFERED.map(({ cents, months }, at) => ({ id: ids[at]!, cents, months, isOnSale: true }))
}

/** `isSignUp`: by the store, with its trial. */
export async function beginLife(scene: MoneyScene, isSignUp = false): Promise<Life> {
  // no session lasts as long as many lives
  const { app, viewer } = scene
  const platform = app.platform.scopes.platform()
  const offers = await offer(platform)
  const email = `${unique()}@cliente.test`
  const input = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = await addClient(platform, viewer, input)
  await beginDay(scene, { companyId, today: FROM })
  const own = await assignPlan(platform, companyId, offers[0]!.id)
  if (isSignUp)
    await app.database.script(`with lead as (
        insert into leads (name, email, whatsapp_number, origin, recurrence, language, network, expires_at, completed_at)
        values ('Dona', '${email}', '5511999990000', 'loja', 'month1', 'ptBR', '127.0.0.1', now(), now()) returning id)
      update companies set lead_id = (select id from lead), created_at = '${momentOf(FROM).toISOString()}' where id = ${companyId}`)
  return {
    ...{
      companyId,
      offers,
      planId: own.id,
      today: FROM,
      collected: new Map(),
      given: new Map(),
      handed: 0,
      handedBack: 0,
    },
    prices: [{ from: '2000-01-01', cents: 9_990, months: 1 }],
    ...{ waiting: null, readjustment: null, unbilled: new Set(), isOff: false, endsOn: null, stopped: null },
    ...{ order: null, issued: new Map(), left: null },
    ...{ leave: 0, steps: 0, refused: 0 },
  }
}

/** What a period that begins on a day costs, before discounts. */
export function costFrom({ prices, waiting, readjustment }: Life, day: string): Omit<Price, 'from'> {
  if (waiting && waiting.from <= day) return waiting
  const price = prices.findLast(({ from }) => from <= day)!
  return readjustment && readjustment.from <= day ? readjustedBy(price, readjustment.rate) : price
}

export const readjustedBy = ({ cents, months }: Omit<Price, 'from'>, rate: number) => ({
  cents: readjusted(cents / months, rate) * months,
  months,
})

export const momentOf = (day: string) => new Date(`${day}T15:00:00Z`)

export const writing = ({ today }: Life) => ({ payee: null, now: momentOf(today) })

export const inCompany = (platform: PlatformScope, { companyId }: Life, work: (tx: Tx) => Promise<unknown>) =>
  platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    await work(tx)
  })

/** What the plan of a company costs now, also where that was decided today and is not applied yet, and the change that waits. */
export async function planNow({ app }: MoneyScene, { companyId, today }: Life) {
  const { change, own } = await app.platform.scopes.platform().transaction(async sql => ({
    change: await planChangeOf(sql, companyId),
    own: (await plansOfCompany(sql, companyId))[0]!,
  }))
  const waits = change && change.fromDay > today
  return {
    price: change && !waits ? priceOf(change.terms) : priceOf(own),
    since: change?.fromDay ?? today,
    waiting: waits ? { ...priceOf(change.terms), from: change.fromDay } : null,
  }
}

export const read = <Row>(platform: PlatformScope, query: ReturnType<typeof tag>): Promise<Row[]> =>
  platform.transaction(sql => rowsFrom<Row & Record<string, unknown>>(sql, query)) as Promise<Row[]>
