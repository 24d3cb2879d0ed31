import { firstTemplate, holdsAddress, type NoticePlatform } from '@balcao/contract/billingNotices.rules.ts'
import type { NotificationTemplate, NotificationTemplateInput } from '@balcao/contract/billingNotices.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { asc, desc, eq } from '../../platform/postgres/sql.ts'
import { notificationTemplates } from './billingNotices.table.ts'

type TemplateRow = typeof notificationTemplates.$inferSelect
export type TemplateTexts = Pick<TemplateRow, 'thumbnailWpHtml' | 'textWp' | 'emailHtml' | 'emailTitle'>

export async function listTemplates(sql: Sql): Promise<NotificationTemplate[]> {
  const rows = await sql
    .select()
    .from(notificationTemplates)
    .orderBy(asc(notificationTemplates.name), asc(notificationTemplates.id))
  const used = await usedRow(sql)
  return rows.map(row => ({ ...row, isUsed: row.id === used?.id }))
}

/** Refuses with ERR_NOT_FOUND. */
export async function findTemplate(sql: Sql, templateId: number): Promise<NotificationTemplate> {
  const [row] = await sql.select().from(notificationTemplates).where(eq(notificationTemplates.id, templateId))
  return row ? withUse(sql, row) : refuse('ERR_NOT_FOUND')
}

export async function addTemplate(sql: Sql, input: NotificationTemplateInput): Promise<NotificationTemplate> {
  const [row] = await sql.insert(notificationTemplates).values(input).returning()
  return withUse(sql, row!)
}

/** Refuses with ERR_NOT_FOUND. */
export async function changeTemplate(
  sql: Sql,
  templateId: number,
  input: NotificationTemplateInput,
): Promise<NotificationTemplate> {
  const [row] = await sql
    .update(notificationTemplates)
    .set({ ...input, updatedAt: databaseTime() })
    .where(eq(notificationTemplates.id, templateId))
    .returning()
  return row ? withUse(sql, row) : refuse('ERR_NOT_FOUND')
}

/** Refuses with ERR_NOT_FOUND. */
export async function removeTemplate(sql: Sql, templateId: number): Promise<void> {
  const gone = await sql
    .delete(notificationTemplates)
    .where(eq(notificationTemplates.id, templateId))
    .returning({ id: notificationTemplates.id })
  if (gone.length === 0) refuse('ERR_NOT_FOUND')
}

/** The template that was saved last, completed with the product's own texts. */
export async function textsInUse(sql: Sql): Promise<TemplateTexts> {
  return completeTexts((await usedRow(sql)) ?? firstTemplate)
}

/** Whether a notice of this template leads to a page of ours. A letter holds the text of WhatsApp, too. */
export const needsAddress = ({ textWp, emailHtml }: TemplateTexts, platform: NoticePlatform) =>
  holdsAddress(platform === 'wpp' ? textWp : textWp + emailHtml)

/** The title that new templates of earlier versions began with: it was the same for all kinds of notice. */
const FORMER_TITLE = 'Fatura de {{valueBrl}} com vencimento em {{dueDate}}'

export const completeTexts = (template: TemplateTexts): TemplateTexts => ({
  thumbnailWpHtml: template.thumbnailWpHtml || firstTemplate.thumbnailWpHtml,
  textWp: template.textWp || firstTemplate.textWp,
  emailHtml: template.emailHtml || firstTemplate.emailHtml,
  emailTitle:
    template.emailTitle === FORMER_TITLE
      ? firstTemplate.emailTitle
      : template.emailTitle || firstTemplate.emailTitle,
})

async function usedRow(sql: Sql): Promise<TemplateRow | null> {
  const [row] = await sql
    .select()
    .from(notificationTemplates)
    .orderBy(desc(notificationTemplates.updatedAt), desc(notificationTemplates.id))
    .limit(1)
  return row ?? null
}

const withUse = async (sql: Sql, row: TemplateRow): Promise<NotificationTemplate> => ({
  ...row,
  isUsed: (await usedRow(sql))?.id === row.id,
})
