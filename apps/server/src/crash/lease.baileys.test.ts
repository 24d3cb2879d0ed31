import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'
import { ANA, SHOP } from '../../testing/whatsapp.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const MOVED_MS = 10_000
/** A process looks around every second or two: long enough for all its clocks to strike. */
const WIDE_AWAKE_MS = 5_000

describe('a real WhatsApp connection whose owner stands still', () => {
  let store: Store
  let whatsapp: WhatsAppServer
  let owner: Process
  let other: Process
  let helena: Person
  let whatsappId: number
  let ticketId: number

  const env = () => {
    const { args, env } = trustFor(whatsapp)
    return { ...env, NODE_OPTIONS: args.join(' '), WHATSAPP_WEB_URL: whatsapp.url }
  }
  const lease = async () => {
    const [row] = await store.rows(
      `select owner, epoch::int from whatsapp_leases where whatsapp_id = ${whatsappId}`,
    )
    return row as { owner: string; epoch: number }
  }
  const ana = () => whatsapp.phone(ANA)

  beforeAll(async () => {
    store = await freshStore()
    whatsapp = await startWhatsAppServer()
    owner = await startProcess({ ...store.env, ...env() })
    const admin = await enter(owner.url, 'admin@balcao.test')
    const body = { name: 'Loja', lib: 'baileys' as const }
    whatsappId = (await admin.get(connections.create, { body })).id
    const shop = await whatsapp.addPhone(SHOP, { name: 'Padaria' })
    await whatsapp.addPhone(ANA, { name: 'Ana' })
    await admin.get(connections.renew, { params: { whatsappId }, body: {} })
    const show = () => admin.get(connections.show, { params: { whatsappId } })
    await shop.scan(await until(async () => (await show()).qrcode, 20_000))
    await until(async () => (await show()).status === 'CONNECTED', 20_000)
    shop.goOffline()
    await ana().write(SHOP, 'Oi')
    const waiting = await until(async () => {
      const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
      return page.tickets.find(({ contact }) => contact.number === ANA)
    }, 20_000)
    ticketId = waiting.id
    await admin.get(tickets.change, {
      params: { ticketId },
      body: { status: 'open', queueId: admin.user.queues[0]!.id },
    })
    other = await startProcess({ ...store.env, ...env() })
    helena = await enter(other.url, 'admin@balcao.test')
  })
  afterAll(async () => {
    // a process that a failed test left suspended receives nothing
    owner?.wake()
    await owner?.stop()
    await other?.stop()
    await whatsapp?.close()
    await store?.remove()
  })

  /** Works on the process that is awake. */
  const send = (body: string) =>
    helena.get(messages.send, { params: { ticketId, companyId: helena.user.companyId }, body: { body } })
  const shown = (body: string) =>
    ana()
      .received()
      .filter(({ text }) => text?.endsWith(body))
  const kept = () =>
    store.rows(`select type, id, md5(value) as value from whatsapp_keys where whatsapp_id = ${whatsappId}
      order by type, id`)
  async function moved(before: { epoch: number }) {
    const start = performance.now()
    await until(async () => (await lease()).epoch > before.epoch, 30_000)
    return Math.round(performance.now() - start)
  }
  /** The survivor becomes the owner, and a new process is started beside it. */
  async function replace() {
    await owner.stop()
    owner = other
    other = await startProcess({ ...store.env, ...env() })
    helena = await enter(other.url, 'admin@balcao.test')
  }

  test('loses it to another within ten seconds, which is logged in then; awake, it neither logs in nor writes', async () => {
    const held = await lease()
    const start = performance.now()
    owner.freeze()
    await ana().write(SHOP, 'alguém aí?')
    await send('estamos aqui')
    const ms = await moved(held)
    await until(() => shown('estamos aqui').length === 1, 20_000)
    const back = Math.round(performance.now() - start)
    console.log(
      `a frozen owner of a WhatsApp connection: moved in ${ms} ms, answering again after ${back} ms`,
    )
    expect(ms).toBeLessThan(MOVED_MS)
    await until(() => whatsapp.owed(SHOP) === 0, 10_000)
    await until(async () => !(await kept()).some(({ type }) => type === 'inbox-journal'), 10_000)
    const [logins, keys, now] = [whatsapp.tally.logins.get(SHOP), await kept(), await lease()]
    owner.wake()
    await new Promise(done => setTimeout(done, WIDE_AWAKE_MS))
    expect(whatsapp.tally.logins.get(SHOP)).toBe(logins)
    expect(await kept()).toEqual(keys)
    expect(await lease()).toMatchObject(now)
    expect(shown('estamos aqui').map(({ times }) => times)).toEqual([1])
    const { messages: said } = await helena.get(messages.list, { params: { ticketId } })
    expect(said.filter(({ body }) => body === 'alguém aí?')).toHaveLength(1)
    await replace()
  })

  // a failed test leaves no process suspended or locked out
  afterEach(() => {
    owner.wake()
    whatsapp.faults.refuse(undefined)
  })

  test('sends nothing more once another owns it, though its own line to WhatsApp is still open', async () => {
    const held = await lease()
    // Its address is known: the next step of the owner would be to encrypt it and write it to its socket.
    await owner.freezeAt('channels/baileys/inbound/addresses.ts#localAddress:after')
    const { id } = await send('com qual época?')
    // The new owner cannot connect, so that the suspended one's session is not replaced.
    whatsapp.faults.refuse(500)
    await moved(held)
    expect(whatsapp.online(SHOP)).toBe(true)
    const [row] = await store.rows(`select external_id from messages where id = '${id}'`)
    const accepted = () => whatsapp.tally.accepted.get(row!.external_id as string) ?? 0
    expect(accepted()).toBe(0)
    const keys = await kept()
    owner.wake()
    await until(() => !whatsapp.online(SHOP), 20_000)
    expect([accepted(), shown('com qual época?')]).toEqual([0, []])
    expect(await kept()).toEqual(keys)
    whatsapp.faults.refuse(undefined)
    await until(() => shown('com qual época?').length === 1, 45_000)
    expect([accepted(), shown('com qual época?').map(({ times }) => times)]).toEqual([1, [1]])
    expect(whatsapp.errors).toEqual([])
    expect(whatsapp.unknown).toEqual([])
  })
})
