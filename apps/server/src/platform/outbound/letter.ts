import { turnsNamed } from '@balcao/contract/turning.rules.ts'

/** The content of an e-mail, in the language of its recipient. The address of its link is known when it is sent. */
export interface Letter {
  language: 'ptBR' | 'en' | 'es'
  subject: string
  /** Paragraphs before the link. */
  before: string[]
  /** What the link does; null where there is none. */
  button: string | null
  /** Paragraphs behind it. */
  after: string[]
  /** What is attached: a text, or a file of the company by its key. */
  file?: { name: string; type: string } & ({ text: string; key?: never } | { key: string; text?: never })
  /** What somebody wrote whole: then nothing else of this is shown but the subject. */
  own?: { html: string; text: string }
}

const htmlLanguage = { ptBR: 'pt-BR', en: 'en', es: 'es' }

export function textOf({ before, after, own }: Letter, address: string | null, platformName: string): string {
  if (own) return own.text
  const lines = [...before, ...(address ? [address] : []), ...after, `-- \n${platformName}`]
  return turnsNamed(lines.join('\n\n'))
}

/** Nothing in it is fetched from anywhere, and what people wrote is text. */
export function htmlOf(letter: Letter, address: string | null, platformName: string): string {
  const { language, subject, before, button, after, own } = letter
  if (own) return `${headOf(language, subject)}<body>${own.html}</body></html>`
  const paragraphs = (lines: string[]) =>
    lines.map(line => `<p style="${LINE}">${escaped(line)}</p>`).join('')
  const link =
    address && button
      ? `<p style="margin:24px 0"><a href="${escaped(address)}" style="${BUTTON}">${escaped(button)}</a></p>
         <p style="${SMALL}">${escaped(address)}</p>`
      : ''
  return `${headOf(language, subject)}
<body style="margin:0;padding:24px;background:#ffffff;color:#1d2733;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto"><p style="font-weight:600;margin:0 0 24px">${escaped(platformName)}</p>
${paragraphs(before)}${link}${paragraphs(after)}</div></body></html>`
}

const headOf = (language: Letter['language'], subject: string) =>
  `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`

const LINE = 'margin:0 0 16px'
const SMALL = 'margin:0 0 16px;font-size:13px;color:#51606f;word-break:break-all'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#0f6175;color:#ffffff;text-decoration:none;font-weight:600'

const escaped = (text: string) =>
  turnsNamed(text).replace(
    /[&<>"']/g,
    sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!,
  )
