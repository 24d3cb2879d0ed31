import { type Flow, flowChannel, flows } from '@balcao/contract/flows.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { film, paper, picture, riddle, sticker, voice } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { companies } from '../companies/companies.table.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

type File = ReturnType<typeof picture>
const says = (body: string) => ({ actionType: 'SendText', body })
const shows = (mediaFileName: string) => ({ actionType: 'SendMedia', mediaFileName })
const takes = (actionType: 'Composing' | 'Recording' | 'Delay', param: number | string) => ({
  actionType,
  param,
})
const bodyOf = (flowActions: object[], name = 'Boas-vindas', type: Flow['type'] = 'Chat') => ({
  name,
  type,
  flowActions: JSON.stringify(flowActions),
})
const add = (flowActions: object[], files: File[] = [], who = marina) =>
  who.get(flows.create, { body: bodyOf(flowActions), files })
const list = async (query: { searchParam?: string; type?: Flow['type'] }, who = marina) =>
  (await who.get(flows.list, { query })).flows
const filesOf = (flow: Flow) => flow.flowActions.flatMap(({ mediaUrl }) => mediaUrl ?? [])
const statusOf = async (address: string, who = marina) => (await who.fetch(address)).status

test('a flow is added with its actions in their order, found, changed and deleted [API-020, ENTITY-024 … ENTITY-025, FLOW-001 … FLOW-006, FLOW-009, FLOW-014]', async () => {
  const added = await add([takes('Composing', '3'), says('Oi, {{cliente}}!'), takes('Delay', 2)])
  const plain = { media: null, mediaUrl: null, mediaFileName: '', mediaType: null, file: null }
  expect(added).toEqual({
    id: expect.any(Number),
    name: 'Boas-vindas',
    type: 'Chat',
    flowActions: [
      { ...plain, actionType: 'Composing', body: '', param: 3, order: 1 },
      { ...plain, actionType: 'SendText', body: 'Oi, {{cliente}}!', param: 0, order: 2 },
      { ...plain, actionType: 'Delay', body: '', param: 2, order: 3 },
    ],
  })
  const params = { flowId: added.id }
  expect(await list({ searchParam: 'vindas' })).toEqual([added])
  const [first, second, third] = added.flowActions
  const turned = [
    { ...third!, order: 1 },
    { ...first!, order: 3 },
    { ...second!, order: 2 },
  ]
  const body = { name: 'Cobrança', type: 'Bot' as const, flowActions: turned }
  const changed = await admin.get(flows.change, { params, body })
  expect(changed.flowActions.map(({ actionType, order }) => [actionType, order])).toEqual([
    ['Delay', 1],
    ['SendText', 2],
    ['Composing', 3],
  ])
  expect(await marina.get(flows.show, { params })).toEqual(changed)
  await admin.get(flows.remove, { params })
  expect((await marina.call(flows.show, { params })).status).toBe(404)
})

test('a list holds one type where it is asked for, by name, twenty a page [API-020]', async () => {
  for (let at = 20; at >= 0; at--)
    await marina.get(flows.create, { body: bodyOf([], `Etapa ${String(at).padStart(2, '0')}`, 'Bot') })
  const page = (pageNumber: number) =>
    marina.get(flows.list, { query: { searchParam: 'etapa', type: 'Bot', pageNumber } })
  const [one, two] = [await page(1), await page(2)]
  expect([one.flows.length, one.hasMore, one.flows[0]!.name]).toEqual([20, true, 'Etapa 00'])
  expect(two).toMatchObject({ flows: [{ name: 'Etapa 20' }], hasMore: false })
  expect(await list({ searchParam: 'etapa', type: 'Chat' })).toEqual([])
})

describe('a file', () => {
  test('comes with the flow, is known by its content and stays while an action names it [API-020, ENTITY-024 … ENTITY-025, FLOW-009, FLOW-015]', async () => {
    const flow = await add(
      [shows('foto.png'), says('Veja'), shows('nota.pdf'), shows('foto.png')],
      [picture(), paper()],
    )
    const [photo, , invoice, again] = flow.flowActions
    expect(photo).toMatchObject({
      mediaType: 'image',
      mediaFileName: 'foto.png',
      file: { state: 'ready', name: 'foto.png', type: 'image/png' },
    })
    expect([photo!.media, again!.mediaUrl]).toEqual([photo!.mediaUrl, photo!.mediaUrl])
    expect(invoice).toMatchObject({ mediaType: 'document', file: { type: 'application/pdf' } })
    expect(await statusOf(photo!.mediaUrl!)).toBe(200)

    const params = { flowId: flow.id }
    const body = { ...bodyOf([]), flowActions: [{ ...again, body: 'Ainda aqui' }] }
    const fewer = await admin.get(flows.change, { params, body })
    expect(fewer.flowActions).toEqual([{ ...photo, body: 'Ainda aqui' }])
    await until(async () => (await statusOf(invoice!.mediaUrl!)) === 404)
    expect(await statusOf(photo!.mediaUrl!)).toBe(200)

    await admin.get(flows.remove, { params })
    await until(async () => (await statusOf(photo!.mediaUrl!)) === 404)
  })

  test('of the same name as another goes to the next action, and one that no action names is not kept', async () => {
    const flow = await add([shows('foto.png'), shows('foto.png')], [picture(), picture(), film()])
    const [one, two] = filesOf(flow)
    expect(one).not.toBe(two)
    expect(flow.flowActions).toHaveLength(2)
  })

  test.each([
    ['a sticker', sticker(), 415, 'mediaFile'],
    ['a riddle', riddle(), 415, undefined],
  ])('of the wrong kind is refused: %s [FLOW-013]', async (_what, file, status, field) => {
    const answer = await marina.call(flows.create, { body: bodyOf([shows(file.name)]), files: [file] })
    expect([answer.status, answer.body.error, answer.body.field]).toEqual([status, 'ERR_FILE_TYPE', field])
  })

  test('that did not come along is missed by its action, and one of another flow is not taken', async () => {
    const other = await add([shows('voz.ogg')], [voice()])
    for (const action of [shows('longe.png'), { actionType: 'SendMedia', mediaUrl: filesOf(other)[0] }]) {
      const answer = await marina.call(flows.create, { body: bodyOf([says('Oi'), action]) })
      expect([answer.status, answer.body.field]).toEqual([400, 'flowActions.1.mediaUrl'])
    }
  })

  test('is not served to another company', async () => {
    const [address] = filesOf(await add([shows('foto.png')], [picture()]))
    expect(await statusOf(address!, stranger)).toBe(404)
  })
})

