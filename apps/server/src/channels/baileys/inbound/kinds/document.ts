import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const documentKind = kindOf(
  ['documentMessage'],
  { name: 'document', bubble: 'its name, size and caption' },
  part => fileRead('document', 'document', part),
)
