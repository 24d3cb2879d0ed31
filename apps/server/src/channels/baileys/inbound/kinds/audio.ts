import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const audioKind = kindOf(['audioMessage'], { name: 'sound or voice note', bubble: 'a player' }, part =>
  fileRead('audio', 'audio', part),
)
