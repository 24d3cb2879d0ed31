/** Small valid files of each type, each with different bytes. */
let last = 0
const some = () => Buffer.from(`sample ${++last}`)
const of = (head: number[] | string, name: string, type: string) => ({
  name,
  type,
  bytes: new Uint8Array(Buffer.concat([Buffer.from(head as string), Buffer.alloc(64), some()])),
})

export const picture = (name = 'foto.png') =>
  of([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52], name, 'image/png')
export const photo = (name = 'foto.jpg') =>
  of([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0], name, 'image/jpeg')
export const sticker = () => of('RIFF\x40\0\0\0WEBPVP8 ', 'figurinha.webp', 'image/webp')
export const film = () => of('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'filme.mp4', 'video/mp4')
export const sound = () => of([0xff, 0xfb, 0x90, 0x64], 'musica.mp3', 'audio/mpeg')
export const voice = () =>
  of('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead\x01', 'voz.ogg', 'audio/ogg')
export const paper = (name = 'nota.pdf') => of('%PDF-1.4\n', name, 'application/pdf')
/** Nothing that anybody recognises. */
export const riddle = () => of([0, 1, 2, 3, 4, 5, 6, 7], 'coisa.xyz', 'application/x-thing')
