import { isTest, type Rule, type Source } from './codebase.ts'

/** Where clients of what is outside are made: each of them ends its calls in time. */
const MADE = /^apps\/server\/src\/platform\/outbound\//

/** Who makes one by itself, and why. */
const allowed: [path: RegExp, why: string][] = [
  [
    /^apps\/server\/src\/features\/cloud\/cloud\.client\.ts$/,
    'calls of Graph with bodies that stream, through the guarded client’s dispatcher, each within `endsWithin`',
  ],
  [
    /^apps\/server\/src\/channels\/baileys\/session\/socket\.ts$/,
    'Baileys ends its socket itself: 20 s to connect, 60 s for a query, a ping each 30 s',
  ],
  [
    /^apps\/server\/src\/platform\/files\/s3\.ts$/,
    'commands for the client of `outbound/s3.client.ts`, and uploads by it',
  ],
  [
    /^apps\/server\/src\/platform\/work\/jobs\.ts$/,
    'pg-boss opens the pool that `Database.jobs` describes, with its time limits',
  ],
]

/** What opens HTTP or a socket, or makes a client that does; types alone open nothing. */
const openers = [
  /(?<![.\w])fetch\(/,
  /^\s*import\s+(?!type\b)[^'"]*['"](undici|(node:)?(https?|http2|dgram|tls)|axios|got|node-fetch|ws|@aws-sdk\/[^'"]+)['"]/m,
  /^\s*import\s+(?!type\b)[^'"]*\b(connect|createConnection|Socket)\b[^'"]*['"](node:)?net['"]/m,
  /^\s*import\s+(?!type\b)[^'"]*['"](redis|ioredis|nodemailer|openai|pg-boss)['"]/m,
  /\bnew\s+(WebSocket|EventSource|S3Client|OpenAI)\(/,
  /\bnew\s+(pg\.)?(Pool|Client)\(/,
  /\b(createTransport|createClient|makeWASocket)\(/,
  /\bimport\(\s*['"](undici|(node:)?(https?|http2|net|tls|dgram)|redis|ioredis|nodemailer|pg|@aws-sdk\/[^'"]+)['"]/,
]

/** Types that are imported one by one do not open anything either. */
const withoutTypes = (text: string) =>
  text
    .replace(/^\s*import\s*\{\s*(type\s+\w+\s*,?\s*)+\}\s*from\s*['"][^'"]+['"]/gm, '')
    .replace(/\btype\s+\w+\s*,/g, '')

const opens = ({ text }: Source) => openers.some(opener => opener.test(withoutTypes(text)))

export const outboundGuarded: Rule = {
  name: 'only the guarded client calls out',
  find: ({ sources }) =>
    sources
      .filter(({ path }) => /^(apps\/server\/src|packages)\//.test(path) && !isTest(path) && !MADE.test(path))
      .filter(({ path }) => !allowed.some(([place]) => place.test(path)))
      .filter(opens)
      .map(
        ({ path }) =>
          `${path} makes a client of something outside by itself: use those of platform/outbound, whose calls end in time (addresses that people typed in: fetchOutside, which checks them)`,
      ),
}