test('every change is heard by the whole company, and by no other [EVENT-015, FLOW-024]', async () => {
  const [pushes, elsewhere] = [await marina.subscribe(flowChannel), await stranger.subscribe(flowChannel)]
  const flow = await add([says('Oi')])
  const params = { flowId: flow.id }
  const changed = await admin.get(flows.change, { params, body: bodyOf([], 'Outro nome') })
  await admin.get(flows.remove, { params })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', flow },
    { action: 'update', flow: changed },
    { action: 'delete', flowId: flow.id },
  ])
  expect(elsewhere).toEqual([])
})

test('of another company it is not there', async () => {
  const theirs = await stranger.get(flows.create, { body: bodyOf([], 'Segredo') })
  const params = { flowId: theirs.id }
  expect(await list({ searchParam: 'segredo' })).toEqual([])
  for (const route of [flows.show, flows.remove])
    expect((await admin.call(route, { params })).status).toBe(404)
  expect((await admin.call(flows.change, { params, body: bodyOf([]) })).status).toBe(404)
  expect(await list({ searchParam: 'segredo' }, stranger)).toEqual([theirs])
})

test('a company without flows in its plan adds and changes none, and may clear up [MENU-010]', async () => {
  const flow = await stranger.get(flows.create, { body: bodyOf([], 'De antes') })
  const turn = (enableFlows: boolean) =>
    app.platform.scopes.platform().transaction(sql => sql.update(companies).set({ enableFlows }))
  await turn(false)
  const params = { flowId: flow.id }
  const added = await stranger.call(flows.create, { body: bodyOf([]) })
  const changed = await stranger.call(flows.change, { params, body: bodyOf([]) })
  expect([added.status, added.body.error, changed.status]).toEqual([402, 'ERR_NOT_IN_PLAN', 402])
  expect((await stranger.call(flows.remove, { params })).status).toBe(200)
  await turn(true)
})

const many = (count: number, action: object) => Array.from({ length: count }, () => action)

test.each([
  [bodyOf([], ''), 'name', 'O nome é obrigatório'],
  [bodyOf([], 'Abcd'), 'name', 'O nome deve conter no mínimo 5 caracteres'],
  [{ ...bodyOf([]), type: JSON.parse('"Fax"') }, 'type', 'Selecione um tipo de fluxo'],
  [{ ...bodyOf([]), type: JSON.parse('null') }, 'type', 'Selecione um tipo de fluxo'],
  [bodyOf([{ actionType: 'SendFax', body: 'Oi' }]), 'flowActions.0.actionType', undefined],
  [bodyOf([says('Oi'), says('a')]), 'flowActions.1.body', 'Too Short!'],
  [bodyOf([says('a'.repeat(4_097))]), 'flowActions.0.body', 'Too Long!'],
  [bodyOf([{ actionType: 'SendMedia' }]), 'flowActions.0.mediaUrl', 'Required'],
  [bodyOf([takes('Composing', 0)]), 'flowActions.0.param', 'At least 1 second'],
  [bodyOf([takes('Delay', 241)]), 'flowActions.0.param', undefined],
  [bodyOf([takes('Recording', 1.5)]), 'flowActions.0.param', undefined],
  [bodyOf(many(101, says('Oi'))), 'flowActions', 'Too many actions'],
  [bodyOf(many(16, takes('Delay', 240))), 'flowActions', 'Takes longer than an hour'],
  [{ ...bodyOf([]), flowActions: '{"a":' }, 'flowActions', undefined],
])(
  'what is missing, too short or too much is refused with its field: case %# [OP-11, FLOW-007 … FLOW-008, FLOW-010 … FLOW-012]',
  async (body, field, said) => {
    const answer = await marina.call(flows.create, { body })
    expect([answer.status, answer.body.field]).toEqual([400, field])
    if (said) expect((answer.body as { message?: string }).message).toContain(said)
  },
)
