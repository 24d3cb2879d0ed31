import { afterEach, beforeEach, expect, test } from 'vitest'
import { refusals } from './refusals.ts'
import { type OpenAiServer, startOpenAiServer } from './server.ts'

let model: OpenAiServer
beforeEach(async () => {
  model = await startOpenAiServer()
})
afterEach(async () => {
  await model.close()
  expect(model.errors).toEqual([])
})

const messages = [{ role: 'user', content: 'Bom dia' }]
const ask = (body: object, token = model.token) =>
  fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages, ...body }),
  })
/** What was answered, as far as it is looked at. */
interface Body {
  error: { param: string | null; code: string | null }
  choices: { message: { content: string | null }; finish_reason: string }[]
}
const bodyOf = async (answer: Response) => (await answer.json()) as Body
const refusalOf = async (body: object) => {
  const answer = await ask(body)
  return [answer.status, (await bodyOf(answer)).error.param]
}

test('a question is answered with words, a reason and its tokens', async () => {
  model.script.next({ text: 'Bom dia, em que posso ajudar?' })
  const answer = await bodyOf(await ask({}))
  expect(answer).toMatchObject({
    object: 'chat.completion',
    choices: [
      { message: { role: 'assistant', content: 'Bom dia, em que posso ajudar?' }, finish_reason: 'stop' },
    ],
    usage: { completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
  })
  expect(model.calls).toMatchObject([{ asked: { model: 'gpt-4o' }, status: 200 }])
})

test('the same comes in pieces when it is streamed, its tokens last', async () => {
  model.script.next({ text: 'Um dois', calls: [{ name: 'end', args: {} }] })
  const text = await (await ask({ stream: true, stream_options: { include_usage: true } })).text()
  const lines = text
    .trim()
    .split('\n\n')
    .map(line => line.replace('data: ', ''))
  expect(lines.pop()).toBe('[DONE]')
  const chunks = lines.map(line => JSON.parse(line))
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Um dois')
  expect(chunks.some(({ choices }) => choices[0]?.delta.tool_calls?.[0].function.name === 'end')).toBe(true)
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
})

test('a wrong key, none, an unknown model and an unknown path are refused as the maker refuses them', async () => {
  const wrong = await ask({}, 'sk-outra')
  expect([wrong.status, (await bodyOf(wrong)).error.code]).toEqual([401, 'invalid_api_key'])
  expect((await fetch(`${model.url}/models`)).status).toBe(401)
  const none = await ask({ model: 'gpt-9' })
  expect([none.status, (await bodyOf(none)).error.code]).toEqual([404, 'model_not_found'])
  const headers = { authorization: `Bearer ${model.token}` }
  expect((await fetch(`${model.url}/images`, { headers })).status).toBe(404)
  expect(model.unknown).toEqual(['GET /v1/images'])
})

test.each([
  [{ temperature: 2.1 }, 'temperature'],
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
  [{ nonsense: true }, 'nonsense'],
  [{ tool_choice: 'auto' }, 'tool_choice'],
  [{ stream_options: { include_usage: true } }, 'stream_options'],
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'tool', content: '', tool_call_id: 'x' }] }, 'messages.[0].role'],
  [{ model: 'gpt-5-mini', max_tokens: 100 }, 'max_tokens'],
])('an argument that is none is refused by its name: case %#', async (body, param) => {
  expect(await refusalOf(body)).toEqual([400, param])
})

test('a call of a tool has to be answered before anything else is said', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'end', arguments: '{}' } }
  const asked = [...messages, { role: 'assistant', content: null, tool_calls: [call] }]
  expect((await ask({ messages: [...asked, ...messages] })).status).toBe(400)
  const answered = [...asked, { role: 'tool', tool_call_id: 'c1', content: 'ok' }]
  expect((await ask({ messages: answered })).status).toBe(200)
})

test('stop words and the limit of tokens cut what it says', async () => {
  model.script.next({ text: 'Até aqui FIM e mais' }, { text: 'a'.repeat(100) })
  const words = async (body: object) => (await bodyOf(await ask(body))).choices[0]
  expect(await words({ stop: 'FIM' })).toMatchObject({ message: { content: 'Até aqui ' } })
  expect(await words({ max_tokens: 10 })).toMatchObject({ finish_reason: 'length' })
})

test('it fails as it is told: too fast, no quota, broken, cut off, half, empty, nonsense', async () => {
  model.script.next(
    { refuse: refusals.tooFast(7) },
    { refuse: refusals.noQuota() },
    { refuse: refusals.broken() },
  )
  const fast = await ask({})
  expect([fast.status, fast.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await bodyOf(await ask({}))).error.code).toBe('insufficient_quota')
  expect((await ask({})).status).toBe(500)
  model.script.next({ cut: 'before' }, { cut: 'headers' }, { cut: 'half' })
  for (let at = 0; at < 3; at++) await expect(ask({}).then(answer => answer.json())).rejects.toThrow()
  model.script.next({ noChoice: true }, { raw: '<html>' })
  expect((await bodyOf(await ask({}))).choices).toEqual([])
  expect(await (await ask({})).text()).toBe('<html>')
})

test('a step may wait for the words that it is meant for, and a hanging call holds up no other', async () => {
  model.script.next({ on: 'lento', hang: true }, { on: 'rápido', text: 'já', times: 2 })
  const leaving = new AbortController()
  const slow = fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${model.token}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'lento' }] }),
  }).catch(() => 'left')
  const quick = await ask({ messages: [{ role: 'user', content: 'rápido' }] })
  expect((await bodyOf(quick)).choices[0]!.message.content).toBe('já')
  leaving.abort()
  expect(await slow).toBe('left')
  expect(model.script.left).toBe(1)
})
