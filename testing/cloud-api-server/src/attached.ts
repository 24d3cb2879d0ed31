import { badParameter } from './graph-error.ts'
import { Media } from './media.ts'
import type { MediaKind } from './media-kinds.ts'
import type { PhoneNumber } from './phone-number.ts'

/** A file that goes with a message: at Meta, or where Meta is to fetch it. */
export interface Attached {
  kind: MediaKind
  voice: boolean
  media?: Media
  link?: string
}

/** The file of an id or a link. Throws when this number uploaded no such id. */
export function attach(
  number: PhoneNumber,
  kind: MediaKind,
  { id, link }: { id?: string; link?: string },
  param: string,
  { voice = false }: { voice?: boolean } = {},
): Attached {
  if (link !== undefined) return { kind, voice, link }
  const media = number.state.nodes.get(id ?? '')
  if (!(media instanceof Media) || media.number !== number || media.expired)
    throw badParameter(`Param ${param}['id'] is not a valid whatsapp business account media attachment ID`)
  return { kind, voice, media }
}
