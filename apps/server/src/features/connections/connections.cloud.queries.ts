import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { and, eq, isNull, lte, or, sql } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { type CloudRow, newWebhookKey } from './connections.rules.ts'
import { whatsappCloud } from './connections.table.ts'

/** Inserts or updates the settings of the official API. Refuses the number of another connection with ERR_BAD_REQUEST. */
export async function upsertCloud(tx: Tx, whatsappId: number, given: Partial<CloudRow>): Promise<void> {
  const fields = { ...given, lastError: '', lastErrorAt: null }
  // Drizzle cannot know that the caller has checked the required columns
  const row = { ...fields, companyId: tx.companyId, whatsappId, webhookKey: newWebhookKey() }
  const saving = tx.sql
    .insert(whatsappCloud)
    .values(row as typeof whatsappCloud.$inferInsert)
    .onConflictDoUpdate({
      target: [whatsappCloud.companyId, whatsappCloud.whatsappId],
      set: { ...fields, ...(given.businessAccountId && ofOtherAccount) },
    })
  await saving.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'whatsapp_cloud_number')) throw error
    refuse('ERR_BAD_REQUEST', { field: 'cloud.phoneNumberId', message: 'Another connection has this number' })
  })
}

const isOther = sql`${whatsappCloud.businessAccountId} <> excluded.business_account_id`
/** Another account has its own bans and restrictions. */
const ofOtherAccount = {
  banState: sql`case when ${isOther} then '' else ${whatsappCloud.banState} end`,
  banAt: sql`case when ${isOther} then null else ${whatsappCloud.banAt} end`,
  restrictions: sql`case when ${isOther} then '[]'::jsonb else ${whatsappCloud.restrictions} end`,
  restrictedAt: sql`case when ${isOther} then null else ${whatsappCloud.restrictedAt} end`,
  violation: sql`case when ${isOther} then '' else ${whatsappCloud.violation} end`,
}

export const deleteCloud = (tx: Tx, whatsappId: number) =>
  tx.sql.delete(whatsappCloud).where(own(tx, whatsappId))

/** The settings with encrypted secrets; null for another kind of connection. */
export async function cloudOf(tx: Tx, whatsappId: number): Promise<CloudRow | null> {
  const [row] = await tx.sql.select().from(whatsappCloud).where(own(tx, whatsappId))
  return row ?? null
}

export const updateCloud = (tx: Tx, whatsappId: number, fields: Partial<CloudRow>) =>
  tx.sql.update(whatsappCloud).set(fields).where(own(tx, whatsappId))

/** Updates fields unless what is stored in `since` is later than their own. Answers whether it did. */
export async function updateCloudSince(
  tx: Tx,
  whatsappId: number,
  since: 'banAt' | 'restrictedAt' | 'violatedAt',
  fields: Partial<CloudRow>,
): Promise<boolean> {
  const column = whatsappCloud[since]
  const updated = await tx.sql
    .update(whatsappCloud)
    .set(fields)
    .where(and(own(tx, whatsappId), or(isNull(column), lte(column, fields[since]!))))
    .returning({ id: whatsappCloud.whatsappId })
  return updated.length > 0
}

const own = (tx: Tx, whatsappId: number) =>
  and(eq(whatsappCloud.companyId, tx.companyId), eq(whatsappCloud.whatsappId, whatsappId))
