import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { expect, test } from 'vitest'
import { openAccess } from './access.ts'

test('who was found for a session of one company is not handed to the same session of another', async () => {
  const access = openAccess(
    new Uint8Array(32),
    async ({ companyId, userId }) => ({ id: userId, companyId }) as Viewer,
  )
  const enter = async (companyId: number, userId: number) =>
    (await access.enter(await access.sign({ companyId, userId, sessionId: 'same' }))).viewer
  expect(await enter(1, 7)).toMatchObject({ companyId: 1, id: 7 })
  expect(await enter(2, 7)).toMatchObject({ companyId: 2, id: 7 })
  expect(await enter(1, 8)).toMatchObject({ companyId: 1, id: 8 })
})
