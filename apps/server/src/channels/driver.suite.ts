import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestApp, until } from '../../testing/test-app.ts'

/** A network with customers on it, as the suite plays them: each driver brings its own. */
export interface Network {
  app: TestApp
  whatsappId: number
  /** A customer writes; resolves when the network has it. */
  write(number: string, body: string): Promise<void>
  /** What a customer's phone shows of the company, oldest first, and how often each arrived. */
  received(number: string): Promise<{ body: string; times: number }[]>
  /** The phone received or read all of it. */
  confirm(number: string, ack: 3 | 4): Promise<void>
  /** The network refuses what is sent from now on, or accepts it again. */
  refuse(on: boolean): Promise<void>
  /** The line breaks, and may be reached again. */
  breakLine(): Promise<void>
  mendLine(): Promise<void>
  close(): Promise<void>
}

const SECONDS = 15_000

/** What every driver must do, tested through the whole product. */
export function driverSuite(name: string, open: () => Promise<Network>) {
  describe(`the ${name} driver`, () => {
    let network: Network
    let admin: Person
    beforeAll(async () => {
      network = await open()
      admin = await network.app.as('admin@balcao.test')
    })
    afterAll(() => network.close())

    let last = 0
    const newNumber = () => `551196${String(1_000_000 + ++last)}`
    const of = (status: 'pending' | 'open', number: string) =>
      until(async () => {
        const { tickets: listed } = await admin.get(tickets.list, { query: { status, showAll: true } })
        return listed.find(ticket => ticket.contact.number === number)
      }, SECONDS)
    const messagesOf = async (ticketId: number) =>
      (await admin.get(messages.list, { params: { ticketId } })).messages
    const send = (ticketId: number, body: string) =>
      admin.get(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body: { body } })

    async function conversation() {
      const number = newNumber()
      await network.write(number, 'Oi')
      const { id } = await of('pending', number)
      await admin.get(tickets.change, {
        params: { ticketId: id },
        body: { status: 'open', queueId: admin.user.queues[0]!.id },
      })
      return { number, id }
    }

    test('is connected and says so', async () => {
      const shown = await admin.get(connections.show, { params: { whatsappId: network.whatsappId } })
      expect(shown).toMatchObject({ status: 'CONNECTED', qrcode: '', statusReason: '' })
    })

    test('brings what a customer writes, once and in order', async () => {
      const number = newNumber()
      const bodies = ['um', 'dois', 'três', 'quatro']
      for (const body of bodies) await network.write(number, body)
      const ticket = await of('pending', number)
      await until(async () => (await messagesOf(ticket.id)).length >= bodies.length, SECONDS)
      expect((await messagesOf(ticket.id)).map(message => message.body)).toEqual(bodies)
    })

    test('takes out what is answered, once and in order, and hears how far it got', async () => {
      const { number, id } = await conversation()
      for (const body of ['a', 'b', 'c']) await send(id, body)
      await until(async () => (await network.received(number)).length === 3, SECONDS)
      expect(await network.received(number)).toEqual(['a', 'b', 'c'].map(body => ({ body, times: 1 })))
      for (const ack of [3, 4] as const) {
        await network.confirm(number, ack)
        await until(
          async () => (await messagesOf(id)).filter(one => one.fromMe).every(one => one.ack >= ack),
          SECONDS,
        )
      }
    })

    test('says that a message was refused; it leaves when it is sent again', async () => {
      const { number, id } = await conversation()
      await network.refuse(true)
      const { id: messageId } = await send(id, 'recusada')
      const shown = async () => (await messagesOf(id)).find(one => one.id === messageId)!
      await until(async () => (await shown()).ack === 0, SECONDS)
      expect((await shown()).failReason).not.toBe('')
      await network.refuse(false)
      await admin.get(messages.resend, { params: { messageId } })
      await until(async () => (await shown()).ack >= 2, SECONDS)
      expect((await network.received(number)).map(one => one.body)).toEqual(['recusada'])
    })

    test('keeps what is written on both sides while the line is broken', async () => {
      const { number, id } = await conversation()
      await network.breakLine()
      await send(id, 'sem linha')
      await network.write(number, 'do outro lado')
      await network.mendLine()
      await until(
        async () => (await network.received(number)).some(one => one.body === 'sem linha'),
        2 * SECONDS,
      )
      await until(async () => (await messagesOf(id)).some(one => one.body === 'do outro lado'), 2 * SECONDS)
      const bodies = (await messagesOf(id)).map(one => one.body)
      expect(bodies.toSorted()).toEqual(['Oi', 'do outro lado', 'sem linha'].toSorted())
    }, 90_000)

    test('is disconnected when its admin says so, and sends nothing any more', async () => {
      const { id } = await conversation()
      const params = { whatsappId: network.whatsappId }
      await admin.get(connections.disconnect, { params })
      await until(
        async () => (await admin.get(connections.show, { params })).status === 'DISCONNECTED',
        SECONDS,
      )
      const { status, body } = await admin.call(messages.send, {
        params: { ticketId: id, companyId: admin.user.companyId },
        body: { body: 'tarde demais' },
      })
      expect([status, body.error]).toEqual([409, 'ERR_WAPP_NOT_INITIALIZED'])
    })
  })
}
