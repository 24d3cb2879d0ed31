import { Readable } from 'node:stream'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClaimedConnection, claimConnection } from '../../testing/line.ts'
import { newNumber } from '../../testing/rows.ts'
import { photo } from '../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../testing/test-app.ts'
import { type ChannelSession, type InboundFile, Unreachable } from '../driver.ts'
import { reportRecording, restrictConnection } from '../features/connections/connections.session.actions.ts'

let app: TestApp
let admin: Person
let whatsappId: number
let line: ClaimedConnection
/** What goes wrong at the moment. */
let fault: 'store' | 'media host' | null = null

const session: Partial<ChannelSession> = {
  async send({ body, content }, checkLease) {
    if (content.kind === 'file') for await (const _ of await content.open());
    if (fault === 'media host') throw new Unreachable('the host of files answers 503')
    await checkLease()
    line.left.push(body)
    return { is: 'sent' }
  },
  async download() {
    if (fault === 'media host') throw new Error('the host of files answers 503')
    return Readable.from([photo().bytes])
  },
}

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
  const { open } = app.platform.files
  app.platform.files.open = (...given) =>
    fault === 'store' ? Promise.reject(new Error('the store answers 503')) : open(...given)
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
  return { number, ticketId: waiting.id }
}
const send = (ticketId: number, body: string, files = false) =>
  admin.get(messages.send, {
    params: { ticketId, companyId: admin.user.companyId },
    body: { body },
    ...(files && { files: [photo()] }),
  })
const shown = async (ticketId: number, body: string) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages.find(one => one.body === body)!

const script = (statements: string) => app.database.script(statements)
const count = async (query: string) => {
  const platform = app.platform.scopes.platform()
  const { rows } = (await platform.transaction(sql => sql.execute(query))) as { rows: { n: number | null }[] }
  return rows[0]!.n ?? 0
}
/** It was tried so often that formerly the next try was its last; the next one is due now. */
const MANY = 20

test.each([
  ['store', 'ERR_FILES_UNAVAILABLE'],
  ['media host', 'ERR_WAPP_UNREACHABLE'],
] as const)(
  'a file whose %s is away leaves when it is back, and says meanwhile why it waits',
  async (what, why) => {
    const { ticketId } = await conversation()
    line = await claimConnection(app, { companyId: admin.user.companyId, whatsappId }, session)
    try {
      fault = what
      await send(ticketId, 'a foto', true)
      const attempts = () => count(`select max(attempts) as n from messages where body = 'a foto'`)
      const waiting = () =>
        count(`select count(*)::int as n from messages where body = 'a foto' and retry_at is not null`)
      await until(waiting)
      await script(`update messages set attempts = ${MANY}, retry_at = now() where body = 'a foto'`)
      await until(async () => (await attempts()) > MANY && (await waiting()))
      expect(await shown(ticketId, 'a foto')).toMatchObject({ ack: 1, failReason: why })
      fault = null
      await script(`update messages set retry_at = now() where body = 'a foto'`)
      await until(() => line.left.includes('a foto'))
      await until(async () => (await shown(ticketId, 'a foto')).failReason === '')
      await script(`update messages set body = 'foi' where body = 'a foto'`)
    } finally {
      fault = null
      await line.close()
    }
  },
)

test('a first message that is refused just as the restriction of the number ends leaves at once', async () => {
  const { ticketId } = await conversation()
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const restrict = (until: string | null) =>
    scope.transaction(tx => restrictConnection(tx, whatsappId, until))
  const end = new Date(Date.now() + 3_600_000).toISOString()
  let isFirst = true
  line = await claimConnection(
    app,
    { companyId: admin.user.companyId, whatsappId },
    {
      async send({ body }, checkLease) {
        await checkLease()
        if (!isFirst) line.left.push(body)
        else {
          await restrict(end)
          await restrict(null)
        }
        const outcome = isFirst ? ({ is: 'held', reason: 'ERR_WAPP_RESTRICTED', until: end } as const) : null
        isFirst = false
        return outcome ?? { is: 'sent' }
      },
    },
  )
  try {
    await send(ticketId, 'Bom dia')
    await until(() => line.left.includes('Bom dia'))
  } finally {
    await line.close()
  }
})

const inboundFile: InboundFile = {
  ...{ name: '', type: 'image/jpeg', size: 0, seconds: null, width: null, height: null, isVoice: false },
  source: 'somewhere',
}

