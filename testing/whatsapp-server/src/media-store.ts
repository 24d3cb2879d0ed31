import { randomBytes } from 'node:crypto'

/** Why the host no longer serves a file. */
export type Gone = 404 | 410

interface StoredFile {
  bytes: Buffer
  gone?: Gone
}

/** The encrypted files of one server, by the path that messages carry. Only the endpoints can decrypt them. */
export class MediaStore {
  readonly #files = new Map<string, StoredFile>()

  /** Keeps a file. Returns its direct path. */
  put(bytes: Buffer, extension = 'enc'): string {
    const path = `/v/t62.7118-24/${randomBytes(16).toString('hex')}.${extension}`
    this.#files.set(path, { bytes })
    // As the real paths, with a query that must survive every way to the host.
    return `${path}?ccb=11-4&oh=01_${randomBytes(6).toString('hex')}&oe=68A00000`
  }

  find(directPath: string): StoredFile | undefined {
    return this.#files.get(withoutQuery(directPath))
  }

  /** All files stored so far are no longer served. */
  expire(status: Gone): void {
    for (const file of this.#files.values()) file.gone = status
  }

  /** What a phone does that still has an expired file: uploads it again. Returns the new path, if there was a file. */
  renew(directPath: string): string | undefined {
    const file = this.find(directPath)
    return file && this.put(file.bytes)
  }
}

const withoutQuery = (directPath: string) => directPath.split('?')[0]!
