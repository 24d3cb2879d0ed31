import type { CloudPlaceholder, CloudTemplate } from './cloud.ts'

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

/** Missing variables: a template is sent only with all of them. A file that is sent with it fills its place. */
export const missingIn = (
  template: CloudTemplate,
  variables: string[],
  { hasFile = false }: { hasFile?: boolean } = {},
): number[] =>
  template.placeholders.flatMap(({ kind }, at) =>
    (hasFile && isFile(kind)) || isFilled(kind, variables[at] ?? '') ? [] : [at],
  )

/** The kind of file in the header of a template; null without one. */
export const headerOf = ({ placeholders }: CloudTemplate) =>
  placeholders.map(({ kind }) => kind).find(isFile) ?? null

const MB = 2 ** 20

/** What WhatsApp shows as a picture or a film on the official API, and how large (Meta, "Media", supported types). */
export const CLOUD_FILES = {
  image: { types: ['image/jpeg', 'image/png'], most: 5 * MB },
  video: { types: ['video/mp4', 'video/3gpp'], most: 16 * MB },
}

/** Whether a file may be the header of a template; a document is not judged by its type. */
export const mayBeHeader = (
  kind: 'image' | 'video' | 'document',
  { type, size }: { type: string; size: number },
) => kind === 'document' || (CLOUD_FILES[kind].types.includes(type) && size <= CLOUD_FILES[kind].most)

export const isFile = (kind: CloudPlaceholder['kind']): kind is 'image' | 'video' | 'document' =>
  kind === 'image' || kind === 'video' || kind === 'document'

/** A place of a campaign (`{{column}}`) is filled for each recipient. */
function isFilled(kind: CloudPlaceholder['kind'], value: string): boolean {
  if (kind === 'products' && !value.includes('{{')) return productsIn(value) !== null
  if (kind === 'location' && !value.includes('{{')) return locationIn(value) !== null
  return asVariable(value) !== ''
}

/** Meta, "Location templates": each is a text, and none may be missing. */
interface TemplateLocation {
  latitude: string
  longitude: string
  name: string
  address: string
}

// with their points: a decimal comma would be read as the end of the latitude
const COORDINATES = /^(-?\d{1,2}\.\d+)\s*,\s*(-?\d{1,3}\.\d+)$/

/** A place, written as `latitude, longitude; name; address`; null where it is none. */
export function locationIn(value: string): TemplateLocation | null {
  const [at = '', name = '', ...rest] = value.split(';').map(asVariable)
  const [, latitude = '', longitude = ''] = COORDINATES.exec(at) ?? []
  const address = rest.join('; ')
  const isOnEarth = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
  return latitude && isOnEarth && name && address ? { latitude, longitude, name, address } : null
}

interface ProductSection {
  title: string
  products: string[]
}

/** Meta, "Multi-product message templates". */
const MOST = { sections: 10, products: 30, title: 24 }

/** Products in sections, written as `title: id, id; title: id`; null where they are none that Meta takes. */
export function productsIn(value: string): ProductSection[] | null {
  const sections = value
    .split(';')
    .filter(section => section.trim())
    .map(section => {
      const [title = '', ids = ''] = section.split(/:(.*)/s)
      const products = ids.split(',').flatMap(id => asVariable(id) || [])
      return { title: asVariable(title), products }
    })
  const isEach = sections.every(
    ({ title, products }) => title && title.length <= MOST.title && products.length > 0,
  )
  const count = sections.flatMap(({ products }) => products).length
  const isSent = isEach && count > 0 && count <= MOST.products && sections.length <= MOST.sections
  return isSent ? sections : null
}
