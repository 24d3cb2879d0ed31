import { setTimeout as sleep } from 'node:timers/promises'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import type { WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import type { Chat } from '../src/driver.ts'
import { draws, SHOP } from './whatsapp.ts'

/** A chat in which both sides write, and what each has written, oldest first. */
export interface Dialogue {
  /** Who reads what the shop writes. */
  readers: Phone[]
  chat: Chat
  /** By WhatsApp's ids. */
  written: { id: string; by: Phone }[]
  /** Of what was written, what its author changed afterwards. */
  edited: string[]
  /** By whatever ids `send` gives. */
  answered: string[]
}

/** A shop whose process dies and is started again. */
export interface Mortal {
  server: WhatsAppServer
  /** Dies, at a point that these draws choose, the points in turn; and is started again. */
  dieAndRise(kill: number, random: () => number): Promise<void>
  /** Whether this message of a customer is written down. */
  knows(id: string, talk: Dialogue): Promise<boolean>
  /** Answers a customer who has written. Retries, over crashes, until it is stored. */
  send(talk: Dialogue, body: string): Promise<string>
  /** What is written down. */
  kept(): Promise<Kept>
}

export interface Kept {
  /** Ids of the customers' messages, in order. */
  heard: string[]
  /** Ids of those that have the text to which they were changed. */
  edited: string[]
  /** Of what `send` gave: WhatsApp's id, and how far it got. */
  answers: Map<string, { externalId: string; ack: number }>
}

/** What a customer changes a message to. */
export const CHANGED = 'corrigida'
/** One in so many messages is changed right after it was written, as phones do it. */
const CHANGES = 5

const PATIENCE_MS = 120_000
/** Both sides wait with more while so much has not arrived: what a slow shop cannot work off would grow without end. */
const MOST_OWED = 20

/** Which customers, by order of arrival, honour requests to resend. */
export const PEERS = {
  mixed: (nth: number) => nth % 2 === 0,
  honouring: () => true,
  deaf: () => false,
}

/** Further options; `peers`: whether the customers honour retries (phones do), or not (programs), or alternate. */
interface Course {
  kills: number
  seed: number
  peers: keyof typeof PEERS
}

/**
 * Customers and a group write to a shop and are answered, each at a pace of its own, while it dies so many times.
 * Answers what went wrong: all zero when nothing did.
 */
export async function talkThroughDeaths(shop: Mortal, { kills, seed, peers }: Course) {
  const { server } = shop
  const random = draws(seed)
  const honours = PEERS[peers]
  const ana = await server.addPhone('5511911111111', { name: 'Ana', honoursRetries: honours(0) })
  const leo = await server.addPhone('5511922222222', { name: 'Leo', honoursRetries: honours(1) })
  const group = server.addGroup('Família', [ana, server.phone(SHOP), leo])
  const [withAna, withLeo] = [newTalk(ana), newTalk(leo)]
  const inGroup: Dialogue = { ...newTalk(ana, leo), chat: { kind: 'group', value: group.id } }
  const talks = [withAna, withLeo, inGroup]
  const stops: (() => Promise<unknown>)[] = []
  try {
    await meet(shop, withAna)
    await meet(shop, withLeo)
    await meet(shop, inGroup)
    for (const talk of talks) stops.push(keepTalking(shop, talk, random))
    for (let kill = 0; kill < kills; kill++) {
      await until('the connection', () => server.online(SHOP), PATIENCE_MS)
      // a customer who writes for the first time uses up a one-time key and begins a session
      const number = `55119${33_000_000 + kill}`
      const talk = newTalk(await server.addPhone(number, { honoursRetries: honours(kill) }))
      talks.push(talk)
      const meeting = meet(shop, talk)
      await shop.dieAndRise(kill, random)
      await meeting
    }
  } finally {
    await Promise.all(stops.map(stop => stop()))
  }
  const isQuiet = () =>
    server.online(SHOP) && server.owed(SHOP) === 0 && talks.every(one => missing(one) === 0)
  // what never arrives shows in the figures
  await until('the backlog', isQuiet, PATIENCE_MS).catch(() => {})
  const faults = await settled(shop, talks)
  const count = (of: (talk: Dialogue) => unknown[]) => talks.reduce((sum, talk) => sum + of(talk).length, 0)
  return { faults, written: count(talk => talk.written), answered: count(talk => talk.answered) }
}

const newTalk = (...readers: Phone[]): Dialogue => ({
  readers,
  chat: { kind: 'lid', value: readers[0]!.account.lid },
  written: [],
  edited: [],
  answered: [],
})

/** Where those who talk find the chat. */
const placeOf = ({ chat }: Dialogue) => (chat.kind === 'group' ? chat.value : SHOP)

/** Number of answers not yet delivered. */
function missing(talk: Dialogue): number {
  const place = placeOf(talk)
  const arrived = (reader: Phone) =>
    reader.received().filter(({ from, chat }) => from === SHOP && chat === place).length
  return Math.max(...talk.readers.map(reader => talk.answered.length - arrived(reader)))
}

/** Two who begin at the same instant confuse libsignal: the customer writes first, and is answered when received. */
async function meet(shop: Mortal, talk: Dialogue) {
  const { readers, written, answered } = talk
  const [by] = readers
  const id = await by!.write(placeOf(talk), 'Oi')
  written.push({ id, by: by! })
  const end = Date.now() + PATIENCE_MS
  // one that is lost shows in the figures
  while (!(await shop.knows(id, talk)) && Date.now() < end) await sleep(100)
  answered.push(await shop.send(talk, 'Olá'))
}

/** Both sides keep writing until stopped. */
function keepTalking(shop: Mortal, talk: Dialogue, random: () => number) {
  const { written, edited, answered, readers } = talk
  const to = placeOf(talk)
  let isOver = false
  const theirs = readers.map(async by => {
    while (!isOver) {
      while (shop.server.owed(SHOP) > MOST_OWED && !isOver) await sleep(20)
      const id = await by.write(to, `pergunta ${written.length}`)
      written.push({ id, by })
      if (written.length % CHANGES === 0) {
        await by.edit(to, id, CHANGED)
        edited.push(id)
      }
      await sleep(20 + random() * 60)
    }
  })
  const ours = (async () => {
    while (!isOver) {
      while (missing(talk) > MOST_OWED && !isOver) await sleep(20)
      answered.push(await shop.send(talk, `resposta ${answered.length}`))
      await sleep(10 + random() * 40)
    }
  })()
  return () => {
    isOver = true
    return Promise.all([...theirs, ours])
  }
}

/** The errors that remain after the wait. */
async function settled(shop: Mortal, talks: Dialogue[]) {
  const end = Date.now() + 15_000
  for (let looks = 1; ; looks++) {
    const faults = faultsIn(shop.server, await shop.kept(), talks)
    if ((looks > 3 && Date.now() > end) || Object.values(faults).every(many => many === 0)) return faults
    await sleep(200)
  }
}

function faultsIn(
  { tally }: { tally: Pick<WhatsAppServer['tally'], 'asked' | 'unreadable'> },
  { heard, edited, answers }: Kept,
  talks: Dialogue[],
) {
  const known = new Set(heard)
  const ours = ({ by }: { by: string }) => by === SHOP
  const idsOf = (some: { id: string }[]) => new Set(some.map(({ id }) => id)).size
  const sent = talks.map(talk => ({
    ...talk,
    ids: talk.answered.map(id => answers.get(id)?.externalId ?? id),
  }))
  const seen = sent.flatMap(({ readers, ids }) =>
    readers.map(reader => {
      const all = reader.received().map(({ id }) => id)
      const read = all.filter(id => ids.includes(id))
      return { ids, read, isDoubled: read.length > new Set(read).size }
    }),
  )
  const written = talks.flatMap(talk => talk.written)
  const orderOf = (by: Phone, of: Dialogue) => of.written.filter(one => one.by === by).map(({ id }) => id)
  const orders = talks.flatMap(talk => talk.readers.map(by => orderOf(by, talk)))
  const kept = (ids: string[]) => ids.filter(id => known.has(id))
  return {
    'customer messages lost': written.filter(({ id }) => !known.has(id)).length,
    'edits lost': talks.flatMap(talk => talk.edited).filter(id => !edited.includes(id)).length,
    'customer messages doubled': heard.length - known.size,
    'customer messages out of order': orders.filter(
      ids => kept(ids).join() !== [...known].filter(id => ids.includes(id)).join(),
    ).length,
    'customer messages unreadable': idsOf(tally.unreadable.filter(ours)),
    'customers asked again': tally.asked.filter(ours).length,
    'customers without a tick': written.filter(({ id, by }) => by.statusOf(id) !== 'delivered').length,
    'answers lost': seen.reduce((sum, { ids, read }) => sum + ids.length - new Set(read).size, 0),
    'answers doubled': seen.filter(({ isDoubled }) => isDoubled).length,
    'answers out of order': seen.filter(
      ({ ids, read }) => read.join() !== ids.filter(id => read.includes(id)).join(),
    ).length,
    'answers unreadable': idsOf(tally.unreadable.filter(one => !ours(one))),
    'asked again by customers': tally.asked.filter(one => !ours(one)).length,
    'answers without a tick': talks
      .flatMap(({ answered }) => answered)
      .filter(id => (answers.get(id)?.ack ?? 0) < 3).length,
  }
}

/** No fault of any kind. */
export const FLAWLESS = Object.fromEntries(
  Object.keys(
    faultsIn({ tally: { asked: [], unreadable: [] } }, { heard: [], edited: [], answers: new Map() }, []),
  ).map(name => [name, 0]),
)
