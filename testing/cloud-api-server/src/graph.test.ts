import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startReceiver, VERIFY_TOKEN } from './receiver.ts'
import { type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

async function raw(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${scene.server.url}${path}`, { headers })
  return {
    status: answer.status,
    body: (await answer.json()) as { error?: { code: number; message: string } },
  }
}

describe('versions and tokens', () => {
  test('a version that is not there yet is an unknown path; one that died is served by the oldest', async () => {
    const { server } = scene
    const headers = { authorization: `Bearer ${server.token.value}` }
    const number = `/${server.number.id}`
    expect(await raw(`/v99.0${number}`, headers)).toMatchObject({
      status: 400,
      body: { error: { code: 2500, message: `Unknown path components: ${number}` } },
    })
    for (const version of ['/v25.0', '/v19.0', '/v3.2', ''])
      expect((await raw(version + number, headers)).status).toBe(200)
  })

  test('no token, a strange one, one that expired, one that was taken back', async () => {
    const { server, graph } = scene
    const path = `/${server.number.id}`
    expect(await raw(`/v25.0${path}`)).toMatchObject({ status: 400, body: { error: { code: 104 } } })
    expect(await graph('GET', path, undefined, 'x')).toMatchObject({
      status: 401,
      body: { error: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' } },
    })
    server.token.expire()
    expect(await graph('GET', path)).toMatchObject({
      status: 401,
      body: {
        error: {
          code: 190,
          error_subcode: 463,
          message:
            'Error validating access token: Session has expired on Friday, 20-Nov-26 04:00:00 PST. The current time is Saturday, 21-Nov-26 04:00:00 PST.',
        },
      },
    })
    server.token.revoke()
    expect(await graph('GET', path)).toMatchObject({
      status: 401,
      body: { error: { code: 190, error_subcode: 460 } },
    })
  })

  test('a token expires by the clock', async () => {
    const { server, graph } = scene
    const expiresAt = new Date(server.clock.now() + 3_600_000)
    const { value } = server.app.addToken([server.account], { expiresAt })
    const path = `/${server.number.id}`
    expect((await graph('GET', path, undefined, value)).status).toBe(200)
    await server.clock.advance(3_600_000)
    expect((await graph('GET', path, undefined, value)).status).toBe(401)
  })

  test("another company's number is not there; what a token may not do is refused", async () => {
    const { server, graph } = scene
    const other = server.addApp().addAccount().addNumber('551130000009')
    const message = { messaging_product: 'whatsapp', to: scene.ana.number, text: { body: 'Oi' } }
    expect(await graph('POST', `/${other.id}/messages`, message)).toMatchObject({
      status: 400,
      body: {
        error: {
          type: 'GraphMethodException',
          code: 100,
          error_subcode: 33,
          message: expect.stringContaining(
            `Unsupported post request. Object with ID '${other.id}' does not exist`,
          ),
        },
      },
    })
    const reader = server.app.addToken([server.account], { permissions: ['whatsapp_business_management'] })
    expect(await graph('POST', `/${server.number.id}/messages`, message, reader.value)).toMatchObject({
      status: 403,
      body: { error: { code: 10 } },
    })
  })

  test('a token tells what it may do and until when', async () => {
    const { server, graph } = scene
    const asked = (value: string) => graph('GET', `/debug_token?input_token=${value}`)
    const expiresAt = new Date(server.clock.now() + 60_000)
    const short = server.app.addToken([server.account], {
      expiresAt,
      permissions: ['whatsapp_business_messaging'],
    })
    expect((await asked(short.value)).body).toEqual({
      data: {
        app_id: server.app.id,
        type: 'SYSTEM_USER',
        application: 'Balcão',
        data_access_expires_at: 0,
        expires_at: expiresAt.getTime() / 1000,
        is_valid: true,
        issued_at: server.clock.seconds(),
        scopes: ['whatsapp_business_messaging'],
        granular_scopes: [{ scope: 'whatsapp_business_messaging', target_ids: [server.account.id] }],
      },
    })
    expect((await asked(server.token.value)).body.data).toMatchObject({ expires_at: 0, is_valid: true })
    short.expire()
    expect(await asked(short.value)).toMatchObject({
      status: 200,
      body: { data: { is_valid: false, scopes: [], error: { code: 190, subcode: 463 } } },
    })
    expect((await asked('x')).body.data).toEqual({
      is_valid: false,
      scopes: [],
      error: expect.objectContaining({ code: 190 }),
    })
  })

  test('what the server does not know is written down', async () => {
    const { server, graph } = scene
    expect(await graph('GET', `/${server.number.id}/whatsapp_business_profile`)).toMatchObject({
      status: 400,
      body: { error: { code: 2500 } },
    })
    expect(server.unknown.splice(0)).toEqual(['GET /whatsapp_business_profile'])
  })

  test('every call is remembered with its answer', async () => {
    const { server, graph } = scene
    await graph('GET', `/${server.number.id}?fields=status`)
    await graph('POST', `/${server.number.id}/messages`, {})
    expect(server.calls).toMatchObject([
      { method: 'GET', path: `/v25.0/${server.number.id}`, params: { fields: 'status' }, status: 200 },
      { method: 'POST', path: `/v25.0/${server.number.id}/messages`, params: {}, status: 400, code: 100 },
    ])
  })
})

describe('a number', () => {
  const asked = (fields: string) => scene.graph('GET', `/${scene.server.number.id}?fields=${fields}`)

  test('tells its health', async () => {
    const { server, graph } = scene
    const id = server.number.id
    const fields = 'quality_rating,throughput,name_status,whatsapp_business_manager_messaging_limit,status'
    expect((await asked(fields)).body).toEqual({
      quality_rating: 'GREEN',
      throughput: { level: 'STANDARD' },
      name_status: 'APPROVED',
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
      status: 'CONNECTED',
      id,
    })
    expect((await graph('GET', `/${id}`)).body).toEqual({
      verified_name: 'Padaria Central',
      code_verification_status: 'VERIFIED',
      display_phone_number: '+551130000001',
      quality_rating: 'GREEN',
      platform_type: 'CLOUD_API',
      throughput: { level: 'STANDARD' },
      id,
    })
    expect((await asked('mood')).status).toBe(400)
  })

  test('changes its health, and the company is told', async () => {
    const { server, receiver } = scene
    const { number } = server
    number.setQuality('RED')
    number.setLimit('TIER_10K')
    number.upgradeThroughput()
    number.decideName('REJECTED', 'Pão Bom')
    await server.settled()
    const phone = { display_phone_number: number.digits }
    expect(receiver.values('phone_number_quality_update')).toEqual([
      {
        ...phone,
        event: 'FLAGGED',
        current_limit: 'TIER_2K',
        max_daily_conversations_per_business: 'TIER_2K',
      },
      {
        ...phone,
        event: 'UPGRADE',
        old_limit: 'TIER_2K',
        current_limit: 'TIER_10K',
        max_daily_conversations_per_business: 'TIER_10K',
      },
      {
        ...phone,
        event: 'THROUGHPUT_UPGRADE',
        current_limit: 'TIER_UNLIMITED',
        max_daily_conversations_per_business: 'TIER_10K',
      },
    ])
    expect(receiver.values('phone_number_name_update')).toMatchObject([
      { ...phone, decision: 'REJECTED', requested_verified_name: 'Pão Bom' },
    ])
    expect((await asked('quality_rating,status,throughput,name_status')).body).toMatchObject({
      quality_rating: 'RED',
      status: 'FLAGGED',
      throughput: { level: 'HIGH' },
      name_status: 'DECLINED',
    })
  })

  test('is listed with the others of its account', async () => {
    const { server, graph } = scene
    const other = server.account.addNumber('551130000002', { name: 'Confeitaria' })
    expect((await graph('GET', `/${server.account.id}/phone_numbers`)).body).toMatchObject({
      data: [{ id: server.number.id }, { id: other.id, verified_name: 'Confeitaria' }],
    })
    expect((await graph('GET', `/${server.account.id}?fields=name,owner_business_info`)).body).toEqual({
      name: 'Padaria Central',
      owner_business_info: { name: 'Padaria Central', id: server.account.portfolio },
      id: server.account.id,
    })
  })

  test('is registered with its PIN, ten times in 72 hours at most, and deregistered', async () => {
    const { server, graph } = scene
    const path = `/${server.number.id}`
    const register = (pin?: string) =>
      graph('POST', `${path}/register`, { messaging_product: 'whatsapp', pin })
    expect((await graph('POST', `${path}/deregister`)).status).toBe(200)
    expect((await asked('status')).body).toMatchObject({ status: 'PENDING' })
    expect((await register()).body.error!.message).toBe('(#100) The parameter pin is required.')
    expect((await register('12')).status).toBe(400)
    expect(await register('123456')).toEqual({ status: 200, body: { success: true } })
    expect((await register('654321')).body.error!.code).toBe(133005)
    expect(await graph('POST', path, { pin: '654321' })).toEqual({ status: 200, body: { success: true } })
    expect((await register('654321')).status).toBe(200)
    for (let n = 0; n < 7; n++) await register('654321')
    expect((await register('654321')).body.error!.code).toBe(133016)
    await server.clock.advance(72 * 3_600_000)
    expect((await register('654321')).status).toBe(200)
  })
})

describe('subscriptions', () => {
  test('an app hears an account, by its own address if it names one, until it leaves', async () => {
    const { server, graph, ana, receiver } = scene
    const own = await startReceiver(() => server.app.secret)
    const path = `/${server.account.id}/subscribed_apps`
    const override = { override_callback_uri: own.url, verify_token: VERIFY_TOKEN }
    expect(await graph('POST', path, override)).toEqual({ status: 200, body: { success: true } })
    ana.says('Para a conta')
    await server.settled()
    expect(own.messages()).toMatchObject([{ text: { body: 'Para a conta' } }])
    expect((await graph('GET', path)).body.data).toMatchObject([
      { whatsapp_business_api_data: { id: server.app.id, name: 'Balcão' }, override_callback_uri: own.url },
    ])
    await graph('POST', path)
    ana.says('Para o aplicativo')
    await server.settled()
    expect(receiver.messages().at(-1)).toMatchObject({ text: { body: 'Para o aplicativo' } })
    await graph('DELETE', path)
    ana.says('Para ninguém')
    await server.settled()
    expect(receiver.messages()).toHaveLength(2)
    expect((await graph('GET', path)).body.data).toEqual([])
    await own.close()
  })

  test('a number may have an address of its own', async () => {
    const { server, graph, ana } = scene
    const own = await startReceiver(() => server.app.secret)
    const set = (override_callback_uri: string) =>
      graph('POST', `/${server.number.id}`, {
        webhook_configuration: { override_callback_uri, verify_token: VERIFY_TOKEN },
      })
    await set(own.url)
    ana.says('Para o número')
    await server.settled()
    expect(own.messages()).toHaveLength(1)
    expect(
      (await graph('GET', `/${server.number.id}?fields=webhook_configuration`)).body.webhook_configuration,
    ).toEqual({
      phone_number: own.url,
      application: scene.receiver.url,
    })
    await set('')
    ana.says('Para o aplicativo')
    await server.settled()
    expect(own.messages()).toHaveLength(1)
    await own.close()
  })

  test('an address that fails the handshake is not taken (2200)', async () => {
    const { server, graph, receiver } = scene
    const path = `/${server.account.id}/subscribed_apps`
    const wrong = { override_callback_uri: receiver.url, verify_token: 'errado' }
    expect(await graph('POST', path, wrong)).toMatchObject({
      status: 400,
      body: { error: { code: 2200, message: expect.stringContaining('HTTP Status Code = 403') } },
    })
    await expect(server.app.subscribe(receiver.url, 'errado')).rejects.toThrow('Callback verification failed')
    await expect(server.app.subscribe('http://127.0.0.1:9/', VERIFY_TOKEN)).rejects.toThrow(
      'HTTP Status Code = 0',
    )
  })
})
