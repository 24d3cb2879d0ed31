import { asVariable, locationIn, placesIn, productsIn } from '@balcao/contract/cloud.templates.rules.ts'
import type { CloudPlaceholder, CloudTemplate } from '@balcao/contract/cloud.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { CloudRow } from '../connections/connections.rules.ts'

type Format = 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION' | 'PRODUCT' | 'GIF'
interface Button {
  type: string
  text?: string
  url?: string
  example?: string | string[]
}
interface Examples {
  header_text?: string[]
  body_text?: string[][]
  header_text_named_params?: Named[]
  body_text_named_params?: Named[]
}
interface Named {
  param_name: string
  example: string
}
interface Component {
  type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS' | 'CAROUSEL' | 'LIMITED_TIME_OFFER'
  format?: Format
  text?: string
  buttons?: Button[]
  example?: Examples
}
/** A template as Meta lists it. */
export interface GraphTemplate {
  name: string
  language: string
  status: string
  category: string
  parameter_format?: 'POSITIONAL' | 'NAMED'
  components: Component[]
  rejected_reason?: string
  quality_score?: { score?: string }
}

/** The template as users choose it. */
export function templateOf(template: GraphTemplate): CloudTemplate {
  const { name, language, status, category } = template
  const header = part(template, 'HEADER')
  const buttons = part(template, 'BUTTONS')?.buttons ?? []
  const unfilled = unfilledIn(template)
  return {
    name,
    language,
    status,
    category,
    header: header?.text ?? '',
    body: part(template, 'BODY')?.text ?? '',
    footer: part(template, 'FOOTER')?.text ?? '',
    buttons: buttons.map(buttonText),
    placeholders: placeholdersOf(template),
    sendable: status === 'APPROVED' && unfilled === '',
    unfilled,
    reason: reasonIn(template),
    quality: wordIn(template.quality_score?.score) || 'UNKNOWN',
  }
}

const reasonIn = ({ rejected_reason: reason }: GraphTemplate) => (reason === 'NONE' ? '' : wordIn(reason))

/** A word of Meta's. */
const wordIn = (given: unknown) => (typeof given === 'string' ? cut(given, 100) : '')

const PARTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']
const FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']
const BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'FLOW', 'CATALOG', 'MPM']

/** The first part that cannot be filled here, by Meta's name; empty without one. */
function unfilledIn({ components }: GraphTemplate): string {
  const strange = components.find(({ type }) => !PARTS.includes(type))?.type
  const format = components.find(one => one.format && !FORMATS.includes(one.format))?.format
  const button = components
    .flatMap(one => one.buttons ?? [])
    .find(({ type }) => !BUTTONS.includes(type))?.type
  return strange ?? format ?? button ?? ''
}

/** A file at Meta for the header of a template. */
export interface HeaderFile {
  id: string
  name: string
}

/**
 * The `components` of a call. `variables` are in the order of the placeholders; a file fills that of the header. Meta's
 * pages "Template messages", "Location templates", "Flows", "Catalog templates" and "Multi-product message templates".
 */
export function componentsOf(
  template: GraphTemplate,
  variables: string[],
  { file }: { file?: HeaderFile | undefined } = {},
): object[] {
  const placeholders = placeholdersOf(template)
  const of = (wanted: CloudPlaceholder['part']) =>
    placeholders.flatMap((placeholder, at) =>
      placeholder.part === wanted ? [{ placeholder, value: variables[at] ?? '' }] : [],
    )
  const isNamed = template.parameter_format === 'NAMED'
  const parameter = ({ placeholder: { kind, name }, value }: ReturnType<typeof of>[number]) =>
    kind === 'text'
      ? { type: 'text', text: asVariable(value), ...(isNamed && { parameter_name: name }) }
      : { type: kind, [kind]: kind === 'location' ? locationIn(value) : headerFile(kind, value.trim(), file) }
  const texts = (['header', 'body'] as const).flatMap(type => {
    const parameters = of(type).map(parameter)
    return parameters.length > 0 ? [{ type, parameters }] : []
  })
  const filled = of('button')
  const places = variableButtons(template)
  const buttons = buttonsOf(template).flatMap(({ button, index }) => {
    const at = places.findIndex(one => one.index === index)
    if (at < 0 && button.type !== 'FLOW') return []
    const [sub_type, parameter] = buttonParameter(button, filled[at]?.value ?? '')
    return [{ type: 'button', sub_type, index: `${index}`, parameters: [parameter] }]
  })
  return [...texts, ...buttons]
}

