import { clients } from '@balcao/contract/clients.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import { leads } from '@balcao/contract/leads.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { openPostOffice, type PostOffice } from '../../testing/smtp.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, until } from '../../testing/test-app.ts'

const START_MS = 240_000

vi.setConfig({ testTimeout: 2 * START_MS, hookTimeout: START_MS })

let office: PostOffice
let store: Store
let product: Process
const start = async () => {
  product = await startProcess({ ...store.env, ...office.env, LOG_LEVEL: 'error' }, START_MS)
}
beforeAll(async () => {
  office = await openPostOffice()
  store = await freshStore()
  await start()
})
afterAll(async () => {
  await product?.stop()
  await store?.remove()
  await office?.close()
})

const lettersTo = (email: string) => office.letters.filter(({ to }) => to === email)

test('kill -9 between an invitation and its letter: it leaves after the next start, once', async () => {
  const email = 'nina@balcao.test'
  const admin = await enter(product.url, 'admin@balcao.test')
  const { userAuthorizationId, whatsappId, queueIds } = admin.user
  const body = { email, userAuthorizationId, whatsappId, queueIds }
  await product.dieAt('features/invitations/invitations.actions.ts#invite:after')
  await expect(admin.call(invitations.create, { body })).rejects.toThrow()
  expect(await product.ended).toBe('SIGKILL')
  expect(lettersTo(email)).toEqual([])

  await start()
  const { token } = await office.letterTo(email)
  const again = await enter(product.url, 'admin@balcao.test')
  await until(async () => (await again.get(invitations.list))[0]?.delivery === 'sent')
  expect(lettersTo(email)).toHaveLength(1)
  const accept = { token, name: 'Nina', password: 'minha-senha' }
  expect((await again.call(invitations.accept, { body: accept })).status).toBe(200)
})

test('kill -9 while a sign-up is asked for and completed: one lead, one company with its admin, each letter once [LEAD-021]', async () => {
  const [asked, inCommit, completed] = [
    'features/leads/leads.actions.ts#registerLead:after',
    'features/companies/companies.plan.queries.ts#copyPlan:after',
    'features/leads/leads.completion.actions.ts#completeLead:after',
  ]
  const deadly = sample([asked, inCommit, completed], 1)
  const email = 'ana@loja.test'
  let master = await enter(product.url, 'master@balcao.test')
  /** Dies at this point of the request, and is restarted; it lives where the point was not drawn. */
  async function dying(point: string, work: () => Promise<{ status: number }>) {
    if (!deadly.includes(point)) return expect((await work()).status).toBe(200)
    await product.dieAt(point)
    await expect(work()).rejects.toThrow()
    expect(await product.ended).toBe('SIGKILL')
    await start()
    master = await enter(product.url, 'master@balcao.test')
  }

  const lead = { name: 'Ana', email, whatsAppNumber: '5511999990000' }
  await dying(asked, () => master.call(leads.create, { body: lead }))
  const leadId = /subscription\/([\w-]+)/.exec((await office.letterTo(email)).text)![1]!
  const body = { leadId, documentNumber: '52998224725', name: 'Loja da Ana' }
  const founded = async () =>
    (await master.get(clients.list, { query: { searchParam: email } })).companies.map(
      ({ plan }) => plan.length,
    )

  if (deadly.includes(inCommit)) {
    await dying(inCommit, () => master.call(leads.complete, { body }))
    expect(await founded()).toEqual([])
    expect((await master.call(leads.show, { params: { leadId } })).status).toBe(200)
  }

  await dying(completed, () => master.call(leads.complete, { body }))
  expect(await founded()).toEqual([1])
  expect((await master.call(leads.complete, { body })).body.error).toBe('ERR_LEAD_COMPLETED')
  await office.letterTo(email, 1)
  expect(lettersTo(email).map(({ subject }) => subject)).toEqual([
    'Conclua seu cadastro',
    'Seus dados de acesso',
  ])
})
