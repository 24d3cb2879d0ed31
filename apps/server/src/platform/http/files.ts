import { Readable } from 'node:stream'
import type { Route } from '@balcao/contract/kit.ts'
import { MAX_FILES } from '@balcao/contract/media.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '../app.ts'
import { Refusal, refuse } from '../errors.ts'
import type { OpenedFile, Range, StoredFile } from '../files/files.ts'
import { addressOf, fileAsked } from '../files/served.ts'
import type { Download, Guard } from './routes.ts'

const MB = 1_048_576

/** Lets calls carry files. Each kind's own limit is kept by the files themselves. */
export const acceptFiles = (app: FastifyInstance) =>
  app.register(multipart, {
    limits: { files: MAX_FILES, fields: 50, fieldSize: MB, fileSize: 101 * MB, parts: MAX_FILES + 50 },
  })

/**
 * Reads a multipart call: its fields, `bodyBytes` together at most, and its files as they are kept by now. One that is larger
 * than `fileBytes` is never written. Refuses with ERR_FILE_TYPE or ERR_FILE_TOO_LARGE, with ERR_NO_LIMIT_STORAGE, and leaves no
 * file behind then.
 */
export async function readForm(
  { files }: Platform,
  request: FastifyRequest,
  companyId: number,
  { fileBytes, bodyBytes = MB }: Pick<Route, 'fileBytes' | 'bodyBytes'> = {},
) {
  const fields: Record<string, unknown> = {}
  const kept: StoredFile[] = []
  let left = bodyBytes
  try {
    for await (const part of partsOf(request, bodyBytes)) {
      if (part.type === 'file' && kept.length === 0) await files.askRoom(companyId)
      if (part.type === 'field') {
        left -= Buffer.byteLength(String(part.value))
        if (left < 0) refuse('ERR_FILE_TOO_LARGE', { message: 'The body is too large' })
        fields[part.fieldname] = besides(fields, part.fieldname, part.value)
      } else {
        const content =
          fileBytes === undefined ? whole(part.file) : await inMemory(part.file, part.fieldname, fileBytes)
        // a part may have a type and no name
        kept.push(await files.put(companyId, content, { name: part.filename ?? '', type: part.mimetype }))
      }
    }
  } catch (error) {
    // the rest is discarded: the next call follows on this connection
    request.raw.unpipe()
    request.raw.resume()
    await discard(files, companyId, kept)
    throw error
  }
  return { fields, kept }
}

/** A repeated field is the list of its values. */
const besides = (fields: Record<string, unknown>, name: string, value: unknown) =>
  Object.hasOwn(fields, name) ? [fields[name], value].flat() : value

/** The parts of a form. Refuses with ERR_BAD_REQUEST when it has no boundary or breaks off. */
async function* partsOf(request: FastifyRequest, fieldSize: number) {
  try {
    yield* request.parts({ limits: { fieldSize } })
  } catch (error) {
    // its own refusals, such as too many parts, have a status
    throw (error as { statusCode?: number }).statusCode ? error : brokenForm(error)
  }
}

async function* whole(file: AsyncIterable<Uint8Array>) {
  try {
    yield* file
  } catch (error) {
    throw brokenForm(error)
  }
}

/** A small file, whole before anything is done with it. */
async function inMemory(file: AsyncIterable<Uint8Array>, field: string, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of whole(file)) {
    size += part.length
    if (size > limit) refuse('ERR_FILE_TOO_LARGE', { field, details: { limit } })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const brokenForm = (error: unknown) =>
  new Refusal('ERR_BAD_REQUEST', { field: 'body', message: (error as Error).message })

/** Removes the files of a failed call. */
export async function discard(files: Platform['files'], companyId: number, kept: StoredFile[]) {
  for (const { key } of kept) await files.remove(companyId, key)
}

/** Files of the caller's company by their unguessable names (OP-82), as far as the user may read what names them; whole or in part. */
export function serveFiles(app: FastifyInstance, platform: Platform, enter: Enter, guards: Guard[]) {
  app.get<{ Params: { key: string } }>('/media/:key', async (request, reply) => {
    const { viewer } = await enter(request, reply)
    const { key } = request.params
    const range = bytesAsked(request.headers.range)
    const asked = { address: addressOf(key), isRefused: false }
    const scope = platform.scopes.inCompany(viewer.companyId, viewer, request.id)
    await scope.list(tx => tx.involve(fileAsked, asked))
    if (asked.isRefused) return refuse('ERR_NOT_FOUND')
    for (const { checkFile } of guards) await checkFile(platform, viewer, asked.address)
    const file = await platform.files.open(viewer.companyId, key, range)
    return sendFile(reply, file, range)
  })
}

type Enter = (request: FastifyRequest, reply: FastifyReply) => Promise<{ viewer: Viewer }>

export function sendFile(
  reply: FastifyReply,
  { stream, size, name, type, inline }: OpenedFile,
  range?: Range,
) {
  reply.headers({
    ...headersOf({ name, type, inline }),
    'accept-ranges': 'bytes',
    'content-length': range ? Math.min(range.end, size - 1) - range.start + 1 : size,
  })
  if (range)
    reply.code(206).header('content-range', `bytes ${range.start}-${Math.min(range.end, size - 1)}/${size}`)
  return reply.send(stream)
}

/** A file that is made while it is sent. */
export const sendMade = (reply: FastifyReply, type: string, { name, content }: Download) =>
  reply.headers(headersOf({ name, type, inline: false })).send(Readable.from(content, { objectMode: false }))

const headersOf = ({ name, type, inline }: Pick<OpenedFile, 'name' | 'type' | 'inline'>) => ({
  'content-type': type,
  'content-disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
  // no copy outlives the session that read it: the web app keeps in memory what it shows
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
})

/** `bytes=0-99` or `bytes=100-`; anything else asks for the whole. */
export function bytesAsked(header: string | undefined): Range | undefined {
  const [, start, end] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (start === undefined) return undefined
  const range = { start: Number(start), end: end ? Number(end) : Number.MAX_SAFE_INTEGER }
  return range.start <= range.end ? range : refuse('ERR_BAD_REQUEST', { field: 'range' })
}