/** A document is shown by its name. */
function headerFile(kind: string, link: string, file: HeaderFile | undefined): object {
  const name = file?.name || lastOf(link)
  return { ...(file ? { id: file.id } : { link }), ...(kind === 'document' && name && { filename: name }) }
}

/** The last part of an address, as people read it. */
function lastOf(link: string): string {
  const name = URL.canParse(link) ? (new URL(link).pathname.split('/').at(-1) ?? '') : ''
  try {
    return cut(decodeURIComponent(name), 240)
  } catch {
    return cut(name, 240)
  }
}

/** `sub_type` and the parameter of a button. A form needs its parameter, though it has no value of ours. */
function buttonParameter({ type }: Button, value: string): [string, object] {
  switch (type) {
    case 'FLOW':
      return ['flow', { type: 'action', action: { flow_token: 'unused' } }]
    case 'CATALOG':
      return ['catalog', { type: 'action', action: { thumbnail_product_retailer_id: asVariable(value) } }]
    case 'MPM':
      return ['mpm', { type: 'action', action: productAction(value) }]
    case 'COPY_CODE':
      return ['copy_code', { type: 'coupon_code', coupon_code: asVariable(value) }]
    default:
      return ['url', { type: 'text', text: asVariable(value) }]
  }
}

function productAction(value: string): object {
  const sections = productsIn(value) ?? []
  return {
    thumbnail_product_retailer_id: sections[0]?.products[0] ?? '',
    sections: sections.map(({ title, products }) => ({
      title,
      product_items: products.map(id => ({ product_retailer_id: id })),
    })),
  }
}

function placeholdersOf(template: GraphTemplate): CloudPlaceholder[] {
  const header = part(template, 'HEADER')
  const body = part(template, 'BODY')
  return [
    ...headerPlaces(header),
    ...textPlaces(
      'body',
      body?.text ?? '',
      exampleOf(body?.example?.body_text?.[0], body?.example?.body_text_named_params),
    ),
    ...variableButtons(template).map(({ button }) => ({
      part: 'button' as const,
      name: buttonText(button),
      kind: BUTTON_KINDS[button.type] ?? ('text' as const),
      example: [button.example ?? ''].flat()[0] ?? '',
    })),
  ]
}

function headerPlaces(header: Component | undefined): CloudPlaceholder[] {
  if (!header?.format || !FORMATS.includes(header.format)) return []
  const { format, text = '', example } = header
  if (format === 'TEXT')
    return textPlaces('header', text, exampleOf(example?.header_text, example?.header_text_named_params))
  const kind = format.toLowerCase() as 'image' | 'video' | 'document' | 'location'
  return [{ part: 'header', name: kind, kind, example: '' }]
}

const textPlaces = (
  where: 'header' | 'body',
  text: string,
  example: (name: string, at: number) => string,
): CloudPlaceholder[] =>
  placesIn(text).map((name, at) => ({ part: where, name, kind: 'text', example: example(name, at) }))

const exampleOf = (values: string[] | undefined, named: Named[] | undefined) => (name: string, at: number) =>
  `${named?.find(one => one.param_name === name)?.example ?? values?.[at] ?? ''}`

const BUTTON_KINDS: Record<string, CloudPlaceholder['kind']> = { CATALOG: 'product', MPM: 'products' }

const buttonsOf = (template: GraphTemplate) =>
  (part(template, 'BUTTONS')?.buttons ?? []).map((button, index) => ({ button, index }))

/** Buttons that need a value: the end of an address, a code to copy, products. */
const variableButtons = (template: GraphTemplate) =>
  buttonsOf(template).filter(
    ({ button }) =>
      button.type in BUTTON_KINDS || button.type === 'COPY_CODE' || (button.url?.includes('{{') ?? false),
  )

const buttonText = ({ text, type }: Button) => text ?? type
const part = ({ components }: GraphTemplate, type: Component['type']) =>
  components.find(component => component.type === type)

/** What Meta reported of an account at a time; the latest counts, whatever comes first. */
export type AccountNews =
  | Pick<CloudRow, 'banState' | 'banDate' | 'banAt'>
  | Pick<CloudRow, 'restrictions' | 'restrictedAt'>
  | Pick<CloudRow, 'violation' | 'violatedAt'>
