import fc from 'fast-check'
import { expect } from 'vitest'
import { debitWindow } from '../src/features/autopay/autopay.rules.ts'
import { askForCharges } from '../src/features/charges/charges.listing.actions.ts'
import { dayInBrazil } from '../src/payments/payments.ts'
import { type AutopayPayer, cancelOwed, type openAutopay } from './autopay.ts'
import { until } from './test-app.ts'

type Page = Awaited<ReturnType<typeof openAutopay>>

/** What a company, its bank and the network do. */
export type AutopayStep =
  | { do: 'owe'; days: number; recurrence: 1 | 3; loses: boolean }
  | { do: 'choose'; kind: 'pix' | 'card'; loses: boolean }
  | { do: 'payCode' | 'payPage'; silently: boolean }
  | { do: 'end' | 'expireCode' | 'endAtBank' | 'cancel' | 'cardDay' }
  | { do: 'refuseCards'; isRefused: boolean }

const rarely = fc.integer({ min: 0, max: 3 }).map(drawn => drawn === 0)
const doing = <Do extends string>(...names: Do[]) => fc.record({ do: fc.constantFrom(...names) })

export const autopaySteps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('owe' as const),
      days: fc.constantFrom(0, 2, 7, 8, 20),
      recurrence: fc.constantFrom(1 as const, 1 as const, 3 as const),
      loses: rarely,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('choose' as const),
      kind: fc.constantFrom('pix' as const, 'pix' as const, 'card' as const),
      loses: rarely,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('payCode' as const, 'payCode' as const, 'payPage' as const),
      silently: rarely,
    }),
  },
  { weight: 3, arbitrary: doing('end', 'expireCode', 'endAtBank', 'cancel', 'cardDay') },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuseCards' as const), isRefused: fc.boolean() }) },
)

/** What cannot be done now changes nothing. */
export async function take(page: Page, of: AutopayPayer, step: AutopayStep): Promise<void> {
  const { there, asaas } = page
  switch (step.do) {
    case 'owe':
      if (step.loses) there.loseAnswer('POST /v3/payments')
      return void (await of.owe(step.days, { recurrence: step.recurrence }))
    case 'choose':
      if (step.loses) there.loseAnswer('POST /v3/pix/automatic/authorizations')
      return void (await page.choose(of, step.kind))
    case 'end':
      return void (await page.end(of))
    case 'cancel': {
      const [owed] = await owedBy(page, of)
      return owed && void (await cancelOwed(page.scene, owed.id))
    }
    case 'cardDay':
      return page.app.database.script(
        `update charges set card_due_at = now() where company_id = ${of.companyId} and card_due_at is not null`,
      )
    case 'refuseCards':
      return asaas.refuseCards(customerOf(page, of) ?? '', step.isRefused)
    case 'payPage': {
      const [open] = openAt(page, of)
      return open && acting(page, step.silently, () => there.pay(open.id))
    }
  }
  const code = page.authorizations(of).find(({ status }) => status === 'CREATED')
  const active = page.authorizations(of).find(({ status }) => status === 'ACTIVE')
  if (step.do === 'endAtBank') return active && asaas.endAtBank(active.id)
  if (!code || (await page.shown(of)).autopay?.pixCode !== code.payload) return
  if (step.do === 'expireCode') return asaas.expireCode(code.id)
  acting(page, step.do === 'payCode' && step.silently, () => asaas.payCode(code.id))
}

const acting = ({ there }: Page, silently: boolean, act: () => unknown) =>
  silently ? there.silently(act) : void act()

const customerOf = ({ asaas }: Page, { companyId }: AutopayPayer) =>
  asaas.customers.find(one => one.externalReference?.endsWith(`:${companyId}`))?.id

const openAt = (page: Page, of: AutopayPayer) =>
  page.asaas.payments.filter(
    one =>
      one.customer === customerOf(page, of) && !one.deleted && ['PENDING', 'OVERDUE'].includes(one.status),
  )

interface Owed {
  id: number
  owed: number
  months: number
  due: string
}

const owedBy = ({ sqlOf, tag }: Page, { companyId }: AutopayPayer) =>
  sqlOf<Owed>(tag`select id, value - paid_value as owed, recurrence as months, to_char(due_date, 'YYYY-MM-DD') as due
    from invoices where company_id = ${companyId} and status in ('PENDING', 'OVERDUE') and value > paid_value
    order by due_date, id`)

