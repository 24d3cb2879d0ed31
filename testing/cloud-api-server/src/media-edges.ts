import { z } from 'zod'
import type { Answer, Call } from './call.ts'
import { badParameter, noSuchObject } from './graph-error.ts'
import { Media } from './media.ts'
import { LARGEST, plainType, UPLOADABLE } from './media-kinds.ts'
import type { PhoneNumber } from './phone-number.ts'
import { read } from './reading.ts'

const Upload = z.object({ messaging_product: z.literal('whatsapp'), type: z.string().optional() })

/** Stores a file. Whether it fits the kind it is sent as is checked later. */
export async function uploadMedia(number: PhoneNumber, { params, file }: Call): Promise<Answer> {
  const { type } = read(Upload, params)
  if (!file) throw badParameter('The parameter file is required.')
  const mime = type?.includes('/') ? type : file.type
  if (!UPLOADABLE.includes(plainType(mime)))
    throw badParameter(
      `Param file must be a file with one of the following types: ${UPLOADABLE.join(', ')}. Received file of type '${mime}'.`,
    )
  if (file.size > LARGEST) throw badParameter(`Param file must be at most ${LARGEST} bytes.`)
  const media = new Media(number, mime, Buffer.from(await file.arrayBuffer()), 'upload')
  return { status: 200, body: { id: media.id } }
}

/** Where the file is for the next five minutes, and what it is. */
export function describeMedia(media: Media, call: Call): Answer {
  sameNumber(media, call)
  return {
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      url: media.newUrl(),
      mime_type: media.mime,
      sha256: media.hash('hex'),
      file_size: media.bytes.length,
      id: media.id,
    },
  }
}

export function deleteMedia(media: Media, call: Call): Answer {
  sameNumber(media, call)
  media.expire()
  return { status: 200, body: { success: true } }
}

/** A number in the query must be the one that the file belongs to. */
function sameNumber({ id, number }: Media, { query, method }: Call) {
  const asked = query.get('phone_number_id')
  if (asked !== null && asked !== number.id) throw noSuchObject(method, id)
}
