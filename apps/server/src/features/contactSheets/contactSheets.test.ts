import { buffer } from 'node:stream/consumers'
import { categories } from '@balcao/contract/categories.ts'
import { contactSheetChannel, contactSheets, ROW_BY_ROW } from '@balcao/contract/contactSheets.ts'
import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { xlsxOf } from './contactSheets.export.ts'
import { dropOldSheets } from './contactSheets.queries.ts'
import { readKept } from './contactSheets.read.worker.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  await letImport(1)
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())
afterEach(async () => {
  const { sheet } = await admin.get(contactSheets.current)
  if (sheet) await admin.get(contactSheets.cancel, { params: { sheetId: sheet.id } })
})

/** Grants Marina's group the permission, or withdraws it. */
async function letImport(allowed: 0 | 1) {
  const group = marina.user.userAuthorization!
  const params = { authorizationId: group.id }
  await admin.get(permissions.change, { params, body: { name: group.name, allowImportContacts: allowed } })
}

const csv = (text: string | Uint8Array<ArrayBuffer>, name = 'contatos.csv') =>
  new File([text], name, { type: 'text/csv' })
const xlsx = async (rows: string[][], name = 'contatos.xlsx') => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  async function* all() {
    yield rows
  }
  for await (const part of xlsxOf(all())) parts.push(new Uint8Array(part))
  return new File(parts, name)
}

