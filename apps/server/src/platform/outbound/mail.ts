import { turnsNamed } from '@balcao/contract/turning.rules.ts'
import { createTransport } from 'nodemailer'
import { type Link, pathOf } from '../access/links.ts'
import type { Secrets } from '../access/secrets.ts'
import type { Config } from '../config.ts'
import { htmlOf, type Letter, textOf } from './letter.ts'

/** The server refuses the e-mail finally: its address or content, not the moment. */
export class LetterRefused extends Error {}

export interface Mail {
  /** False without SMTP_URL: nothing is sent, and callers report it. */
  isSetUp: boolean
  /** Passes an e-mail to the SMTP server. Throws LetterRefused when it is final; any other error is temporary. */
  send(letter: { id: string; to: string; letter: Letter; link: Link | null }): Promise<void>
  close(): void
}

/** The longest wait (ms) for a server that hangs. */
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
          subject: turnsNamed(letter.subject),
          text: textOf(letter, address, platformName),
          html: htmlOf(letter, address, platformName),
          ...(letter.file && {
            attachments: [
              { filename: letter.file.name, contentType: letter.file.type, content: letter.file.text },
            ],
          }),
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
