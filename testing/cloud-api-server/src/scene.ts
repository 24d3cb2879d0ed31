import { expect } from 'vitest'
import type { Customer } from './customer.ts'
import { type Receiver, startReceiver, VERIFY_TOKEN } from './receiver.ts'
import { type SampleType, samples } from './samples.ts'
import { type CloudApiServer, type ServerOptions, startCloudApiServer } from './server.ts'

export const ANA = '5511911111111'

export interface Reply {
  status: number
  body: {
    [name: string]: unknown
    id?: string
    url?: string
    messages?: { id: string }[]
    error?: {
      message: string
      type: string
      code: number
      error_subcode?: number
      error_data?: { details: string }
    }
  }
}

/** The usual scene: a shop whose program receives webhooks, and a customer who has just written. */
export interface Scene {
  server: CloudApiServer
  receiver: Receiver
  ana: Customer
  /** Calls Graph with the shop's token; the path begins after the version. */
  graph(method: string, path: string, body?: object, token?: string): Promise<Reply>
  /** Sends a message to Ana; the given fields override the defaults. */
  send(message: object): Promise<Reply>
  /** Sends a text to Ana and answers its id. */
  say(text: string): Promise<string>
  upload(type: SampleType, bytes?: Uint8Array): Promise<string>
  /** Stops everything, and fails when the server met anything it does not know. */
  end(): Promise<void>
}

export async function setScene(options: ServerOptions = {}): Promise<Scene> {
  const server = await startCloudApiServer({ standsAt: new Date('2026-11-21T12:00:00Z'), ...options })
  const receiver = await startReceiver(() => server.app.secret)
  await server.app.subscribe(receiver.url, VERIFY_TOKEN)
  const ana = server.addCustomer(ANA, { name: 'Ana' })
  ana.says('Oi')
  await server.settled()
  const scene: Scene = {
    server,
    receiver,
    ana,
    async graph(method, path, body, token = server.token.value) {
      const form = body instanceof FormData
      const headers: Record<string, string> = { authorization: `Bearer ${token}` }
      if (body && !form) headers['content-type'] = 'application/json'
      const init = { method, headers, body: form ? body : body && JSON.stringify(body) }
      const answer = await fetch(`${server.url}/v25.0${path}`, init)
      const reply = { status: answer.status, body: (await answer.json()) as Reply['body'] }
      await server.settled()
      return reply
    },
    send: message =>
      scene.graph('POST', `/${server.number.id}/messages`, {
        messaging_product: 'whatsapp',
        to: ANA,
        ...message,
      }),
    async say(text) {
      return idOf(await scene.send({ type: 'text', text: { body: text } }))
    },
    async upload(type, bytes = samples[type]) {
      const { body } = await scene.graph('POST', `/${server.number.id}/media`, formOf(type, bytes))
      return body.id!
    },
    async end() {
      await server.settled()
      await server.close()
      await receiver.close()
      expect(server.errors).toEqual([])
      expect(server.unknown).toEqual([])
    },
  }
  return scene
}

/** The id under which a message was accepted. */
export function idOf({ body }: Reply): string {
  if (!body.messages) throw new Error(`not accepted: ${JSON.stringify(body)}`)
  return body.messages[0]!.id
}

/** The form of an upload. */
export function formOf(type: string, bytes: Uint8Array): FormData {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', type)
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'arquivo')
  return form
}
