import type { Answer } from './call.ts'
import { GraphError } from './graph-error.ts'
import { Media } from './media.ts'
import type { State } from './state.ts'

/** The file behind a URL of `GET /{media-id}`. 404 when the URL is more than five minutes old, or the file is gone. */
export function downloadMedia(state: State, query: URLSearchParams, userAgent: string | undefined): Answer {
  const media = state.nodes.get(query.get('mid') ?? '')
  const step = state.faults.downloads.take()
  if (!userAgent) throw new GraphError('Bad request', { status: 403, code: 1 })
  if (step && 'status' in step) return notThere(step.status)
  if (!(media instanceof Media) || !media.opensWith(query.get('hash') ?? '')) return notThere(404)
  return {
    status: 200,
    body: step && 'spoil' in step ? spoilt(media.bytes, step.spoil) : media.bytes,
    type: media.mime,
  }
}

const notThere = (status: number): Answer => ({
  status,
  body: Buffer.from('URL signature expired'),
  type: 'text/plain',
})

function spoilt(bytes: Buffer, how: 'bytes' | 'end'): Buffer {
  if (how === 'end') return bytes.subarray(0, bytes.length >> 1)
  const copy = Buffer.from(bytes)
  copy[copy.length >> 1]! ^= 0xff
  return copy
}
