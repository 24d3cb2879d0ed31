import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ANA, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const text = { type: 'text', text: { body: 'Oi' } }
const codeOf = async () => {
  const { status, body } = await scene.send(text)
  return [status, body.error?.code]
}

describe('calls', () => {
  test('the next calls are answered as the script says, and then as usual', async () => {
    const { server, ana } = scene
    server.faults.calls.next(
      { code: 130429, status: 429, times: 2 },
      { code: 131056 },
      { pass: true },
      { code: 80007, details: 'Devagar' },
    )
    expect([await codeOf(), await codeOf(), await codeOf(), await codeOf()]).toEqual([
      [429, 130429],
      [429, 130429],
      [400, 131056],
      [200, undefined],
    ])
    const { body } = await scene.send(text)
    expect(body.error).toMatchObject({
      message: '(#80007) Rate limit issues',
      error_data: { details: 'Devagar' },
    })
    expect(await codeOf()).toEqual([200, undefined])
    expect(ana.received()).toHaveLength(2)
  })

  test.each([
    [0, 401],
    [2, 503],
    [4, 400],
    [10, 403],
    [368, 403],
    [131000, 500],
    [131016, 500],
    [131031, 403],
    [131042, 400],
    [131048, 400],
    [131057, 500],
    [999999, 400],
  ])('code %d is answered with %d', async (code, status) => {
    scene.server.faults.calls.next({ code })
    expect(await codeOf()).toEqual([status, code])
  })

  test('a step waits for the calls that it is for', async () => {
    const { server, graph, upload } = scene
    server.faults.calls.next({ code: 131000, on: 'messages' }, { code: 2, on: 'media' })
    expect((await graph('GET', `/${server.number.id}`)).status).toBe(200)
    await expect(upload('image/png')).resolves.toBeUndefined()
    expect(await codeOf()).toEqual([500, 131000])
    expect(await upload('image/png')).toMatch(/^\d+$/)
  })

  test('something on the way answers with a page of its own', async () => {
    scene.server.faults.calls.next({ status: 502, text: '<html>Bad Gateway</html>' })
    const { server } = scene
    const answer = await fetch(`${server.url}/v25.0/${server.number.id}`, {
      headers: { authorization: `Bearer ${server.token.value}` },
    })
    expect([answer.status, await answer.text()]).toEqual([502, '<html>Bad Gateway</html>'])
  })

  test('a message is accepted, and its answer is broken off, never comes, or the connection is reset', async () => {
    const { server, ana, graph } = scene
    server.faults.calls.next({ garble: true }, { reset: 'after' }, { hang: 'after' })
    const message = { messaging_product: 'whatsapp', to: ANA, ...text }
    const send = (data: string) =>
      graph('POST', `/${server.number.id}/messages`, { ...message, biz_opaque_callback_data: data })
    await expect(send('um')).rejects.toThrow('JSON')
    await expect(send('dois')).rejects.toThrow('fetch failed')
    const url = `${server.url}/v25.0/${server.number.id}/messages`
    const headers = { authorization: `Bearer ${server.token.value}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ ...message, biz_opaque_callback_data: 'três' })
    const patience = new AbortController()
    const hanging = fetch(url, { method: 'POST', headers, body, signal: patience.signal })
    await expect.poll(() => server.sent.length).toBe(3)
    patience.abort()
    await expect(hanging).rejects.toThrow('abort')
    await server.settled()
    expect(ana.received()).toHaveLength(3)
    expect(server.sent.map(({ callbackData }) => callbackData)).toEqual(['um', 'dois', 'três'])
    expect(scene.receiver.statuses().map(({ biz_opaque_callback_data: data }) => data)).toContain('três')
    expect(server.calls.map(({ status }) => status)).toEqual([200, 0, 0])
    await send('dois')
    expect(server.doubled()).toEqual(['dois'])
  })

  test('the connection is reset before anything was done', async () => {
    const { server, ana, send } = scene
    server.faults.calls.next({ reset: 'before' })
    await expect(send(text)).rejects.toThrow('fetch failed')
    expect([ana.received(), server.sent]).toEqual([[], []])
  })

  test('an answer takes its time', async () => {
    scene.server.faults.calls.next({ delay: 60 })
    const begin = performance.now()
    expect(await codeOf()).toEqual([200, undefined])
    expect(performance.now() - begin).toBeGreaterThanOrEqual(55)
  })

  test('what is left of a script is forgotten', async () => {
    const { server } = scene
    server.faults.calls.next({ code: 2, times: 9 })
    server.faults.failures.next({ code: 131049 })
    server.faults.statusesFirst = true
    server.faults.clear()
    expect(await codeOf()).toEqual([200, undefined])
    expect(server.faults.statusesFirst).toBe(false)
  })
})

describe('messages', () => {
  test('accepted, and failed later with a code', async () => {
    const { server, receiver, ana } = scene
    server.faults.failures.next({ code: 131049, times: 2 }, { code: 130472 })
    for (let n = 0; n < 4; n++) expect(await codeOf()).toEqual([200, undefined])
    const failed = receiver.statuses().filter(({ status }) => status === 'failed')
    expect(failed.map(({ errors }) => (errors as { code: number }[])[0]!.code)).toEqual([
      131049, 131049, 130472,
    ])
    expect(ana.received()).toHaveLength(1)
  })

  test('their statuses come before the answer that names them', async () => {
    const { server, receiver } = scene
    server.faults.statusesFirst = true
    const answer = fetch(`${server.url}/v25.0/${server.number.id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token.value}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to: ANA, ...text }),
    }).then(() => receiver.statuses().length)
    expect(await answer).toBe(2)
  })
})
