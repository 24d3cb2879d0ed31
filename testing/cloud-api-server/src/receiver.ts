import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as a receiver sees it. */
export interface Taken {
  signature: string | undefined
  /** Whether the signature is that of the raw bytes. */
  genuine: boolean
  raw: string
  body: WebhookPost
}

export interface WebhookPost {
  object: string
  entry: { id: string; time?: number; changes: { field: string; value: Value }[] }[]
}

interface Value {
  [name: string]: unknown
  messages?: { [name: string]: unknown; id: string; type: string }[]
  statuses?: { [name: string]: unknown; id: string; status: string }[]
  message_echoes?: object[]
  state_sync?: object[]
  history?: {
    metadata: { phase: number; chunk_order: number; progress: number }
    threads: { messages: { type: string }[] }[]
  }[]
}

/** The smallest program that webhooks can be sent to. */
export interface Receiver {
  url: string
  taken: Taken[]
  /** All messages, all statuses, in the order in which they came. */
  messages(): NonNullable<Value['messages']>
  statuses(): NonNullable<Value['statuses']>
  /** All values of a field. */
  values(field: string): Value[]
  /** What the next deliveries are answered with; 200 afterwards. 0 never answers, -1 breaks the connection. */
  answers: number[]
  close(): Promise<void>
}

export const VERIFY_TOKEN = 'padaria'

export async function startReceiver(secret: () => string): Promise<Receiver> {
  const taken: Taken[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return shakeHands(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const signature = request.headers['x-hub-signature-256'] as string | undefined
    const genuine = signature === `sha256=${createHmac('sha256', secret()).update(raw).digest('hex')}`
    taken.push({ signature, genuine, raw: raw.toString(), body: JSON.parse(raw.toString()) })
    const answer = answers.shift() ?? 200
    if (answer === 0) return
    if (answer === -1) return request.socket.resetAndDestroy()
    response.writeHead(answer).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const changes = () => taken.flatMap(({ body }) => body.entry).flatMap(({ changes }) => changes)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    taken,
    answers,
    messages: () => changes().flatMap(({ value }) => value.messages ?? []),
    statuses: () => changes().flatMap(({ value }) => value.statuses ?? []),
    values: field => changes().flatMap(change => (change.field === field ? [change.value] : [])),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function shakeHands(request: IncomingMessage, response: ServerResponse) {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const knows = searchParams.get('hub.verify_token') === VERIFY_TOKEN
  if (searchParams.get('hub.mode') !== 'subscribe' || !knows) return response.writeHead(403).end()
  response.end(searchParams.get('hub.challenge'))
}
