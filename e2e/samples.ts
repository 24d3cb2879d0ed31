import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/** Small files that a browser really opens. */
export interface Sample {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A picture of one colour. */
export function picture(name = 'foto.png', width = 320, height = 200): Sample {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7f)])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const buffer = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { name, mimeType: 'image/png', buffer }
}

/** The smallest WebP there is. */
export const sticker = (name = 'oi.webp'): Sample => ({
  name,
  mimeType: 'image/webp',
  buffer: Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
})

/** Some seconds of a tone, as WAV. */
export function sound(name = 'som.wav', seconds = 3): Sample {
  const rate = 8_000
  const tone = Int16Array.from({ length: rate * seconds }, (_, at) => 8_000 * Math.sin(at / 4))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + tone.byteLength, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(tone.byteLength, 40)
  return { name, mimeType: 'audio/wav', buffer: Buffer.concat([head, Buffer.from(tone.buffer)]) }
}

export const paper = (name = 'nota.pdf', text = 'nota'): Sample => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`),
})

/** A document of so many bytes that no compression makes smaller. */
export const thickPaper = (name: string, bytes: number): Sample => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(bytes), Buffer.from('\n%%EOF\n')]),
})

/** A film of a moving square, recorded and encoded by the browser of a page. */
export async function film(page: Page, name = 'passeio.webm'): Promise<Sample> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const pen = Object.assign(canvas, { width: 160, height: 120 }).getContext('2d')!
    let at = 0
    const draw = setInterval(() => {
      pen.fillStyle = '#0f6175'
      pen.fillRect(0, 0, 160, 120)
      pen.fillStyle = '#e5a33d'
      pen.fillRect(at++ % 130, 45, 30, 30)
    }, 40)
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => void parts.push(data)
    const stopped = new Promise(done => {
      recorder.onstop = done
    })
    recorder.start()
    setTimeout(() => recorder.stop(), 2_000)
    await stopped
    clearInterval(draw)
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
  })
  return { name, mimeType: 'video/webm', buffer: Buffer.from(base64, 'base64') }
}

/** The beginning of a video: enough to be detected as one, too short to be shown. */
export const brokenFilm = (name = 'filme.mp4'): Sample => ({
  name,
  mimeType: 'video/mp4',
  buffer: Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'), Buffer.alloc(64)]),
})

function chunk(kind: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
