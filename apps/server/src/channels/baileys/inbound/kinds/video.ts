import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const videoKind = kindOf(
  ['videoMessage'],
  { name: 'film', bubble: 'the film, with its caption' },
  part => fileRead('video', 'video', part),
)
