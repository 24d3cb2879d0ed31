import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'
import { newWebhookKey } from './connections.rules.ts'

export const carriedOfConnections: Carried[] = [
  carried('whatsapps', {
    plain: ['hours', 'holidays'],
    // paired anew; the session is not in a package
    set: {
      ...{
        status: "'DISCONNECTED'",
        status_reason: "''",
        status_until: 'null',
        wanted: "'off'",
        wanted_order: '0',
      },
      ...{
        wanted_number: "''",
        paired_at: 'null',
        retries: '0',
        restricted_until: 'null',
        status_import_messages: "''",
      },
      saas_notification_center: 'false',
    },
  }),
  carried('whatsapp_cloud', {
    plain: ['phone_number_id', 'business_account_id', 'restrictions'],
    fresh: { webhook_key: newWebhookKey },
    set: { sign_up: "''", token_expires_at: 'null' },
  }),
]
