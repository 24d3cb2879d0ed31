import { isTest, type Rule } from './codebase.ts'

/** Who may open a connection to elsewhere by itself, and why it need not be the guarded client. */
const allowed: [path: RegExp, why: string][] = [
  [/^apps\/server\/src\/platform\/outbound\/outbound\.ts$/, 'the guarded client itself'],
  [
    /^apps\/server\/src\/features\/cloud\/cloud\.client\.ts$/,
    'calls of Graph with bodies that stream, through the guarded client’s dispatcher',
  ],
  [
    /^apps\/server\/src\/channels\/baileys\/(media\/fetch|session\/version)\.ts$/,
    'WhatsApp’s own hosts, which the operator names; no redirect is followed',
  ],
  [/^apps\/server\/src\/platform\/files\/s3\.ts$/, 'the storage that the operator names'],
]

/** What opens HTTP or a socket; types alone open nothing. */
const openers = [
  /(?<![.\w])fetch\(/,
  /^\s*import\s+(?!type\b)[^'"]*['"](undici|(node:)?(https?|http2|dgram|tls)|axios|got|node-fetch|ws|@aws-sdk\/[^'"]+)['"]/m,
  /^\s*import\s+(?!type\b)[^'"]*\b(connect|createConnection|Socket)\b[^'"]*['"](node:)?net['"]/m,
  /\bnew\s+(WebSocket|EventSource)\(/,
  /\bimport\(\s*['"](undici|(node:)?(https?|http2|net|tls|dgram))['"]/,
]

/** Types that are imported one by one do not open anything either. */
const withoutTypes = (text: string) =>
  text
    .replace(/^\s*import\s*\{\s*(type\s+\w+\s*,?\s*)+\}\s*from\s*['"][^'"]+['"]/gm, '')
    .replace(/\btype\s+\w+\s*,/g, '')

export const outboundGuarded: Rule = {
  name: 'only the guarded client calls out',
  find: ({ sources }) =>
    sources
      .filter(({ path }) => /^(apps\/server\/src|packages)\//.test(path) && !isTest(path))
      .filter(({ path }) => !allowed.some(([place]) => place.test(path)))
      .filter(({ text }) => openers.some(opener => opener.test(withoutTypes(text))))
      .map(
        ({ path }) =>
          `${path} opens a connection by itself: use fetchOutside or openOutside of platform/outbound/outbound.ts, which check every address`,
      ),
}
