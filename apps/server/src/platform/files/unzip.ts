import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflate } from 'node:zlib'
import yauzl from 'yauzl'

/** How much of an archive is read. */
export interface ArchiveBounds {
  entries: number
  /** Bytes that are unpacked, of all entries together. */
  unpacked: number
  /** Beyond `harmless` unpacked bytes there may be at most `ratio` for each byte of the file. */
  harmless: number
  ratio: number
}

/** An opened ZIP file. */
export interface Archive {
  /** The entries in the order of the directory, and the sizes that it says: nothing proves these before it is unpacked. */
  sizes: Map<string, number>
  /** The bytes of an entry. Throws where there is none of that name, it is damaged, or more is unpacked than the bounds allow. */
  bytes(name: string): AsyncGenerator<Buffer, void, undefined>
  close(): void
}

export class ArchiveTooLarge extends Error {}

/**
 * The one reader of ZIP files. It believes the directory at the end of the file alone, so that no second list of entries
 * can say something else (`npm run check` refuses other readers); bytes are counted as they are unpacked. Throws where the
 * file is no ZIP file, names an entry twice, or has too many entries (ArchiveTooLarge). Without bounds for files of an operator.
 */
export async function openArchive(file: string, bounds?: ArchiveBounds): Promise<Archive> {
  const zip = await yauzl.openPromise(file, { autoClose: false })
  try {
    const entries = await entriesOf(zip, bounds?.entries ?? Number.POSITIVE_INFINITY)
    const count = counter(zip.fileSize, bounds)
    return {
      sizes: new Map([...entries].map(([name, { uncompressedSize }]) => [name, uncompressedSize])),
      async *bytes(name) {
        const entry = entries.get(name)
        if (!entry) throw new Error(`${name} is missing`)
        for await (const chunk of checkedBytes(zip, entry)) {
          count(chunk.length)
          yield chunk
        }
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** What a zlib stream holds, whole. Throws where it is damaged or cut off, and ArchiveTooLarge beyond `most` bytes. */
export async function inflated(packed: Readable, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let unpacked = 0
  await pipeline(packed, createInflate(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      unpacked += chunk.length
      if (unpacked > most) throw new ArchiveTooLarge(`it unpacks to more than ${most} bytes`)
      parts.push(chunk)
    }
  })
  return Buffer.concat(parts)
}

async function entriesOf(zip: yauzl.ZipFile, most: number) {
  const entries = new Map<string, yauzl.Entry>()
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= most) throw new ArchiveTooLarge(`it has more than ${most} entries`)
    if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`)
    entries.set(entry.fileName, entry)
  }
  return entries
}

function counter(packed: number, bounds: ArchiveBounds | undefined) {
  let unpacked = 0
  return (length: number) => {
    unpacked += length
    if (!bounds) return
    const isBomb = unpacked > bounds.harmless && unpacked > packed * bounds.ratio
    if (isBomb || unpacked > bounds.unpacked)
      throw new ArchiveTooLarge(`it unpacks to ${unpacked} bytes or more`)
  }
}

/** The bytes of an entry; throws behind its end where they are not what was written, which yauzl does not compare. */
async function* checkedBytes(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncIterable<Buffer> {
  let sum = 0
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw new Error(`${entry.fileName} is damaged`)
}
