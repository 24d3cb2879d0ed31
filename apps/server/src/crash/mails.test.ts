import { clients } from '@balcao/contract/clients.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import { leads } from '@balcao/contract/leads.ts'
import { expect, test, vi } from 'vitest'
import { startProcess } from '../../testing/process.ts'
import { openPostOffice } from '../../testing/smtp.ts'
import { embeddedStore } from '../../testing/store.ts'
import { enter, until } from '../../testing/world.ts'

const START_MS = 240_000

vi.setConfig({ testTimeout: 2 * START_MS })

test('kill -9 between an invitation and its letter: it leaves after the next start, once', async () => {
  const office = await openPostOffice()
  const store = await embeddedStore()
  const env = { ...store.env, ...office.env, LOG_LEVEL: 'error' }
  let product = await startProcess(env, START_MS)
  try {
    const admin = await enter(product.url, 'admin@balcao.test')
    const { userAuthorizationId, whatsappId, queueIds } = admin.user
    const body = { email: 'nina@balcao.test', userAuthorizationId, whatsappId, queueIds }
    await product.dieAt('features/invitations/invitations.actions.ts#invite:after')
    await expect(admin.call(invitations.create, { body })).rejects.toThrow()
    expect(await product.ended).toBe('SIGKILL')
    expect(office.letters).toEqual([])

    product = await startProcess(env, START_MS)
    const { token } = await office.letterTo('nina@balcao.test')
    const again = await enter(product.url, 'admin@balcao.test')
    await until(async () => (await again.get(invitations.list))[0]?.delivery === 'sent')
    expect(office.letters.map(({ to }) => to)).toEqual(['nina@balcao.test'])
    const accept = { token, name: 'Nina', password: 'minha-senha' }
    expect((await again.call(invitations.accept, { body: accept })).status).toBe(200)
  } finally {
    await product.stop().catch(() => {})
    await store.remove()
    await office.close()
  }
})

test('kill -9 while a sign-up is asked for and completed: one lead, one company with its admin, each letter once', async () => {
  const office = await openPostOffice()
  const store = await embeddedStore()
  const env = { ...store.env, ...office.env, LOG_LEVEL: 'error' }
  let product = await startProcess(env, START_MS)
  const email = 'ana@loja.test'
  /** Dies at this point of what is asked, and is started again. */
  async function dying(point: string, work: () => Promise<unknown>) {
    await product.dieAt(point)
    await expect(work()).rejects.toThrow()
    expect(await product.ended).toBe('SIGKILL')
    product = await startProcess(env, START_MS)
    return enter(product.url, 'master@balcao.test')
  }
  const lettersTo = () => office.letters.filter(({ to }) => to === email)
  try {
    const lead = { name: 'Ana', email, whatsAppNumber: '5511999990000' }
    let master = await enter(product.url, 'master@balcao.test')
    master = await dying('features/leads/leads.actions.ts#takeLead:after', () =>
      master.call(leads.create, { body: lead }),
    )
    const leadId = /subscription\/([\w-]+)/.exec((await office.letterTo(email)).text)![1]!
    const body = { leadId, documentNumber: '52998224725', name: 'Loja da Ana' }
    const founded = async () =>
      (await master.get(clients.list, { query: { searchParam: email } })).companies.map(
        ({ plan }) => plan.length,
      )

    master = await dying('features/companies/companies.plan.ts#copyPlan:after', () =>
      master.call(leads.complete, { body }),
    )
    expect(await founded()).toEqual([])
    expect((await master.call(leads.show, { params: { leadId } })).status).toBe(200)

    master = await dying('features/leads/leads.complete.ts#completeLead:after', () =>
      master.call(leads.complete, { body }),
    )
    expect(await founded()).toEqual([1])
    expect((await master.call(leads.complete, { body })).body.error).toBe('ERR_LEAD_COMPLETED')
    await office.letterTo(email, 1)
    expect(lettersTo().map(({ subject }) => subject)).toEqual([
      'Conclua seu cadastro',
      'Seus dados de acesso',
    ])
  } finally {
    await product.stop().catch(() => {})
    await store.remove()
    await office.close()
  }
})
