import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'

/** A request that another system received. */
export interface ReceivedCall {
  path: string
  id: string
  type: string
  body: string
  data: Record<string, unknown>
  /** Whether the signature matches the secret. */
  isSignedWith(secret: string): boolean
}

export interface Receiver {
  url(path: string): string
  told: ReceivedCall[]
  /** What is answered on a path from now on, and to who waits there; `null`: nothing. */
  answer(path: string, status: number | null): void
  close(): void
}

/** Another system with an address for webhooks: it keeps what it receives and answers 204. */
export async function startReceiver(): Promise<Receiver> {
  const told: ReceivedCall[] = []
  const answers = new Map<string, number | null>()
  const waiting: { path: string; end(status: number): void }[] = []
  const server = createServer((request, response) => {
    const path = request.url!
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      told.push(read(path, request.headers as Record<string, string>, Buffer.concat(parts).toString()))
      const end = (status: number) => void response.writeHead(status).end()
      const status = answers.get(path)
      if (status === null) waiting.push({ path, end })
      else end(status ?? 204)
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    told,
    url: path => `http://127.0.0.1:${port}${path}`,
    answer(path, status) {
      answers.set(path, status)
      if (status !== null) for (const one of waiting) if (one.path === path) one.end(status)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function read(path: string, headers: Record<string, string>, body: string): ReceivedCall {
  const id = headers['webhook-id']!
  return {
    ...{ path, id, body },
    ...(JSON.parse(body) as Pick<ReceivedCall, 'type' | 'data'>),
    isSignedWith(secret) {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const text = `${id}.${headers['webhook-timestamp']}.${body}`
      return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(text).digest('base64')}`
    },
  }
}
