import { messages } from '@balcao/contract/messages.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'

const SECONDS = 20_000
const DAY = 24 * 3_600_000
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] }, number: '551130000005' })
})
afterEach(() => scene.meta.faults.clear())
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551194${String(1_000_000 + ++last)}`
const call = (ticketId: number, body: object) =>
  scene.admin.call(messages.send, {
    params: { ticketId, companyId: scene.admin.user.companyId },
    body,
  })
const settled = (ticketId: number, id: string, ack: number) =>
  until(async () => (await scene.said(ticketId)).find(one => one.id === id && one.ack === ack), SECONDS)
const texts = (number: string) =>
  scene.meta
    .customer(number)
    .received()
    .map(({ text }) => text)

describe('a day after the customer wrote', () => {
  /** As if the customer had written about a day ago. */
  const endsIn = (ticketId: number, seconds: number) =>
    scene.world.database.script(
      `update tickets set replies_until = now() + interval '${seconds} seconds' where id = ${ticketId}`,
    )

  test('the last second is free; the first after it is Meta’s to decide, within two minutes of its clock', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    await endsIn(ticketId, 1)
    const { body: inTime } = await call(ticketId, { body: 'em tempo' })
    await settled(ticketId, inTime.id, 3)
    // Meta's clock is behind ours: for it the day is not over yet.
    await endsIn(ticketId, -1)
    const { body: early } = await call(ticketId, { body: 'por um triz' })
    await settled(ticketId, early.id, 3)
    // It is ahead of ours: for Meta the day is over.
    await scene.meta.clock.advance(DAY + 1_000)
    await endsIn(ticketId, 100)
    const { body: late } = await call(ticketId, { body: 'tarde' })
    expect((await settled(ticketId, late.id, 0)).failReason).toBe('ERR_WAPP_WINDOW_CLOSED')
    expect(texts(number)).toEqual(['em tempo', 'por um triz'])
  })

  test('and two minutes nothing but a template leaves; a word of the customer opens it again', async () => {
    const template = { name: 'volta', language: 'pt_BR', variables: [] }
    scene.meta.account.addTemplate({ name: 'volta', components: [{ type: 'BODY', text: 'Volte sempre' }] })
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    await endsIn(ticketId, -121)
    for (const body of [
      { body: 'Oi' },
      { body: 'Oi', choices: { kind: 'buttons', buttons: ['Sim'] } },
      { location: { latitude: 1, longitude: 2 } },
    ]) {
      const answer = await call(ticketId, body)
      expect([answer.status, answer.body.error]).toEqual([409, 'ERR_WAPP_WINDOW_CLOSED'])
    }
    expect((await call(ticketId, { template })).status).toBe(200)
    await until(() => texts(number)[0] === 'Volte sempre', SECONDS)
    scene.meta.customer(number).says('Voltei')
    await until(async () => (await scene.said(ticketId)).some(({ body }) => body === 'Voltei'), SECONDS)
    expect((await call(ticketId, { body: 'Que bom' })).status).toBe(200)
    await until(() => texts(number)[1] === 'Que bom', SECONDS)
  })
})

describe('a template', () => {
  const add = (name: string) =>
    scene.meta.account.addTemplate({
      name,
      components: [{ type: 'BODY', text: 'Oi {{1}}, fica pronto {{2}}.' }],
    })

  const rooms = new Map<string, number>()
  async function send(number: string, name: string, variables: string[], language = 'pt_BR') {
    const ticketId = rooms.get(number) ?? (await scene.conversation(number))
    rooms.set(number, ticketId)
    const { body } = await call(ticketId, { body: '…', template: { name, language, variables } })
    const message = await until(
      async () => (await scene.said(ticketId)).find(one => one.id === body.id && one.ack !== 1),
      SECONDS,
    )
    return message.failReason
  }

  test.each([
    ['too few variables', ['Ana']],
    ['an empty variable', ['Ana', ' ']],
    ['too many variables', ['Ana', 'hoje', 'cedo']],
  ])('with %s does not leave', async (words, variables) => {
    const name = `conta_${words.replaceAll(' ', '_')}`
    add(name)
    const number = newNumber()
    expect(await send(number, name, variables)).toBe('ERR_WAPP_TEMPLATE')
    expect(scene.meta.sent.filter(({ input }) => input === number)).toEqual([])
  })

  test('that was deleted, or was never written in that language, fails with its reason', async () => {
    const template = add('sumiu')
    const number = newNumber()
    expect(await send(number, 'sumiu', ['Ana', 'hoje'])).toBe('')
    expect(await send(newNumber(), 'sumiu', ['Ana', 'hoje'], 'en_US')).toBe('ERR_WAPP_TEMPLATE')
    const { templates } = scene.meta.account
    templates.splice(templates.indexOf(template), 1)
    expect(await send(newNumber(), 'sumiu', ['Ana', 'hoje'])).toBe('ERR_WAPP_TEMPLATE')
  })

  test('that rests, is disabled or was refused by Meta itself fails with its reason', async () => {
    for (const status of ['PAUSED', 'DISABLED', 'REJECTED'] as const) {
      const template = add(`fica_${status.toLowerCase()}`)
      template.decide(status)
      await scene.meta.settled()
      expect([status, await send(newNumber(), template.name, ['Ana', 'hoje'])]).toEqual([
        status,
        'ERR_WAPP_TEMPLATE',
      ])
    }
    add('recusado')
    const number = newNumber()
    expect(await send(number, 'recusado', ['Ana', 'hoje'])).toBe('')
    // that it was read is a call too, and must not be the one that is refused
    await until(() => scene.meta.customer(number).wrote[0]?.status === 'read', SECONDS)
    for (const code of [132000, 132001, 132015, 132016]) {
      scene.meta.faults.calls.next({ code, on: 'messages' })
      expect([code, await send(number, 'recusado', ['Ana', 'hoje'])]).toEqual([code, 'ERR_WAPP_TEMPLATE'])
    }
  })

  test('whose category changed in between leaves as before', async () => {
    const template = add('muda')
    const number = newNumber()
    template.moveTo('MARKETING')
    await scene.meta.settled()
    expect(await send(number, 'muda', ['Ana', 'hoje'])).toBe('')
    await until(() => texts(number)[0] === 'Oi Ana, fica pronto hoje.', SECONDS)
  })
})
