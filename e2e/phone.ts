import { auth } from '@balcao/contract/auth.ts'
import { connections } from '@balcao/contract/connections.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { type SimulatedMessage, simulator } from '@balcao/contract/simulator.ts'
import { PASSWORD } from './people.ts'
import type { Sample } from './samples.ts'

/** Customers' phones on the simulator connection of the demo company. */
export interface Phone {
  whatsappId: number
  /** A customer writes; a name is given the first time. Answers the message's id. */
  write(number: string, body: string, name?: string): Promise<string>
  /** A customer sends anything else: files (one message each), a place, cards. Answers the id of the first. */
  send(number: string, what: Sent, files?: Sample[]): Promise<string>
  edit(number: string, messageId: string, body: string): Promise<void>
  remove(number: string, messageId: string): Promise<void>
  react(number: string, messageId: string, emoji: string): Promise<void>
  type(number: string, state: 'composing' | 'recording' | 'paused'): Promise<void>
  /** What that customer's screen shows, oldest first. */
  chat(number: string): Promise<SimulatedMessage[]>
  /** That phone received (3), read (4) or played (5) everything it was sent. */
  receipt(number: string, ack: number): Promise<void>
  fault(kind: 'offline' | 'slow' | 'reject' | 'none'): Promise<void>
}

type Sent = Omit<(typeof simulator.write.body)['_input'], 'number'>

type Given<R extends Route> = {
  params?: R['params']['_input']
  query?: R['query']['_input']
  body?: R['body']['_input']
  files?: Sample[] | undefined
}

export async function simulatedPhone(url: string): Promise<Phone> {
  const body = { email: 'admin@balcao.test', password: PASSWORD }
  const { token } = await call(url, '', auth.login, { body })
  const all = await call(url, token, connections.list)
  const own = all.find(({ lib }) => lib === 'simulator')
  if (!own) throw new Error('The demo company has no simulator connection')
  const params = { whatsappId: own.id }
  return {
    ...params,
    write: async (number, body, name) =>
      (await call(url, token, simulator.write, { params, body: { number, body, ...(name && { name }) } })).id,
    send: async (number, what, files) =>
      (await call(url, token, simulator.write, { params, body: { number, ...what }, files })).id,
    edit: async (number, messageId, body) =>
      void (await call(url, token, simulator.edit, {
        params: { ...params, messageId },
        body: { number, body },
      })),
    remove: async (number, messageId) =>
      void (await call(url, token, simulator.remove, {
        params: { ...params, messageId },
        query: { number },
      })),
    react: async (number, messageId, emoji) =>
      void (await call(url, token, simulator.react, {
        params: { ...params, messageId },
        body: { number, emoji },
      })),
    type: async (number, state) =>
      void (await call(url, token, simulator.type, { params, body: { number, state } })),
    chat: number => call(url, token, simulator.chat, { params: { ...params, number } }),
    receipt: async (number, ack) =>
      void (await call(url, token, simulator.receipt, { params, body: { number, ack } })),
    fault: async kind => void (await call(url, token, simulator.fault, { params, body: { kind } })),
  }
}

/** Calls a route of the contract. Throws an Error when it is refused. */
async function call<R extends Route>(
  url: string,
  token: string,
  route: R,
  given: Given<R> = {},
): Promise<R['reply']['_output']> {
  const params = (given.params ?? {}) as Record<string, string | number>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = given.query ? `?${new URLSearchParams(given.query as Record<string, string>)}` : ''
  const form = given.files && formOf(given.body as Record<string, unknown>, given.files)
  const answer = await fetch(url + path + query, {
    method: route.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(given.body !== undefined && !form && { 'content-type': 'application/json' }),
    },
    ...(form ? { body: form } : given.body !== undefined && { body: JSON.stringify(given.body) }),
  })
  if (!answer.ok) throw new Error(`${route.method} ${path} answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as R['reply']['_output']
}

function formOf(fields: Record<string, unknown>, files: Sample[]) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const { name, mimeType, buffer } of files)
    form.append('medias', new File([new Uint8Array(buffer)], name, { type: mimeType }))
  return form
}
