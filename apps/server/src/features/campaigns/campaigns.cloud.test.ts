import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Campaigns, openCampaigns } from '../../../testing/campaigns.ts'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { photo } from '../../../testing/samples.ts'
import { until } from '../../../testing/test-app.ts'

const SECONDS = 20_000
let scene: CloudScene
let shop: Campaigns
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] } })
  shop = await openCampaigns(scene.world, scene.admin, rowsOf(scene.world, scene.admin), scene.whatsappId)
  scene.meta.account.addTemplate({
    name: 'novidades',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Oi {{1}}, chegaram {{2}}.' }],
  })
})
afterEach(() => scene.meta.faults.clear())
afterAll(() => scene.end())

const template = {
  name: 'novidades',
  language: 'pt_BR',
  variables: ['{{primeiroNome|tudo bem}}', 'sofás'],
  text: 'Oi {{1}}, chegaram {{2}}.',
}
const message = { greeting: 'Olá!', body: 'Chegaram sofás', template }

let last = 0
/** A contact who has WhatsApp and never wrote to the company. */
const newPerson = () => {
  const number = `551196${String(1_000_000 + ++last)}`
  scene.meta.addCustomer(number)
  return number
}
const newPeople = (many: number) => Array.from({ length: many }, newPerson)
const read = (number: string) => scene.meta.customer(number).received()
const texts = (number: string) => read(number).map(({ text }) => text)

async function run(sendList: (string | object)[], fields: object = {}, setup: object = {}) {
  const made = await shop.make({ sendList, messages: [message], ...fields }, (await shop.setup(setup)).id)
  await shop.act(made.id, 'start')
  return made.id
}
const over = (id: number) => shop.stands(id, 'finalized')
/** The forecast of a campaign with this message, before it starts. */
async function outlookOf(sendList: string[], said: object) {
  const made = await shop.make({ sendList, messages: [said] }, (await shop.setup({}, false)).id)
  return scene.admin.get(campaigns.forecast, { params: { campaignId: made.id } })
}
const reasonsOf = async (campaignId: number) =>
  (await scene.admin.get(campaigns.report, { params: { campaignId } })).reasons

describe('over the official API', () => {
  test('who never wrote gets the template, filled for him; who writes to us gets the pair [CAMP-051 … CAMP-052]', async () => {
    const stranger = newPerson()
    const friend = newPerson()
    await scene.conversation(friend)
    const made = await shop.make(
      { sendList: [{ number: stranger, name: 'Ana Prado' }, friend], messages: [message] },
      (await shop.setup()).id,
    )
    const shown = await scene.admin.get(campaigns.preview, { params: { campaignId: made.id } })
    expect(shown.map(one => one.message)).toEqual(['Oi Ana, chegaram sofás.', 'Chegaram sofás'])
    expect(await outlookOf([stranger, friend], message)).toMatchObject({ reachable: 2, needTemplate: 0 })
    await shop.act(made.id, 'start')
    expect((await over(made.id)).counts).toMatchObject({ sent: 2, failed: 0 })
    await until(() => texts(stranger).length === 1 && texts(friend).length === 2, SECONDS)
    expect([texts(stranger), texts(friend)]).toEqual([
      ['Oi Ana, chegaram sofás.'],
      ['Olá!', 'Chegaram sofás'],
    ])
    // people of the company read the words that left, not the name of the template
    const [person] = await shop.people(made.id)
    expect(person).toMatchObject({ greeting: '', message: 'Oi Ana, chegaram sofás.' })
    const { messages: listed } = await scene.admin.get(messages.list, {
      params: { ticketId: person!.ticketId! },
    })
    expect(listed.map(({ body }) => body)).toEqual(['Oi Ana, chegaram sofás.'])
  })

  test('without a template those who never wrote are left out, and it is said before it starts', async () => {
    const friend = newPerson()
    await scene.conversation(friend)
    const plain = [{ greeting: 'Olá!', body: 'Chegaram sofás' }]
    const made = await shop.make(
      { sendList: [newPerson(), friend], messages: plain },
      (await shop.setup()).id,
    )
    expect(await outlookOf([newPerson(), friend], plain[0]!)).toMatchObject({ reachable: 1, needTemplate: 1 })
    await shop.act(made.id, 'start')
    expect((await over(made.id)).counts).toMatchObject({ sent: 1, failed: 1 })
    expect(await reasonsOf(made.id)).toEqual([{ reason: 'ERR_WAPP_WINDOW_CLOSED', count: 1 }])
  })

  test('buttons are real ones inside the day after the customer’s word [CSETUP-012 … CSETUP-014]', async () => {
    const number = newPerson()
    await scene.conversation(number)
    const buttons = [
      { buttonId: '1', buttonText: { displayText: 'Sim' }, type: 1 },
      { buttonId: '2', buttonText: { displayText: 'Não' }, type: 1 },
    ]
    const setup = {
      messageFooterType: 'buttons',
      jsonButtonOrList: { text: 'Interessa?', footer: '', buttons },
    }
    await over(await run([number], {}, setup))
    await until(() => read(number).length === 2, SECONDS)
    expect(read(number)[1]).toMatchObject({
      type: 'interactive',
      text: 'Chegaram sofás\n\nInteressa?',
    })
  })
})

