import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { sealedSize, sealingWith } from './sealing.ts'

const key = 'b1f0c9a7e5d3428697a0b1c2d3e4f506'
const sealing = sealingWith(key)
const CHUNK = 65_536
const HEADER = 40

const seal = (bytes: Buffer, name = 'a') => buffer(sealing.seal(name, Readable.from([bytes])))
/** The bytes come in pieces that end anywhere. */
async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const open = (bytes: Buffer, name = 'a', by = sealing) => buffer(by.open(name, inPieces(bytes, 10_007)))

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 200_000])(
  '%i bytes are opened as they were sealed, and their sealed size is known before',
  async size => {
    const bytes = randomBytes(size)
    const sealed = await seal(bytes)
    expect(sealed.length).toBe(sealedSize(size))
    expect((await open(sealed)).equals(bytes)).toBe(true)
  },
)

test('the same bytes are sealed otherwise each time, and nothing of them is seen', async () => {
  const bytes = Buffer.alloc(CHUNK * 2, 'um recibo ')
  const [one, other] = [await seal(bytes), await seal(bytes)]
  expect(one.equals(other)).toBe(false)
  expect(one.includes('recibo')).toBe(false)
})

const whole = await seal(randomBytes(3 * CHUNK))
const chunk = CHUNK + 16
const at = (number: number) => whole.subarray(HEADER + number * chunk, HEADER + (number + 1) * chunk)
const changed = (where: number) => {
  const copy = Buffer.from(whole)
  copy[where] = copy[where]! ^ 1
  return copy
}
test.each([
  ['a bit of the content is changed', changed(HEADER + 7)],
  ['a bit of the salt is changed', changed(20)],
  ['it is cut off within a chunk', whole.subarray(0, whole.length - 9)],
  ['it is cut off behind a chunk', whole.subarray(0, HEADER + 2 * chunk)],
  ['it is cut off behind its header', whole.subarray(0, HEADER)],
  ['two chunks are exchanged', Buffer.concat([whole.subarray(0, HEADER), at(1), at(0), at(2)])],
  ['a chunk is there twice', Buffer.concat([whole.subarray(0, HEADER), at(0), at(0), at(1), at(2)])],
  ['a chunk is missing', Buffer.concat([whole.subarray(0, HEADER), at(0), at(2)])],
  ['something follows', Buffer.concat([whole, Buffer.from('x')])],
])('it is not opened where %s', async (_what, bytes) => {
  await expect(open(bytes)).rejects.toThrow(/damaged, cut off, or sealed with another BACKUP_KEY|is cut off/)
})

test('it is not opened with another key, under another name, or in a format of a newer version, each in one line', async () => {
  await expect(open(whole, 'a', sealingWith(`${key}0`))).rejects.toThrow('sealed with another BACKUP_KEY')
  await expect(open(whole, 'b')).rejects.toThrow('b is damaged')
  const newer = Buffer.from(whole)
  newer[7] = 2
  await expect(open(newer)).rejects.toThrow('a has the format 2, which a newer version wrote')
  await expect(open(Buffer.from('PK\x03\x04 a zip file that is long enough'))).rejects.toThrow(
    'no sealed object',
  )
})
