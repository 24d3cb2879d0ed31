import { z } from 'zod'
import { channel, id, instant, page, pageQuery, route } from './kit.ts'

/** One inbound event as received, before processing. The names are the documents'. */
export const RawMessageLog = z.object({
  id: z.int(),
  createdAt: instant,
  remoteJid: z.string(),
  messageId: z.string(),
  fromMe: z.boolean(),
  /** Negative when processing failed; null when it was not understood. */
  ticketId: z.int().nullable(),
  type: z.string(),
  companyId: z.int(),
  whatsappId: z.int(),
  /** The text. */
  details0: z.string(),
  /** Duration of the processing, in milliseconds. */
  details1: z.string(),
  /** The whole event as JSON, without what would fetch a file. */
  JsonValue: z.string(),
})
export type RawMessageLog = z.infer<typeof RawMessageLog>

/**
 * Milliseconds after a request of the list in which new entries are pushed; clients that keep watching request again
 * earlier.
 */
export const LOGS_WATCHED_MS = 10 * 60_000

export const messageLogs = {
  list: route('GET', '/messageLogs', {
    needs: 'master',
    summary: 'Inbound events of the connections of all companies, newest first.',
    query: pageQuery.extend({
      searchParam: z.string().trim().max(200).optional(),
      /** `unknown` for what was not understood, `warning` for failures, both for either. */
      searchParamWitchError: z.string().max(100).optional(),
    }),
    reply: page('messagesBruteLogs', RawMessageLog),
  }),
  reprocess: route('POST', '/reprocessMessage/:logId', {
    needs: 'master',
    summary: 'Handles one piece of news again; what is known already changes nothing.',
    params: z.object({ logId: id }),
    reply: RawMessageLog,
  }),
  removeAll: route('POST', '/messagesBruteLogsDeleteAll', {
    needs: 'master',
    summary: 'Deletes the log of all companies; what still waits to be handled stays.',
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