test('a template takes the file of its message into its header; without one it is refused before it starts', async () => {
  scene.meta.account.addTemplate({
    name: 'vitrine',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Chegaram {{1}}.' },
    ],
  })
  const filled = { name: 'vitrine', language: 'pt_BR', variables: ['', 'sofás'], text: 'Chegaram {{2}}.' }
  const said = { greeting: 'Olá!', body: 'Foto', template: { ...filled, withFile: true } }
  const stranger = newPerson()
  const headers = { authorization: `Bearer ${(await shop.setup()).id}` }
  const post = (message: object, file: boolean) => {
    const form = new FormData()
    form.append('campaign', JSON.stringify({ name: 'Vitrine', messages: [message], sendList: [stranger] }))
    if (file) form.append('messageMedias', new Blob([photo().bytes]), 'sofa.jpg')
    return fetch(`${scene.world.url}/api/campaign/v1`, { method: 'POST', body: form, headers })
  }
  const refused = await post(said, false)
  expect([refused.status, await refused.json()]).toMatchObject([400, { field: 'messages.0.mediaName' }])
  const answer = await post({ ...said, mediaName: 'sofa.jpg', typeMessage: 'media' }, true)
  const made = (await answer.json()) as { id: number }
  await shop.act(made.id, 'start')
  expect((await over(made.id)).counts).toMatchObject({ sent: 1, failed: 0 })
  const [shown] = await until(() => read(stranger).length === 1 && read(stranger), SECONDS)
  expect(shown).toMatchObject({ text: 'Chegaram sofás.', content: { attached: [{ kind: 'image' }] } })
})

test('a file that is gone by now stops it with that reason, and the rest waits', async () => {
  const people = newPeople(3)
  for (const number of people) await scene.conversation(number)
  const form = new FormData()
  const said = [{ body: 'Foto', mediaName: 'sofa.jpg', typeMessage: 'media' }]
  form.append('campaign', JSON.stringify({ name: 'Fotos', messages: said, sendList: people }))
  form.append('messageMedias', new Blob([photo().bytes]), 'sofa.jpg')
  const headers = { authorization: `Bearer ${(await shop.setup()).id}` }
  const answer = await fetch(`${scene.world.url}/api/campaign/v1`, { method: 'POST', body: form, headers })
  const made = (await answer.json()) as { id: number; campaignMessages: { mediaUrl: string }[] }
  const key = made.campaignMessages[0]!.mediaUrl.split('/').at(-1)!
  await scene.world.platform.files.remove(scene.admin.user.companyId, key)
  await shop.act(made.id, 'start')
  expect(await shop.stands(made.id, 'pause')).toMatchObject({
    pauseReason: 'refused',
    pauseDetail: 'ERR_FILE_GONE',
    counts: { sent: 0, failed: 1, pending: 2, sending: 0 },
  })
  expect(people.flatMap(texts)).toEqual([])
  // the upload broke off where the file should have been
  expect(scene.meta.errors.splice(0)).toHaveLength(1)
})

