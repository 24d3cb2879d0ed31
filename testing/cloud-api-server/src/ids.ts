import { createHash } from 'node:crypto'
import type { Random } from './random.ts'

/** A message's id: opaque, and shaped as Meta's are, with the chat's number inside. */
export function wamid(random: Random, chat: string, direction: 'in' | 'out'): string {
  const name = Buffer.from(random.hex(direction === 'out' ? 18 : 20))
  const bytes = Buffer.concat([
    Buffer.from([0x1c, 0x18, chat.length]),
    Buffer.from(chat),
    Buffer.from([0x15, 0x02, 0x00, direction === 'out' ? 0x11 : 0x12, 0x18, name.length]),
    name,
    Buffer.from([0x00]),
  ])
  return `wamid.${bytes.toString('base64')}`
}

/**
 * A business-scoped user id: another one for every portfolio, and for every number the person ever had.
 * ISO country code, a period, up to 128 letters and digits; parents have `ENT` between.
 */
export function userId(
  portfolio: string,
  number: string,
  { parent = false }: { parent?: boolean } = {},
): string {
  const hash = createHash('sha256').update(`${portfolio} ${number} ${parent}`).digest()
  return `${countryOf(number)}.${parent ? 'ENT.' : ''}${BigInt(`0x${hash.toString('hex', 0, 8)}`)}`
}

const countryOf = (number: string) =>
  number.startsWith('55') ? 'BR' : number.startsWith('351') ? 'PT' : number.startsWith('1') ? 'US' : 'AR'
