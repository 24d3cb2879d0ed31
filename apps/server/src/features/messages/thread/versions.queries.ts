import type { MessageVersion } from '@balcao/contract/messages.ts'
import { externalKeyOf } from '../../../platform/external.ts'
import { and, asc, eq, inArray, like, or, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { UNREAD_KIND } from '../../connections/connections.rules.ts'
import { whatsappKeys } from '../../connections/connections.table.ts'
import { users } from '../../users/users.table.ts'
import { inboundEvents } from '../messages.log.table.ts'
import type { MessageRow } from '../messages.queries.ts'
import { messageVersions } from '../messages.table.ts'

/** A changed client may send any number of changes of one message: so many are kept. */
const MOST_VERSIONS = 100

/** Previous texts of a message, oldest first, and who deleted it: `deleted` and `edited` choose which of the two. */
export const versionsOf = (
  tx: Tx,
  messageId: string,
  { edited, deleted }: { edited: boolean; deleted: boolean },
): Promise<MessageVersion[]> =>
  tx.sql
    .select({
      what: messageVersions.what,
      mediaType: messageVersions.mediaType,
      body: messageVersions.body,
      mediaUrl: messageVersions.mediaUrl,
      media: messageVersions.media,
      user: { id: users.id, name: users.name },
      at: messageVersions.at,
    })
    .from(messageVersions)
    .leftJoin(
      users,
      and(eq(users.companyId, messageVersions.companyId), eq(users.id, messageVersions.userId)),
    )
    .where(
      and(
        ofMessage(tx, messageId),
        edited ? undefined : eq(messageVersions.what, 'delete'),
        deleted ? undefined : eq(messageVersions.what, 'edit'),
      ),
    )
    .orderBy(asc(messageVersions.id))

/** Keeps what a message shows now as a previous version. */
export async function insertVersion(
  tx: Tx,
  {
    id,
    body,
    mediaUrl,
    media,
    mediaType,
  }: Pick<MessageRow, 'id' | 'body' | 'mediaUrl' | 'media' | 'mediaType'>,
  what: 'edit' | 'delete',
  userId: number | null,
): Promise<void> {
  const [kept] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(messageVersions)
    .where(ofMessage(tx, id))
  if (what === 'edit' && kept!.count >= MOST_VERSIONS) return
  await tx.sql.insert(messageVersions).values({
    companyId: tx.companyId,
    messageId: id,
    what,
    body,
    userId,
    // an edit leaves the file with the message
    ...(what === 'delete' && { mediaUrl, media, mediaType }),
  })
}

export const deleteVersions = (tx: Tx, messageId: string) =>
  tx.sql.delete(messageVersions).where(ofMessage(tx, messageId))

/** Removes the content of a message and of its edits from the raw message log, whose entries stay, and what is kept of an unreadable one. */
export async function blankInboundEvents(
  tx: Tx,
  { whatsappId, externalId, fromMe, author, editedAt, mediaType }: MessageRow,
): Promise<void> {
  if (whatsappId === null) return
  if (mediaType === 'unknown')
    await tx.sql
      .delete(whatsappKeys)
      .where(
        and(
          eq(whatsappKeys.companyId, tx.companyId),
          eq(whatsappKeys.whatsappId, whatsappId),
          eq(whatsappKeys.type, UNREAD_KIND),
          eq(whatsappKeys.id, externalId),
        ),
      )
  const side = fromMe ? 1 : 0
  const { key } = inboundEvents
  const itself = inArray(
    key,
    ['m', 'b'].map(kind => externalKeyOf(`${kind} ${side} ${externalId} ${author?.value ?? ''}`)),
  )
  const own = and(eq(inboundEvents.companyId, tx.companyId), eq(inboundEvents.whatsappId, whatsappId))
  const rows = await tx.sql
    .select({ id: inboundEvents.id, event: inboundEvents.event })
    .from(inboundEvents)
    .where(and(own, editedAt === null ? itself : or(itself, like(key, `e ${side} ${escaped(externalId)} %`))))
  for (const { id, event } of rows) {
    const { file: _file, data: _data, ...rest } = JSON.parse(event) as Record<string, unknown>
    await tx.sql
      .update(inboundEvents)
      .set({ event: JSON.stringify({ ...rest, body: '' }) })
      .where(and(own, eq(inboundEvents.id, id)))
  }
}

const escaped = (text: string) => text.replace(/[\\%_]/g, found => `\\${found}`)

const ofMessage = (tx: Tx, messageId: string) =>
  and(eq(messageVersions.companyId, tx.companyId), eq(messageVersions.messageId, messageId))
