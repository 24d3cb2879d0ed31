import { kindOf } from './kind.ts'

export const product = kindOf(
  ['productMessage'],
  { name: 'product of a catalogue', bubble: 'its text, else its title' },
  part => ({ mediaType: 'productMessage', body: part.body || part.product?.title }),
)
