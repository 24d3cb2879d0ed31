import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { claimConnection } from '../../testing/line.ts'
import { newNumber } from '../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../testing/test-app.ts'
import type { InboundFile } from '../driver.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

/** A customer wrote, and the conversation is open. */
async function conversation() {
  const number = newNumber()
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
  const waiting = await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.find(ticket => ticket.contact.number === number)
  })
  const params = { ticketId: waiting.id }
  await admin.get(tickets.change, { params, body: { status: 'open', queueId: admin.user.queues[0]!.id } })
  const [first] = (await admin.get(messages.list, { params })).messages
  return { number, ticketId: waiting.id, firstId: first!.id }
}
const send = (ticketId: number, body: string) =>
  admin.get(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body: { body } })

const picture: InboundFile = {
  ...{ name: '', type: 'image/jpeg', size: 0, seconds: null, width: null, height: null, isVoice: false },
  source: 'a host that does not answer',
}

test('a picture and a reaction that hang hold up nothing else of their number', async () => {
  const [slow, other] = [await conversation(), await conversation()]
  const never = new Promise<never>(() => {})
  const asked: string[] = []
  const line = await claimConnection(
    app,
    { companyId: admin.user.companyId, whatsappId },
    {
      async act() {
        asked.push('reaction')
        return never
      },
      async download() {
        asked.push('picture')
        return never
      },
    },
  )
  try {
    const chat = { kind: 'phone', value: slow.number } as const
    await line.host.receive([{ kind: 'profile', chat, picture, at: new Date().toISOString() }])
    await admin.get(messages.react, { params: { messageId: slow.firstId }, body: { emoji: '👍' } })
    await until(() => asked.includes('reaction') && asked.includes('picture'))
    await send(other.ticketId, 'para o outro')
    await until(() => line.left.includes('para o outro'), 5_000)
    await send(slow.ticketId, 'para ela mesma')
    await until(() => line.left.includes('para ela mesma'), 5_000)
  } finally {
    await line.close()
  }
})

test('a file is fetched at once, though the clock of the process that heard of it is ahead of the database’s', async () => {
  const { number } = await conversation()
  const asked: string[] = []
  const line = await claimConnection(
    app,
    { companyId: admin.user.companyId, whatsappId },
    {
      async download(source) {
        asked.push(source)
        return new Promise<never>(() => {})
      },
    },
  )
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    const chat = { kind: 'phone', value: number } as const
    await line.host.receive([
      {
        kind: 'message',
        chat,
        externalId: `3EB0${number}`,
        fromMe: false,
        name: 'Ana',
        body: '',
        mediaType: 'image',
        file: { ...picture, source: 'ahead' },
        at: new Date().toISOString(),
      },
    ])
    vi.useRealTimers()
    await until(() => asked.includes('ahead'), 5_000)
  } finally {
    vi.useRealTimers()
    await line.close()
  }
})
