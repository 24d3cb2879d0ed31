import { expect, test } from 'vitest'
import { createGroups } from './groups.ts'

type Socket = Parameters<typeof createGroups>[0]

const person = { kind: 'phone' as const, value: '5511922222222' }

test.each([
  ['of which the number is no member', { data: 403 }, false],
  ['that is not there', { data: 404 }, false],
  ['that the server does not answer about', {}, null],
  ['about which it was asked too often', { data: 429 }, null],
])('in a group %s no person is known to be an admin', async (_, answer, isAdmin) => {
  const ev: Partial<Socket['ev']> = { on() {} }
  const groups = createGroups({
    ev: ev as Socket['ev'],
    groupMetadata: () => Promise.reject(Object.assign(new Error('refused'), answer)),
  })
  expect(await groups.isAdmin('120363000000000001', person)).toBe(isAdmin)
  expect(await groups.subject('120363000000000001')).toBe('')
})