/** All that is to be asked for was asked for, also what an event did not report. */
export async function rest(page: Page): Promise<void> {
  const { there, app, sqlOf, tag } = page
  await there.eventsDelivered()
  await askForCharges(app.platform, new Date())
  await app.database.script(`update autopay_ways set due_at = now() where state in ('waiting', 'active')`)
  // a pause is shorter than a lease, and what waits for its day is due later than both
  const waiting = async () => {
    await app.database.script(`
      update charges set due_at = now() where state in ('wanted', 'unwanted') and due_at < now() + interval '90 seconds';
      update autopay_ways set due_at = now() where state <> 'ended' and due_at < now() + interval '90 seconds'`)
    const [row] = await sqlOf<{ many: number }>(tag`select (
      (select count(*) from charges where state in ('wanted', 'unwanted') and due_at < now() + interval '150 seconds')
      + (select count(*) from charges where state = 'open' and card_due_at < now() + interval '4 minutes')
      + (select count(*) from autopay_ways where kind = 'pix' and state <> 'ended'
          and due_at < now() + interval '150 seconds'))::int as many`)
    await there.eventsDelivered()
    return row!.many
  }
  await until(async () => (await waiting()) === 0 && (await waiting()) === 0, 60_000)
}

interface Charged {
  reference: string
  invoiceId: number
  state: string
  isOrdinary: boolean
}

interface Way {
  kind: 'pix' | 'card'
  state: string
  authorizationId: string
  invoiceId: number | null
  value: number | null
  months: number | null
}

/** What must hold of a company at rest. */
export async function audit(page: Page, of: AutopayPayer): Promise<void> {
  const { sqlOf, tag } = page
  const { companyId } = of
  const [way] = await sqlOf<Way>(tag`select kind, state, authorization_id as "authorizationId",
    invoice_id as "invoiceId", value, months from autopay_ways
    where company_id = ${companyId} and state in ('wanted', 'waiting', 'active')`)
  const charges = await sqlOf<Charged>(tag`select reference, invoice_id as "invoiceId", state,
    is_ordinary as "isOrdinary" from charges where company_id = ${companyId}`)
  const owed = await owedBy(page, of)
  const chargeOf = (named: string | null) => charges.find(one => named?.endsWith(`:${one.reference}`))
  const alive = page
    .authorizations(of)
    .filter(({ status }) => status === 'CREATED' || status === 'ACTIVE')
    .map(({ id }) => id)
  // what can be paid is owed, once, and by what was chosen
  const found = openAt(page, of).map(one => {
    const charge = chargeOf(one.externalReference)
    return {
      ...{ id: charge?.invoiceId ?? 0, cents: Math.round(one.value * 100) },
      // the page of a debit stays when its authorization ends
      how: alive.find(id => id === one.pixAutomaticAuthorizationId) ?? one.billingType,
    }
  })
  const wanted = owed.flatMap(invoice => {
    const current = charges.find(one => one.invoiceId === invoice.id && one.state === 'open')
    const how = howOf(way, invoice, current?.isOrdinary ?? false)
    return how === null ? [] : [{ id: invoice.id, cents: invoice.owed, how }]
  })
  const byId = (one: { id: number }, other: { id: number }) => one.id - other.id
  expect({ companyId, way, open: found.toSorted(byId) }).toEqual({
    companyId,
    way,
    open: wanted.toSorted(byId),
  })
  // an authorization that does not count has ended at the provider
  expect({ companyId, alive }).toEqual({
    ...{ companyId, alive: way?.authorizationId ? [way.authorizationId] : [] },
  })
  // a code asks for what its invoice owes
  if (way?.kind === 'pix' && way.state === 'waiting')
    expect({ companyId, owed: owed.find(({ id }) => id === way.invoiceId)?.owed }).toEqual({
      ...{ companyId, owed: way.value },
    })
}

/** How an invoice is paid at the provider: its means, or the authorization; null: it waits for its day. */
function howOf(way: Way | undefined, { due, months }: Owed, isOrdinary: boolean): string | null {
  if (way?.kind === 'card' && !isOrdinary) return 'CREDIT_CARD'
  if (way?.kind !== 'pix' || way.state !== 'active' || months !== way.months || isOrdinary) return 'PIX'
  const { is } = debitWindow(dayInBrazil(new Date()), due)
  return is === 'open' ? way.authorizationId : is === 'early' ? null : 'PIX'
}
