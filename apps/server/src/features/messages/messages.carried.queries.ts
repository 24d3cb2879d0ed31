import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

const UNSENT = `r.outbox in ('queued', 'sending', 'unknown')`

export const carriedOfMessages: Carried[] = [
  carried('messages', {
    // what had not left stays unsent: customers would get it late, from another number or twice
    set: {
      ...{ waits: 'false', outbox: 'null' },
      ack: `case when ${UNSENT} then 0 else r.ack end`,
      fail_reason: `case when ${UNSENT} then 'ERR_WAPP_NOT_INITIALIZED' else r.fail_reason end`,
      ...{ retry_at: 'null', due_at: 'null', leaves_until: 'null', typing: 'null', typing_from: 'null' },
      ...{ media_source: 'null', media_due: 'null' },
      media: `case when r.media->>'state' = 'loading' then jsonb_set(r.media, '{state}', '"failed"') else r.media end`,
    },
    refers: {
      ...{ whatsapp_id: 'whatsapps', user_id: 'users', quoted_id: 'messages' },
      ...{ mentions: 'users', queue_mentions: 'queues' },
    },
    plain: ['external_id', 'data_json', 'reactions', 'author', 'quoted_copy', 'referral'],
    rising: ['position'],
  }),
  carried('message_pins', {}),
  carried('message_versions', {
    refers: { user_id: 'users' },
    plain: ['media'],
  }),
]
