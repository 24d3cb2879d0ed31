import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { contacts } from '@balcao/contract/contacts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { newNumber } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../../testing/test-app.ts'
import { openDisk } from '../../files/disk.ts'
import { exportCompany } from './company.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await openTestApp()
  folder = await mkdtemp(join(tmpdir(), 'balcao-company-'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

async function entriesOf(file: string) {
  const found: Record<string, string> = {}
  const zip = await yauzl.openPromise(file)
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await text(Readable.from(await zip.openReadStreamPromise(entry)))
  return found
}

/** Adds a contact and a file whose content is the word. */
async function leaveTrace(person: Person, word: string) {
  await person.get(contacts.create, { body: { name: word, number: newNumber() } })
  const given = { name: `${word}.txt`, type: 'text/plain' }
  await app.platform.files.put(person.user.companyId, new TextEncoder().encode(word), given)
}

test('a company leaves with its rows and files, each with its sum: nothing of another company, no password, token or key', async () => {
  const [own, other] = [await app.as('admin@balcao.test'), await app.as('admin@outra.test')]
  await leaveTrace(own, 'Lembrança própria')
  await leaveTrace(other, 'Segredo alheio')
  const { companyId } = own.user
  const sealed = app.platform.secrets.seal(companyId, 'a token')
  await app.database.script(`
    insert into webhooks (company_id, name, url, secret, events, is_active)
      values (${companyId}, 'Loja', 'https://a.test', '${sealed}', '{}', false);
    insert into whatsapp_keys (company_id, whatsapp_id, type, id, value)
      values (${companyId}, ${own.user.whatsappId}, 'creds', 'x', '${sealed}')`)
  const file = join(folder, 'company.zip')
  const store = await openDisk(join(app.platform.config.dataDir, 'files'))
  const connection = app.database.jobs
  const index = await exportCompany({ connection, store, companyId }, file)
  expect(index.company).toMatchObject({ id: companyId, name: expect.any(String) })

  const entries = await entriesOf(file)
  const { 'index.json': written, ...rest } = entries
  expect(JSON.parse(written!)).toEqual(index)
  const sumOf = (content: string) => createHash('sha256').update(content).digest('hex')
  expect(
    Object.fromEntries(Object.entries(index.entries).map(([name, { sha256 }]) => [name, sha256])),
  ).toEqual(Object.fromEntries(Object.entries(rest).map(([name, content]) => [name, sumOf(content)])))
  const whole = Object.values(rest).join('\n')
  expect(entries['data/contacts.jsonl']).toContain('"name":"Lembrança própria"')
  expect(Object.keys(rest).filter(name => name.startsWith('files/'))).toHaveLength(1)
  expect(whole).not.toContain('Segredo alheio')
  const companies = new Set(Array.from(whole.matchAll(/"company_id":(\d+)/g), ([, id]) => id))
  expect(companies).toEqual(new Set([String(companyId)]))
  expect(entries['data/companies.jsonl']!.trim().split('\n')).toHaveLength(1)
  for (const secret of ['$argon2', sealed, 'password_hash']) expect(whole).not.toContain(secret)
  for (const table of ['sessions', 'whatsapp_keys', 'api_tokens'])
    expect(entries).not.toHaveProperty(`data/${table}.jsonl`)
})

test('of a company that is not there nothing is written', async () => {
  const store = await openDisk(join(folder, 'none'))
  const none = exportCompany(
    { connection: app.database.jobs, store, companyId: 987 },
    join(folder, 'none.zip'),
  )
  await expect(none).rejects.toThrow('There is no company 987. Nothing was written')
})
