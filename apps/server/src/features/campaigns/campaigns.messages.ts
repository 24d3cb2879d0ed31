import {
  type CampaignChange,
  type CampaignInput,
  campaignFileTypes,
} from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../platform/errors.ts'
import { addressOf, removeFiles } from '../../platform/files.served.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { fileOfMessage, messagesOf } from './campaigns.queries.ts'
import { campaignMessages } from './campaigns.table.ts'

type Given = CampaignInput['messages'][number]

/**
 * The messages of a campaign are exactly these. Refuses with ERR_BAD_REQUEST ("Adicione uma mensagem") for one that says
 * nothing, ERR_FILE_TYPE, and ERR_NOT_FOUND for a file that is none of a campaign's.
 */
export async function writeMessages(
  tx: Tx,
  campaignId: number,
  { messages = [], greeting }: Pick<CampaignChange, 'messages' | 'greeting'>,
  files: StoredFile[],
): Promise<void> {
  const waiting = [...files]
  const rows = []
  for (const [place, given] of messages.entries()) {
    const file = given.typeMessage === 'text' ? none : await fileOf(tx, given, waiting, place)
    const body = given.body ?? ''
    if (body.trim() === '' && !file.mediaUrl)
      refuse('ERR_BAD_REQUEST', { field: `messages.${place}.body`, message: 'Adicione uma mensagem' })
    rows.push({
      companyId: tx.companyId,
      campaignId,
      place,
      greeting: given.greeting.trim() ? given.greeting : (greeting ?? ''),
      body,
      typeMessage: file.mediaUrl ? ('media' as const) : ('text' as const),
      ...file,
      template: given.template ?? null,
    })
  }
  if (waiting.length > 0)
    refuse('ERR_BAD_REQUEST', { field: 'messageMedias', message: 'A file without a message' })
  const before = await messagesOf(tx, campaignId)
  await tx.sql
    .delete(campaignMessages)
    .where(and(eq(campaignMessages.companyId, tx.companyId), eq(campaignMessages.campaignId, campaignId)))
  if (rows.length > 0) await tx.sql.insert(campaignMessages).values(rows)
  await removeFiles(
    tx,
    before.flatMap(({ mediaUrl }) => mediaUrl ?? []),
  )
}

const none = { mediaUrl: null, mediaType: null, media: null }

/** The file that goes by its name, else the one that is named by its address, else the next in order. */
async function fileOf(
  tx: Tx,
  { mediaName, mediaUrl, typeMessage }: Given,
  waiting: StoredFile[],
  place: number,
) {
  const named = mediaName ? waiting.findIndex(({ name }) => name === mediaName) : -1
  if (named < 0 && mediaUrl) return fileOfMessage(tx, mediaUrl)
  const wanted = named >= 0 || typeMessage === 'media'
  const [file] = wanted ? waiting.splice(Math.max(0, named), 1) : []
  if (file) return withFile(file)
  if (typeMessage !== 'media') return none
  return refuse('ERR_BAD_REQUEST', { field: `messages.${place}.mediaName`, message: 'Adicione uma mensagem' })
}

function withFile({ key, kind, ...about }: StoredFile) {
  const [type] = about.type.split(';')
  if (!campaignFileTypes.includes(type!)) return refuse('ERR_FILE_TYPE', { field: 'messageMedias' })
  const media = { state: 'ready' as const, ...about, isVoice: false }
  return { mediaUrl: addressOf(key), mediaType: kind as string, media }
}
