import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { expect, test } from 'vitest'
import { type Claims, openAccess } from './access.ts'

const keys = { signing: new Uint8Array(32), verifying: [new Uint8Array(32)] }
const found = ({ companyId, userId }: Claims) => ({ id: userId, companyId }) as Viewer

test('who was found for a session of one company is not handed to the same session of another', async () => {
  const access = openAccess(keys, async asked => asked.map(found))
  const enter = async (companyId: number, userId: number) =>
    (await access.enter(await access.sign({ companyId, userId, sessionId: 'same' }))).viewer
  expect(await enter(1, 7)).toMatchObject({ companyId: 1, id: 7 })
  expect(await enter(2, 7)).toMatchObject({ companyId: 2, id: 7 })
  expect(await enter(1, 8)).toMatchObject({ companyId: 1, id: 8 })
})

test('the sessions of a whole process are looked up together, and those looked up just now not again', async () => {
  const looks: number[] = []
  const access = openAccess(keys, async asked => {
    looks.push(asked.length)
    return asked.map(claims => (claims.userId === 3 ? null : found(claims)))
  })
  const session = (userId: number) => ({ companyId: 1, userId, sessionId: `of ${userId}` })
  await access.viewerOf(session(1))
  const viewers = await access.viewersOf([session(1), session(2), session(3)])
  expect(viewers.map(viewer => viewer?.id)).toEqual([1, 2, undefined])
  expect(looks).toEqual([1, 2])
})
