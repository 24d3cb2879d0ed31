import { randomUUID } from 'node:crypto'
import { numberOf, type Size } from './dataset.ts'
import type { Stretch } from './live.ts'
import type { Driver } from './load.ts'
import type { Place } from './place.ts'
import { pause } from './product.ts'
import { crowdOf, evenly, type Phone, phonesOf, post, type Screens, until, write } from './screens.ts'

/** What was put in, to be counted in the database when the product has stopped. */
export interface Put {
  mark: string
  inbound: number
  outbound: number
  refused: number
  seconds: number
  /** Events received per second, until the last one arrived. */
  perSecond: number
}

/** Of four messages three are inbound; the fourth is outbound with receipts for sent, delivered and read. */
const NEWS_OF_FOUR = 6

/**
 * Messages in and out at an even pace over all connections, and two receipts for each outbound one. The rate counts
 * the events that screens received: messages in, out, sent, delivered and read.
 */
export async function sustain(
  driver: Driver,
  screens: Screens,
  size: Size,
  pace: { newsPerSecond: number; seconds: number },
): Promise<Put> {
  const mark = randomUUID()
  const [phones, crowd] = [phonesOf(size), crowdOf(size, 400)]
  const put: Put = { mark, inbound: 0, outbound: 0, refused: 0, seconds: pace.seconds, perSecond: 0 }
  let [heard, last] = [0, 0]
  screens.listen((push, at) => {
    if (push.action === 'delete' || !push.message.body.includes(mark)) return
    if (push.action === 'create' && push.message.fromMe) return
    heard++
    last = at
  })
  const start = performance.now()
  const receipts: Promise<void>[] = []
  put.refused = await evenly((pace.newsPerSecond * 4) / NEWS_OF_FOUR, pace.seconds, async n => {
    const phone = n % 2 ? crowd[n % crowd.length]! : phones[(n / 2) % phones.length]!
    const body = `Sobre o pedido ${n} ${mark}`
    if (n % 4 !== 3) {
      await write(driver, phone, body)
      put.inbound++
      return
    }
    await post(driver, 1, `/messages/${ticketOf(phone)}/1`, { id: randomUUID(), body })
    put.outbound++
    receipts.push(read(driver, phone))
  })
  await Promise.all(receipts)
  await until(() => performance.now() - last > 3_000, 120)
  // whatever a refused receipt left behind
  for (const phone of crowd) await receipt(driver, phone, 4)
  await until(() => performance.now() - last > 3_000, 60)
  put.perSecond = Math.round((heard / (last - start)) * 1000)
  return put
}

/** Delivered a second later, read a second after that. */
async function read(driver: Driver, phone: Phone) {
  for (const ack of [3, 4]) {
    await pause(1_000)
    await receipt(driver, phone, ack).catch(() => {})
  }
}

const receipt = (driver: Driver, { company, whatsappId, number }: Phone, ack: number) =>
  post(driver, company, `/simulator/${whatsappId}/receipts`, { number, ack })

const ticketOf = ({ number }: Phone) => Number(number) - Number(numberOf(0))

/** Every inbound message is in the database once, and everything sent was read. */
export async function countPut(place: Place, put: Put): Promise<Stretch> {
  const [found] = await place.query<Record<'stored' | 'once' | 'read' | 'copies', string>>(`
    select count(*) as stored, count(distinct body) as once,
      count(*) filter (where from_me and ack >= 4) as read,
      (select coalesce(sum(copies - 1), 0) from simulator_messages where body like '%${put.mark}') as copies
    from messages where body like '%${put.mark}'`)
  const [stored, once, read, copies] = [found!.stored, found!.once, found!.read, found!.copies].map(Number)
  const lost = put.inbound + put.outbound - once! + (put.outbound - read!)
  const doubled = stored! - once! + copies!
  return {
    name: `messages in and out with receipts for ${put.seconds} s`,
    target: '≥ 400/s, 0 lost, 0 doubled',
    met: put.perSecond >= 400 && lost + doubled + put.refused === 0,
    sent: put.inbound + put.outbound,
    refused: put.refused,
    perSecond: put.perSecond,
    lost,
    doubled,
    p50: 0,
    p95: 0,
    p99: 0,
  }
}