async function send(file: File, who = admin) {
  const form = new FormData()
  form.append('file', file, file.name)
  const answer = await fetch(`${app.url}/contacts/sheets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { id: number; error?: string; field?: string },
  }
}
const current = async (who = admin) => (await who.get(contactSheets.current)).sheet!
async function staged(file: File) {
  const { status, body } = await send(file)
  expect([status, body.error]).toEqual([200, undefined])
  await until(async () => (await current()).state !== 'reading', 30_000)
  return current()
}
async function imported(sheetId: number) {
  await admin.get(contactSheets.start, { params: { sheetId } })
  await until(async () => (await current()).state === 'done', 30_000)
  return current()
}
const find = async (searchParam: string, who = admin) =>
  (await who.get(contacts.list, { query: { searchParam } })).contacts
const text = async (url: string, who = admin) => {
  const answer = await fetch(app.url + url, { headers: { authorization: `Bearer ${who.token}` } })
  return answer.status === 200 ? answer.text() : String(answer.status)
}

describe('a spreadsheet of contacts', () => {
  test.each([
    ['semicolons, UTF-8', ';', (rows: string) => csv(rows)],
    ['commas, with a mark', ',', (rows: string) => csv(`\ufeff${rows}`)],
    ['tabs, as a text file', '\t', (rows: string) => csv(rows, 'contatos.txt')],
    ['Windows-1252', ';', (rows: string) => csv(new Uint8Array(Buffer.from(rows, 'latin1')))],
    ['XLSX', ';', (rows: string) => xlsx(rows.split('\n').map(row => row.split(';')))],
  ])('is read, counted and taken: %s [CONTACT-020]', async (_kind, delimiter, file) => {
    const stamp = unique()
    const number = newNumber()
    const rows = [
      ['E-mail', 'Nome', 'Telefone'],
      ['ze@cliente.test', `José ${stamp}`, number],
      ['', `Érica ${stamp}`, newNumber()],
    ]
    const sheet = await staged(await file(rows.map(row => row.join(delimiter)).join('\n')))
    expect(sheet).toMatchObject({
      state: 'ready',
      header: rows[0],
      columns: { name: 1, number: 2, email: 0 },
      ...{ rows: 2, fresh: 2, known: 0, doubled: 0, refused: 0 },
    })
    expect(await find(stamp)).toEqual([])
    expect((await imported(sheet.id)).done).toBe(2)
    const found = await find(stamp)
    expect(found.map(({ name }) => name).toSorted()).toEqual([`José ${stamp}`, `Érica ${stamp}`].toSorted())
    expect(found.find(one => one.number === number)).toMatchObject({
      name: `José ${stamp}`,
      email: 'ze@cliente.test',
    })
  })

  test('leaves out a number that could be at home or abroad, says both, and takes the one that is chosen', async () => {
    const stamp = unique()
    const tail = `98${unique()}01`.slice(0, 9).padEnd(9, '7')
    const lines = ['nome;telefone', `Nora ${stamp};51${tail}`, `Tina ${stamp};(11) 95555-0008`]
    const sheet = await staged(csv(lines.join('\n')))
    expect(sheet).toMatchObject({ fresh: 1, refused: 1, ambiguous: 1, twoReadings: 'refuse' })
    const params = { sheetId: sheet.id }
    const { url } = await admin.get(contactSheets.refused, { params, query: { language: 'en' } })
    expect(await text(url)).toContain(
      `The number could be +5551${tail} (BR), +51${tail} (PE): write it with +`,
    )
    await admin.get(contactSheets.choose, { params, body: { twoReadings: 'home' } })
    await until(async () => (await current()).state === 'ready')
    expect(await current()).toMatchObject({ fresh: 2, refused: 0, ambiguous: 0 })
    await imported(sheet.id)
    expect((await find(stamp)).map(({ number }) => number)).toEqual([`5551${tail}`, '5511955550008'])
  })

  test('says before anything is added who is new, known, doubled and refused, and why [SETTINGS-003]', async () => {
    const known = await admin.get(contacts.create, { body: { name: 'Velha', number: newNumber() } })
    const [fresh, withoutNinth] = [newNumber(), known.number.replace(/^(55\d\d)9/, '$1')]
    const lines = [
      'name,number,email',
      `Nova,${fresh},`,
      `Outra,+${fresh.slice(0, 2)} ${fresh.slice(2)},`,
      `Velha,${withoutNinth},`,
      'Cortada,"5,51199E+12",',
      'Zerada,00000000,',
      'Curta,1234567,',
      `Sem arroba,${newNumber()},nada`,
      `X,${newNumber()},`,
      'Sem DDD,98765-4321,',
      'Duas,11 98765-4321 / 11 3876-5432,',
      `Da planilha,${newNumber()}.0,`,
    ]
    const sheet = await staged(csv(lines.join('\r\n')))
    expect(sheet).toMatchObject({ rows: 11, fresh: 2, known: 1, doubled: 1, refused: 7 })
    const params = { sheetId: sheet.id }
    const { rows } = await admin.get(contactSheets.rows, { params })
    expect(rows.map(({ state, fault }) => fault ?? state)).toEqual([
      ...[
        'fresh',
        'doubled',
        'known',
        'scientific',
        'zeros',
        'short',
        'email',
        'name',
        'area',
        'several',
        'fresh',
      ],
    ])
    expect(rows.map(({ row }) => row)[0]).toBe(2)
    expect(rows[3]!.number).toBe('5,51199E+12')
    const { url } = await admin.get(contactSheets.refused, { params, query: { language: 'en' } })
    const refused = await text(url)
    expect(refused).toContain('Cortada;5,51199E+12;;Number in scientific notation')
    expect(refused).toContain('Duas;11 98765-4321 / 11 3876-5432;;More than one number')
    expect(refused.trim().split('\r\n')).toHaveLength(8)
    expect(await text(url, stranger)).toBe('404')
  })

  test('without a head is understood by what stands in it; other columns are counted anew', async () => {
    const [one, two] = [newNumber(), newNumber()]
    const sheet = await staged(csv(`${one};Ana Reis;${two}\n${newNumber()};Rui Reis;${newNumber()}`))
    expect(sheet).toMatchObject({
      header: ['A', 'B', 'C'],
      columns: { name: 1, number: 0, email: null },
      rows: 2,
    })
    const params = { sheetId: sheet.id }
    const columns = { name: 1, number: 2, email: null }
    expect((await admin.get(contactSheets.choose, { params, body: { columns } })).state).toBe('reading')
    await until(async () => (await current()).state === 'ready')
    const { rows } = await admin.get(contactSheets.rows, { params })
    expect(rows[0]).toMatchObject({ row: 1, name: 'Ana Reis', number: two })
    const outside = await admin.call(contactSheets.choose, {
      params,
      body: { columns: { ...columns, name: 3 } },
    })
    expect([outside.status, outside.body.field]).toEqual([400, 'columns'])
  })

  test('completes numbers of the country, and leaves others as they are', async () => {
    const sheet = await staged(
      csv('nome;telefone\nA Um;(11) 98765-4321\nB Dois;015 11 98765-4322\nC Três;14155550142'),
    )
    const { rows } = await admin.get(contactSheets.rows, { params: { sheetId: sheet.id } })
    expect(rows.map(({ number }) => number)).toEqual(['5511987654321', '5511987654322', '14155550142'])
  })

  test.each([
    ['skip', ['Velha', '']],
    ['fill', ['Velha', 'nova@x.test']],
    ['overwrite', ['Nova', 'nova@x.test']],
  ] as const)(
    'with the policy %s treats who is known so, and gives all of them the categories',
    async (policy, expected) => {
      const old = await admin.get(contacts.create, { body: { name: 'Velha', number: newNumber() } })
      const { id } = await admin.get(categories.create, { body: { name: `Lista ${unique()}` } })
      const fresh = newNumber()
      const sheet = await staged(csv(`nome;numero;email\nNova;${old.number};nova@x.test\nRecém;${fresh};`))
      const params = { sheetId: sheet.id }
      await admin.get(contactSheets.choose, { params, body: { policy, categoryIds: [id] } })
      await imported(sheet.id)
      const [is] = await find(old.number)
      expect([is!.name, is!.email]).toEqual(expected)
      for (const number of [old.number, fresh])
        expect((await find(number))[0]!.categoryContacts.map(one => one.id)).toEqual([id])
    },
  )

  test('is one at a time, is heard of by its company’s admins and who brought it, and may be stopped', async () => {
    const [pushes, colleague, elsewhere] = [
      await admin.subscribe(contactSheetChannel),
      await marina.subscribe(contactSheetChannel),
      await stranger.subscribe(contactSheetChannel),
    ]
    const rows = Array.from({ length: 300 }, (_, at) => `Linha ${at};55119${70_000_000 + at}`)
    const file = () => csv(['nome;numero', ...rows].join('\n'))
    const answers = await Promise.all([send(file()), send(file())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await until(async () => (await current()).state === 'ready', 10_000)
    const { id: sheetId } = await current()
    expect((await stranger.get(contactSheets.current)).sheet).toBeNull()
    await app.database.script(`update contact_sheets set state = 'running' where id = ${sheetId}`)
    expect((await send(file())).body.error).toBe('ERR_SHEET_UNDER_WAY')
    expect((await admin.get(contactSheets.cancel, { params: { sheetId } })).state).toBe('cancelled')
    await until(() => pushes.some(({ sheet }) => sheet.state === 'cancelled'))
    expect([colleague, elsewhere]).toEqual([[], []])
    const again = await admin.call(contactSheets.start, { params: { sheetId } })
    expect(again.body.error).toBe('ERR_SHEET_NOT_READY')
  })

  test('that a colleague chose is not thrown away by another', async () => {
    const mine = await staged(csv('nome;numero\nAna;5511970001111'))
    const theirs = await send(csv('nome;numero\nBia;5511970002222'), marina)
    await until(async () => (await current(marina)).state === 'ready', 10_000)
    expect((await current(marina)).id).toBe(theirs.body.id)
    expect((await current()).id).toBe(mine.id)
    expect(await admin.get(contactSheets.show, { params: { sheetId: mine.id } })).toEqual(mine)
  })

  test('is nobody’s but an admin’s and who brought it: a colleague with the right neither sees nor starts it', async () => {
    const mine = await staged(csv('nome;numero;cpf\nDona Zilá;5511970004444;123.456.789-00'))
    const params = { sheetId: mine.id }
    const columns = { name: 0, number: 1, email: null }
    const answers = await Promise.all([
      marina.call(contactSheets.show, { params }),
      marina.call(contactSheets.rows, { params }),
      marina.call(contactSheets.refused, { params }),
      marina.call(contactSheets.choose, { params, body: { columns, policy: 'overwrite' } }),
      marina.call(contactSheets.start, { params }),
      marina.call(contactSheets.cancel, { params }),
    ])
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      answers.map(() => [404, 'ERR_NOT_FOUND']),
    )
    await app.database.script(`update contact_sheets set state = 'reading' where id = ${mine.id}`)
    expect((await marina.get(contactSheets.current)).sheet?.id).not.toBe(mine.id)
    await app.database.script(`update contact_sheets set state = 'ready' where id = ${mine.id}`)
    const hers = await send(csv('nome;numero\nBia;5511970005555'), marina)
    await until(async () => (await current(marina)).state === 'ready', 10_000)
    expect((await admin.get(contactSheets.show, { params: { sheetId: hers.body.id } })).sample).toHaveLength(
      1,
    )
  })

  test('that was taken leaves nothing but the rows to be mended, those for a day', async () => {
    const sheet = await staged(csv(`nome;numero\nAna Marca;${newNumber()}\nCurta Marca;12`))
    const cells = async () =>
      (
        await app.database.transaction('', sql =>
          rowsFrom(sql, tag`select 1 from contact_sheet_rows where sheet_id = ${sheet.id}`),
        )
      ).length
    expect(await cells()).toBe(2)
    expect(await imported(sheet.id)).toMatchObject({ sample: [], refused: 1, done: 1 })
    expect(await cells()).toBe(1)
    const { url } = await admin.get(contactSheets.refused, { params: { sheetId: sheet.id }, query: {} })
    expect(await text(url)).toContain('Curta Marca')
    await app.database.script(
      `update contact_sheets set created_at = now() - interval '25 hours' where id = ${sheet.id}`,
    )
    await app.platform.scopes.platform().transaction(dropOldSheets)
    expect(await cells()).toBe(0)
    expect((await admin.call(contactSheets.show, { params: { sheetId: sheet.id } })).status).toBe(404)
  })

  test('with an emoji or half of one where texts are cut is read and taken', async () => {
    const [one, two] = [newNumber(), newNumber()]
    const long = `${'a'.repeat(49)}😀 fim`
    const book = await xlsx([
      ['nome', 'numero', `${'x'.repeat(99)}😀`],
      [long, one, `${'b'.repeat(99)}😀`],
    ])
    expect(await staged(book)).toMatchObject({ state: 'ready', fresh: 1 })
    const sheet = await staged(csv(`nome;numero\n${long};${one}\n${'c'.repeat(49)}😀;${two}`))
    await imported(sheet.id)
    expect((await find(one))[0]!.name).toBe('a'.repeat(49))
    expect((await find(two))[0]!.name).toBe('c'.repeat(49))
  })

  test('that cannot be read however often is given up, says so, and holds up nobody', async () => {
    const pushes = await admin.subscribe(contactSheetChannel)
    const { body } = await send(csv('nome;numero\nAna;5511970006666'))
    await until(async () => (await current()).state === 'ready')
    await app.database.script(`
      update contact_sheets set state = 'reading' where id = ${body.id};
      insert into pgboss.job (name, data, retry_limit, dead_letter)
      select 'contactSheets.read', jsonb_build_object('companyId', ${admin.user.companyId}, 'data',
        jsonb_build_object('sheetId', ${body.id}, 'key', 'aa00000000000000000000000000000000')), 0, 'contactSheets.read.givenUp'`)
    await until(() => pushes.some(({ sheet }) => sheet.id === body.id && sheet.state === 'failed'), 20_000)
    expect(await current()).toMatchObject({ state: 'failed', fault: 'broken', sample: [] })
    expect((await send(csv('nome;numero\nAna;5511970006666'), marina)).status).toBe(200)
    await until(async () => (await current(marina)).state === 'ready')
  })

  test('is there until the commit that says it was read, and gone after it', async () => {
    // the first commit that would end the reading fails; what a sequence counts is not undone
    await app.database.script(`create sequence sheet_commits;
      create function fail_once() returns trigger language plpgsql security definer as $$ begin
        if new.state = 'ready' and nextval('sheet_commits') = 1 then raise exception 'the commit fails'; end if;
        return new; end $$;
      create trigger fail_once before update on contact_sheets for each row execute function fail_once();`)
    const removed = async () =>
      (
        await app.database.transaction('', sql =>
          rowsFrom(sql, tag`select 1 from pgboss.job where name = 'files.remove' and state = 'completed'`),
        )
      ).length
    const before = await removed()
    try {
      await send(csv(`nome;numero\nAna;${newNumber()}`))
      await until(async () => (await current()).state !== 'reading', 40_000)
    } finally {
      await app.database.script(
        'drop trigger fail_once on contact_sheets; drop function fail_once; drop sequence sheet_commits',
      )
    }
    expect(await current()).toMatchObject({ state: 'ready', fresh: 1 })
    await until(async () => (await removed()) > before)
  })

  test('of another company is read while one is, and the second of a company after its first', async () => {
    const [mine, theirs] = [admin, stranger].map(who =>
      app.platform.scopes.platform().inCompany(who.user.companyId),
    )
    const order: string[] = []
    let endFirst = () => {}
    const ended = new Promise<void>(done => {
      endFirst = done
    })
    const reading = async (name: string, scope: Scope, wait?: Promise<void>) => {
      const content = Buffer.from(`${name};1`)
      const { key } = await app.platform.files.put(scope.companyId, content, {
        name: 'a.csv',
        type: 'text/csv',
      })
      await readKept(scope, app.platform.files, key, async rows => {
        order.push(rows[0]![0]!)
        await wait
      })
    }
    const first = reading('first', mine!, ended)
    await until(() => order.length === 1, 30_000)
    const second = reading('second', mine!)
    await reading('neighbour', theirs!)
    endFirst()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'neighbour', 'second'])
  })

  test('of another kind is refused at once', async () => {
    const png = new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, ...Array(64).fill(0)])], 'a.csv')
    expect((await send(png)).status).toBe(415)
  })

  test('in the format of an old Excel or of LibreOffice is refused by its name, though it is called CSV', async () => {
    const ods = new ZipFile()
    ods.addBuffer(Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), 'mimetype', {
      compress: false,
    })
    ods.end()
    const bytes = new Uint8Array(await buffer(ods.outputStream))
    expect(await send(new File([bytes], 'lista.csv'), stranger)).toMatchObject({
      status: 415,
      body: { error: 'ERR_SHEET_ODS', field: 'file' },
    })
    const xls = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array(600).fill(0)])
    expect((await send(new File([xls], 'lista.xls'), stranger)).body.error).toBe('ERR_SHEET_XLS')
  })

  test.each<[string, () => File | Promise<File>, number?]>([
    ['empty', () => csv('nome;numero\n')],
    ['tooLarge', () => bomb()],
    ['tooManyRows', () => csv('1\n'.repeat(200_005))],
    ['tooManyColumns', () => csv(`nome;numero\n${'1;'.repeat(2_000_000)}`), 2],
    ['rowTooLong', () => csv(`nome;numero\nAna;1\nBia;${'1'.repeat(70_000)}`), 3],
    ['tooManyColumns', () => xlsx([['nome', 'numero'], Array(300).fill('1')]), 2],
  ])('that is %s fails and says so: case %#', async (fault, file, row: number | null = null) => {
    await send(await file())
    await until(async () => (await current()).state === 'failed', 30_000)
    const { faultRow, header, ...sheet } = await current()
    expect([sheet.fault, faultRow, header.length <= 2]).toEqual([fault, row, true])
  })

  test('is for who may import: a group gives the right', async () => {
    await letImport(0)
    await until(async () => (await marina.call(contactSheets.current)).status === 403)
    expect((await send(csv('nome;numero\nAna;5511970003333'), marina)).status).toBe(403)
    await letImport(1)
    await until(async () => (await marina.call(contactSheets.current)).status === 200)
  })

  test('of thousands is taken within seconds, whatever the planner knows of the tables', async () => {
    const { id } = await staged(csv('nome;numero\nAna;5511960001111'))
    await app.database.script(`insert into contact_sheet_rows (company_id, sheet_id, "row", cells, name, number, key)
      select company_id, id, at, '[]', 'Milhar ' || at, '55119' || at, '55119' || at
      from contact_sheets, generate_series(50000001, 50012000) at where id = ${id}`)
    expect((await imported(id)).state).toBe('done')
  })

  test('shows its rows a page at a time', async () => {
    const rows = Array.from({ length: ROW_BY_ROW + 1 }, (_, at) => `Página ${at};55119${60_000_000 + at}`)
    const sheet = await staged(csv(['nome;numero', ...rows].join('\n')))
    const page = (pageNumber: number) =>
      admin.get(contactSheets.rows, { params: { sheetId: sheet.id }, query: { pageNumber } })
    expect([(await page(1)).hasMore, (await page(2)).rows.length, (await page(2)).hasMore]).toEqual([
      true,
      1,
      false,
    ])
  })
})

/** A workbook whose one sheet unpacks to hundreds of times its size. */
const bomb = () => xlsx(Array.from({ length: 1_500 }, () => ['a'.repeat(30_000)]))

const labels = ['VIP', 'A, B', 'x\\y', "'=1"]
const odd = fc
  .string({ unit: fc.constantFrom(...`=+-@'";,:\\| aéÇ漢😀1[`), minLength: 2, maxLength: 20 })
  .map(text => text.trim())
  .filter(text => text.length >= 2)
const somebody = fc.record({
  name: fc.option(odd),
  kind: fc.constantFrom('mobile', 'older', 'peru', 'unknown', 'lid', 'both'),
  email: fc.constantFrom('', 'a@b.test'),
  extra: fc.uniqueArray(fc.record({ name: odd, value: fc.oneof(odd, fc.constant('')) }), {
    selector: ({ name }) => name,
    maxLength: 3,
  }),
  labels: fc.subarray(labels),
})
type Somebody = typeof somebody extends fc.Arbitrary<infer One> ? One : never
function personOf({ name, kind, ...more }: Somebody, at: number) {
  const end = String(at).padStart(4, '0')
  const numbers = {
    ...{ mobile: `551198765${end}`, older: `55118765${end}`, both: `552198765${end}` },
    ...{ peru: `5198765${end}`, unknown: `1234${end}`, lid: '' },
  }
  const number = numbers[kind]
  const lid = kind === 'lid' || kind === 'both' ? `9900000${end}` : ''
  return { ...more, number, lid, key: phoneKey(number), name: name ?? (number ? `+${number}` : 'WhatsApp') }
}
const literal = (words: string) => `'${words.replaceAll("'", "''")}'`

describe('what goes out', () => {
  test('holds every contact, comes back as it went, and runs nothing [SETTINGS-001]', async () => {
    const stamp = unique()
    const number = newNumber()
    await admin.get(contacts.create, { body: { name: `=SOMA(${stamp})`, number, email: '' } })
    const { url } = await admin.get(contactSheets.export, { query: { format: 'csv' } })
    const lines = (await text(url)).split('\r\n')
    expect(lines[0]).toBe('name;number;email;lid;categories;extraInfo;owner')
    expect(lines.find(line => line.includes(`SOMA(${stamp}`))).toMatch(`'=SOMA(${stamp});${number};`)
    const { count } = await admin.get(contacts.list, { query: {} })
    expect(lines.filter(Boolean)).toHaveLength(count + 1)
    expect(await text(url, stranger)).toBe('404')
    expect((await stranger.get(contactSheets.export, { query: {} })).url).not.toBe(url)

    const { url: book } = await admin.get(contactSheets.export, { query: {} })
    expect(book).toMatch(/\.xlsx$/)
    const answer = await fetch(app.url + book, { headers: { authorization: `Bearer ${admin.token}` } })
    const rows = await readSheet(Buffer.from(await answer.arrayBuffer()))
    expect(rows).toHaveLength(count + 1)
    const found = rows.find(row => String(row[0]).includes(`SOMA(${stamp}`))
    expect(found?.slice(0, 2)).toEqual([`'=SOMA(${stamp})`, number])
  })

  test('and comes in again is the same: names as formulas, none, numbers of anywhere, LIDs, categories, fields', async () => {
    const company = stranger.user.companyId
    const ids: Record<string, number> = {}
    for (const name of labels) {
      await stranger.get(categories.create, { body: { name, color: '#112233' } })
      const { categoryContact } = await stranger.get(categories.list, { query: { searchParam: name } })
      ids[name] = categoryContact.find(one => one.name === name)!.id
    }
    const people = fc.sample(somebody, { numRuns: 60, seed: 43 }).map((one, at) => personOf(one, at))
    const add = () =>
      app.database.script(`with given as (select * from jsonb_to_recordset(${literal(JSON.stringify(people))}::jsonb)
          as g(name text, number text, key text, lid text, email text, extra jsonb, labels jsonb)),
        added as (insert into contacts (company_id, name, number, lid, email)
          select ${company}, name, number, lid, email from given returning id, number, lid),
        known as (select a.id, g.* from added a join given g using (number, lid)),
        phones as (insert into contact_identifiers select ${company}, 'phone', key, id from known where number <> ''),
        lids as (insert into contact_identifiers select ${company}, 'lid', lid, id from known where lid <> ''),
        described as (insert into contact_extra_info (company_id, contact_id, name, value)
          select ${company}, k.id, f.value ->> 'name', f.value ->> 'value' from known k, jsonb_array_elements(k.extra) with ordinality f order by k.id, f.ordinality)
        insert into contact_categories select ${company}, k.id, (${literal(JSON.stringify(ids))}::jsonb ->> l.name)::int
          from known k, jsonb_array_elements_text(k.labels) as l(name)`)
    await add()
    for (const format of ['csv', 'xlsx'] as const) {
      const { url } = await stranger.get(contactSheets.export, { query: { format } })
      const answer = await fetch(app.url + url, { headers: { authorization: `Bearer ${stranger.token}` } })
      const file = new File([new Uint8Array(await answer.arrayBuffer())], `contatos.${format}`)
      const before = await peopleNow()
      await app.database.script(`delete from contacts where company_id = ${company} and number || lid in
        (select value from jsonb_array_elements_text(${literal(JSON.stringify(people.map(({ number, lid }) => number + lid)))}::jsonb))`)
      expect(await peopleNow()).toHaveLength(before.length - people.length)
      const { body } = await send(file, stranger)
      await until(async () => (await current(stranger)).state === 'ready', 20_000)
      expect(await current(stranger)).toMatchObject({ fresh: people.length, refused: 0 })
      await stranger.get(contactSheets.start, { params: { sheetId: body.id } })
      await until(async () => (await current(stranger)).state === 'done', 20_000)
      expect(await peopleNow()).toEqual(before)
    }
    function peopleNow() {
      return app.database.transaction('', sql =>
        rowsFrom(
          sql,
          tag`select c.name, c.number, c.lid, c.email,
            array(select e.name || '=' || e.value from contact_extra_info e where e.contact_id = c.id order by e.id) as extra,
            array(select k.category_id from contact_categories k where k.contact_id = c.id order by 1) as labels,
            array(select i.kind || ' ' || i.value from contact_identifiers i where i.contact_id = c.id order by 1) as known
          from contacts c where c.company_id = ${company} order by c.number, c.lid`,
        ),
      )
    }
  })

  test('has a template with the columns of the import [SETTINGS-002]', async () => {
    const { url } = await marina.get(contactSheets.template)
    const answer = await fetch(app.url + url, { headers: { authorization: `Bearer ${marina.token}` } })
    const rows = await readSheet(Buffer.from(await answer.arrayBuffer()))
    expect(rows[0]).toEqual(['name', 'number', 'email'])
  })
})
