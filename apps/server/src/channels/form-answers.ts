import { cut } from '@balcao/contract/cut.rules.ts'
import type { FormData } from '@balcao/contract/kinds.ts'

type Field = FormData['fields'][number]

const MOST_FIELDS = 100
const MOST_JSON = 65_536
const MAX_LABEL = 200
const MAX_VALUE = 2_000
/** Parameters of the network and of its buttons, not of the customer. */
const INTERNAL = new Set(['flow_token', 'id', 'wa_flow_response_params', 'request_id', 'saved_address_id'])
/** As the builder of Meta's forms names fields and choices: `screen_0_Nome_completo_1`, `0_Manhã`. */
const BUILT = /^screen_\d+_(.+)_\d+$/
const NUMBERED = /^\d+_(.+)$/

/**
 * The answers of a form that was filled in (`response_json` of the official API, `paramsJson` on WhatsApp Web), in order;
 * empty for what is none. Nested values are written as JSON.
 */
export function formAnswers(json: string): Field[] {
  const given = json.length > MOST_JSON ? {} : parsed(json)
  const answers = Object.entries(given).flatMap(([name, value]) => fieldsOf(name, value))
  const found = answers.filter(([name, value]) => !INTERNAL.has(name) && value !== null && value !== '')
  return found.slice(0, MOST_FIELDS).map(([name, value]) => {
    const built = BUILT.exec(name)?.[1]
    const label = (built ?? name).replaceAll('_', ' ')
    const all = Array.isArray(value) ? value : [value]
    const written = all.slice(0, MOST_FIELDS).map(one => answerIn(one, { isBuilt: built !== undefined }))
    return { label: textOf(label, MAX_LABEL), value: textOf(written.join(', '), MAX_VALUE) }
  })
}

/** The same as lines, for bots, searches and sheets. */
export const formLines = (fields: Field[]): string =>
  fields.map(({ label, value }) => `${label}: ${value}`).join('\n')

/** An address (`address_message`) has its fields one level below. */
const fieldsOf = (name: string, value: unknown): [string, unknown][] =>
  name === 'values' && typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [[name, value]]

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

function answerIn(value: unknown, { isBuilt }: { isBuilt: boolean }): string {
  if (typeof value === 'string') return (isBuilt && NUMBERED.exec(value)?.[1]?.replaceAll('_', ' ')) || value
  try {
    return JSON.stringify(value)
  } catch {
    return '' // nested too deeply
  }
}

const textOf = (text: string, most: number) => cut(text.replaceAll('\0', ''), most)
