import { readBotState } from '@balcao/contract/bots.rules.ts'
import { type Script, scriptOf, surroundingsOf } from '@balcao/contract/bots.script.rules.ts'
import type { BotState } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, statement } from '../../platform/postgres/prepared.ts'
import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  lte,
  ne,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { dueAtWork, isSuspended } from '../companies/companies.status.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { lookup } from '../messages/inbound/lookups.queries.ts'
import { messages } from '../messages/messages.table.ts'
import { ticketHistory } from '../tickets/tickets.table.ts'
import { scriptCommandsOf } from './bots.commands.queries.ts'
import { findSetup } from './bots.queries.ts'
import { referencesOf } from './bots.references.queries.ts'
import { botConnections, botSessions, botSetups } from './bots.table.ts'

export interface BotSessionState {
  botSetupId: number
  state: BotState
  /** The end of the burst where there are lines, else of the wait for a choice. */
  dueAt: string | null
}

/** The bot's session of a ticket, locked after the ticket's row; null when no bot ever answered in it. */
export async function lockSession(tx: Tx, ticketId: number): Promise<BotSessionState | null> {
  const [row] = await tx.sql.select(kept).from(botSessions).where(ownSession(tx, ticketId)).for('update')
  return row ? { ...row, state: readBotState(row.state) } : null
}

/** Those of the tickets in which a bot ever answered. */
export const ticketsWithSession = statement(
  sql =>
    sql
      .select({ ticketId: botSessions.ticketId })
      .from(botSessions)
      .where(
        and(
          eq(botSessions.companyId, given('companyId')),
          tag`${botSessions.ticketId} = any(${given('ticketIds')}::int[])`,
        ),
      )
      .orderBy(botSessions.ticketId),
  (ticketIds: number[]) => ({ ticketIds }),
)

export async function findSession(tx: Tx, ticketId: number): Promise<BotSessionState | null> {
  const [row] = await tx.sql.select(kept).from(botSessions).where(ownSession(tx, ticketId))
  return row ? { ...row, state: readBotState(row.state) } : null
}

const kept = {
  botSetupId: botSessions.botSetupId,
  state: botSessions.state,
  dueAt: tag<string | null>`coalesce(${botSessions.burstAt}, ${botSessions.dueAt})`.mapWith(
    botSessions.dueAt,
  ),
}

export const keepSession = (tx: Tx, ticketId: number, session: BotSessionState) => {
  const { botSetupId, state, dueAt } = session
  const isBurst = state.lines.length > 0
  const ends = { dueAt: isBurst ? null : dueAt, burstAt: isBurst ? dueAt : null }
  const values = { botSetupId, state, ...ends, updatedAt: databaseTime() }
  return tx.sql
    .insert(botSessions)
    .values({ ...values, companyId: tx.companyId, ticketId })
    .onConflictDoUpdate({ target: [botSessions.companyId, botSessions.ticketId], set: values })
}

/** The wait for a choice ends later. */
export const moveWait = (tx: Tx, ticketId: number, dueAt: string) =>
  tx.sql.update(botSessions).set({ dueAt }).where(ownSession(tx, ticketId))

/** Whether a user ever moved the ticket, or wrote in it here or on the phone. */
export async function isAttended(tx: Tx, ticketId: number): Promise<boolean> {
  const moved = await tx.sql
    .select({ id: ticketHistory.id })
    .from(ticketHistory)
    .where(
      and(
        eq(ticketHistory.companyId, tx.companyId),
        eq(ticketHistory.ticketId, ticketId),
        isNotNull(ticketHistory.byUserId),
      ),
    )
    .limit(1)
  if (moved.length > 0) return true
  const written = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        inArray(messages.source, ['person', 'phone']),
        eq(messages.isPrivate, false),
      ),
    )
    .limit(1)
  return written.length > 0
}

/** The bot of a connection; null when it has none, or bots are switched off. */
export async function botOn(tx: Tx, whatsappId: number): Promise<number | null> {
  const [row] = await idOfBotOn(tx, whatsappId)
  return row?.id ?? null
}

