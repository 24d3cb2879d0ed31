import type { Readable } from 'node:stream'
import { turnsNamed } from '@balcao/contract/turning.rules.ts'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { type Link, pathOf, signedId } from '../access/links.ts'
import type { Secrets } from '../access/secrets.ts'
import type { Config } from '../config.ts'
import { inTime, type WatchedServer, watchServer } from '../observe/servers.ts'
import { OutsideCalls } from './calls.ts'
import { endsWithin } from './flow.ts'
import { htmlOf, type Letter, textOf } from './letter.ts'

/** The server refuses the e-mail finally: its address or content, not the moment. */
export class LetterRefused extends Error {}

export interface Mail {
  /** False without SMTP_URL: nothing is sent, and callers report it. */
  isSetUp: boolean
  /** Passes an e-mail to the SMTP server. Throws LetterRefused when it is final; any other error is temporary. */
  send(letter: SentLetter): Promise<void>
  /** Null without SMTP_URL. */
  server: WatchedServer | null
  close(): void
}

export interface SentLetter {
  id: string
  to: string
  letter: Letter
  link: Link | null
  /** The bytes of the file that the letter names by its key. */
  file?: Readable
}

/** The longest wait (ms) for a server that hangs. */
const PATIENCE_MS = 10_000
/** So many times that long may a letter take. */
const LETTER = 6

/** How often (ms) the server is asked whether it accepts us: a login each. */
const LOOK_MS = 5 * 60_000

export function openMail(
  config: Config,
  secrets: Pick<Secrets, 'links'>,
  log: Logger,
  {
    calls = new OutsideCalls(),
    patienceMs = PATIENCE_MS,
  }: { calls?: OutsideCalls; patienceMs?: number } = {},
): Mail {
  const { smtpUrl, mailFrom, backendUrl, platformName } = config
  if (!smtpUrl || !mailFrom) return notSetUp
  const transport = transportTo(smtpUrl, patienceMs)
  const host = new URL(backendUrl).hostname
  const server = watchServer({
    ...{ what: 'the mail server', place: new URL(smtpUrl).host, log, everyMs: LOOK_MS },
    ask: () => transport.verify(),
    lacks: 'letters wait',
  })
  return {
    isSetUp: true,
    server,
    async send({ id, to, letter, link, file }) {
      const address = link && backendUrl + pathOf(secrets.links, link)
      const sent = {
        from: mailFrom,
        to: { name: '', address: to },
        ...contentOf(letter, address, platformName),
        ...attachedTo(letter, file),
        // the same each time it is tried: who gets it twice sees it once
        messageId: `<${id}@${host}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(link?.purpose === 'report' &&
            endsAtOnce(backendUrl + END_PATH + signedId(secrets.links, link))),
        },
      }
      // a server that says a byte now and then is never silent
      const work = () => endsWithin(LETTER * patienceMs, () => transport.sendMail(sent))
      await calls.run({ target: 'mail', companyId: null }, work).then(
        () => server.note(null),
        error => rethrow(error, server),
      )
    },
    close() {
      server.close()
      transport.close()
    },
  }
}

const transportTo = (url: string, patienceMs: number) =>
  createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/** Why the mail server does not let us in; null where it does. */
export async function mailFailure(smtpUrl: string): Promise<unknown> {
  const transport = transportTo(smtpUrl, PATIENCE_MS)
  const failure = await inTime(() => transport.verify()).then(
    () => null,
    (error: unknown) => error,
  )
  transport.close()
  return failure
}

const notSetUp: Mail = {
  isSetUp: false,
  send: () => Promise.reject(new Error('SMTP_URL is not set')),
  server: null,
  close: () => {},
}

/** Behind it the link of a letter that comes by itself. */
export const END_PATH = '/report/mail/end/'

/** RFC 8058: the mail program of the recipient ends it with one call. */
const endsAtOnce = (address: string) => ({
  'List-Unsubscribe': `<${address}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const contentOf = (letter: Letter, address: string | null, platformName: string) => ({
  subject: turnsNamed(letter.subject),
  text: textOf(letter, address, platformName),
  html: htmlOf(letter, address, platformName),
})

const attachedTo = ({ file }: Letter, bytes?: Readable) =>
  file && {
    attachments: [{ filename: file.name, contentType: file.type, content: bytes ?? file.text ?? '' }],
  }

/** RFC 5321, 4.2.1: 5yz will fail again. Only of the letter and its address: a wrong password can be mended. */
function rethrow(error: Error & { responseCode?: number; code?: string }, server: WatchedServer): never {
  const forever = (error.responseCode ?? 0) >= 500 && OF_LETTER.includes(error.code ?? '')
  // it answered, and refused this letter
  server.note((error.responseCode ?? 0) >= 400 && OF_LETTER.includes(error.code ?? '') ? null : error)
  throw forever ? new LetterRefused(error.message, { cause: error }) : error
}

/** https://nodemailer.com/usage: what the server says of one letter. */
const OF_LETTER = ['EENVELOPE', 'EMESSAGE']
