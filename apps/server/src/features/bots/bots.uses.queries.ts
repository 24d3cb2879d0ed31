import { and, eq, or, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { botCommands, botSetups } from './bots.table.ts'

/** What a bot may refer to, by columns of commands and of setups. */
const references = {
  queue: (id: number) => [eq(botCommands.queueId, id), eq(botSetups.transferQueueId, id)],
  user: (id: number) => [eq(botCommands.userId, id)],
  flow: (id: number) => [and(eq(botCommands.typeMessage, 'flow'), eq(botCommands.flowId, id))],
  prompt: (id: number) => [eq(botCommands.botConfigId, id), eq(botSetups.botConfigId, id)],
  tag: (id: number) => [tag`${id}::int = any(${botCommands.tagIds})`, asksFor('tag', id)],
  category: (id: number) => [tag`${id}::int = any(${botCommands.categoryIds})`, asksFor('category', id)],
} satisfies Record<string, (id: number) => (SQL | undefined)[]>

const asksFor = (kind: string, id: number) =>
  tag`${botCommands.logic} -> 'conditions' @> ${JSON.stringify([{ kind, id }])}::jsonb`

/** Names of the bots that refer to a row. */
export async function botsUsing(tx: Tx, kind: keyof typeof references, id: number): Promise<string[]> {
  const rows = await tx.sql
    .selectDistinct({ name: botSetups.name })
    .from(botSetups)
    .leftJoin(
      botCommands,
      and(eq(botCommands.companyId, botSetups.companyId), eq(botCommands.botSetupId, botSetups.id)),
    )
    .where(and(eq(botSetups.companyId, tx.companyId), or(...references[kind](id))))
    .orderBy(botSetups.name)
  return rows.map(({ name }) => name)
}
