import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownCertificate } from './certificate.ts'
import { type MediaFaultState, type MediaFaults, makeMediaFaults, type Sending } from './media-faults.ts'
import { type Gone, MediaStore } from './media-store.ts'
import { type BinaryNode, node } from './nodes.ts'

/** Where files are uploaded to and downloaded from, as `server.media`. */
export interface Media extends MediaFaults {
  /** `127.0.0.1:port`, as in the addresses of files. */
  host: string
  /** The host's certificate (PEM), for clients to trust. */
  certificate: string
  /** Accepted uploads and requested downloads, oldest first, by direct path. */
  uploads: string[]
  downloads: string[]
  /** Files stored so far are no longer served (410 or 404); a phone can upload them again. */
  expire(status?: Gone): void
}

export interface MediaHost extends Media {
  store: MediaStore
  /** The content of the answer to `media_conn`. */
  connection(): BinaryNode
  /** The whole address of a stored file. */
  url(directPath: string): string
  close(): Promise<void>
}

const PIECE = 16_384

/** Starts a host on 127.0.0.1. Mistakes of its clients (a wrong hash, no right to upload) go to `errors`. */
export async function startMediaHost(errors: Error[]): Promise<MediaHost> {
  const store = new MediaStore()
  const faults = makeMediaFaults()
  const auth = randomBytes(24).toString('base64url')
  const { key, cert } = ownCertificate()
  const server = createServer({ key, cert }, (request, response) => {
    const work = request.method === 'GET' ? handOut(request, response) : takeIn(request, response)
    work.catch(error => {
      // A client that goes away in the middle is no mistake.
      if (!request.destroyed) errors.push(error)
      response.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names = [`127.0.0.1:${port}`, `localhost:${port}`]

  async function takeIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readAll(request)
    const refusal = faults.uploadRefusal()
    const mistake = refusal ? undefined : mistakeIn(request, bytes, auth)
    if (mistake) errors.push(new Error(`upload refused: ${mistake}`))
    if (mistake || refusal) return answer(response, refusal ?? 400, { error: { code: refusal ?? 400 } })
    const direct_path = store.put(bytes)
    host.uploads.push(direct_path)
    answer(response, 200, { url: host.url(direct_path), direct_path })
  }

  async function handOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    host.downloads.push(path)
    const file = store.find(path)
    if (!file || file.gone) return answer(response, file?.gone ?? 404, {})
    const { bytes, range } = partOf(file.bytes, request.headers.range)
    if (range) response.setHeader('content-range', range)
    await send(response, range ? 206 : 200, faults.sending(bytes))
  }

  const host: MediaHost = {
    ...(faults satisfies MediaFaultState),
    host: names[0]!,
    certificate: cert,
    uploads: [],
    downloads: [],
    expire: (status = 410) => store.expire(status),
    store,
    // Two names, since Baileys tries the next host when an upload fails.
    connection: () =>
      node(
        'media_conn',
        { auth, ttl: '300', auth_ttl: '21600', max_buckets: '12' },
        names.map(hostname => node('host', { hostname })),
      ),
    url: directPath => `https://${names[0]}${directPath}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return host
}

/** What a client did wrong with its upload. The last part of the path is the hash of the file, so it must be. */
function mistakeIn({ method, url = '' }: IncomingMessage, bytes: Buffer, auth: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'https://host')
  const [, , kind = '', token = ''] = pathname.split('/')
  if (method !== 'POST') return `${method} is no way to upload`
  if (!/^\/mms\/(image|video|audio|document)\//.test(pathname)) return `nothing of the kind ${kind} is kept`
  if (searchParams.get('auth') !== auth) return 'the client has no right to upload'
  if (searchParams.get('token') !== token) return 'the token is not that of the path'
  const hash = createHash('sha256').update(bytes).digest('base64url')
  return hash === token ? undefined : 'the file is not the one that its hash names'
}

async function send(
  response: ServerResponse,
  status: number,
  { bytes, halfway, bytesPerSecond }: Sending,
): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
  const end = halfway ? Math.floor(bytes.length / 2) : bytes.length
  for (let at = 0; at < end && !response.destroyed; at += PIECE) {
    const piece = bytes.subarray(at, Math.min(at + PIECE, end))
    response.write(piece)
    if (bytesPerSecond) await sleep((piece.length * 1000) / bytesPerSecond)
  }
  if (!halfway) response.end()
  else if (halfway === 'break') response.socket?.destroySoon()
}

function partOf(bytes: Buffer, asked = ''): { bytes: Buffer; range?: string } {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(asked) ?? []
  if (from === undefined) return { bytes }
  const part = bytes.subarray(Number(from), to ? Number(to) + 1 : undefined)
  return { bytes: part, range: `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}` }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
