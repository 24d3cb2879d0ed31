import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, openCampaigns } from '../../../testing/campaigns.ts'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let shop: Campaigns
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  shop = await openCampaigns(app, admin, rowsOf(app, admin))
})
afterAll(() => app.close())

const add = (name: string) => admin.get(contacts.create, { body: { name, number: newNumber() } })
const merge = async (into: number, from: number) =>
  (await admin.get(contactMerges.merge, { body: { into, from, keep: {} } })).merge.id
const undo = (mergeId: number) => admin.get(contactMerges.undo, { params: { mergeId } })
const planFor = (contactId: number) => {
  const params = { companyId: admin.user.companyId }
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  return admin.get(schedules.create, { params, body: { contactId, body: 'Seu exame é amanhã', sendAt } })
}
const isFor = async (scheduleId: number) =>
  (await admin.get(schedules.show, { params: { scheduleId } })).contactId

test('what was planned for somebody is for whom it was planned again, merge by merge undone', async () => {
  const [ana, beatriz, carla] = [await add('Ana'), await add('Beatriz'), await add('Carla')]
  const [exam, own] = [await planFor(ana.id), await planFor(beatriz.id)]
  const first = await merge(beatriz.id, ana.id)
  expect(await isFor(exam.id)).toBe(beatriz.id)
  const second = await merge(carla.id, beatriz.id)
  expect([await isFor(exam.id), await isFor(own.id)]).toEqual([carla.id, carla.id])
  await undo(second)
  expect([await isFor(exam.id), await isFor(own.id)]).toEqual([beatriz.id, beatriz.id])
  await undo(first)
  expect([await isFor(exam.id), await isFor(own.id)]).toEqual([ana.id, beatriz.id])
})

test('what a campaign said to a number is shown with whose number it is, also after an undone merge', async () => {
  const [ana, beatriz] = [await add('Ana'), await add('Beatriz')]
  const sendList = [{ number: ana.number }, { number: beatriz.number }]
  const { id } = await shop.make({ sendList })
  await shop.act(id, 'start')
  await shop.stands(id, 'finalized')
  const whose = async () =>
    new Map((await shop.people(id)).map(({ number, contactId }) => [number, contactId]))
  const before = await whose()
  await undo(await merge(beatriz.id, ana.id))
  expect(await whose()).toEqual(before)
})

test('one contact with two numbers is written to once, and has opted out by either', async () => {
  const [ana, work] = [await add('Ana'), await add('Ana trabalho')]
  const [rui, home] = [await add('Rui'), await add('Rui casa')]
  await admin.get(optOuts.add, { body: { number: rui.number } })
  await merge(ana.id, work.id)
  await merge(home.id, rui.id)
  const sendList = [ana, work, rui, home].map(({ number }) => ({ number }))
  const { id } = await shop.make({ sendList })
  const people = await shop.people(id)
  expect(people.map(({ number, status }) => [number, status])).toEqual([
    [ana.number, 'pending'],
    [rui.number, 'sentFail'],
  ])
  const later = await shop.make({ sendList: [{ number: home.number }] })
  expect((await shop.people(later.id))[0]).toMatchObject({ status: 'sentFail', reason: 'ERR_OPTED_OUT' })
})

test('whoever is written to under another number keeps the one that answers go to', async () => {
  const [ana, work] = [await add('Ana'), await add('Ana trabalho')]
  await merge(ana.id, work.id)
  const { id: token } = await admin.get(apiTokens.create, { body: { name: 'Loja', whatsappId: shop.line } })
  const headers = { authorization: `Bearer ${token}` }
  const body = { number: work.number, body: 'Seu pedido saiu' }
  await app.anonymous.get(publicApi.text, { body, headers })
  const { id } = await shop.make({ sendList: [{ number: work.number }] })
  await shop.act(id, 'start')
  await shop.stands(id, 'finalized')
  const numberOf = async () => (await admin.get(contacts.show, { params: { contactId: ana.id } })).number
  expect(await numberOf()).toBe(ana.number)
  await shop.writes(work.number, 'Oi daqui')
  await until(async () => (await numberOf()) === work.number)
})
