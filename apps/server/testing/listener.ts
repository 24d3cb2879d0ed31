import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface InboundEvent {
  headers: IncomingHttpHeaders
  body: string
}

/** A system that receives webhooks, and answers each with `status` and `answer`; both may be changed. */
export async function openListener(path: string, status: number) {
  const heard: InboundEvent[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += String(chunk)
    })
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      response.writeHead(listener.status).end(listener.answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const listener = {
    url: `http://127.0.0.1:${port}${path}`,
    heard,
    status,
    answer: '',
    close: () => server.close(),
  }
  return listener
}
export type HookListener = Awaited<ReturnType<typeof openListener>>

/** The signature that the Standard Webhooks specification asks for. */
export function signedAs({ headers, body }: InboundEvent, secret: string) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}
