import { readBotState } from '@balcao/contract/bots.rules.ts'
import type { BotState } from '@balcao/contract/bots.talk.ts'
import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, lte } from '../../platform/sql.ts'
import { isAtWork } from '../companies/companies.standing.ts'
import { companies } from '../companies/companies.table.ts'
import { botConnections, botSessions, botSetups } from './bots.table.ts'

/** So many conversations in which nobody chose are looked at together. */
export const WAITS_AT_ONCE = 100

export interface BotStanding {
  botSetupId: number
  state: BotState
  dueAt: string | null
}

/** Where the conversation of a ticket stands, locked behind the ticket's row; null when no bot ever spoke in it. */
export async function lockSession(tx: Tx, ticketId: number): Promise<BotStanding | null> {
  const [row] = await tx.sql.select(kept).from(botSessions).where(own(tx, ticketId)).for('update')
  return row ? { ...row, state: readBotState(row.state) } : null
}

export async function findSession(tx: Tx, ticketId: number): Promise<BotStanding | null> {
  const [row] = await tx.sql.select(kept).from(botSessions).where(own(tx, ticketId))
  return row ? { ...row, state: readBotState(row.state) } : null
}

const kept = { botSetupId: botSessions.botSetupId, state: botSessions.state, dueAt: botSessions.dueAt }

export const keepSession = (tx: Tx, ticketId: number, session: BotStanding) => {
  const values = { ...session, updatedAt: new Date().toISOString() }
  return tx.sql
    .insert(botSessions)
    .values({ ...values, companyId: tx.companyId, ticketId })
    .onConflictDoUpdate({ target: [botSessions.companyId, botSessions.ticketId], set: values })
}

/** The bot that speaks on a connection; null where none does, or the company has no bots. */
export async function speakerOn(tx: Tx, whatsappId: number): Promise<number | null> {
  const [row] = await tx.sql
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
  return row?.id ?? null
}

/** Conversations of all companies in which nobody chose in time, the longest due first. */
export const waitsOver = (sql: Sql) =>
  sql
    .select({ companyId: botSessions.companyId, ticketId: botSessions.ticketId })
    .from(botSessions)
    .where(and(lte(botSessions.dueAt, new Date().toISOString()), isAtWork(botSessions.companyId)))
    .orderBy(asc(botSessions.dueAt))
    .limit(WAITS_AT_ONCE)

const own = (tx: Tx, ticketId: number) =>
  and(eq(botSessions.companyId, tx.companyId), eq(botSessions.ticketId, ticketId))
