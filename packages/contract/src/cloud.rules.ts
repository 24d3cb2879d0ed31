import type { CloudPlaceholder, CloudTemplate } from './cloud.ts'

/** WhatsApp's own limits on the official API (Meta, "Messages"). */
export const MAX_CLOUD_TEXT = 4_096
export const MAX_CLOUD_CAPTION = 1_024

const PLACES = /\{\{\s*(\w+)\s*\}\}/g

/** The placeholder names of a text, each once, in order. */
export const placesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACES)].map(([, name]) => name!)),
]

/** Meta refuses line breaks, tabs and runs of blanks in a variable (132012 and 100). */
export const asVariable = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Preview for the customer; placeholders without a value stay unchanged. */
export function previewOf(template: CloudTemplate, variables: string[]): string {
  const filled = (part: CloudPlaceholder['part'], text: string) =>
    text.replace(PLACES, (place, name: string) => {
      const at = template.placeholders.findIndex(one => one.part === part && one.name === name)
      return asVariable(variables[at] ?? '') || place
    })
  return [filled('header', template.header), filled('body', template.body), template.footer]
    .filter(Boolean)
    .join('\n')
}

/** The text of a template with its placeholders numbered from `{{1}}`, whatever their names in its parts. */
export const numberedText = (template: CloudTemplate) =>
  previewOf(
    template,
    template.placeholders.map((_, at) => `{{${at + 1}}}`),
  )

/** Missing variables: a template is sent only with all of them. */
export const missingIn = (template: CloudTemplate, variables: string[]): number[] =>
  template.placeholders.flatMap((_, at) => (asVariable(variables[at] ?? '') ? [] : [at]))

/** After this moment only templates may be written; null is never over. */
export const repliesAreOver = (repliesUntil: string | null, now: number) =>
  repliesUntil !== null && Date.parse(repliesUntil) <= now
