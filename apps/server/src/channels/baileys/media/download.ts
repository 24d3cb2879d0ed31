import { Readable } from 'node:stream'
import type { WAMessage, WASocket } from 'baileys'
import { Gone } from '../../../driver.ts'
import { unseal } from './decrypt.ts'
import { Expired, fetchBytes } from './fetch.ts'
import { type FileSource, type PictureSource, readSource } from './sources.ts'

/** A phone that is in reach answers within seconds; another one when it comes back. */
const ASK_MS = 20_000
/** So many questions may wait for the phone at a time. */
const MOST_ASKED = 50
const PICTURE_MS = 10_000
const WHATSAPP = /(^|\.)whatsapp\.net$/
/** What the phone answers when it has the file no more, or cannot identify it. */
const LOST = new Set([404, 412])

type Sock = Pick<WASocket, 'getMediaHost' | 'updateMediaMessage' | 'profilePictureUrl'>

/** The files of one socket. */
export interface Downloads {
  /** Throws `Gone` when neither the host nor the phone has it; anything else may work another time. */
  open(source: string): Promise<Readable>
}

export function createDownloads(sock: Sock): Downloads {
  const asked = new Map<string, Promise<FileSource>>()

  async function openFile(source: FileSource): Promise<Readable> {
    const sealed = await fetchFile(source).catch(async error => {
      if (error instanceof Expired) return fetchFile(await uploadedAgain(source))
      throw error
    })
    return Readable.from(unseal(sealed, source), { objectMode: false })
  }

  const fetchFile = (source: FileSource) => fetchBytes(mediaAddressOf(source, sock.getMediaHost()))

  /** Asks the phone once, however often the file is wanted meanwhile. */
  async function uploadedAgain(source: FileSource): Promise<FileSource> {
    const { id } = source.key
    if (!asked.has(id) && asked.size >= MOST_ASKED) throw new Error('the phone is asked for too many files')
    const answer = asked.get(id) ?? ask(source).finally(() => asked.delete(id))
    asked.set(id, answer)
    answer.catch(() => {})
    const timer = Promise.withResolvers<never>()
    const over = setTimeout(() => timer.reject(new Error('the phone has not answered yet')), ASK_MS)
    return Promise.race([answer, timer.promise]).finally(() => clearTimeout(over))
  }

  async function ask(source: FileSource): Promise<FileSource> {
    const { type, mediaKey, key } = source
    const part = { mediaKey: Buffer.from(mediaKey, 'base64'), directPath: source.directPath }
    const message: WAMessage = { key, message: { [`${type}Message`]: part } }
    await sock.updateMediaMessage(message).catch(error => {
      throw LOST.has(error?.output?.statusCode) ? new Gone('the phone does not have the file') : error
    })
    return {
      ...source,
      url: '',
      directPath: (message.message as Record<string, typeof part>)[`${type}Message`]!.directPath,
    }
  }

  async function openPicture({ jid, url }: PictureSource): Promise<Readable> {
    const bytes = await fetchBytes(url).catch(async error => {
      if (!(error instanceof Expired)) throw error
      const now = await sock.profilePictureUrl(jid, 'image', PICTURE_MS).catch(() => undefined)
      if (!now || now === url) throw new Gone('the picture was taken away')
      return fetchBytes(now)
    })
    return Readable.from(bytes, { objectMode: false })
  }

  return {
    async open(source) {
      const found = readSource(source)
      return found.kind === 'file' ? openFile(found) : openPicture(found)
    },
  }
}

/** Senders write both parts of an address: it must lead to WhatsApp's hosts and nowhere else. Throws `Gone` if not. */
export function mediaAddressOf(
  { url, directPath }: Pick<FileSource, 'url' | 'directPath'>,
  mediaHost: string,
): string {
  const given = hostOf(url)
  const isTrusted = (host: string | null) => host !== null && (host === mediaHost || WHATSAPP.test(host))
  if (!directPath) {
    if (isTrusted(given)) return url
    throw new Gone('there is no address')
  }
  const host = isTrusted(given) ? given! : mediaHost
  const address = `https://${host}${directPath}`
  if (hostOf(address) !== host) throw new Gone('this address leads elsewhere')
  return address
}

function hostOf(url: string): string | null {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && !parsed.username ? parsed.host : null
}
