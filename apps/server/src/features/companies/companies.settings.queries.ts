import { CollectorName } from '@balcao/contract/collectors.ts'
import { type Branding, LIMIT_DAYS, type Setting, UNPAID_PERIODS } from '@balcao/contract/companies.ts'
import type { LateTerms } from '@balcao/contract/ledger.rules.ts'
import { providerOfServer } from '../../payments/providers.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import { settings } from './companies.table.ts'

type Key = Setting['key']

/** What counts where no master decided. */
const USUAL: Record<Key, string> = {
  userCreation: 'enabled',
  graceDays: '0',
  customersEnd: 'disabled',
  unpaidPeriods: String(UNPAID_PERIODS),
  limitDays: String(LIMIT_DAYS),
  lateFine: '0',
  lateInterest: '0',
  upgradeTrust: '',
  oneTrial: 'disabled',
}

/** Every setting of the platform, and whether a master decided about it. */
export async function settingsNow(sql: Sql): Promise<Record<Key, { value: string; isChosen: boolean }>> {
  const rows = await sql
    .select()
    .from(settings)
    .where(inArray(settings.key, Object.keys(USUAL)))
  const chosen = new Map(rows.map(({ key, value }) => [key, value]))
  const entries = Object.entries(USUAL).map(([key, value]) => [
    key,
    { value: chosen.get(key) ?? value, isChosen: chosen.has(key) },
  ])
  return Object.fromEntries(entries)
}

export const settingNow = async (sql: Sql, key: Key): Promise<string> => (await settingsNow(sql))[key].value

/** Of a key that is no setting of the list; `usual` where nothing is stored. */
export async function settingOr(sql: Sql, key: 'fiscalNotes', usual: string): Promise<string> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, key))
  return row?.value ?? usual
}

export const setSetting = (sql: Sql, key: Key | 'collector' | 'fiscalNotes', value: string) =>
  sql.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } })

/** Whether sign-up is open (OP-44); the default. */
export const signUpIsOpen = async (sql: Sql): Promise<boolean> =>
  (await settingNow(sql, 'userCreation')) !== 'disabled'

/** Sets it at the first start; a later choice is kept. */
export const beginSignUp = (sql: Sql, value: Branding['userCreation']) =>
  sql.insert(settings).values({ key: 'userCreation', value }).onConflictDoNothing()

/** What billing needs: rates are hundredths of a percent, null where nothing is asked of who pays late. */
export async function billingSettings(sql: Sql): Promise<{ unpaidPeriods: number; late: LateTerms | null }> {
  const now = await settingsNow(sql)
  const rate = (key: Key) => Math.round(Number(now[key].value) * 100)
  const late = { fine: rate('lateFine'), interest: rate('lateInterest') }
  return {
    unpaidPeriods: Number(now.unpaidPeriods.value),
    late: late.fine + late.interest > 0 ? late : null,
  }
}

const NO_COLLECTOR = 'none'

/** The provider that collects new charges: as the operator chose, else as the server’s variables name it. Null for none. */
export async function chosenCollector(sql: Sql, config: Config): Promise<CollectorName | null> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, 'collector'))
  return row ? (CollectorName.safeParse(row.value).data ?? null) : providerOfServer(config)
}

/** The same within a statement; null where the server’s variables name none. */
export const collectorChosen = (config: Config) =>
  tag`coalesce((select value from settings where key = 'collector'), ${providerOfServer(config)})`

export const chooseCollector = (sql: Sql, name: CollectorName | null) =>
  setSetting(sql, 'collector', name ?? NO_COLLECTOR)

const ofDemo = (companyId: number) => `demo.${companyId}`

/** Nothing of a company of the demo counts in past months when it is deleted. */
export const markDemo = (sql: Sql, companyId: number) =>
  sql
    .insert(settings)
    .values({ key: ofDemo(companyId), value: 'leaving' })
    .onConflictDoNothing()

/** Deletes the mark of a company that is deleted; answers whether it had one. */
export async function dropDemoMark(sql: Sql, companyId: number): Promise<boolean> {
  const marks = await sql
    .delete(settings)
    .where(eq(settings.key, ofDemo(companyId)))
    .returning({ key: settings.key })
  return marks.length > 0
}
