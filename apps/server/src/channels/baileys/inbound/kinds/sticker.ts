import { stillOf } from '../answers.ts'
import { fileRead } from './files.ts'
import { kindOf } from './kind.ts'

export const stickerKind = kindOf(
  ['stickerMessage'],
  {
    name: 'sticker',
    bubble: 'the sticker; of an animated one in the Lottie format its still',
    words: '–',
    bot: 'nothing',
  },
  part => stillOf(part) ?? fileRead('sticker', 'sticker', part),
)
