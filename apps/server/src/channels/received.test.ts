import { Media, PlaceData } from '@balcao/contract/media.ts'
import { expect, test, vi } from 'vitest'
import { strangeOnes } from '../../testing/strange.ts'
import type { InboundEvent } from '../driver.ts'
import { keyOf } from '../features/messages/inbound/inbound.rules.ts'
import { readIn, receiptsIn } from './baileys/inbound/receipts.ts'
import { readableEventOf, silenceOf } from './baileys/inbound/translate.ts'
import { readChanges } from './cloud/arrivals.ts'
import { translateChanges } from './cloud/translate.ts'
import { receivedFrom } from './received.ts'

const SEED = Number(process.env.SOAK_SEED ?? 7)
const ROUNDS = Number(process.env.SOAK_STRANGE ?? 20_000)
vi.setConfig({ testTimeout: Math.max(60_000, 5 * ROUNDS) })

/** An index takes it, and so does JSON. */
function expectStorable(event: InboundEvent, of: () => string) {
  const text = JSON.stringify(event)
  const ids = [keyOf(event), event.chat.value, event.chat.also?.value ?? '']
  if ('externalId' in event) ids.push(event.externalId ?? '')
  if ('target' in event) ids.push(event.target.externalId, event.target.author?.value ?? '')
  if (event.kind === 'read') ids.push(...event.externalIds)
  const wrong = [
    ...ids.filter(id => id.length > 255 || /\p{Cc}/u.test(id) || !id.isWellFormed()),
    ...(/(?<!\\)(?:\\\\)*\\u0000/.test(text) ? ['NUL'] : []),
    ...(text.isWellFormed() && !/\\ud[89a-f]/i.test(text.replaceAll('\\\\', '')) ? [] : ['half a character']),
    ...(Number.isNaN(Date.parse(event.at)) ? [event.at] : []),
    ...(text.length > 600_000 ? ['too large'] : []),
  ]
  if (wrong.length > 0) throw new Error(`${wrong} of ${of()}: ${text.slice(0, 500)}`)
  if (event.kind !== 'message') return
  if (event.file) Media.parse({ ...event.file, state: 'loading' })
  if (event.mediaType === 'location' && event.data) PlaceData.parse(JSON.parse(JSON.stringify(event.data)))
}

test(`whatever phones and the official API send (${ROUNDS} times), each becomes something that can be stored, or a silence with its reason`, () => {
  const strange = strangeOnes(SEED)
  const names = {
    ours: (wamid: string) => wamid,
    isOurs: () => false,
    isOfCompany: () => false,
    theirs: () => undefined,
    askedAt: () => undefined,
  }
  const became = new Map<string, number>()
  const count = (what: string) => became.set(what, (became.get(what) ?? 0) + 1)
  const take = (event: InboundEvent, of: () => string) => {
    const received = receivedFrom(event)
    expectStorable(received, of)
    expectStorable(receivedFrom(received), of)
    count(received.kind)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const of = () => `seed ${SEED}, round ${round}`
    if (round % 20 === 0) {
      const receipt = { tag: 'receipt', attrs: strange.receipt(), content: [] }
      const read = readIn(receipt, () => true)
      for (const event of [...receiptsIn(receipt), ...(read ? [read] : [])]) take(event, of)
    } else if (round % 3 === 0) {
      const body = JSON.stringify({ entry: [{ id: '1', changes: [strange.delivery()] }] })
      const { changes, foreign } = readChanges(body, { phoneNumberId: '1', businessAccountId: '1' })
      const { incoming, strange: unread, account } = translateChanges(changes, names)
      for (const event of incoming) take(event, of)
      const rows = incoming.length + unread.length + account.length + foreign.length
      if (rows === 0) throw new Error(`nothing became of ${of()}`)
    } else {
      const message = strange.reported()
      const event = readableEventOf(message)
      if (event) take(event, of)
      else count(silenceOf(message))
    }
  }
  // it is no test where everything is refused
  for (const kind of ['message', 'reaction', 'edit', 'delete', 'ack', 'about another message'])
    expect(became.get(kind) ?? 0, kind).toBeGreaterThan(ROUNDS / 400)
})
