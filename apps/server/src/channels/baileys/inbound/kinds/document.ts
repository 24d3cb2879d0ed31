import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const document = kindOf(
  ['documentMessage'],
  { name: 'document', bubble: 'its name, size and caption' },
  part => fileRead('document', 'document', part),
)