const idOfBotOn = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select({ id: botSetups.id })
    .from(botConnections)
    .innerJoin(
      botSetups,
      and(eq(botSetups.companyId, botConnections.companyId), eq(botSetups.id, botConnections.botSetupId)),
    )
    .innerJoin(companies, eq(companies.id, botConnections.companyId))
    .where(
      and(
        eq(botConnections.companyId, tx.companyId),
        eq(botConnections.whatsappId, whatsappId),
        eq(companies.enableBots, true),
      ),
    )

/** The bot that is on where the message came. */
export const botOnLookup = lookup<number>(
  'bot',
  () => tag`select s.id from bot_connections b
    join bot_setups s on s.company_id = b.company_id and s.id = b.bot_setup_id
    join companies c on c.id = b.company_id and c.enable_bots
    where b.company_id = ${given('companyId')} and b.whatsapp_id = asked.whatsapp_id limit 1`,
)

/** Sessions of all companies whose burst is over, or in which the customer chose nothing in time, the longest due first. */
export function waitsOver(sql: Sql, most: number, passed: number[] = []) {
  const { companyId, ticketId } = botSessions
  const overBy = (
    dueAt: typeof botSessions.dueAt | typeof botSessions.burstAt,
    which: SQL | undefined,
    limit: number,
  ) =>
    sql
      .select({ companyId, ticketId, dueAt })
      .from(botSessions)
      .where(and(which, lte(dueAt, tag`now()`), outside(companyId, passed)))
      .orderBy(asc(dueAt))
      .limit(limit)
  const over = (which: SQL | undefined, limit: number) =>
    overBy(botSessions.dueAt, which, limit).unionAll(overBy(botSessions.burstAt, which, limit))
  return sql
    .select({ companyId: tag<number>`found.company_id`, ticketId: tag<number>`found.ticket_id` })
    .from(
      dueAtWork({
        early: limit => over(undefined, limit),
        ofEach: over(eq(companyId, companies.id), most),
      }),
    )
    .orderBy(tag`found.due_at`)
    .limit(most)
}

const ownSession = (tx: Tx, ticketId: number) =>
  and(eq(botSessions.companyId, tx.companyId), eq(botSessions.ticketId, ticketId))

export const readBotOn = (tx: Tx, whatsappId: number) =>
  once(tx, `speaker ${whatsappId}`, () => botOn(tx, whatsappId))

export const readSuspended = (tx: Tx) => once(tx, 'suspended', () => isSuspended(tx))

/** A bot with its script. */
export const readScript = (tx: Tx, botSetupId: number, whatsappId: number | null) =>
  once(tx, `script ${botSetupId} ${whatsappId}`, async (): Promise<{ script: Script; setup: BotSetup }> => {
    const setup = await findSetup(tx, botSetupId)
    const commands = await scriptCommandsOf(tx, botSetupId)
    const around = await referencesOf(tx, setup, commands, whatsappId)
    return { setup, script: scriptOf(setup, commands, surroundingsOf(around)) }
  })

/** Numbers of the company's own connections: its bots do not answer each other. */
export const readOwnNumbers = (tx: Tx) =>
  once(tx, 'numbers', async () => {
    const rows = await tx.sql
      .select({ number: whatsapps.number })
      .from(whatsapps)
      .where(and(eq(whatsapps.companyId, tx.companyId), ne(whatsapps.number, '')))
    return new Set(rows.map(({ number }) => number))
  })

const known = new WeakMap<Tx, Map<string, Promise<unknown>>>()

/** One commit receives messages of many customers (group commit) and changes nothing read here: each is read once a transaction. */
function once<T>(tx: Tx, name: string, read: () => Promise<T>): Promise<T> {
  const all = known.get(tx) ?? new Map<string, Promise<unknown>>()
  known.set(tx, all)
  const first = (all.get(name) as Promise<T> | undefined) ?? read()
  all.set(name, first)
  return first
}
