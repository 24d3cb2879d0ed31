import { asVariable, placesIn } from '@balcao/contract/cloud.rules.ts'
import type { CloudPlaceholder, CloudTemplate } from '@balcao/contract/cloud.ts'
import type { CloudRow } from '../connections/connections.rules.ts'

type Format = 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'
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
  type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS'
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
}

/** The template as users choose it. */
export function templateOf(template: GraphTemplate): CloudTemplate {
  const { name, language, status, category, components } = template
  const header = part(template, 'HEADER')
  const buttons = part(template, 'BUTTONS')?.buttons ?? []
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
    sendable:
      status === 'APPROVED' &&
      header?.format !== 'LOCATION' &&
      components.every(({ type }) => ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type)) &&
      buttons.every(({ type }) => ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP'].includes(type)),
  }
}

/** The `components` of a call. `variables` are in the order of the placeholders. */
export function componentsOf(template: GraphTemplate, variables: string[]): object[] {
  const placeholders = placeholdersOf(template)
  const of = (wanted: CloudPlaceholder['part']) =>
    placeholders.flatMap((placeholder, at) =>
      placeholder.part === wanted ? [{ placeholder, value: variables[at] ?? '' }] : [],
    )
  const isNamed = template.parameter_format === 'NAMED'
  const parameter = ({ placeholder: { kind, name }, value }: ReturnType<typeof of>[number]) =>
    kind === 'text'
      ? { type: 'text', text: asVariable(value), ...(isNamed && { parameter_name: name }) }
      : { type: kind, [kind]: { link: value.trim() } }
  const texts = (['header', 'body'] as const).flatMap(type => {
    const parameters = of(type).map(parameter)
    return parameters.length > 0 ? [{ type, parameters }] : []
  })
  const filled = of('button')
  const buttons = variableButtons(template).map(({ button, index }, at) => ({
    type: 'button',
    sub_type: button.type === 'COPY_CODE' ? 'copy_code' : 'url',
    index: `${index}`,
    parameters: [
      button.type === 'COPY_CODE'
        ? { type: 'coupon_code', coupon_code: asVariable(filled[at]?.value ?? '') }
        : { type: 'text', text: asVariable(filled[at]?.value ?? '') },
    ],
  }))
  return [...texts, ...buttons]
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
      kind: 'text' as const,
      example: [button.example ?? ''].flat()[0] ?? '',
    })),
  ]
}

function headerPlaces(header: Component | undefined): CloudPlaceholder[] {
  if (!header?.format || header.format === 'LOCATION') return []
  const { format, text = '', example } = header
  if (format === 'TEXT')
    return textPlaces('header', text, exampleOf(example?.header_text, example?.header_text_named_params))
  const kind = format.toLowerCase() as 'image' | 'video' | 'document'
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

/** Buttons that need a value: the end of an address, a code to copy. */
const variableButtons = (template: GraphTemplate) =>
  (part(template, 'BUTTONS')?.buttons ?? []).flatMap((button, index) =>
    button.type === 'COPY_CODE' || (button.url?.includes('{{') ?? false) ? [{ button, index }] : [],
  )

const buttonText = ({ text, type }: Button) => text ?? type
const part = ({ components }: GraphTemplate, type: Component['type']) =>
  components.find(component => component.type === type)

/** What Meta reported of an account at a time; the latest counts, whatever comes first. */
export type AccountNews =
  | Pick<CloudRow, 'banState' | 'banDate' | 'banAt'>
  | Pick<CloudRow, 'restrictions' | 'restrictedAt'>
  | Pick<CloudRow, 'violation' | 'violatedAt'>
