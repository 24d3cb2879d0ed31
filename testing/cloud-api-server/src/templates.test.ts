import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ANA, idOf, type Scene, setScene } from './scene.ts'
import type { TemplateButton, TemplateComponent } from './templates.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const BODY: TemplateComponent = { type: 'BODY', text: 'Olá {{1}}, seu pedido {{2}} saiu.' }
const texts = (...list: string[]) => ({
  type: 'body',
  parameters: list.map(text => ({ type: 'text', text })),
})

const template = (name: string, components: object[] = [], code = 'pt_BR') =>
  scene.send({ type: 'template', template: { name, language: { code }, components } })

async function refused(...asked: Parameters<typeof template>) {
  const { status, body } = await template(...asked)
  return [status, body.error?.code, body.error?.error_data?.details]
}

describe('sending', () => {
  test('a template takes its values; its quick replies are tapped', async () => {
    const { server, ana, receiver } = scene
    server.account.addTemplate({
      name: 'saiu',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' },
        BODY,
        { type: 'FOOTER', text: 'Padaria' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Recebi' },
            { type: 'URL', text: 'Onde está?', url: 'https://padaria.test/{{1}}' },
          ],
        },
      ],
    })
    const answer = await template('saiu', [
      { type: 'header', parameters: [{ type: 'text', text: '17' }] },
      texts('Ana', '17'),
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: '0',
        parameters: [{ type: 'payload', payload: 'ok-17' }],
      },
      { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '17' }] },
    ])
    expect(answer.body.messages).toEqual([{ id: expect.any(String), message_status: 'accepted' }])
    expect(ana.received()[0]!.text).toBe('Pedido 17\nOlá Ana, seu pedido 17 saiu.\nPadaria')
    ana.taps(idOf(answer), 'Recebi')
    await server.settled()
    expect(receiver.messages().at(-1)).toMatchObject({
      type: 'button',
      context: { id: idOf(answer) },
      button: { payload: 'ok-17', text: 'Recebi' },
    })
  })

  test('values go by name where the template names them', async () => {
    scene.server.account.addTemplate({
      name: 'nomes',
      format: 'NAMED',
      components: [{ type: 'BODY', text: 'Oi {{nome}}, até {{dia}}.' }],
    })
    const value = (parameter_name: string, text: string) => ({ type: 'text', parameter_name, text })
    await template('nomes', [{ type: 'body', parameters: [value('dia', 'sexta'), value('nome', 'Ana')] }])
    expect(scene.ana.received()[0]!.text).toBe('Oi Ana, até sexta.')
    expect(await refused('nomes', [texts('Ana', 'sexta')])).toEqual([
      400,
      100,
      'Parameter name is missing or empty',
    ])
    const wrong = [{ type: 'body', parameters: [value('dia', 'sexta'), value('name', 'Ana')] }]
    expect(await refused('nomes', wrong)).toEqual([400, 132012, 'body: Parameter nome is missing'])
  })

  test('a picture in the header is a value that must be there', async () => {
    scene.server.account.addTemplate({
      name: 'foto',
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Novidade!' },
      ],
    })
    const header = (parameter: object) => [{ type: 'header', parameters: [parameter] }]
    expect(await refused('foto')).toEqual([
      400,
      132012,
      'header: Format mismatch, expected IMAGE, received UNKNOWN',
    ])
    expect(await refused('foto', header({ type: 'text', text: 'x' }))).toEqual([
      400,
      132012,
      'header: Format mismatch, expected IMAGE, received TEXT',
    ])
    const { body } = await template('foto', header({ type: 'image', image: { id: '1' } }))
    expect(body.error!.message).toBe(
      "(#100) Param template['components'][0]['parameters'][0]['image']['id'] is not a valid whatsapp business account media attachment ID",
    )
    const id = await scene.upload('image/png')
    expect(await template('foto', header({ type: 'image', image: { id } }))).toMatchObject({ status: 200 })
  })

  test('a template goes out when the window is closed; marketing costs, and not to those who stopped it', async () => {
    const { server, ana, receiver } = scene
    server.account.addTemplate({
      name: 'promo',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Promoção' }],
    })
    await server.clock.advance(48 * 3_600_000)
    await template('promo')
    expect(receiver.statuses().at(-1)).toMatchObject({
      status: 'delivered',
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' },
    })
    ana.stopsMarketing()
    await template('promo')
    expect(receiver.statuses().at(-1)).toMatchObject({ status: 'failed', errors: [{ code: 131050 }] })
    ana.resumesMarketing()
    await template('promo')
    expect(receiver.statuses().at(-1)).toMatchObject({ status: 'delivered' })
    expect(receiver.values('user_preferences')).toMatchObject([
      { user_preferences: [{ wa_id: ANA, category: 'marketing_messages', value: 'stop' }] },
      { user_preferences: [{ wa_id: ANA, category: 'marketing_messages', value: 'resume' }] },
    ])
  })

  test('a code is not sent to a user id (131062)', async () => {
    const { server, graph, ana } = scene
    server.account.addTemplate({
      name: 'codigo',
      category: 'AUTHENTICATION',
      components: [{ type: 'BODY', text: 'Código' }],
    })
    const message = { type: 'template', template: { name: 'codigo', language: { code: 'pt_BR' } } }
    const to = { messaging_product: 'whatsapp', recipient: ana.userId() }
    const { body } = await graph('POST', `/${server.number.id}/messages`, { ...to, ...message })
    expect(body.error!.code).toBe(131062)
  })
})

