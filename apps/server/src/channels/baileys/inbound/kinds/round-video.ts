import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const roundVideoKind = kindOf(['ptvMessage'], { name: 'round film', bubble: 'the film' }, part =>
  fileRead('video', 'ptv', part),
)
