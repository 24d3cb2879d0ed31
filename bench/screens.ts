import { channelName } from '@balcao/contract/kit.ts'
import { type MessagePush, messageChannel } from '@balcao/contract/messages.ts'
import { io } from 'socket.io-client'
import { numberOf, QUIET, type Size, SMALL } from './dataset.ts'
import { openLean } from './lean.ts'
import type { Driver } from './load.ts'
import { pause } from './product.ts'

/** A customer's phone on one of the simulator connections. */
export interface Phone {
  company: number
  whatsappId: number
  number: string
}

export interface Screens {
  /** Events received by one screen of each company, unless another user is given. */
  listen(heard: (push: MessagePush, at: number) => void): void
  close(): void
}

/**
 * `count` open screens, dealt to the companies and their people in turn; in each company the admin's is a real one and
 * listened to. All others are lean ones, so that what is measured is the product and not the load.
 */
export async function openScreens(
  driver: Driver,
  size: Pick<Size, 'companies' | 'users'>,
  count: number,
): Promise<Screens> {
  let hear: (push: MessagePush, at: number) => void = () => {}
  const sockets: { disconnect(): unknown }[] = []
  for (let n = 0; n < count; n++) {
    const company = 1 + (n % size.companies)
    const seat = Math.floor(n / size.companies)
    const token = await driver.as(company, 1 + (seat % size.users))
    if (seat > 0) {
      sockets.push(await openLean(driver.product.url, token))
      continue
    }
    const socket = io(driver.product.url, { auth: { token }, transports: ['websocket'], forceNew: true })
    await new Promise<void>((done, fail) => socket.once('connect', done).once('connect_error', fail))
    socket.on(channelName(messageChannel, company), (push: MessagePush) => hear(push, performance.now()))
    sockets.push(socket)
  }
  return {
    listen: heard => {
      hear = heard
    },
    close: () => {
      for (const socket of sockets) socket.disconnect()
    },
  }
}

/** One customer of each company. */
export const phonesOf = (size: Size): Phone[] =>
  Array.from({ length: size.companies }, (_, index) =>
    index === 0
      ? phoneOfFirst(size, QUIET + 1)
      : {
          company: index + 1,
          whatsappId: size.connections + index,
          number: numberOf(size.contacts + (index - 1) * SMALL.contacts + 1),
        },
  )

/** Customers of the first company whose tickets are open, over all its connections. */
export const crowdOf = (size: Size, count: number): Phone[] =>
  Array.from({ length: count }, (_, index) => phoneOfFirst(size, QUIET + 1 + index))

/** Of the living tickets, ticket and contact have one number. */
const phoneOfFirst = ({ connections }: Size, contactId: number): Phone => ({
  company: 1,
  whatsappId: 1 + (contactId % connections),
  number: numberOf(contactId),
})

/** A call as the admin of a company. Throws with the answer when it is refused. */
export async function ask<Reply>(
  driver: Driver,
  company: number,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<Reply> {
  const answer = await fetch(driver.product.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await driver.as(company, 1)}` },
    body: JSON.stringify(body),
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${said}`)
  return JSON.parse(said) as Reply
}

export const post = async (driver: Driver, company: number, path: string, body: object): Promise<void> =>
  void (await ask(driver, company, 'POST', path, body))

export const write = (driver: Driver, { company, whatsappId, number }: Phone, body: string) =>
  post(driver, company, `/simulator/${whatsappId}/messages`, { number, body })

/**
 * Starts `work` so many times a second without waiting for it: traffic does not slow down because we do. Answers how
 * many of them the product refused.
 */
export async function evenly(perSecond: number, seconds: number, work: (n: number) => Promise<void>) {
  const running: Promise<void>[] = []
  let refused = 0
  const start = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const early = start + (n * 1000) / perSecond - performance.now()
    if (early > 0) await pause(early)
    running.push(
      work(n).catch(() => {
        refused++
      }),
    )
  }
  await Promise.all(running)
  return refused
}

export async function until(done: () => boolean, seconds: number) {
  for (const end = performance.now() + seconds * 1000; !done() && performance.now() < end; ) await pause(50)
}
