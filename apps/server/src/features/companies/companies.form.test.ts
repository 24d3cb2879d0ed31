import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { companies, LOGO_BYTES, type OwnCompany } from '@balcao/contract/companies.ts'
import { userChannel, users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { photo, picture } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

/** A postal code service on this machine: its requests, and its next answer. */
let service: Server
let asked: string[]
let answer: () => [status: number, body: string] | 'hangs'
let env: Record<string, string>
let app: TestApp
let admin: Person
let stranger: Person
beforeAll(async () => {
  asked = []
  service = createServer((request, response) => {
    asked.push(request.url!)
    const said = answer()
    if (said !== 'hangs') response.writeHead(said[0]).end(said[1])
  }).listen(0, '127.0.0.1')
  await new Promise(listening => service.once('listening', listening))
  const { port } = service.address() as AddressInfo
  env = {
    CEP_URL: `http://127.0.0.1:${port}/ws/{cep}/json`,
    CNPJ_URL: `http://127.0.0.1:${port}/cnpj`,
    OUTBOUND_ALLOW: '127.0.0.1',
  }
  app = await openTestApp(env)
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(async () => {
  await app?.close()
  service.closeAllConnections()
  service.close()
})

const params = () => ({ companyId: admin.user.companyId })
const change = (body: object, by = admin) => by.call(companies.change, { params: params(), body })

type Sent = { name: string; bytes: Uint8Array<ArrayBuffer>; type?: string }

/** The call as the documents write it: a field `body` of JSON, the logo as `media`, its name as `mediaName`. */
async function sendForm(body: object, logo?: Sent) {
  const form = new FormData()
  form.append('body', JSON.stringify(body))
  if (logo) {
    form.append('mediaName', logo.name)
    form.append('media', new Blob([logo.bytes], { type: logo.type ?? 'image/png' }), logo.name)
  }
  const reply = await fetch(`${app.url}/companyByCompany/${admin.user.companyId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  const said = (await reply.json()) as OwnCompany & { error?: string; field?: string }
  return { status: reply.status, ...said }
}

const keptFiles = async () => {
  const all = await readdir(join(app.platform.config.dataDir, 'files'), { recursive: true })
  return all.filter(path => path.includes('.')).toSorted()
}

describe('the form of the company', () => {
  test('is saved whole, with its logo, and everybody of the company sees name, slogan and logo at once (API-013) [SETTINGS-004 … SETTINGS-006, API-013]', async () => {
    const pushes = await admin.subscribe(userChannel)
    const theirs = await stranger.subscribe(userChannel)
    const given = {
      ...{ name: 'Lume Casa', slogan: 'Luz para viver', documentNumber: '11.222.333/0001-81' },
      ...{ cep: '01310-100', street: 'Avenida Paulista', numberAddress: '1578', complement: 'Loja 2' },
      ...{ district: 'Bela Vista', city: 'São Paulo', state: 'SP', country: 'Brasil' },
    }
    const logo = picture()
    const saved = await sendForm(given, logo)
    expect(saved).toMatchObject({
      ...given,
      ...{ status: 200, companyName: 'Lume Casa', documentNumber: '11222333000181', cep: '01310100' },
    })
    const { status: _status, ...company } = saved
    expect(await admin.get(companies.show, { params: params() })).toEqual(company)
    const { user } = await until(() => pushes.at(-1))
    expect(user.company).toMatchObject({
      ...{ companyName: 'Lume Casa', slogan: 'Luz para viver', logoUrl: saved.logoUrl },
    })
    expect(theirs).toEqual([])
    const shown = await admin.fetch(saved.logoUrl)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(logo.bytes)
    expect((await stranger.fetch(saved.logoUrl)).status).toBe(404)
  })

  test('keeps what is left out; a new logo takes the place of the old, whose file goes', async () => {
    const first = await sendForm({}, picture())
    const second = await sendForm({}, photo())
    expect(second.companyName).toBe(first.companyName)
    expect(second.logoUrl).not.toBe(first.logoUrl)
    await until(async () => (await admin.fetch(first.logoUrl)).status === 404)
    expect((await sendForm({ slogan: 'Outro' })).logoUrl).toBe(second.logoUrl)
    expect((await sendForm({ logoUrl: '' })).logoUrl).toBe('')
    await until(async () => (await admin.fetch(second.logoUrl)).status === 404)
  })

  const bytes = (text: string) => new TextEncoder().encode(text)
  test.each<[string, Sent, number, string]>([
    [
      'a script that calls itself a PNG',
      { name: 'a.png', bytes: bytes('<script>1</script>') },
      415,
      'ERR_FILE_TYPE',
    ],
    [
      'an SVG',
      { name: 'a.svg', bytes: bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), type: 'image/svg+xml' },
      415,
      'ERR_FILE_TYPE',
    ],
    ['a text', { name: 'a.png', bytes: bytes('nada') }, 415, 'ERR_FILE_TYPE'],
    ['a GIF', { name: 'a.png', bytes: bytes('GIF89a\u0001\u0000\u0001\u0000') }, 415, 'ERR_FILE_TYPE'],
    ['a PDF', { name: 'a.png', bytes: bytes('%PDF-1.7\n') }, 415, 'ERR_FILE_TYPE'],
    [
      'a picture that is too large',
      { name: 'a.png', bytes: new Uint8Array(Buffer.concat([picture().bytes, Buffer.alloc(LOGO_BYTES)])) },
      413,
      'ERR_FILE_TOO_LARGE',
    ],
  ])(
    'refuses %s as a logo, and nothing of the form is kept [SETTINGS-004 … SETTINGS-006]',
    async (_what, logo, status, error) => {
      const files = await keptFiles()
      const before = await admin.get(companies.show, { params: params() })
      const refused = await sendForm({ slogan: 'Nunca' }, logo)
      expect([refused.status, refused.error]).toEqual([status, error])
      expect(await keptFiles()).toEqual(files)
      expect(await admin.get(companies.show, { params: params() })).toEqual(before)
    },
  )

  test.each([
    ['1', 'O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos'],
    ['123456789', 'O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos'],
    ['1234567890', 'O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos'],
    ['12345678901', 'CPF invalido'],
    ['111.111.111-11', 'CPF invalido'],
    ['123456789012', 'O CNPJ deve conter 14 dígitos'],
    ['1234567890123', 'O CNPJ deve conter 14 dígitos'],
    ['11222333000180', 'CNPJ invalido'],
    ['12.ABC.345/01DE-36', 'CNPJ invalido'],
    ['112223330001811', 'O CNPJ deve conter 14 dígitos'],
  ])(
    'refuses the document number %s in the documents’ words [SETTINGS-008 … SETTINGS-010, OP-22 … OP-23]',
    async (documentNumber, message) => {
      const { status, body } = await change({ documentNumber })
      expect([status, body.field, (body as { message?: string }).message]).toEqual([
        400,
        'documentNumber',
        message,
      ])
    },
  )

  test('takes a CPF, a CNPJ, one with letters, and none [SETTINGS-007]', async () => {
    for (const [written, kept] of [
      ['529.982.247-25', '52998224725'],
      ['12.abc.345/01DE-35', '12ABC34501DE35'],
      ['', ''],
    ])
      expect((await change({ documentNumber: written })).body.documentNumber).toBe(kept)
  })

  test('names the field that cannot be taken', async () => {
    const wrong = [{ name: 'L' }, { slogan: 'x'.repeat(151) }, { cep: '123' }, { city: 7 }]
    for (const body of wrong) {
      const refused = await change(body)
      expect([refused.status, refused.body.field]).toEqual([400, Object.keys(body)[0]])
    }
    const broken = new FormData()
    broken.append('body', '{')
    const { status } = await fetch(`${app.url}/companyByCompany/${admin.user.companyId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${admin.token}` },
      body: broken,
    })
    expect(status).toBe(400)
  })

  test('is for those who administrate: an attendant neither sees nor changes it, another company does not find it', async () => {
    const marina = await app.as('atendente@balcao.test')
    expect((await change({ name: 'Tomada' }, marina)).status).toBe(403)
    expect((await change({ name: 'Tomada' }, stranger)).body.error).toBe('ERR_NO_COMPANY_FOUND')
    const { company } = await admin.get(users.show, { params: { userId: admin.user.id } })
    expect(company.companyName).toBe('Lume Casa')
  })
})

describe('a postal code (API-014)', () => {
  const find = (cep: string) => app.anonymous.call(companies.findPostalCode, { params: { cep } })
  const found = {
    ...{ street: 'Avenida Paulista', district: 'Bela Vista' },
    ...{ city: 'São Paulo', state: 'SP', country: 'Brasil' },
  }

  test.each([
    ['01310100', { logradouro: 'Avenida Paulista', bairro: 'Bela Vista', localidade: 'São Paulo', uf: 'SP' }],
    ['01310101', { street: 'Avenida Paulista', neighborhood: 'Bela Vista', city: 'São Paulo', state: 'SP' }],
    ['01310102', { street: 'Avenida Paulista', district: 'Bela Vista', city: 'São Paulo', state: 'SP' }],
  ])(
    'is looked up once, whatever its service calls the parts: %s [SETTINGS-011, API-014, OP-54]',
    async (cep, said) => {
      answer = () => [200, JSON.stringify(said)]
      asked = []
      for (const written of [cep, `${cep.slice(0, 5)}-${cep.slice(5)}`])
        expect((await find(written)).body).toEqual(found)
      expect(asked).toEqual([`/ws/${cep}/json`])
    },
  )

  test.each<[string, ReturnType<typeof answer>, number, string]>([
    ['is not known', [404, '{}'], 404, 'ERR_NO_POSTAL_CODE_FOUND'],
    ['is not known, in ViaCEP’s way', [200, '{"erro":"true"}'], 404, 'ERR_NO_POSTAL_CODE_FOUND'],
    ['is answered with a page', [200, '<html>'], 502, 'ERR_POSTAL_CODE_SEARCH'],
    ['is answered with something else', [200, '{"city":{"x":1}}'], 502, 'ERR_POSTAL_CODE_SEARCH'],
    ['is answered with nothing', [200, '[]'], 502, 'ERR_POSTAL_CODE_SEARCH'],
    [
      'is answered with far too much',
      [200, `{"city":"${'x'.repeat(100_000)}"}`],
      502,
      'ERR_POSTAL_CODE_SEARCH',
    ],
    ['meets a service that fails', [500, 'oops'], 502, 'ERR_POSTAL_CODE_SEARCH'],
    ['meets a service that hangs', 'hangs', 502, 'ERR_POSTAL_CODE_SEARCH'],
  ])(
    'that %s is told as such, and asked for again the next time [API-014]',
    async (_what, said, status, error) => {
      answer = () => said
      const refused = await find('70040010')
      expect([refused.status, refused.body.error]).toEqual([status, error])
    },
  )

  test('is looked up by each product of a process, which share nothing', async () => {
    answer = () => [200, JSON.stringify({ street: 'Rua Augusta', city: 'São Paulo', state: 'SP' })]
    asked = []
    const other = await openTestApp(env)
    for (const { anonymous } of [app, other, app, other])
      expect((await anonymous.call(companies.findPostalCode, { params: { cep: '01310900' } })).status).toBe(
        200,
      )
    await other.close()
    expect(asked).toHaveLength(2)
  })

  test('of too few digits is refused before anybody is asked', async () => {
    asked = []
    expect([(await find('0131')).body.field, asked]).toEqual(['cep', []])
  })
})

describe('a CNPJ (COMPANY-013)', () => {
  const find = (cnpj: string) => app.anonymous.call(companies.findCnpj, { params: { cnpj } })
  const said = {
    ...{ nome: 'LOJA LTDA', fantasia: 'Loja', cep: '01.310-100', logradouro: 'Av. Paulista', numero: '1' },
    ...{ complemento: '', bairro: 'Bela Vista', municipio: 'São Paulo', uf: 'SP' },
  }

  test('is looked up once, without a login, letters and all [COMPANY-013, API-034, API-035, OP-54, OP-118]', async () => {
    answer = () => [200, JSON.stringify(said)]
    asked = []
    for (const written of ['12ABC34501DE35', '12.abc.345.01DE-35'])
      expect((await find(written)).body).toEqual({ ...said, cep: '01310100' })
    expect(asked).toEqual(['/cnpj/12ABC34501DE35'])
  })

  test('that the register does not know, or does not answer in words that we know, is told as such [API-034]', async () => {
    for (const [reply, error] of [
      ['hangs', 'ERR_CNPJ_SEARCH'],
      [[404, '{}'], 'ERR_NO_CNPJ_FOUND'],
      [[200, '{"status":"ERROR"}'], 'ERR_NO_CNPJ_FOUND'],
      [[500, 'oops'], 'ERR_CNPJ_SEARCH'],
      [[200, '{"uf":"SP"}'], 'ERR_CNPJ_SEARCH'],
    ] as [ReturnType<typeof answer>, string][]) {
      answer = () => reply
      expect((await find('11222333000181')).body.error).toBe(error)
    }
    const wrong = await find('11222333000180')
    expect([wrong.status, wrong.body.field]).toEqual([400, 'cnpj'])
  })
})
