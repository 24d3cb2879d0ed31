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

const withoutLinks = (text: string) =>
  text
    .replace(/!\[([^\]\n]*)\]\((https?:\/\/[^\s)]+)[^)\n]*\)/g, (_all, name, url) => named(name, url))
    .replace(/\[([^\]\n]+)\]\(((?:https?:\/\/|mailto:|tel:)[^\s)]+)[^)\n]*\)/g, (_all, name, url) =>
      named(name, url),
    )

/** `text: address`, or the address alone where the text says the same. */
function named(name: string, url: string): string {
  const address = url.replace(/^(mailto|tel):/, '')
  const bare = (text: string) => text.replace(/^https?:\/\/|[*_]|\/$/g, '').toLowerCase()
  return bare(name) === bare(address) || name.trim() === '' ? address : `${name.trim()}: ${address}`
}

const withoutLanguage = (code: string) => code.replace(/^```[\w-]+\n/, '```\n')

const marked = (text: string) => text.split('\n').map(line).join('\n')

function line(written: string): string {
  if (/^\s*([-*_]\s*){3,}$/.test(written) || /^\s*\|?[\s:|-]*-{2,}[\s:|-]*\|[\s:|-]*$/.test(written))
    return ''
  const [, heading] = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(written) ?? []
  if (heading !== undefined) return heading === '' ? '' : `*${inner(heading).replace(/\*/g, '')}*`
  return inner(written.replace(/^(\s*)[*+]\s+(?=\S)/, '$1- ').replace(/^\s*\|(.*)\|\s*$/, '$1'))
}

const inner = (text: string) =>
  text
    .replace(/\*\*\*(?=\S)(.+?)(?<=\S)\*\*\*/g, '*_$1_*')
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '*$1*')
    .replace(/(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)/g, '*$1*')
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, '~$1~')
    .replace(/\\([*_~#`[\]()|.+-])/g, '$1')