test('a file and a picture of a customer are asked for through an outage', async () => {
  const { number, ticketId } = await conversation()
  line = await claimConnection(app, { companyId: admin.user.companyId, whatsappId }, session)
  const chat = { kind: 'phone', value: number } as const
  const at = new Date().toISOString()
  try {
    fault = 'media host'
    await line.host.receive([{ kind: 'profile', chat, picture: inboundFile, at }])
    const event = {
      kind: 'message',
      chat,
      externalId: 'F1',
      fromMe: false,
      name: 'Ana',
      mediaType: 'image',
    } as const
    await line.host.receive([{ ...event, body: 'olha', file: inboundFile, at }])
    const files = () => count(`select media_attempts as n from messages where body = 'olha'`)
    const news = () => count('select max(attempts) as n from inbound_events where handled_at is null')
    await until(async () => (await files()) > 0 && (await news()) > 0)
    await script(
      `update inbound_events set attempts = ${MANY}, due_at = now() where handled_at is null;
        update messages set media_attempts = ${MANY}, media_due = now() where body = 'olha'`,
    )
    await until(async () => (await files()) > MANY && (await news()) > MANY)
    fault = null
    await script(
      `update inbound_events set due_at = now() where handled_at is null;
        update messages set media_due = now() where body = 'olha'`,
    )
    await until(async () => (await shown(ticketId, 'olha')).media?.state === 'ready')
    await until(async () => {
      const { contact } = await admin.get(tickets.show, { params: { ticketId } })
      return contact.profilePicUrl !== ''
    })
  } finally {
    fault = null
    await line.close()
  }
})

test('six hundred pictures that wait for their time hide no message behind them', async () => {
  const { companyId } = admin.user
  line = await claimConnection(app, { companyId, whatsappId }, session)
  const number = newNumber()
  const at = new Date().toISOString()
  const picture = { kind: 'profile', chat: { kind: 'phone', value: '1' }, picture: inboundFile, at }
  const message = {
    ...{ kind: 'message', chat: { kind: 'phone', value: number }, externalId: 'BEHIND', fromMe: false },
    ...{ name: 'Eva', body: 'estou aqui', mediaType: null, at },
  }
  try {
    await script(`
      insert into inbound_events (company_id, whatsapp_id, key, chat, heard, due_at)
        select ${companyId}, ${whatsappId}, 'p phone 1 ' || n, '1', '${JSON.stringify(picture)}', now() + interval '1 day'
        from generate_series(1, 600) n;
      insert into inbound_events (company_id, whatsapp_id, key, chat, heard)
        values (${companyId}, ${whatsappId}, 'm 0 BEHIND ', '${number}', '${JSON.stringify(message)}')`)
    await line.host.receive([{ ...picture, kind: 'profile', chat: { kind: 'phone', value: '2' } }])
    await until(async () => {
      const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
      return page.tickets.some(ticket => ticket.contact.number === number)
    })
  } finally {
    await script(`delete from inbound_events where key like 'p phone %'`)
    await line.close()
  }
})

test('a connected number that cannot record what it receives says so on its screen, until it can', async () => {
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const show = () => admin.get(connections.show, { params: { whatsappId } })
  await scope.transaction(tx => reportRecording(tx, whatsappId, 'ERR_WAPP_NOT_RECORDING'))
  expect(await show()).toMatchObject({ status: 'CONNECTED', statusReason: 'ERR_WAPP_NOT_RECORDING' })
  const other = await app.as('admin@outra.test')
  const theirs = await other.get(connections.list, {})
  expect(JSON.stringify(theirs)).not.toContain('ERR_WAPP_NOT_RECORDING')
  await scope.transaction(tx => reportRecording(tx, whatsappId, ''))
  expect(await show()).toMatchObject({ status: 'CONNECTED', statusReason: '' })
})

test('a day in which our own storage is away costs a customer’s file none of its tries', async () => {
  const { number, ticketId } = await conversation()
  line = await claimConnection(app, { companyId: admin.user.companyId, whatsappId }, session)
  const { put } = app.platform.files
  let tried = 0
  app.platform.files.put = () => {
    tried++
    return Promise.reject(new Error('the store answers 503'))
  }
  const attempts = () => count(`select media_attempts as n from messages where body = 'guarde'`)
  try {
    const at = new Date().toISOString()
    await line.host.receive([
      {
        ...{ kind: 'message', chat: { kind: 'phone', value: number }, externalId: 'F2', fromMe: false, at },
        ...{ name: 'Ana', body: 'guarde', mediaType: 'image', file: inboundFile },
      },
    ])
    const dueAgain = () =>
      script(
        `update messages set created_at = now() - interval '2 days', media_due = now()
          where body = 'guarde' and media_due > now()`,
      )
    // two tries were recorded before the third
    await until(async () => {
      await dueAgain()
      return tried > 2
    })
    expect([await attempts(), (await shown(ticketId, 'guarde')).media?.state]).toEqual([0, 'loading'])
    app.platform.files.put = put
    await until(async () => {
      await script(`update messages set media_due = now() where body = 'guarde' and media_due is not null`)
      return (await shown(ticketId, 'guarde')).media?.state === 'ready'
    })
  } finally {
    app.platform.files.put = put
    await line.close()
  }
})