describe('who stops marketing in WhatsApp itself', () => {
  const optedOut =
    (who = scene.admin) =>
    async () =>
      (await who.get(optOuts.list, { query: {} })).optOuts.map(({ number, source }) => [number, source])
  const isListed = (number: string, listed: boolean) =>
    until(async () => (await optedOut()()).some(([known]) => known === number) === listed, SECONDS)
  /** Deliveries in this order, whatever order they were made in. */
  async function told(order: 'reversed' | undefined, ...news: (() => void)[]) {
    const held = scene.meta.webhooks.hold()
    for (const tell of news) {
      tell()
      await scene.meta.clock.advance(2_000)
    }
    scene.meta.faults.deliveries.next({ copies: 2, times: news.length })
    held.release({ ...(order && { order }) })
    await scene.meta.settled()
  }

  test('is chosen by no campaign of this company until he resumes it there; doubled news change nothing', async () => {
    const number = newPerson()
    const customer = scene.meta.customer(number)
    await told(undefined, () => customer.stopsMarketing())
    await isListed(number, true)
    const id = await run([number, newPerson()])
    await over(id)
    expect(await reasonsOf(id)).toEqual([{ reason: 'ERR_OPTED_OUT', count: 1 }])
    expect(await optedOut(await scene.world.as('admin@outra.test'))()).toEqual([])
    await told(undefined, () => customer.resumesMarketing())
    await isListed(number, false)
    expect((await over(await run([number]))).counts).toMatchObject({ sent: 1, failed: 0 })
  })

  test('the later choice counts, also when it comes first', async () => {
    const [back, gone] = [newPerson(), newPerson()]
    const [one, other] = [scene.meta.customer(back), scene.meta.customer(gone)]
    await told(
      'reversed',
      () => one.stopsMarketing(),
      () => one.resumesMarketing(),
      () => other.resumesMarketing(),
      () => other.stopsMarketing(),
    )
    await isListed(gone, true)
    await isListed(back, false)
    // what a user noted is not lifted from the phone
    await scene.admin.get(optOuts.add, { body: { number: back } })
    await told(undefined, () => one.resumesMarketing())
    other.resumesMarketing()
    await isListed(gone, false)
    await isListed(back, true)
  })

  test('and is opted out by somebody of the company too, stays so when he resumes it', async () => {
    const [number, after] = [newPerson(), newPerson()]
    const [customer, other] = [scene.meta.customer(number), scene.meta.customer(after)]
    await told(
      undefined,
      () => customer.stopsMarketing(),
      () => other.stopsMarketing(),
    )
    for (const one of [number, after]) await isListed(one, true)
    const noted = await scene.admin.get(optOuts.add, { body: { number } })
    expect(noted).toMatchObject({ source: 'person', user: { id: scene.admin.user.id } })
    await told(
      undefined,
      () => customer.resumesMarketing(),
      () => other.resumesMarketing(),
    )
    await isListed(after, false)
    expect(await optedOut()()).toContainEqual([number, 'person'])
  })

  test('is back in when he resumes it with another number, or after his contact was deleted', async () => {
    const [moving, going, next] = [newPerson(), newPerson(), `551196${String(1_000_000 + ++last)}`]
    const [one, other] = [scene.meta.customer(moving), scene.meta.customer(going)]
    await scene.conversation(moving)
    const { id: contactId } = await scene.admin.get(contacts.create, { body: { name: 'Eva', number: going } })
    const before = (await optedOut()()).length
    await told(
      undefined,
      () => one.stopsMarketing(),
      () => other.stopsMarketing(),
    )
    for (const number of [moving, going]) await isListed(number, true)
    await scene.admin.get(contacts.remove, { params: { contactId } })
    await isListed(going, false) // its number is hidden
    expect(await optedOut()()).toHaveLength(before + 2)
    await told(
      undefined,
      () => one.changesNumber(next),
      () => one.resumesMarketing(),
      () => other.resumesMarketing(),
    )
    await until(async () => (await optedOut()()).length === before, SECONDS)
    await isListed(moving, false)
  })

  test('and is noted by somebody between two deletions of his contact, stays noted', async () => {
    const number = newPerson()
    const hiddenOnes = async (source: string) =>
      (await optedOut()()).filter(([shown, by]) => shown === '' && by === source).length
    const isAdded = () => scene.admin.get(contacts.create, { body: { name: 'Eva', number } })
    const { id } = await isAdded()
    await told(undefined, () => scene.meta.customer(number).stopsMarketing())
    await isListed(number, true)
    const before = [await hiddenOnes('whatsapp'), await hiddenOnes('person')]
    await scene.admin.get(contacts.remove, { params: { contactId: id } })
    expect(await hiddenOnes('whatsapp')).toBe(before[0]! + 1)
    const again = await isAdded()
    await scene.admin.get(optOuts.add, { body: { number } })
    await scene.admin.get(contacts.remove, { params: { contactId: again.id } })
    expect([await hiddenOnes('whatsapp'), await hiddenOnes('person')]).toEqual([before[0], before[1]! + 1])
  })

  test('and was not told here, is known by the refusal 131050, in the answer or later', async () => {
    const [now, later] = [newPerson(), newPerson()]
    scene.meta.faults.calls.next({ code: 131050, on: 'messages' })
    const first = await run([now])
    await over(first)
    scene.meta.faults.failures.next({ code: 131050 })
    await run([later])
    for (const number of [now, later]) await isListed(number, true)
    expect(await reasonsOf(first)).toEqual([{ reason: 'ERR_OPTED_OUT', count: 1 }])
    const next = await run([now, later, newPerson()])
    expect((await over(next)).counts).toMatchObject({ sent: 1, failed: 2 })
    expect(texts(now)).toEqual([])
  })

  test('and hides his number, is known by his user id once the number shows', async () => {
    const number = newPerson()
    const customer = scene.meta.customer(number)
    customer.showsNumber = false
    await told(undefined, () => customer.stopsMarketing())
    await until(async () => (await optedOut()()).some(([known]) => known === ''), SECONDS)
    customer.showsNumber = true
    await scene.conversation(number)
    const id = await run([number, newPerson()])
    await over(id)
    expect(await reasonsOf(id)).toEqual([{ reason: 'ERR_OPTED_OUT', count: 1 }])
  })
})

