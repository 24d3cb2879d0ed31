import type { Store } from './store.ts'

/** A company that is invoiced automatically, its recipients, and when it pays. */
export interface Payer {
  companyId: number
  zone: string
  months: 1 | 3 | 6 | 12
  /** Cents a month. */
  price: number
  /** Milliseconds since 1970; null for one that came without a trial. */
  signedUpAt: number | null
  hearers: Hearer[]
  /** Of each invoice in turn: so many days after its day it is paid, before it where negative; null is never. */
  pays: ({ days: number; isDuringRun: boolean } | null)[]
}

export interface Hearer {
  id: number
  email: string
  whatsapp: string
  /** By the names of the columns: `email_invoice_day`. */
  wishes: Record<string, boolean>
  before: number
  after: number
}

const FIRST_ID = 1_000
const DAY_MS = 86_400_000
const zones = ['America/Sao_Paulo', 'America/Manaus', 'Asia/Tokyo', 'Pacific/Auckland']
const terms = [1, 1, 3, 1, 6, 1, 12, 1] as const
const prices = { 1: 9_900, 3: 8_900, 6: 7_900, 12: 6_900 }
const events = ['invoice_created', 'invoice_day', 'delayed_payment', 'invoice_confirmed_payment']
const daysBefore = [0, 1, 3, 5, 10]
const daysAfter = [0, 1, 2, 5, 10]
/** More than anybody gets in two years. */
const MOST_INVOICES = 30

/** So many companies that begin about this moment. */
export function drawPayers(draw: () => number, count: number, from: number): Payer[] {
  return Array.from({ length: count }, (_, at) => {
    const companyId = FIRST_ID + at
    const months = terms[at % terms.length]!
    const signedUpAt = draw() < 0.6 ? from - Math.floor(draw() * 14 * DAY_MS) : null
    const first = drawHearer(draw, companyId * 2)
    const hearers = draw() < 0.5 ? [first] : [first, drawHearer(draw, companyId * 2 + 1)]
    const pays = drawPayments(draw)
    return { companyId, zone: zones[at % 4]!, months, price: prices[months], signedUpAt, hearers, pays }
  })
}

function drawHearer(draw: () => number, id: number): Hearer {
  const way = draw()
  const wishes = ['email', 'whatsapp'].flatMap(platform =>
    events.map(event => [`${platform}_${event}`, draw() < 0.8] as const),
  )
  return {
    id,
    email: way < 0.75 ? `quem${id}@pagador.test` : '',
    whatsapp: way > 0.4 ? `5511977${100_000 + id}` : '',
    wishes: Object.fromEntries(wishes),
    before: oneOf(draw, daysBefore),
    after: oneOf(draw, daysAfter),
  }
}

/** Some pay in time, some late, some never, and some now like this, now like that. */
function drawPayments(draw: () => number): Payer['pays'] {
  const habit = draw()
  return Array.from({ length: MOST_INVOICES }, () => {
    const mood = habit < 0.6 ? habit / 0.6 : draw()
    const [within, isDuringRun] = [draw(), draw() < 0.3]
    if (mood > 0.75) return null
    return { days: mood < 0.4 ? -9 + within * 10 : within * 13, isDuringRun }
  })
}

const oneOf = <T>(draw: () => number, among: T[]): T => among[Math.floor(draw() * among.length)]!

/** Writes them down as if they had been founded long ago. */
export async function furnishPayers(store: Store, payers: Payer[], whatsappId: number): Promise<void> {
  const founded = payers.map(({ companyId, zone, signedUpAt }) => ({
    ...{ id: companyId, name: `Pagador ${companyId}`, time_zone: zone },
    lead_id: signedUpAt === null ? null : companyId,
    created_at: new Date(signedUpAt ?? 0).toISOString(),
  }))
  const plans = payers.map(({ companyId, months, price }) => ({
    ...{ id: companyId, company_id: companyId, name: `Plano ${companyId}`, automatic_invoice: true },
    ...{ recurrence: months === 1 ? 'month1' : `months${months}` },
    [months === 1 ? 'value_1_month' : `value_${months}_months`]: price,
  }))
  const contacts = payers.flatMap(({ companyId, hearers }) =>
    hearers.map(({ id, email, whatsapp, wishes, before, after }) => ({
      ...{ id, company_id: companyId, contact_name: `Quem ${id}`, email, whatsapp, ...wishes },
      ...{ invoice_days_before_expiration: before, invoice_days_after_expiration: after },
    })),
  )
  const alike = Map.groupBy(plans, ({ recurrence }) => recurrence).values()
  const statements = [
    inserting('companies', founded),
    ...Array.from(alike, rows => inserting('plans', rows)),
    inserting('notification_contacts', contacts),
    // who does not pay is expected to be billed
    `insert into settings (key, value) values ('unpaidPeriods', '0')`,
    `update whatsapps set saas_notification_center = true where id = ${whatsappId}`,
  ]
  await store.rows(`with ${statements.map((one, at) => `s${at} as (${one})`)} select`)
}

/** Rows that name the same columns. */
function inserting(table: string, rows: object[]) {
  const columns = Object.keys(rows[0]!).join(', ')
  return `insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, '${JSON.stringify(rows)}')`
}
