import type { IncomingMessage } from 'node:http'
import type { Token } from './token.ts'

/** One parsed request to Graph. */
export interface Call {
  method: string
  /** Without the version: what Graph names by an id, and one of its edges. */
  path: string[]
  version: string
  query: URLSearchParams
  /** From the query and the body. */
  params: Record<string, unknown>
  file: File | undefined
  bearer: string | undefined
  token: Token
  /** Does something once the answer is on its way. */
  afterwards(task: () => void): void
}

export interface Answer {
  status: number
  body: object | Buffer
  type?: string
  headers?: Record<string, string>
}

/** Reads the body as Graph does: JSON, a form, or a form with a file. What cannot be read counts as empty. */
export async function readParams(request: IncomingMessage, query: URLSearchParams) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  const { fields, file } = await fieldsOf(type, body)
  const asked = Object.fromEntries(query)
  return { params: { ...asked, ...fields } as Record<string, unknown>, file }
}

async function fieldsOf(
  type: string,
  body: Buffer,
): Promise<{ fields: Record<string, unknown>; file?: File }> {
  try {
    if (type.startsWith('multipart/form-data')) return await formOf(type, body)
    if (type.startsWith('application/x-www-form-urlencoded'))
      return { fields: Object.fromEntries(new URLSearchParams(body.toString())) }
    const fields = type.startsWith('application/json') && body.length > 0 ? JSON.parse(body.toString()) : {}
    return { fields: isObject(fields) ? fields : {} }
  } catch {
    return { fields: {} }
  }
}

async function formOf(type: string, body: Buffer) {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const entries = [...form]
  const file = entries.find(([name, value]) => name === 'file' && value instanceof File)?.[1]
  return {
    fields: Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')),
    file: file instanceof File ? file : undefined,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
