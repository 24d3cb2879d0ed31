import { type Attached, attach } from './attached.ts'
import type { Content, Tap } from './content.ts'
import { badParameter, GraphError, refusal } from './graph-error.ts'
import type { MediaKind } from './media-kinds.ts'
import type { TemplateAsked, TemplateParameter } from './message-shapes.ts'
import type { PhoneNumber } from './phone-number.ts'
import { checkAction, opens } from './template-actions.ts'
import type { Template } from './templates.ts'

type Component = NonNullable<TemplateAsked['components']>[number]

/**
 * The template with its values. Throws 132001 when there is none that is approved, 132015 and 132016 when it rests,
 * 132000 and 132012 when the values do not match it, 131008 when a button lacks its own.
 */
export function fill(number: PhoneNumber, asked: TemplateAsked): Content {
  const template = find(number, asked)
  const of = (type: string) => asked.components?.find(component => component.type === type)
  const header = fillHeader(number, template, of('header'))
  const body = fillText(template, 'body', template.body, of('body')?.parameters ?? [])
  if (body.length > 1024) throw refusal(132005, 'Body text length exceeds 1024 characters')
  const buttons = asked.components?.filter(({ type }) => type === 'button') ?? []
  const taps = fillButtons(template, buttons)
  const text = [header.text, body, template.footer].filter(Boolean).join('\n')
  return { type: 'template', asked, text, attached: header.attached, taps, category: template.category }
}

function find({ account }: PhoneNumber, { name, language }: TemplateAsked): Template {
  const template = account.templates.find(one => one.name === name && one.language === language.code)
  if (template?.status === 'PAUSED') throw refusal(132015)
  if (template?.status === 'DISABLED') throw refusal(132016)
  if (template?.status !== 'APPROVED')
    throw refusal(132001, `template name (${name}) does not exist in ${language.code}`)
  return template
}

function fillHeader(number: PhoneNumber, template: Template, asked: Component | undefined) {
  const format = template.header?.format
  const given = asked?.parameters ?? []
  const none: Attached[] = []
  if (!format || format === 'TEXT')
    return { text: fillText(template, 'header', template.header?.text ?? '', given), attached: none }
  const [parameter, ...more] = given
  if (parameter?.type.toUpperCase() !== format || more.length > 0)
    throw refusal(
      132012,
      `header: Format mismatch, expected ${format}, received ${parameter?.type.toUpperCase() ?? 'UNKNOWN'}`,
    )
  if (format === 'LOCATION') {
    checkLocation(parameter)
    return { text: '', attached: none }
  }
  const kind = parameter.type as MediaKind
  const file = parameter[kind] as { id?: string; link?: string; filename?: string } | undefined
  const place = `template['components'][0]['parameters'][0]['${kind}']`
  if (!file?.id && !file?.link) throw badParameter(`The parameter ${place} is required.`)
  const strange = Object.keys(file).find(name => !FILE_KEYS[kind]?.includes(name))
  if (strange) throw badParameter(`Unexpected key "${strange}" on param "${place}".`)
  return { text: '', attached: [attach(number, kind, file, place)] }
}

/** Page "Location templates": all four, as texts. */
function checkLocation({ location }: TemplateParameter) {
  const place = "template['components'][0]['parameters'][0]['location']"
  const given = (location ?? {}) as Record<string, unknown>
  for (const name of ['latitude', 'longitude', 'name', 'address'])
    if (typeof given[name] !== 'string' || given[name] === '')
      throw badParameter(`The parameter ${place}['${name}'] is required.`)
}

/** What goes with a file in a header: a document alone has a name there. */
const FILE_KEYS: Partial<Record<MediaKind, string[]>> = {
  image: ['id', 'link'],
  video: ['id', 'link'],
  document: ['id', 'link', 'filename'],
}

const PLACES = /\{\{\s*(\w+)\s*\}\}/g

function fillText(template: Template, part: string, text: string, given: TemplateParameter[]): string {
  const places = [...new Set([...text.matchAll(PLACES)].map(([, name]) => name!))]
  if (given.length !== places.length)
    throw refusal(
      132000,
      `${part}: number of localizable_params (${given.length}) does not match the expected number of params (${places.length})`,
    )
  const named = template.format === 'NAMED'
  const values = new Map(given.map((one, at) => [named ? nameOf(one) : `${at + 1}`, textOf(part, one)]))
  const missing = places.find(place => !values.has(place))
  if (missing) throw refusal(132012, `${part}: Parameter ${missing} is missing`)
  return text.replace(PLACES, (_, name: string) => values.get(name)!)
}

function nameOf({ parameter_name: name }: TemplateParameter): string {
  if (name) return name
  const details = 'Parameter name is missing or empty'
  throw new GraphError('(#100) Invalid parameter', { status: 400, code: 100, details })
}

function textOf(part: string, { type, text, ...rest }: TemplateParameter): string {
  if (type === 'currency' || type === 'date_time')
    return `${(rest[type] as { fallback_value?: string } | undefined)?.fallback_value ?? ''}`
  if (type !== 'text')
    throw refusal(132012, `${part}: Format mismatch, expected TEXT, received ${type.toUpperCase()}`)
  if (typeof text !== 'string' || text === '')
    throw refusal(131008, 'Parameter of type text is missing text value')
  if (/[\n\t]| {5}/.test(text))
    throw badParameter('Param text cannot have new-line/tab characters or more than 4 consecutive spaces')
  return text
}

function fillButtons(template: Template, given: Component[]): Tap[] {
  for (const { index } of given)
    if (index === undefined || !template.buttons[index])
      throw refusal(132000, `buttons: there is no button at index ${index}`)
  return template.buttons.flatMap((button, at) => {
    const asked = given.find(({ index }) => index === at)
    if (asked && asked.sub_type !== button.type.toLowerCase())
      throw refusal(
        132012,
        `buttons: Button at index ${at} is of type ${button.type}, received ${asked.sub_type}`,
      )
    const needs =
      opens(button.type) ||
      button.type === 'COPY_CODE' ||
      (button.type === 'URL' && button.url.includes('{{'))
    if (needs && !asked?.parameters?.length)
      throw refusal(
        131008,
        `buttons: Button at index ${at} of type ${titled(button.type)} requires a parameter`,
      )
    if (opens(button.type)) checkAction(button.type, asked?.parameters ?? [], at)
    if (button.type !== 'QUICK_REPLY') return []
    const payload = asked?.parameters?.[0]?.payload
    return [
      { as: 'button' as const, id: typeof payload === 'string' ? payload : button.text, title: button.text },
    ]
  })
}

const titled = (type: string) => type.charAt(0) + type.slice(1).toLowerCase()
