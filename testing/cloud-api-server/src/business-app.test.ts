import { afterEach, beforeEach, expect, test } from 'vitest'
import { samples } from './samples.ts'
import { ANA, type Scene, setScene } from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await setScene()
  scene.server.number.coexistence = true
})
afterEach(() => scene.end())

const sync = (sync_type: string) =>
  scene.graph('POST', `/${scene.server.number.id}/smb_app_data`, { messaging_product: 'whatsapp', sync_type })

test('what the owner types, changes and deletes in the Business app is echoed', async () => {
  const { server, ana, receiver } = scene
  const app = server.number.businessApp
  const id = app.writes(ana, 'Já vou')
  const picture = app.writes(ana, {
    image: { bytes: samples['image/png'], mime: 'image/png', caption: 'Veja' },
  })
  app.edits(picture, 'Veja só')
  app.revokes(id)
  await server.settled()
  const who = { from: server.number.digits, to: ANA, to_user_id: ana.userId() }
  expect(receiver.values('smb_message_echoes').flatMap(one => one.message_echoes)).toMatchObject([
    { ...who, id, type: 'text', text: { body: 'Já vou' } },
    { ...who, id: picture, type: 'image', image: { caption: 'Veja', mime_type: 'image/png' } },
    {
      ...who,
      type: 'edit',
      edit: { original_message_id: picture, message: { type: 'image', image: { caption: 'Veja só' } } },
    },
    { ...who, type: 'revoke', revoke: { original_message_id: id } },
  ])
  server.number.coexistence = false
  expect(() => app.writes(ana, 'Oi')).toThrow()
})

test('names of the address book come after a request, and as they change', async () => {
  const { server, receiver } = scene
  const app = server.number.businessApp
  app.book.set(ANA, 'Ana Padaria')
  expect(await sync('smb_app_state_sync')).toMatchObject({
    status: 200,
    body: { messaging_product: 'whatsapp' },
  })
  app.saves(ANA, 'Ana Souza')
  app.forgets(ANA)
  await server.settled()
  expect(receiver.values('smb_app_state_sync').flatMap(one => one.state_sync)).toMatchObject([
    { type: 'contact', action: 'add', contact: { full_name: 'Ana Padaria', phone_number: ANA } },
    { type: 'contact', action: 'add', contact: { full_name: 'Ana Souza', first_name: 'Ana' } },
    { type: 'contact', action: 'remove', contact: { phone_number: ANA } },
  ])
})

test('the history comes in phases and chunks until 100, its files afterwards, once', async () => {
  const { server, ana, receiver } = scene
  const app = server.number.businessApp
  for (const daysAgo of [0.5, 3, 4, 5, 6, 100])
    app.recalls(ana, `há ${daysAgo}`, { daysAgo, fromMe: daysAgo === 3 })
  const file = { image: { bytes: samples['image/png'], mime: 'image/png' } }
  const [young] = [app.recalls(ana, file, { daysAgo: 10 }), app.recalls(ana, file, { daysAgo: 20 })]
  expect((await sync('history')).status).toBe(200)
  await server.settled()
  const all = receiver.values('history')
  const chunks = all.flatMap(({ history = [] }) => history)
  expect(chunks.map(({ metadata }) => [metadata.phase, metadata.chunk_order, metadata.progress])).toEqual([
    [0, 1, 25],
    [1, 1, 50],
    [1, 2, 75],
    [2, 1, 100],
  ])
  const messages = chunks.flatMap(({ threads }) => threads).flatMap(({ messages }) => messages)
  expect(messages[0]).toMatchObject({ from: ANA, type: 'text', history_context: { status: 'READ' } })
  expect(messages[1]).toMatchObject({ from: server.number.digits, to: ANA })
  expect(messages.filter(({ type }) => type === 'media_placeholder')).toHaveLength(2)
  expect(all.flatMap(({ messages = [] }) => messages)).toMatchObject([
    { id: young, type: 'image', image: {} },
  ])
  expect((await sync('history')).body.error?.code).toBe(100)
})

test('a history that the owner does not share is an error, and late requests are refused', async () => {
  const { server, receiver } = scene
  server.number.businessApp.sharesHistory = false
  expect((await sync('history')).status).toBe(200)
  await server.settled()
  expect(receiver.values('history')).toMatchObject([{ history: [{ errors: [{ code: 2593109 }] }] }])
  await server.clock.advance(25 * 3_600_000)
  expect((await sync('smb_app_state_sync')).body.error?.code).toBe(100)
  expect((await sync('everything')).body.error?.code).toBe(100)
  server.number.coexistence = false
  expect((await sync('history')).body.error?.code).toBe(131000)
})

test('the code of a sign-up becomes a token once, for the app and the address it was made for', async () => {
  const { server, graph } = scene
  const uri = 'https://balcao.example.com/connections'
  const own = `${server.app.id}|${server.app.secret}`
  const given = { client_id: server.app.id, client_secret: server.app.secret, redirect_uri: uri }
  const exchange = (more: object) => graph('POST', '/oauth/access_token', { ...given, ...more })
  const code = server.app.signUp([server.account], uri)
  expect((await exchange({ code, client_secret: 'x' })).body.error?.code).toBe(1)
  expect((await exchange({ code, redirect_uri: 'https://a.b' })).body.error?.error_subcode).toBe(36008)
  const { body } = await exchange({ code })
  expect((await exchange({ code })).status).toBe(400)
  const asked = await graph('GET', `/debug_token?input_token=${body.access_token}`, undefined, own)
  const scope = { target_ids: [server.account.id] }
  expect(asked.body.data).toMatchObject({
    app_id: server.app.id,
    is_valid: true,
    granular_scopes: [scope, scope],
  })
  const late = server.app.signUp([server.account], uri)
  await server.clock.advance(11 * 60_000)
  expect((await exchange({ code: late })).body.error?.error_subcode).toBe(36007)
})
