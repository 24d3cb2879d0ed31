import { invitations } from '@balcao/contract/invitations.ts'
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
