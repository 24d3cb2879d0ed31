import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** A letter as it came over the wire. */
export interface Received {
  to: string
  messageId: string
  subject: string
  /** All of it, decoded. */
  text: string
  /** The part after the `#` of its link. */
  token: string
}

export interface PostOffice {
  /** What the product is started with. */
  env: Record<string, string>
  /** Every accepted letter, in order. */
  letters: Received[]
  /** Refuses what comes: for ever those to these addresses, everything for now while it is closed. */
  refused: Set<string>
  isClosed: boolean
  /** The newest letter to this address, as soon as there is one more than `after` of them. */
  letterTo(address: string, after?: number): Promise<Received>
  close(): Promise<void>
}

const PATIENCE_MS = 20_000

/** A real SMTP server that keeps what it is given. */
export async function openPostOffice(): Promise<PostOffice> {
  const refused = new Set<string>()
  const letters: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (office.isClosed) return done(failure(451, 'come again later'))
      done(refused.has(address) ? failure(550, 'no such mailbox') : null)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        for (const { address } of envelope.rcptTo) letters.push(read(address, raw))
        done()
      })
    },
  })
  server.on('error', () => {}) // a product that is killed hangs up
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo
  const to = (who: string) => letters.filter(letter => letter.to === who)
  const office: PostOffice = {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${address.port}`,
      MAIL_FROM: 'Balcão <balcao@balcao.test>',
      BACKEND_URL: 'https://balcao.test',
    },
    letters,
    refused,
    isClosed: false,
    async letterTo(who, after = 0) {
      for (const end = Date.now() + PATIENCE_MS; ; await pause(20)) {
        if (to(who)[after]) return to(who).at(-1)!
        if (Date.now() > end) throw new Error(`no letter came to ${who}`)
      }
    },
    close: () => new Promise(done => server.close(() => done())),
  }
  return office
}

const failure = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })

function read(to: string, raw: string): Received {
  const [head = ''] = raw.split('\r\n\r\n')
  const header = (name: string) =>
    words(
      new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? '',
    )
  const text = quotedPrintable(raw)
  return {
    to,
    messageId: header('Message-ID'),
    subject: header('Subject'),
    text,
    token: /#([\w.-]+)/.exec(text)?.[1] ?? '',
  }
}

/** RFC 2047: words of a header that are not ASCII. */
const words = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, coded: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString('utf8')
        : quotedPrintable(coded.replaceAll('_', ' ')),
    )

/** RFC 2045, 6.7. */
const quotedPrintable = (text: string) =>
  text
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, coded => Buffer.from(coded.replaceAll('=', ''), 'hex').toString('utf8'))
