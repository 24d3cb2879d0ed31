import type { EventData } from '@balcao/contract/kinds.ts'
import { LAST_SECOND } from '../../../../platform/clock.ts'
import { fieldsIn, type UnreadField } from '../../library/unread-fields.ts'
import { countFrom, lineFrom, pageFrom, textFrom } from '../text.ts'
import type { KindReading } from './kind.ts'
import { currencyFrom, moneyFrom, paymentRead } from './payment.ts'

/** Types of their own that the schema of the library lacks, by the name of their field: read by the numbers inside of them. */
export const NEWER: Record<string, (bytes: Uint8Array) => KindReading> = {
  eventInviteMessage: eventInviteRead,
  paymentReminderMessage: bytes => requestRead(bytes, { amount: 9, note: 3 }),
  splitPaymentMessage: bytes => requestRead(bytes, { amount: 2, note: 3 }),
}

function eventInviteRead(bytes: Uint8Array): KindReading {
  const field = partsOf(bytes)
  const name = lineFrom(textIn(field(3)))
  const description = textFrom(textIn(field(6)), 4_096).trim()
  const data: EventData = {
    ...{ name, description, place: pageFrom(textIn(field(9))) },
    ...{ startsAt: timeIn(field(5)), endsAt: timeIn(field(8)) },
    ...{ isCanceled: field(7)?.value === 1, replies: [] },
  }
  return { mediaType: 'event', body: [name, description].filter(Boolean).join('\n'), data }
}

/** `Money`: value, how many of its parts are one, currency. */
function requestRead(bytes: Uint8Array, numbers: { amount: number; note: number }): KindReading {
  const field = partsOf(bytes)
  const money = partsOf(field(numbers.amount)?.bytes ?? new Uint8Array())
  return paymentRead({
    what: 'request',
    amount: money(1) ? moneyFrom({ value: money(1)!.value, offset: money(2)?.value }) : null,
    currency: currencyFrom(textIn(money(3))),
    note: textFrom(textIn(field(numbers.note)), 2_000),
  })
}

function partsOf(bytes: Uint8Array) {
  const fields = fieldsIn(bytes)
  return (number: number): UnreadField | undefined => fields.find(one => one.number === number)
}

const textIn = (field: UnreadField | undefined) => (field ? Buffer.from(field.bytes).toString() : '')

function timeIn(field: UnreadField | undefined): string | null {
  const seconds = countFrom(field?.value, LAST_SECOND)
  return seconds ? new Date(seconds * 1_000).toISOString() : null
}
