import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'
import { type Link, pathOf } from './links.ts'
import { htmlOf, type Letter, textOf } from './mail.letter.ts'
import type { Secrets } from './secrets.ts'

/** A letter that its server will never take: the address is refused, not the moment. */
export class LetterRefused extends Error {}

export interface Mail {
  /** False without SMTP_URL: nothing is sent, and whoever asks says so. */
  isSetUp: boolean
  /** Hands a letter to the SMTP server. Throws LetterRefused for ever, anything else for now. */
  send(letter: { id: string; to: string; letter: Letter; link: Link | null }): Promise<void>
  close(): void
}

/** Nobody waits longer for a server that hangs. */
const PATIENCE_MS = 10_000

export function openMail(config: Config, secrets: Pick<Secrets, 'links'>): Mail {
  const { smtpUrl, mailFrom, backendUrl, platformName } = config
  if (!smtpUrl || !mailFrom)
    return {
      isSetUp: false,
      send: () => Promise.reject(new Error('SMTP_URL is not set')),
      close: () => {},
    }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = new URL(backendUrl).hostname
  return {
    isSetUp: true,
    async send({ id, to, letter, link }) {
      const address = link && backendUrl + pathOf(secrets.links, link)
      await transport
        .sendMail({
          from: mailFrom,
          to: { name: '', address: to },
          subject: letter.subject,
          text: textOf(letter, address, platformName),
          html: htmlOf(letter, address, platformName),
          // the same each time it is tried: who gets it twice sees it once
          messageId: `<${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        .catch(rethrow)
    },
    close: () => transport.close(),
  }
}

/** RFC 5321, 4.2.1: 5yz will fail again. Only of the letter and its address: a wrong password can be mended. */
function rethrow(error: Error & { responseCode?: number; code?: string }): never {
  const forever = (error.responseCode ?? 0) >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(error.code ?? '')
  throw forever ? new LetterRefused(error.message, { cause: error }) : error
}