describe('refusals', () => {
  beforeEach(() => {
    scene.server.account.addTemplate({ name: 'saiu', components: [BODY] })
  })

  test('there is none of this name, in this language, or approved (404, 132001)', async () => {
    scene.server.account.addTemplate({ name: 'novo', status: 'PENDING', components: [BODY] })
    expect(await refused('outro')).toEqual([404, 132001, 'template name (outro) does not exist in pt_BR'])
    expect(await refused('saiu', [], 'en')).toEqual([
      404,
      132001,
      'template name (saiu) does not exist in en',
    ])
    expect(await refused('novo')).toEqual([404, 132001, 'template name (novo) does not exist in pt_BR'])
  })

  test('it is paused (132015) or disabled (132016), of which the company is told', async () => {
    const { server, receiver } = scene
    const promo = server.account.templates[0]!
    promo.decide('PAUSED')
    expect(await refused('saiu')).toEqual([400, 132015, expect.any(String)])
    promo.decide('DISABLED')
    expect(await refused('saiu')).toEqual([400, 132016, expect.any(String)])
    expect(receiver.values('message_template_status_update')).toMatchObject([
      { event: 'PAUSED', message_template_name: 'saiu', message_template_language: 'pt-BR', reason: 'NONE' },
      { event: 'DISABLED', message_template_id: Number(promo.id), disable_info: {} },
    ])
  })

  test.each<[string, object[], number, number, string]>([
    [
      'too few values',
      [texts('Ana')],
      400,
      132000,
      'body: number of localizable_params (1) does not match the expected number of params (2)',
    ],
    [
      'no values',
      [],
      400,
      132000,
      'body: number of localizable_params (0) does not match the expected number of params (2)',
    ],
    [
      'too many values',
      [texts('a', 'b', 'c')],
      400,
      132000,
      'body: number of localizable_params (3) does not match the expected number of params (2)',
    ],
    ['an empty value', [texts('Ana', '')], 400, 131008, 'Parameter of type text is missing text value'],
    [
      'a value of another kind',
      [{ type: 'body', parameters: [{ type: 'image' }, { type: 'text', text: 'x' }] }],
      400,
      132012,
      'body: Format mismatch, expected TEXT, received IMAGE',
    ],
    [
      'values that make it too long',
      [texts('a'.repeat(1000), 'b'.repeat(30))],
      400,
      132005,
      'Body text length exceeds 1024 characters',
    ],
    [
      'a button that it does not have',
      [texts('a', 'b'), { type: 'button', sub_type: 'url', index: 0 }],
      400,
      132000,
      'buttons: there is no button at index 0',
    ],
  ])('%s', async (_, components, ...answer) => {
    expect(await refused('saiu', components)).toEqual(answer)
  })

  test('a value of several lines', async () => {
    const { body } = await template('saiu', [texts('Ana', 'a\nb')])
    expect(body.error!.message).toBe(
      '(#100) Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    )
  })

  test('a page that lacks its end (131008), or a button of another kind (132012)', async () => {
    scene.server.account.addTemplate({
      name: 'link',
      components: [
        { type: 'BODY', text: 'Veja' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://a.test/{{1}}' }] },
      ],
    })
    expect(await refused('link')).toEqual([
      400,
      131008,
      'buttons: Button at index 0 of type Url requires a parameter',
    ])
    const quick = {
      type: 'button',
      sub_type: 'quick_reply',
      index: '0',
      parameters: [{ type: 'payload', payload: 'x' }],
    }
    expect(await refused('link', [quick])).toEqual([400, 132012, expect.any(String)])
  })
})

describe('a button that opens', () => {
  const add = (name: string, button: object) =>
    scene.server.account.addTemplate({
      name,
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Veja' },
        { type: 'BUTTONS', buttons: [{ text: 'Abrir', ...button } as TemplateButton] },
      ],
    })
  const action = (sub_type: string, given: object) => ({
    ...{ type: 'button', sub_type, index: '0' },
    parameters: [{ type: 'action', action: given }],
  })
  const section = (title: string, ...ids: string[]) => ({
    title,
    product_items: ids.map(id => ({ product_retailer_id: id })),
  })

  test('a form, the catalogue or products is sent with its action', async () => {
    add('form', { type: 'FLOW', flow_id: '1' })
    add('loja', { type: 'CATALOG' })
    add('itens', { type: 'MPM' })
    const thumbnail_product_retailer_id = 'sonho'
    const sections = [section('Doces', 'sonho', 'bolo'), section('Pães', 'pão')]
    for (const [name, component] of [
      ['form', action('flow', { flow_token: 'unused' })],
      ['loja', action('CATALOG', { thumbnail_product_retailer_id })],
      ['itens', action('mpm', { thumbnail_product_retailer_id, sections })],
    ] as const)
      expect((await template(name, [component])).status).toBe(200)
  })

  test.each([
    ['a form without its parameter', 'FLOW', [], 131008],
    ['a catalogue without its picture', 'CATALOG', [action('catalog', {})], 100],
    [
      'products without a section',
      'MPM',
      [action('mpm', { thumbnail_product_retailer_id: 'a', sections: [] })],
      131009,
    ],
    [
      'a section with a long title',
      'MPM',
      [action('mpm', { thumbnail_product_retailer_id: 'a', sections: [section('x'.repeat(25), 'a')] })],
      131009,
    ],
    [
      'more than 30 products',
      'MPM',
      [
        action('mpm', {
          thumbnail_product_retailer_id: 'a',
          sections: [section('Tudo', ...Array.from({ length: 31 }, (_, at) => `p${at}`))],
        }),
      ],
      131009,
    ],
  ])('%s is refused', async (_, type, components, code) => {
    add('errado', { type, ...(type === 'FLOW' && { flow_id: '1' }) })
    expect((await refused('errado', components))[1]).toBe(code)
  })
})

describe('the list', () => {
  const names = (body: object) => (body as { data: { name: string }[] }).data.map(({ name }) => name)

  beforeEach(() => {
    for (let n = 1; n <= 30; n++)
      scene.server.account.addTemplate({
        name: `modelo_${n}`,
        status: n % 10 === 0 ? 'PENDING' : 'APPROVED',
        category: n % 2 === 0 ? 'MARKETING' : 'UTILITY',
        components: [{ type: 'BODY', text: `Modelo ${n}` }],
      })
  })

  test('comes in pages, forwards and back', async () => {
    const { graph, server } = scene
    const path = `/${server.account.id}/message_templates?limit=12`
    type Page = { paging: { cursors: { before: string; after: string }; next?: string; previous?: string } }
    const pageOf = (body: object) => body as Page
    const first = (await graph('GET', path)).body
    const { cursors, next, previous } = pageOf(first).paging
    expect(names(first)).toHaveLength(12)
    expect(previous).toBeUndefined()
    const second = (await graph('GET', `${path}&after=${cursors.after}`)).body
    expect(next).toContain(`message_templates?limit=12&after=${cursors.after}`)
    expect(names(second)[0]).toBe('modelo_13')
    const after = pageOf(second).paging.cursors
    const third = (await graph('GET', `${path}&after=${after.after}`)).body
    expect(names(third)).toEqual([
      'modelo_25',
      'modelo_26',
      'modelo_27',
      'modelo_28',
      'modelo_29',
      'modelo_30',
    ])
    expect(pageOf(third).paging.next).toBeUndefined()
    expect(names((await graph('GET', `${path}&before=${after.before}`)).body)).toEqual(names(first))
    expect(await graph('GET', `${path}&after=x`)).toMatchObject({
      status: 400,
      body: { error: { code: 100 } },
    })
  })

  test('shows what was asked for, and what fits the filter', async () => {
    const { graph, server } = scene
    const path = `/${server.account.id}/message_templates`
    const { body } = await graph('GET', `${path}?fields=name,status&status=pending&category=MARKETING`)
    expect(body.data).toEqual(
      [10, 20, 30].map(n => ({ name: `modelo_${n}`, status: 'PENDING', id: expect.any(String) })),
    )
    const whole = await graph('GET', `${path}?name=modelo_7`)
    expect(whole.body.data).toEqual([
      {
        name: 'modelo_7',
        parameter_format: 'POSITIONAL',
        components: [{ type: 'BODY', text: 'Modelo 7' }],
        language: 'pt_BR',
        status: 'APPROVED',
        category: 'UTILITY',
        id: expect.any(String),
      },
    ])
    expect(await graph('GET', `${path}?fields=colour`)).toMatchObject({
      body: { error: { message: '(#100) Tried accessing nonexisting field (colour)' } },
    })
  })

  test('its templates are judged, and moved to another price', async () => {
    const { server, receiver } = scene
    const [one, two] = server.account.templates
    one!.decide('REJECTED', 'INVALID_FORMAT')
    one!.setQuality('YELLOW')
    two!.moveTo('UTILITY')
    await server.settled()
    expect(receiver.values('message_template_status_update')).toMatchObject([
      { event: 'REJECTED', reason: 'INVALID_FORMAT' },
    ])
    expect(receiver.values('message_template_quality_update')).toMatchObject([
      { previous_quality_score: 'UNKNOWN', new_quality_score: 'YELLOW', message_template_name: 'modelo_1' },
    ])
    expect(receiver.values('template_category_update')).toMatchObject([
      { previous_category: 'MARKETING', new_category: 'UTILITY' },
    ])
  })
})
