import { makeParticipant } from '@balcao/whatsapp-server/participant.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import type { BinaryNode } from 'baileys'
import { afterEach, describe, expect, test } from 'vitest'
import { newSession, openHost, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import { receiptsIn } from '../inbound/receipts.ts'
import { openJournal } from '../keys/journal.ts'
import './sessions.ts'

// What leans on the inside of Baileys and libsignal: each of these fails when a new version of them changes it.

describe('a connection', () => {
  let scene: Scene

  afterEach(() => scene.end())

  /** Both have written and have been received, each under the other's present session. */
  async function warm() {
    scene = await setScene()
    const { ana, host } = scene
    await ana.write(SHOP, 'Oi')
    await until('the question', () => host.messages().length === 1)
    const { id } = await scene.say('Olá')
    await until('the answer', () => host.acks(id).length > 0)
  }

  test('lets nothing leave whose keys could not be stored, and loses nothing by it', async () => {
    await warm()
    const { server, ana, host } = scene
    let fails = true
    host.fault = what => {
      if (what === 'write' && fails) throw new Error('the database is away')
    }
    const { id, outcome } = await scene.say('Tem bolo').catch(() => ({ id: '', outcome: null }))
    expect(outcome?.is).not.toBe('sent')
    expect([...server.tally.accepted.keys()].filter(one => one === id || ana.received().length > 1)).toEqual(
      [],
    )
    fails = false
    await until('another connection', () => host.states.filter(is => is === 'CONNECTED').length === 2, 20_000)
    expect((await scene.say('Tem bolo')).outcome).toEqual({ is: 'sent' })
    await until('the answer', () => ana.received().length === 2)
    expect(server.tally.unreadable).toEqual([])
  })

  test('keeps its session with somebody whose devices it looks up again', async () => {
    await warm()
    const { ana, host } = scene
    const sessions = () => {
      const [, row] = [...host.rows].find(([key]) => key.startsWith(`session ${ana.account.lid}`))!
      return Object.keys((JSON.parse(row) as { _sessions: object })._sessions)
    }
    const before = sessions()
    await scene.reopen()
    await until('the connection', () => scene.session.ready())
    await scene.say('De volta')
    await until('the answer', () => ana.received().length === 2)
    expect(sessions()).toEqual(before)
  })

  test('confirms a delivery only when that is written down, so that it is told again after a death', async () => {
    await warm()
    const { server, ana, host } = scene
    let tries = 0
    host.fault = what => {
      if (what !== 'hear') return
      tries++
      throw new Error('the database is away')
    }
    const { id } = await scene.say('Tem bolo')
    await until('the answer', () => ana.received().length === 2)
    await until('the receipt', () => tries > 0)
    expect(server.owed(SHOP)).toBe(1)
    const reopened = scene.reopen()
    host.fault = () => {}
    await reopened
    await until('the tick', () => host.acks(id).some(({ ack }) => ack === 3), 15_000)
    await until('nothing more to tell', () => server.owed(SHOP) === 0)
  })
})

test('two connections that hear the same customer at the same moment keep their own keys', async () => {
  const scene = await setScene()
  const { server, ana } = scene
  const other = await server.addPhone('5511900000002', { name: 'Outra loja' })
  const host = openHost()
  const session = await newSession(server, host)
  await other.scan(await until('a QR code', () => host.state.qrcode || null, 20_000))
  await until('the connection', () => host.state.status === 'CONNECTED', 20_000)
  const both = [SHOP, other.number]
  for (let line = 0; line < 10; line++) await Promise.all(both.map(to => ana.write(to, `linha ${line}`)))
  for (const { messages } of [scene.host, host])
    await until('all of it', () => messages().length === 10, 20_000)
  expect(server.tally.unreadable).toEqual([])
  await session.close({ logout: false })
  await scene.end()
})

test('a message under the former session leaves the present one as it was', async () => {
  const [shop, ana] = [await makeParticipant(), await makeParticipant()]
  const [SHOP_JID, ANA_JID] = ['1001@lid', '1002@lid']
  const says = (conversation: string) => ({ conversation })
  const toShop = (text: string) => ana.encrypt(SHOP_JID, says(text), () => shop.keys)
  const toAna = (text: string, renew = false) => shop.encrypt(ANA_JID, says(text), () => ana.keys, { renew })
  await shop.decrypt(ANA_JID, await toShop('um'))
  await ana.decrypt(SHOP_JID, await toAna('dois'))
  const onItsWay = await toShop('três')
  const first = await toAna('quatro', true)
  expect((await shop.decrypt(ANA_JID, onItsWay)).conversation).toBe('três')
  const second = await toAna('cinco')
  expect((await ana.decrypt(SHOP_JID, first)).conversation).toBe('quatro')
  expect((await ana.decrypt(SHOP_JID, second)).conversation).toBe('cinco')
  shop.close()
  ana.close()
})

describe('the journal', () => {
  const ciphertext = Buffer.from('sealed')
  const attrs = { id: 'A1', from: '1002@lid', t: '1' }
  const stanza: BinaryNode = {
    tag: 'message',
    attrs,
    content: [{ tag: 'enc', attrs: {}, content: ciphertext }],
  }

  /** A message that was decrypted and is stored. */
  async function decrypted() {
    const { keys, rows } = openHost()
    const journal = await openJournal(keys)
    journal.watch(stanza)
    const row = journal.entry(ciphertext, Buffer.from('plain'))!
    await keys.write([{ type: 'inbox-journal', id: row.id, value: JSON.stringify(row.value) }])
    journal.keep(row)
    return { keys, rows, journal, id: row.id }
  }

  test('knows what was decrypted before, also after a death', async () => {
    const { keys, journal } = await decrypted()
    expect(journal.plaintextOf(ciphertext)?.toString()).toBe('plain')
    const later = await openJournal(keys)
    expect(later.plaintextOf(Buffer.from('sealed'))?.toString()).toBe('plain')
    expect(later.plaintextOf(Buffer.from('other'))).toBe(null)
  })

  test('keeps a message until it was heard and the server knows that we have it', async () => {
    const first = await decrypted()
    await first.journal.drop([first.id])
    expect(first.rows.size).toBe(1)
    first.journal.confirmed('A1')
    await until('the end of the row', () => first.rows.size === 0)
    const second = await decrypted()
    second.journal.confirmed('A1')
    expect(second.rows.size).toBe(1)
    await second.journal.drop([second.id])
    expect(second.rows.size).toBe(0)
  })

  test('lets go of what the server did not deliver again', async () => {
    const { keys, rows } = await decrypted()
    const later = await openJournal(keys)
    const [left] = later.leftovers({ id: '1001@lid', lid: '' }, 0, () => false)
    await later.drop(left!.rowIds)
    expect(rows.size).toBe(1)
    later.caughtUp(Date.now())
    await until('the end of the row', () => rows.size === 0)
  })
})

describe('a receipt', () => {
  const receipt = (attrs: object, content?: BinaryNode[]): BinaryNode => ({
    tag: 'receipt',
    attrs: { id: 'A1', from: '1002@lid', t: '1700000000', ...attrs },
    content,
  })
  const item = (id: string): BinaryNode => ({ tag: 'item', attrs: { id } })
  const notified = (of: BinaryNode) => receiptsIn(of).map(({ externalId, ack }) => [externalId, ack])

  test('says how far one message came, or several', () => {
    expect(notified(receipt({}))).toEqual([['A1', 3]])
    expect(notified(receipt({ type: 'inactive' }))).toEqual([['A1', 3]])
    const list: BinaryNode = { tag: 'list', attrs: {}, content: [item('A2'), item('A3')] }
    expect(notified(receipt({ type: 'read' }, [list]))).toEqual([
      ['A1', 4],
      ['A2', 4],
      ['A3', 4],
    ])
  })

  test('of a group names its members below the message', () => {
    const members: BinaryNode = {
      tag: 'participants',
      attrs: { key: 'A2' },
      content: [{ tag: 'user', attrs: { jid: '1003@lid', t: '1' } }],
    }
    expect(notified(receipt({ from: '12@g.us', id: 'A2', type: 'read' }, [members]))).toEqual([['A2', 3]])
  })

  test('about asking again, or about the messages of others, says nothing of ours', () => {
    expect(notified(receipt({ type: 'retry' }))).toEqual([])
    expect(notified(receipt({ type: 'sender' }))).toEqual([])
    expect(notified(receipt({ type: 'read-self', recipient: '1003@lid' }))).toEqual([])
    expect(notified(receipt({ from: 'status@broadcast' }))).toEqual([])
  })
})