describe('what Meta refuses', () => {
  test.each([
    [131049, 'ERR_WAPP_MARKETING_LIMIT'],
    [131026, 'ERR_WAPP_INVALID_CONTACT'],
  ])(
    '%i says something of the person: each is passed over with the reason, and the number goes on [CAMP-055]',
    async (code, reason) => {
      const refusedInAnswer = newPeople(6)
      scene.meta.faults.calls.next({ code, on: 'messages', times: 6 })
      const id = await run([...refusedInAnswer, newPerson()])
      await over(id)
      expect(await reasonsOf(id)).toEqual([{ reason, count: 6 }])
      expect((await shop.show(id)).counts).toMatchObject({ sent: 1, failed: 6 })
    },
  )

  test('131049 that is told later moves him from the sent to the failed, and stops nothing [CAMP-055]', async () => {
    scene.meta.faults.failures.next({ code: 131049, times: 6 })
    const id = await run(newPeople(7))
    await over(id)
    const { counts } = await until(async () => {
      const campaign = await shop.show(id)
      return campaign.counts.failed === 6 && campaign
    }, SECONDS)
    expect(counts).toMatchObject({ total: 7, sent: 1, failed: 6, pending: 0, sending: 0 })
    expect(await reasonsOf(id)).toEqual([{ reason: 'ERR_WAPP_MARKETING_LIMIT', count: 6 }])
  })

  test('130429 is waited out and tried again: everybody is told once, and nobody is counted as failed [CAMP-055]', {
    timeout: 60_000,
  }, async () => {
    const people = newPeople(3)
    scene.meta.faults.calls.next({ code: 130429, status: 429, on: 'messages', times: 2 })
    const id = await run(people)
    const { counts } = await until(async () => {
      const campaign = await shop.show(id)
      return campaign.status === 'finalized' && campaign
    }, 50_000)
    expect(await reasonsOf(id)).toEqual([])
    expect(counts).toMatchObject({ sent: 3, failed: 0 })
    for (const number of people) expect(texts(number)).toHaveLength(1)
    expect(scene.meta.doubled()).toEqual([])
  })

  test('131048, which holds the account, stops it at once, and the rest waits', async () => {
    scene.meta.faults.calls.next({ code: 131048, on: 'messages' })
    const id = await run(newPeople(3))
    expect(await shop.stands(id, 'pause')).toMatchObject({
      pauseReason: 'refused',
      pauseDetail: 'ERR_WAPP_CLOUD_BLOCKED',
      counts: { failed: 1, pending: 2 },
    })
    await shop.act(id, 'finalized')
  })

  test('a number whose quality fell stops it with that reason, and goes on when a person says so', async () => {
    await thinks('RED')
    const id = await run(newPeople(2))
    expect(await shop.stands(id, 'pause')).toMatchObject({
      pauseReason: 'quality',
      counts: { pending: 2, sent: 0 },
    })
    await thinks('GREEN')
    await shop.act(id, 'start')
    await over(id)
    expect(await reasonsOf(id)).toEqual([])
    expect((await shop.show(id)).counts).toMatchObject({ sent: 2, failed: 0 })
  })

  /** Meta reports the quality of the number by webhook. */
  async function thinks(quality: 'RED' | 'GREEN') {
    scene.meta.number.setQuality(quality)
    const params = { whatsappId: scene.whatsappId }
    await until(async () => {
      const { cloud } = await scene.admin.get(connections.show, { params })
      return cloud?.health.quality === quality
    }, SECONDS)
  }
})
