import type { FailedNote, FiscalSettings } from '@balcao/contract/fiscalNotes.ts'
import { FiscalSettings as Shape } from '@balcao/contract/fiscalNotes.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { z } from 'zod'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inState, lte, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { fromNow, isOver } from '../../platform/work/leases.ts'
import { setSetting, settingOr } from '../companies/companies.settings.queries.ts'
import { payments } from '../invoices/invoices.ledger.table.ts'
import { fiscalNotes } from './fiscalNotes.table.ts'

export type NoteRow = typeof fiscalNotes.$inferSelect

const KEY = 'fiscalNotes'
/** Payments that came since then get a note; null: none do. */
const Stored = z.object({ settings: Shape, since: z.string().nullable() })

const OFF: FiscalSettings = Shape.parse({ isOn: false })

export async function fiscalSettings(sql: Sql): Promise<z.infer<typeof Stored>> {
  const stored = await settingOr(sql, KEY, '')
  return stored === '' ? { settings: OFF, since: null } : Stored.parse(JSON.parse(stored))
}

export const storeSettings = (sql: Sql, stored: z.infer<typeof Stored>) =>
  setSetting(sql, KEY, JSON.stringify(stored))

/** So many payments get their notes in one statement; the next run continues. */
const AT_ONCE = 500
/** Days after which a payment that is reported late gets none. */
const DAYS_BACK = 200

/** Makes a row for each payment that has none, of those that the provider collected and that were not given back wholly. */
export async function wantNotes(sql: Sql, provider: string, since: string): Promise<number> {
  const made = await rowsFrom<{ id: number }>(
    sql,
    tag`insert into fiscal_notes (company_id, payment_id)
      select p.company_id, p.id from payments p
      where p.provider = ${provider} and p.provider_id <> '' and p.company_id is not null and p.voided_at is null
        and p.created_at >= ${since}::timestamptz and p.paid_on > current_date - ${DAYS_BACK}::int
        and p.value > coalesce((select sum(r.value) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed'), 0)
        and not exists (select from fiscal_notes n where n.payment_id = p.id)
      order by p.id limit ${AT_ONCE}
      on conflict do nothing returning id`,
  )
  return made.length
}

const isWaiting = inState(fiscalNotes.state, 'wanted', 'asked')

/** Notes that are to be issued, or asked after. */
export const notesDue = (sql: Sql, limit: number, passed: number[] = []) =>
  sql
    .select({ companyId: fiscalNotes.companyId, id: fiscalNotes.id })
    .from(fiscalNotes)
    .where(and(isWaiting, lte(fiscalNotes.dueAt, tag`now()`), outside(fiscalNotes.companyId, passed)))
    .orderBy(fiscalNotes.dueAt)
    .limit(limit)

const own = (tx: Pick<Tx, 'companyId'>, id: number) =>
  and(eq(fiscalNotes.companyId, tx.companyId), eq(fiscalNotes.id, id))

/** A note under a lease of `ms`, with its payment; null where another worker has it. */
export async function claimNote(tx: Tx, id: number, ms: number) {
  const [note] = await tx.sql
    .update(fiscalNotes)
    .set({ dueAt: fromNow(ms), attempts: tag`${fiscalNotes.attempts} + 1` })
    .where(and(own(tx, id), isWaiting, isOver(fiscalNotes.dueAt)))
    .returning()
  if (!note) return null
  const [payment] = await tx.sql
    .select({
      ...{ provider: payments.provider, providerId: payments.providerId },
      /** Cents that were not given back, and are not to be. */
      leftCents: tag<number>`(${payments.value} - coalesce((select sum(r.value) from payment_refunds r
        where r.payment_id = ${payments.id} and r.state <> 'failed'), 0))::int`,
    })
    .from(payments)
    .where(and(eq(payments.companyId, tx.companyId), eq(payments.id, note.paymentId)))
  return payment ? { note, payment } : null
}

export const updateNote = (
  tx: Tx,
  id: number,
  values: Partial<Pick<NoteRow, 'state' | 'noteId' | 'number' | 'pdfUrl' | 'problem' | 'attempts'>> & {
    dueAt?: SQL
  },
) => tx.sql.update(fiscalNotes).set(values).where(own(tx, id))

/** Locked; null where there is none. */
export async function lockNote(tx: Tx, id: number): Promise<NoteRow | null> {
  const [row] = await tx.sql.select().from(fiscalNotes).where(own(tx, id)).for('update')
  return row ?? null
}

/** The note of any company that the provider knows by this id; null where none of here has it. */
export async function noteNamed(sql: Sql, noteId: string) {
  const [row] = await sql
    .select({ companyId: fiscalNotes.companyId, id: fiscalNotes.id })
    .from(fiscalNotes)
    .where(eq(fiscalNotes.noteId, noteId))
  return row ?? null
}

export async function failedNotes(sql: Sql, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    rowsFrom<Omit<FailedNote, 'valueBrl'>>(
      sql,
      tag`select n.id, n.company_id as "companyId", c.name as "companyName", p.value,
          to_char(p.paid_on, 'YYYY-MM-DD') as "paidOn", n.problem
        from fiscal_notes n join companies c on c.id = n.company_id join payments p on p.id = n.payment_id
        where n.state = 'failed' order by n.created_at, n.company_id, n.id limit ${limit} offset ${offset}`,
    ),
  )
  return { notes: rows.map(row => ({ ...row, valueBrl: brl(row.value) })), hasMore }
}
