import type { Sql } from '../../platform/db.ts'
import { eq, sql as tag } from '../../platform/sql.ts'
import { standardPlan } from './companies.queries.ts'
import { companies } from './companies.table.ts'

/** Makes a company on the standard plan (OP-42), whose flags and limits are copied to it (OP-25). */
export async function found(sql: Sql, name: string, email: string): Promise<number> {
  const plan = await standardPlan(sql)
  const [company] = await sql
    .insert(companies)
    .values({
      name,
      companyName: name,
      email,
      ...(plan && {
        planId: plan.id,
        numberAttendants: plan.numberAttendants,
        numberConections: plan.numberConnections,
        enableCampaigns: plan.enableCampaigns,
        enableBots: plan.enableBots,
        enableFlows: plan.enableFlows,
      }),
    })
    .returning({ id: companies.id })
  return company!.id
}

/** The next protocol number of a company: the day and a running number, never given twice (OP-68). */
export async function nextProtocol(sql: Sql, companyId: number): Promise<string> {
  const [row] = await sql
    .update(companies)
    .set({ lastProtocol: tag`${companies.lastProtocol} + 1` })
    .where(eq(companies.id, companyId))
    .returning({ number: companies.lastProtocol })
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  return `${day}${String(row!.number).padStart(4, '0')}`
}
