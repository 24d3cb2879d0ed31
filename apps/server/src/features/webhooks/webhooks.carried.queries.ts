import { newSigningSecret } from '../../platform/outbound/webhooks.ts'
import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfWebhooks: Carried[] = [
  carried('webhooks', {
    // signed with another secret, which their receiver has to be given first
    fresh: { secret: seal => seal(newSigningSecret()) },
    set: { is_active: 'false' },
    plain: ['events'],
  }),
  leftBehind('webhook_deliveries', "they were the other installation's to deliver"),
]
