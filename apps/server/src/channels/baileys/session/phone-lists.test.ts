import { EventEmitter } from 'node:events'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { expect, test, vi } from 'vitest'
import { type BookEntry, type InboundEvent, LeaseLost } from '../../../driver.ts'
import { followLists } from './phone-lists.ts'

const ANA = '5511911111111'
const BIA = { id: '88@lid', lid: '88@lid', name: 'Bia', username: 'bia.s' }

const lost = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })

/** Follows the lists of a phone; `fails` is the error of each try to keep its address book, by its number. */
function follow(fails: (nth: number) => Error | null) {
  const [phone, added, kept, warned] = [new EventEmitter(), [], [], []] as [
    EventEmitter,
    (InboundEvent | null)[],
    BookEntry[],
    string[],
  ]
  const here = { phone, added, kept, warned, tries: 0, isOver: false }
  followLists(phone, {
    async keepBook(entries) {
      const error = fails(++here.tries)
      if (error) throw error
      kept.push(...entries)
    },
    add: event => void added.push(event),
    log: { warn: (_what, message) => void warned.push(message) },
    isOver: () => here.isOver,
  })
  return here
}

test('the entries of a phone’s address book are kept, also behind an outage of the database, and usernames added', async () => {
  const here = follow(nth => (nth === 1 ? lost : null))
  here.phone.emit('contacts.upsert', [BIA])
  await until('the entry', () => here.kept.length === 1, 5_000)
  expect(here.kept).toMatchObject([{ kind: 'lid', value: '88', name: 'Bia' }])
  expect(here.added).toMatchObject([{ kind: 'profile', chat: { value: '88', username: 'bia.s' } }])
})

test('entries that fail while the database answers are given up after some tries', async () => {
  const here = follow(() => new TypeError('no entry'))
  here.phone.emit('contacts.upsert', [BIA])
  await until('the end', () => here.warned.length === 1, 5_000)
  expect([here.tries, here.kept]).toEqual([3, []])
})

test.each(['the lease is lost', 'the socket is retired'])('entries are not kept once %s', async why => {
  const isLeaseLost = why === 'the lease is lost'
  const here = follow(nth => (nth === 1 && isLeaseLost ? new LeaseLost() : nth < 3 ? lost : null))
  here.isOver = !isLeaseLost
  here.phone.emit('contacts.upsert', [BIA])
  await until('the first try', () => here.tries === 1)
  await new Promise(setImmediate)
  here.isOver = false
  here.phone.emit('contacts.upsert', [{ ...BIA, name: 'Bia Luz' }])
  await until('the later entry', () => here.kept.length > 0, 5_000)
  expect([here.tries, here.kept.map(({ name }) => name)]).toEqual([3, ['Bia Luz']])
})

test('a chat that the phone marks as read counts, but for those that a new connection is informed of', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const here = follow(() => null)
  const chats = [
    { id: `${ANA}@s.whatsapp.net`, unreadCount: 0 },
    { id: '88@lid', unreadCount: 2 },
  ]
  here.phone.emit('chats.update', chats)
  expect(here.added).toEqual([])
  vi.advanceTimersByTime(60_001)
  here.phone.emit('chats.update', chats)
  vi.useRealTimers()
  expect(here.added).toMatchObject([{ kind: 'read', chat: { kind: 'phone', value: ANA }, externalIds: [] }])
})
