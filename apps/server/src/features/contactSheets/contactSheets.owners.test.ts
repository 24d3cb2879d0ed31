import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let [admin, marina, caio]: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test']
  ;[admin, marina, caio] = await Promise.all(emails.map(email => app.as(email)))
})
afterAll(() => app.close())

async function staged(who: Person, lines: string[]) {
  const form = new FormData()
  form.append('file', new File([lines.join('\n')], 'lista.csv', { type: 'text/csv' }))
  const headers = { authorization: `Bearer ${who.token}` }
  const answer = await fetch(`${app.url}/contacts/sheets`, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(200)
  return until(async () => {
    const { sheet } = await who.get(contactSheets.current)
    return sheet?.state === 'ready' && sheet
  })
}
async function imported(who: Person, sheetId: number) {
  await who.get(contactSheets.start, { params: { sheetId } })
  await until(async () => (await who.get(contactSheets.current)).sheet?.state === 'done')
}
const add = (number: string, name: string, ownerId: number) =>
  admin!.get(contacts.create, { body: { number, name, ownerId } })
const byNumber = async (number: string) =>
  (await admin!.get(contacts.list, { query: { searchParam: number } })).contacts[0]

test('a column names the owner by e-mail or name; a row that names no user is refused and says so', async () => {
  const numbers = Array.from({ length: 5 }, newNumber)
  await add(numbers[3]!, 'Rui Alves', caio!.user.id)
  const sheet = await staged(admin!, [
    'nome;telefone;carteira',
    `Ana Luz;${numbers[0]};ATENDENTE@balcao.test`,
    `Bia Luz;${numbers[1]};${caio!.user.name.toUpperCase()}`,
    `Cida Luz;${numbers[2]};Fulano de Tal`,
    `Rui Luz;${numbers[3]};atendente@balcao.test`,
    `Dora Luz;${numbers[4]};`,
  ])
  expect(sheet).toMatchObject({ columns: { owner: 2 }, fresh: 3, known: 1, refused: 1 })
  const params = { sheetId: sheet.id }
  const { rows } = await admin!.get(contactSheets.rows, { params })
  expect(rows[2]).toMatchObject({ state: 'refused', fault: 'owner' })
  const { url } = await admin!.get(contactSheets.refused, { params, query: { language: 'en' } })
  expect(await (await admin!.fetch(url)).text()).toContain('No user of this e-mail or name')
  await admin!.get(contactSheets.choose, { params, body: { policy: 'overwrite' } })
  await imported(admin!, sheet.id)
  const owners = await Promise.all(numbers.map(async number => (await byNumber(number))?.ownerId))
  const { id } = marina!.user
  expect(owners).toEqual([id, caio!.user.id, undefined, id, null])
  // and an exported list says whose they are
  const list = await admin!.get(contactSheets.export, { query: { format: 'csv' } })
  expect(await (await admin!.fetch(list.url)).text()).toMatch(
    new RegExp(`Ana Luz;.*${numbers[0]};.*;atendente@balcao\\.test`),
  )
})

test('who sees only own customers owns whom a sheet adds, changes no customer of another, and gives none away', async () => {
  const group = await admin!.get(permissions.create, {
    body: { name: `Carteira ${unique()}`, onlyOwnContacts: true, allowImportContacts: true },
  })
  await admin!.get(users.change, {
    params: { userId: caio!.user.id },
    body: { userAuthorizationId: group.id },
  })
  const numbers = Array.from({ length: 4 }, newNumber)
  await add(numbers[0]!, 'De Marina', marina!.user.id)
  await add(numbers[1]!, 'De Caio', caio!.user.id)
  const sheet = await staged(caio!, [
    'nome;telefone;email;owner',
    `Trocado;${numbers[0]};trocado@x.test;`,
    `Mudado;${numbers[1]};mudado@x.test;`,
    `Novo;${numbers[2]};novo@x.test;`,
    `Dado;${numbers[3]};dado@x.test;atendente@balcao.test`,
  ])
  expect(sheet).toMatchObject({ fresh: 1, known: 2, refused: 1 })
  await caio!.get(contactSheets.choose, { params: { sheetId: sheet.id }, body: { policy: 'overwrite' } })
  await imported(caio!, sheet.id)
  const found = await Promise.all(numbers.map(byNumber))
  expect(found.map(one => one && [one.name, one.email, one.ownerId])).toEqual([
    ['De Marina', '', marina!.user.id],
    ['Mudado', 'mudado@x.test', caio!.user.id],
    ['Novo', 'novo@x.test', caio!.user.id],
    undefined,
  ])
})

test('whoever may see only own customers since the sheet was read gives none away with it', async () => {
  const groups = { all: {}, own: { onlyOwnContacts: true } }
  const put = async (rights: object) => {
    const body = { name: `Carteira ${unique()}`, allowImportContacts: true, ...rights }
    const { id: userAuthorizationId } = await admin!.get(permissions.create, { body })
    await admin!.get(users.change, { params: { userId: caio!.user.id }, body: { userAuthorizationId } })
  }
  const number = newNumber()
  await put(groups.all)
  const sheet = await staged(caio!, ['nome;telefone;email;owner', `Dada;${number};;atendente@balcao.test`])
  await put(groups.own)
  await imported(caio!, sheet.id)
  expect((await byNumber(number))!.ownerId).toBe(caio!.user.id)
})
