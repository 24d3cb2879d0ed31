import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Config } from '../src/platform/config.ts'

export interface S3Server {
  s3: S3Config
  /** By their path, with the bucket. */
  objects: Map<string, { body: Buffer; headers: Record<string, string> }>
  /** What lies there, finished or not. */
  paths(): string[]
  close(): void
}

/** The part of the S3 protocol that the client uses, over objects in memory. */
export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, { body: Buffer; headers: Record<string, string> }>()
  const uploads = new Map<string, { parts: Buffer[]; headers: Record<string, string> }>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3.test')
    const body = await buffer(request).catch(() => null)
    if (!body) return
    const upload = searchParams.get('uploadId') ?? ''
    if (request.method === 'POST' && searchParams.has('uploads')) {
      const made = randomBytes(4).toString('hex')
      uploads.set(made, { parts: [], headers: kept(request) })
      return xml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (request.method === 'PUT' && upload) {
      uploads.get(upload)!.parts[Number(searchParams.get('partNumber')) - 1] = body
      return response.setHeader('ETag', '"part"').end()
    }
    if (request.method === 'POST' && upload) {
      const { parts, headers } = uploads.get(upload)!
      objects.set(pathname, { body: Buffer.concat(parts), headers })
      uploads.delete(upload)
      return xml(
        response,
        '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>',
      )
    }
    if (request.method === 'PUT') {
      objects.set(pathname, { body, headers: kept(request) })
      return response.setHeader('ETag', '"whole"').end()
    }
    if (request.method === 'DELETE') {
      if (upload) uploads.delete(upload)
      else objects.delete(pathname)
      return response.writeHead(204).end()
    }
    if (searchParams.has('list-type')) return list(response, objects, searchParams.get('prefix')!)
    send(response, objects.get(pathname), request.headers.range)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const s3 = {
    bucket: 'balcao',
    region: 'sa-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: 'id',
    secretAccessKey: 'key',
    forcePathStyle: true,
  }
  return {
    s3,
    objects,
    paths: () => [...objects.keys(), ...[...uploads.keys()].map(id => `unfinished ${id}`)],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const xml = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)

const BUCKET = '/balcao/'

const list = (response: ServerResponse, objects: Map<string, { body: Buffer }>, prefix: string) =>
  xml(
    response,
    `<ListBucketResult><IsTruncated>false</IsTruncated>${[...objects]
      .map(([path, { body }]) => ({ key: path.slice(BUCKET.length), size: body.length }))
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, size }) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`)
      .join('')}</ListBucketResult>`,
  )

const kept = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-') || name === 'content-type'),
  ) as Record<string, string>

function send(
  response: ServerResponse,
  object: { body: Buffer; headers: Record<string, string> } | undefined,
  range?: string,
) {
  if (!object) return xml(response, '<Error><Code>NoSuchKey</Code></Error>', 404)
  for (const [name, value] of Object.entries(object.headers)) response.setHeader(name, value)
  const { body } = object
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (!start) return response.setHeader('content-length', body.length).end(body)
  if (Number(start) >= body.length) return xml(response, '<Error><Code>InvalidRange</Code></Error>', 416)
  response.setHeader(
    'content-range',
    `bytes ${start}-${Math.min(Number(end), body.length - 1)}/${body.length}`,
  )
  response.writeHead(206).end(body.subarray(Number(start), Number(end) + 1))
}
