import { campaigns } from '@balcao/contract/campaigns.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../../../testing/baileys.ts'
import { type Campaigns, openCampaigns } from '../../../testing/campaigns.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { SHOP } from '../../../testing/whatsapp.ts'

const SECONDS = 30_000
let store: Awaited<ReturnType<typeof openShop>>
let admin: Person
let shop: Campaigns
beforeAll(async () => {
  store = await openShop()
  admin = await store.app.as('admin@balcao.test')
  shop = await openCampaigns(store.app, admin, rowsOf(store.app, admin), store.whatsappId)
})
afterAll(() => store.close())

let last = 0
async function newPeople(many: number) {
  const numbers = Array.from({ length: many }, () => `551195${String(1_000_000 + ++last)}`)
  for (const number of numbers) await store.phoneOf(number)
  return numbers
}
const pushes = async (number: string) => (await store.phoneOf(number)).received().map(({ text }) => text)

test('over WhatsApp’s own protocol everybody is told once, buttons as numbered text, and an answer is counted', {
  timeout: 120_000,
}, async () => {
  const people = await newPeople(3)
  const buttons = ['Sim', 'Não'].map((displayText, at) => ({
    buttonId: `${at}`,
    buttonText: { displayText },
    type: 1,
  }))
  const setup = await shop.setup({
    messageFooterType: 'buttons',
    jsonButtonOrList: { text: 'Interessa?', footer: '', buttons },
    warmUp: false,
  })
  const template = { name: 'novidades', language: 'pt_BR', variables: [], text: 'Modelo' }
  const made = await shop.make(
    { sendList: people, messages: [{ greeting: 'Oi!', body: 'Chegaram sofás', template }] },
    setup.id,
  )
  await shop.act(made.id, 'start')
  await until(async () => (await shop.show(made.id)).status === 'finalized', SECONDS)
  expect((await shop.show(made.id)).counts).toMatchObject({ sent: 3, failed: 0 })
  // a template is for the official API; here the pair leaves
  for (const number of people)
    expect(await pushes(number)).toEqual(['Oi!', 'Chegaram sofás\n\nInteressa?\n\n1. Sim\n2. Não'])
  await (await store.phoneOf(people[0]!)).write(SHOP, '1')
  await until(async () => (await shop.show(made.id)).counts.answered === 1, SECONDS)
})

test('who has no WhatsApp is passed over, and what restricts the number stops it at once', {
  timeout: 120_000,
}, async () => {
  const [one, other, third] = await newPeople(3)
  const setup = await shop.setup({ warmUp: false })
  const first = await shop.make({ sendList: ['5511955550000', one!] }, setup.id)
  await shop.act(first.id, 'start')
  await until(async () => (await shop.show(first.id)).status === 'finalized', SECONDS)
  expect((await shop.show(first.id)).counts).toMatchObject({ sent: 1, failed: 1 })
  const { reasons } = await admin.get(campaigns.report, { params: { campaignId: first.id } })
  expect(reasons).toEqual([{ reason: 'ERR_WAPP_INVALID_CONTACT', count: 1 }])

  const refusing = store.server.faults.failAcks(463, 100)
  const second = await shop.make({ sendList: [other!, third!] }, setup.id)
  await shop.act(second.id, 'start')
  const stopped = await until(async () => {
    const campaign = await shop.show(second.id)
    return campaign.status === 'pause' && campaign
  }, SECONDS)
  refusing.stop()
  expect(stopped).toMatchObject({ pauseReason: 'refused', counts: { failed: 1, pending: 1 } })
  await shop.act(second.id, 'start')
  await until(async () => (await shop.show(second.id)).status === 'finalized', SECONDS)
  expect(await pushes(third!)).toEqual(['Novidades da loja'])
})

test('a campaign rests while WhatsApp restricts its number, and goes on by itself', {
  timeout: 60_000,
}, async () => {
  const people = await newPeople(2)
  const setup = await shop.setup({ warmUp: false })
  const owner = store.server.phone(SHOP)
  // found out by the first refusal
  owner.restrict(new Date(Date.now() + 3_600_000), { isQuiet: true })
  const made = await shop.make({ sendList: people }, setup.id)
  await shop.act(made.id, 'start')
  const resting = await until(async () => {
    const campaign = await shop.show(made.id)
    return campaign.waits?.reason === 'restricted' && campaign
  }, SECONDS)
  expect(resting).toMatchObject({ status: 'start', counts: { failed: 0, sent: 0 } })
  expect(Date.parse(resting.waits!.until!) - Date.now()).toBeGreaterThan(3_000_000)
  owner.restrict(null)
  await until(async () => (await shop.show(made.id)).status === 'finalized', SECONDS)
  expect((await shop.show(made.id)).counts).toMatchObject({ sent: 2, failed: 0 })
  for (const number of people) expect(await pushes(number)).toEqual(['Novidades da loja'])
})
