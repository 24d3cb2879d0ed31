import { z } from 'zod'
import { channel, id, instant, page, pageQuery, route } from './kit.ts'

/** One piece of news as it was heard, before anything was made of it. The names are the documents'. */
export const RawMessageLog = z.object({
  id: z.int(),
  createdAt: instant,
  remoteJid: z.string(),
  messageId: z.string(),
  fromMe: z.boolean(),
  /** Negative when handling it failed; null when nothing could be made of it. */
  ticketId: z.int().nullable(),
  type: z.string(),
  companyId: z.int(),
  whatsappId: z.int(),
  /** What it says. */
  details0: z.string(),
  /** How long handling it took, in milliseconds. */
  details1: z.string(),
  /** Everything that was heard, as JSON; without what would fetch a file. */
  JsonValue: z.string(),
})
export type RawMessageLog = z.infer<typeof RawMessageLog>

export const messageLogs = {
  list: route('GET', '/messageLogs', {
    needs: 'master',
    says: 'What was heard on the connections of all companies, newest first.',
    query: pageQuery.extend({
      searchParam: z.string().trim().max(200).optional(),
      /** Holds `unknown` for what nothing could be made of, `warning` for what failed, both for either. */
      searchParamWitchError: z.string().max(100).optional(),
    }),
    reply: page('messagesBruteLogs', RawMessageLog),
  }),
  reprocess: route('POST', '/reprocessMessage/:logId', {
    needs: 'master',
    says: 'Handles one piece of news again; what is known already changes nothing.',
    params: z.object({ logId: id }),
    reply: RawMessageLog,
  }),
  removeAll: route('POST', '/messagesBruteLogsDeleteAll', {
    needs: 'master',
    says: 'Deletes the log of all companies; what still waits to be handled stays.',
    reply: z.object({ deleted: z.int() }),
  }),
}

export const messageLogChannel = channel(
  'messagesBruteLog',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), messagesBruteLog: RawMessageLog }),
    /** Null: all of them. */
    z.object({ action: z.literal('delete'), messagesBruteLogId: z.int().nullable() }),
  ]),
)
