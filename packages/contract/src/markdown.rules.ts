/** What stays as it is: code in backquotes, and addresses. */
const KEPT = /(```[\s\S]*?```|`[^`\n]+`|https?:\/\/[^\s<>()]+)/

/**
 * A text in Markdown, as models write it, in WhatsApp's marks: `**bold**` as `*bold*`, headings as bold lines, links as
 * text and address, lists with hyphens. WhatsApp's own marks stay.
 */
export function whatsAppMarks(markdown: string): string {
  if (!/[*_~#`[\]|+-]/.test(markdown)) return markdown
  return withoutLinks(markdown)
    .split(KEPT)
    .map((part, at) => (at % 2 === 1 ? withoutLanguage(part) : marked(part)))
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

// every repetition has a bound: models may return anything
const withoutLinks = (text: string) =>
  text
    .replace(/!\[([^\]\n]{0,300})\]\((https?:\/\/[^\s)]{1,2000})(?: [^)\n]{0,200})?\)/g, (_all, name, url) =>
      named(name, url),
    )
    .replace(
      /\[([^\]\n]{1,300})\]\(((?:https?:\/\/|mailto:|tel:)[^\s)]{1,2000})(?: [^)\n]{0,200})?\)/g,
      (_all, name, url) => named(name, url),
    )

/** `text: address`, or the address alone where the text says the same. */
function named(name: string, url: string): string {
  const address = url.replace(/^(mailto|tel):/, '')
  const bare = (text: string) => text.replace(/^https?:\/\/|[*_]|\/$/g, '').toLowerCase()
  return bare(name) === bare(address) || name.trim() === '' ? address : `${name.trim()}: ${address}`
}

const withoutLanguage = (code: string) => code.replace(/^```[\w-]+\n/, '```\n')

const marked = (text: string) => text.split('\n').map(line).join('\n')

const isRule = (written: string) => /^\s*(?:[-*_]\s*){3,}$/.test(written)
const isBelowHead = (written: string) =>
  written.includes('|') && written.includes('--') && /^[\s:|-]+$/.test(written)

function line(written: string): string {
  if (isRule(written) || isBelowHead(written)) return ''
  const [, heading] = /^ {0,3}#{1,6}\s(.*)$/.exec(written) ?? []
  if (heading !== undefined) {
    const words = inner(heading.trim().replace(/ #{1,6}$/, '')).replaceAll('*', '')
    return words === '' ? '' : `*${words}*`
  }
  return inner(written.replace(/^(\s*)[*+]\s+(?=\S)/, '$1- ').replace(/^\s*\|(.*)\|\s*$/, '$1'))
}

const inner = (text: string) =>
  text
    .replace(/\*\*\*(?=\S)([^*\n]{1,500})(?<=\S)\*\*\*/g, '*_$1_*')
    .replace(/\*\*(?=\S)(.{1,500}?)(?<=\S)\*\*/g, '*$1*')
    .replace(/(?<!\w)__(?=\S)(.{1,500}?)(?<=\S)__(?!\w)/g, '*$1*')
    .replace(/~~(?=\S)(.{1,500}?)(?<=\S)~~/g, '~$1~')
    .replace(/\\([*_~#`[\]()|.+-])/g, '$1')
