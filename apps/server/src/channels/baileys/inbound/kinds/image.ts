import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const imageKind = kindOf(
  ['imageMessage'],
  { name: 'picture', bubble: 'the picture, with its caption' },
  part => fileRead('image', 'image', part),
)
