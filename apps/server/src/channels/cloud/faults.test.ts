import { cloud } from '@balcao/contract/cloud.ts'
import { connectionSessionChannel, connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, setCloudScene, settingsOf } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'
import { type CheckLease, LeaseLost } from '../../driver.ts'
import { openGraph } from '../../features/cloud/cloud.client.ts'
import { createPace, type Pace } from './pace.ts'
import { CloudSender } from './send.ts'
import { openStore } from './store.ts'

const SECONDS = 20_000
const FEWER_FIELDS = 'display_phone_number,verified_name,quality_rating,status'
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] } })
})
afterEach(() => scene.meta.faults.clear())
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551198${String(1_000_000 + ++last)}`
const acked = (ticketId: number, body: string, ack: number) =>
  until(async () => (await scene.said(ticketId)).find(one => one.body === body && one.ack === ack), SECONDS)
const texts = (number: string) =>
  scene.meta
    .customer(number)
    .received()
    .map(({ text }) => text)

describe('statuses', () => {
  test('that come before the answer, twice, and in the wrong order end at the highest', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    scene.meta.faults.statusesFirst = true
    const held = scene.meta.webhooks.hold()
    await scene.send(ticketId, 'ordem')
    await until(() => texts(number).length === 1, SECONDS)
    scene.meta.customer(number).reads(scene.meta.customer(number).received()[0]!.id)
    scene.meta.faults.deliveries.next({ copies: 3, times: 10 })
    held.release({ order: 'reversed' })
    await acked(ticketId, 'ordem', 4)
    await scene.meta.settled()
    expect((await scene.said(ticketId)).find(one => one.body === 'ordem')?.ack).toBe(4)
  })
})

describe('a message whose answer is lost', () => {
  test('is known by its status and never sent twice', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    scene.meta.faults.calls.next({ reset: 'after', on: 'messages' })
    await scene.send(ticketId, 'perdida')
    await acked(ticketId, 'perdida', 3)
    await scene.send(ticketId, 'depois')
    await acked(ticketId, 'depois', 3)
    expect(texts(number)).toEqual(['perdida', 'depois'])
    expect(scene.meta.doubled()).toEqual([])
  })

  test('is known as well when the answer is no JSON, and shows as unknown when it never was carried out', {
    timeout: 60_000,
  }, async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
    scene.meta.faults.calls.next({ garble: true, on: 'messages' })
    await scene.send(ticketId, 'torta')
    await acked(ticketId, 'torta', 3)
    scene.meta.faults.calls.next({ status: 500, text: '<html>oops</html>', on: 'messages' })
    await scene.send(ticketId, 'barrada')
    const failed = await until(
      async () => (await scene.said(ticketId)).find(one => one.body === 'barrada' && one.ack === 0),
      50_000,
    )
    expect(failed.failReason).toBe('ERR_WAPP_UNKNOWN_OUTCOME')
    expect(texts(number)).toEqual(['torta'])
    expect(scene.meta.doubled()).toEqual([])
  })

  test('and when Meta hangs: the others wait no longer than patience lasts, and nothing is sent twice', {
    timeout: 90_000,
  }, async () => {
    const [number, other] = [newNumber(), newNumber()]
    const ticketId = await scene.conversation(number)
    const otherId = await scene.conversation(other)
    await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
    // it may be over before anybody asks
    const told = await scene.admin.subscribe(connectionSessionChannel)
    scene.meta.faults.calls.next({ hang: 'after', on: 'messages' })
    await scene.send(ticketId, 'parada')
    await until(() => texts(number).length === 1, SECONDS)
    await scene.send(otherId, 'ao lado')
    await acked(ticketId, 'parada', 3)
    await acked(otherId, 'ao lado', 3)
    await until(() => told.some(({ session }) => session.status === 'OPENING'), 40_000)
    await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
    await scene.send(ticketId, 'adiante')
    await acked(ticketId, 'adiante', 3)
    expect(texts(number)).toEqual(['parada', 'adiante'])
    expect(scene.meta.doubled()).toEqual([])
  })

  test('and without a status either is shown as unknown, then as what it became', {
    timeout: 60_000,
  }, async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
    scene.meta.faults.deliveries.next({ lose: true, times: Number.POSITIVE_INFINITY })
    scene.meta.faults.calls.next({ reset: 'after', on: 'messages' })
    await scene.send(ticketId, 'e agora')
    const failed = await until(
      async () => (await scene.said(ticketId)).find(one => one.body === 'e agora' && one.ack === 0),
      50_000,
    )
    expect(failed.failReason).toBe('ERR_WAPP_UNKNOWN_OUTCOME')
    scene.meta.faults.clear()
    await acked(ticketId, 'e agora', 3)
    expect(scene.meta.doubled()).toEqual([])
  })
})

describe('a database that goes away around a call', () => {
  const away = Object.assign(new Error('the database is away'), { code: '57P01' })

  test('before it leaves, or behind its answer, fails no message and doubles none', async () => {
    const { world, meta, whatsappId, admin } = scene
    const number = newNumber()
    await scene.conversation(number)
    const scope = world.platform.scopes.inCompany(admin.user.companyId)
    const rows = openStore(world.platform, {
      companyId: scope.companyId,
      whatsappId,
      write: work => scope.transaction(work),
    })
    const failing = { markAsked: false, learn: false }
    const failOnce = (step: keyof typeof failing) => {
      if (!failing[step]) return
      failing[step] = false
      throw away
    }
    const store: typeof rows = {
      ...rows,
      // committed, but the answer is lost
      async markAsked(externalId) {
        await rows.markAsked(externalId)
        failOnce('markAsked')
      },
      async learn(named) {
        failOnce('learn')
        await rows.learn(named)
      },
    }
    const { phoneNumberId, businessAccountId, accessToken } = settingsOf(meta)
    const graph = openGraph({ url: meta.url, token: accessToken })
    const [troubled, voiceNote] = [() => {}, async () => null]
    const sender = new CloudSender({
      ...{ graph, store, pace: createPace(), phoneNumberId, businessAccountId, troubled, voiceNote },
    })
    const send = (body: string, again: boolean, checkLease: CheckLease) => {
      const chat = { kind: 'phone' as const, value: number }
      return sender.send(
        { chat, externalId: `3EB0${body}`, body, content: { kind: 'text' }, again },
        checkLease,
      )
    }
    const checkLease = async () => {}
    meta.faults.deliveries.next({ lose: true, times: Number.POSITIVE_INFINITY })

    await expect(send('lease', false, () => Promise.reject(away))).rejects.toBe(away)
    expect(texts(number)).toEqual([])
    expect(await send('lease', true, checkLease)).toEqual({ is: 'sent' })
    failing.markAsked = true
    await expect(send('note', false, checkLease)).rejects.toBe(away)
    expect(await send('note', true, checkLease)).toEqual({ is: 'sent' })
    failing.learn = true
    await expect(send('answer', false, checkLease)).rejects.toBe(away)
    expect(await send('answer', true, checkLease)).toEqual({ is: 'sent', earlier: true })
    expect(texts(number)).toEqual(['lease', 'note', 'answer'])
    await sender.close()
    await expect(send('late', false, checkLease)).rejects.toThrow(LeaseLost)
    expect(await rows.sentUnder({ externalIds: ['3EB0late'] })).toEqual([])
    await graph.close()
  })

  test('a session that ends waits for the answer to what has left', async () => {
    const { admin, meta, whatsappId } = scene
    const ticketId = await scene.conversation(newNumber())
    // the answer alone brings that it was taken: statuses wait
    const held = meta.webhooks.hold()
    meta.faults.calls.next({ delay: 1_000, on: 'messages' })
    const { id } = await scene.send(ticketId, 'a caminho')
    await until(() => meta.calls.some(({ params }) => JSON.stringify(params).includes('a caminho')), SECONDS)
    await admin.get(connections.start, { params: { whatsappId } })
    await acked(ticketId, 'a caminho', 2)
    held.release()
    await until(async () => (await scene.said(ticketId)).find(one => one.id === id && one.ack === 3), SECONDS)
  })
})

describe('Meta’s refusals', () => {
  const refusals: [code: number, reason: string][] = [
    [131047, 'ERR_WAPP_WINDOW_CLOSED'],
    [131049, 'ERR_WAPP_MARKETING_LIMIT'],
    [130472, 'ERR_WAPP_NOT_DELIVERED'],
    [131031, 'ERR_WAPP_CLOUD_BLOCKED'],
    [131042, 'ERR_WAPP_CLOUD_PAYMENT'],
    [130497, 'ERR_WAPP_CLOUD_COUNTRY'],
    [131050, 'ERR_OPTED_OUT'],
    [131026, 'ERR_WAPP_INVALID_CONTACT'],
    [135000, '135000'],
  ]
  test.each(refusals)('%i fails the message, in the answer or later', async (code, reason) => {
    const ticketId = await scene.conversation(newNumber())
    scene.meta.faults.calls.next({ code, on: 'messages' })
    await scene.send(ticketId, 'agora')
    expect((await acked(ticketId, 'agora', 0)).failReason).toContain(reason)
    scene.meta.faults.failures.next({ code })
    await scene.send(ticketId, 'depois')
    expect((await acked(ticketId, 'depois', 0)).failReason).toContain(reason)
  })

  test.each([
    [130429, 429],
    [131056, 400],
    [131000, 500],
    [2, 503],
  ])('%i is tried again until it leaves, once', { timeout: 45_000 }, async (code, status) => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    scene.meta.faults.calls.next({ code, status, on: 'messages' })
    await scene.send(ticketId, 'insiste')
    await until(() => texts(number).length === 1, 40_000)
    await acked(ticketId, 'insiste', 3)
    expect(texts(number)).toEqual(['insiste'])
    expect(scene.meta.doubled()).toEqual([])
  })

  test('of a permission is of that message: the connection stays, and its admins read it', async () => {
    const ticketId = await scene.conversation(newNumber())
    for (const code of [10, 200]) {
      scene.meta.faults.calls.next({ code, status: 403, on: 'messages' })
      await scene.send(ticketId, `sem ${code}`)
      expect((await acked(ticketId, `sem ${code}`, 0)).failReason).toBe('ERR_WAPP_CLOUD_DENIED')
    }
    await scene.send(ticketId, 'com')
    await acked(ticketId, 'com', 3)
    const params = { whatsappId: scene.whatsappId }
    const shown = await scene.admin.get(connections.show, { params })
    expect([shown.status, shown.cloud?.health.lastError]).toEqual(['CONNECTED', 'ERR_WAPP_CLOUD_DENIED'])
  })

  test('that is transient by its own word is tried again, once', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    scene.meta.faults.calls.next({ code: 135000, transient: true, on: 'messages' })
    await scene.send(ticketId, 'passa')
    await acked(ticketId, 'passa', 3)
    expect(texts(number)).toEqual(['passa'])
  })

  test.each([80007, 368])(
    '%i lets the number rest as long as Meta asks; the message is not lost',
    async code => {
      const number = newNumber()
      await scene.conversation(number)
      const { world, meta, whatsappId, admin } = scene
      const { companyId } = admin.user
      const scope = world.platform.scopes.inCompany(companyId)
      const store = openStore(world.platform, {
        companyId,
        whatsappId,
        write: work => scope.transaction(work),
      })
      const { phoneNumberId, businessAccountId, accessToken } = settingsOf(meta)
      const graph = openGraph({ url: meta.url, token: accessToken })
      const [pace, asked, told]: [Pace, number[], string[]] = [createPace(), [], []]
      const sender = new CloudSender({
        ...{ graph, store, phoneNumberId, businessAccountId, voiceNote: async () => null },
        pace: { ...pace, rest: ms => void asked.push(ms) },
        troubled: (_, reason) => void told.push(reason),
      })
      meta.faults.calls.next({ code, regainIn: 3, on: 'messages' })
      const message = {
        chat: { kind: 'phone', value: number },
        externalId: `3EB0R${code}`,
        body: 'descansa',
      } as const
      const send = (again: boolean) =>
        sender.send({ ...message, content: { kind: 'text' }, again }, async () => {})
      const reason = code === 368 ? 'ERR_WAPP_CLOUD_BLOCKED' : 'ERR_WAPP_TOO_MANY'
      expect(await send(false)).toEqual({ is: 'unknown', reason })
      expect([asked, told]).toEqual([[180_000], [reason]])
      expect(await send(true)).toEqual({ is: 'sent' })
      expect(texts(number)).toEqual(['descansa'])
      await graph.close()
    },
  )

  test('of a field of the number’s health is no end: less is asked for', async () => {
    const params = { whatsappId: scene.whatsappId }
    scene.meta.number.lacks.add('whatsapp_business_manager_messaging_limit')
    const before = scene.meta.calls.length
    await scene.admin.get(connections.start, { params })
    await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
    await until(() =>
      scene.meta.calls.slice(before).some(({ params: asked }) => asked.fields === FEWER_FIELDS),
    )
    scene.meta.number.lacks.clear()
    scene.meta.faults.calls.next({ code: 10, status: 403, on: 'number' })
    scene.meta.number.setQuality('YELLOW') // asks at once
    const { cloud } = await until(async () => {
      const shown = await scene.admin.get(connections.show, { params })
      return shown.cloud?.health.quality === 'YELLOW' && shown
    }, SECONDS)
    scene.meta.number.setQuality('GREEN')
    expect(cloud?.health.messagingLimit).toBe('TIER_2K')
    expect(await scene.status()).toBe('CONNECTED')
    await scene.admin.get(connections.start, { params })
  })

  test('of the account is told to its admins', async () => {
    const ticketId = await scene.conversation(newNumber())
    scene.meta.faults.calls.next({ code: 131042, on: 'messages' })
    await scene.send(ticketId, 'paga')
    await acked(ticketId, 'paga', 0)
    const params = { whatsappId: scene.whatsappId }
    const { cloud } = await until(async () => {
      const shown = await scene.admin.get(connections.show, { params })
      return shown.cloud?.health.lastError === 'ERR_WAPP_CLOUD_PAYMENT' && shown
    })
    expect(cloud?.health).toMatchObject({
      quality: 'GREEN',
      messagingLimit: 'TIER_2K',
      throughput: 'STANDARD',
    })
  })
})

describe('a person', () => {
  test('who hides the number is one contact and is answered', async () => {
    const hidden = scene.meta.addCustomer(newNumber(), { name: 'Bia Oculta', showsNumber: false })
    hidden.says('Quem sou?')
    const ticketId = await scene.pending('')
    const queueId = scene.admin.user.queues[0]!.id
    const taken = await scene.admin.get(tickets.change, {
      params: { ticketId },
      body: { status: 'open', queueId },
    })
    expect(taken.contact).toMatchObject({ name: 'Bia Oculta', number: '', lid: '' })
    await scene.send(ticketId, 'Bia')
    await until(() => hidden.received().length === 1, SECONDS)
    hidden.says('Isso')
    await until(async () => (await scene.said(ticketId)).length === 3, SECONDS)
  })

  test('who takes another number keeps the conversation, and is answered there', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    const next = newNumber()
    customer.changesNumber(next)
    customer.says('Mudei')
    await until(async () => (await scene.said(ticketId)).some(one => one.body === 'Mudei'), SECONDS)
    await scene.send(ticketId, 'Anotado')
    await until(() => customer.received().length === 1, SECONDS)
    expect(scene.meta.sent.at(-1)?.input).toBe(next)
  })
})

test('reading is told to Meta, and an answer may quote what it answers', async () => {
  const number = newNumber()
  const ticketId = await scene.conversation(number, 'Leia')
  await scene.said(ticketId)
  await until(() => scene.meta.customer(number).wrote[0]?.status === 'read', SECONDS)
  const [first] = await scene.said(ticketId)
  await scene.admin.get(messages.send, {
    params: { ticketId, companyId: scene.admin.user.companyId },
    body: { body: 'Lido', quotedMsg: first!.id },
  })
  const [answer] = await until(() => {
    const received = scene.meta.customer(number).received()
    return received.length > 0 && received
  }, SECONDS)
  expect(answer?.quotes).toBe(scene.meta.customer(number).wrote[0]!.id)
  scene.meta.customer(number).says('De nada', { quotes: answer!.id })
  const thanks = await until(
    async () => (await scene.said(ticketId)).find(one => one.body === 'De nada'),
    SECONDS,
  )
  expect(thanks.quotedMsg?.body).toBe('Lido')
})

test('templates are listed with their places, in every state, to this company alone', async () => {
  scene.meta.account.addTemplate({
    name: 'pedido_pronto',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' },
      { type: 'BODY', text: 'Oi {{1}}, fica pronto {{2}}.', example: { body_text: [['Ana', 'hoje']] } },
      { type: 'FOOTER', text: 'Padaria' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://a.b/{{1}}' }] },
    ],
  })
  scene.meta.account.addTemplate({
    name: 'pausado',
    status: 'PAUSED',
    components: [{ type: 'BODY', text: 'Oi' }],
  })
  const params = { whatsappId: scene.whatsappId }
  const listed = await scene.admin.get(cloud.templates, { params })
  expect(listed.map(({ name, sendable }) => [name, sendable])).toEqual([
    ['pausado', false],
    ['pedido_pronto', true],
  ])
  expect(listed[1]?.placeholders).toEqual([
    { part: 'header', name: '1', kind: 'text', example: '' },
    { part: 'body', name: '1', kind: 'text', example: 'Ana' },
    { part: 'body', name: '2', kind: 'text', example: 'hoje' },
    { part: 'button', name: 'Ver', kind: 'text', example: '' },
  ])
  const other = await scene.world.as('admin@outra.test')
  expect((await other.call(cloud.templates, { params })).body.error).toBe('ERR_NO_WAPP_FOUND')
})

test('a call that Meta refuses for its token fails with that reason, and the connection says so', {
  timeout: 60_000,
}, async () => {
  const ticketId = await scene.conversation(newNumber())
  scene.meta.faults.calls.next({ code: 190, status: 401, on: 'messages' })
  await scene.send(ticketId, 'negada')
  expect((await acked(ticketId, 'negada', 0)).failReason).toBe('ERR_WAPP_CLOUD_TOKEN')
  const params = { whatsappId: scene.whatsappId }
  const shown = await until(async () => {
    const now = await scene.admin.get(connections.show, { params })
    return now.status === 'DISCONNECTED' && now
  }, SECONDS)
  expect(shown).toMatchObject({ statusReason: 'ERR_WAPP_CLOUD_TOKEN' })
  await scene.admin.get(connections.start, { params })
  await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
  scene.meta.faults.calls.next({ code: 190, status: 401, on: 'messages' })
  await scene.send(ticketId, 'negada de novo')
  await until(async () => (await scene.status()) === 'DISCONNECTED', SECONDS)
  // Meta had taken the number off, and gives it back
  scene.meta.account.update('ACCOUNT_RECONNECTED')
  await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
})

test('a token that ends is told with its reason; a new one mends it, and nothing that came meanwhile is lost', {
  timeout: 60_000,
}, async () => {
  const number = newNumber()
  const ticketId = await scene.conversation(number)
  scene.meta.token.expire()
  await scene.send(ticketId, 'sem token')
  expect((await acked(ticketId, 'sem token', 0)).failReason).toBe('ERR_WAPP_CLOUD_TOKEN')
  const params = { whatsappId: scene.whatsappId }
  const shown = await until(async () => {
    const now = await scene.admin.get(connections.show, { params })
    return now.status === 'DISCONNECTED' && now
  }, SECONDS)
  expect(shown).toMatchObject({ statusReason: 'ERR_WAPP_CLOUD_TOKEN' })
  scene.meta.customer(number).says('Ainda aí?')
  const token = scene.meta.app.addToken([scene.meta.account])
  const { accessToken } = settingsOf(scene.meta, scene.meta.number, token)
  await scene.admin.get(connections.change, { params, body: { cloud: { accessToken } } })
  await until(async () => (await scene.status()) === 'CONNECTED', SECONDS)
  await until(async () => (await scene.said(ticketId)).some(one => one.body === 'Ainda aí?'), SECONDS)
})
