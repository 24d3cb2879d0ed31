import type { Recorder } from '../../platform/events.ts'
import { deliveryWritten } from './webhooks.events.ts'
import { mayHear } from './webhooks.heard.ts'
import { toldOf } from './webhooks.payload.ts'
import { writeDeliveries } from './webhooks.queries.ts'

/** Each webhook of the company that wants to hear of it has it in its outbox, or nothing of it stands. */
const recordDeliveries: Recorder = async (tx, news, platform) => {
  const told = toldOf(news).filter(({ event }) => mayHear(platform, tx.companyId, event))
  if (told.length === 0) return
  await writeDeliveries(tx, told)
  tx.emit(deliveryWritten, {})
}

export const records = [recordDeliveries]
