import type { Account } from './account.ts'
import type { Answer, Call } from './call.ts'
import { paged, pick } from './fields.ts'
import { fieldsOf } from './phone-number-edges.ts'
import type { Template } from './templates.ts'

export const describeAccount = (account: Account, call: Call): Answer => ({
  status: 200,
  body: pick(
    call,
    {
      id: account.id,
      name: account.name,
      currency: 'BRL',
      timezone_id: '25',
      message_template_namespace: account.id,
      account_review_status: account.locked ? 'REJECTED' : 'APPROVED',
      owner_business_info: { name: account.name, id: account.portfolio },
    },
    ['name', 'timezone_id', 'message_template_namespace'],
  ),
})

const OF_NUMBERS = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'throughput',
]

export const listNumbers = (account: Account, call: Call): Answer => ({
  status: 200,
  body: paged(call, account.numbers, number => pick(call, fieldsOf(number), OF_NUMBERS)),
})

const OF_TEMPLATES = ['name', 'parameter_format', 'components', 'language', 'status', 'category']

/** Filtered by name, language, status and category, in pages. */
export function listTemplates(account: Account, call: Call): Answer {
  const matches = (filter: string, value: string) => {
    const asked = call.query.get(filter)
    return asked === null || asked.toUpperCase() === value.toUpperCase()
  }
  const list = account.templates.filter(
    ({ name, language, status, category }) =>
      matches('name', name) &&
      matches('language', language) &&
      matches('status', status) &&
      matches('category', category),
  )
  return { status: 200, body: paged(call, list, template => pick(call, shown(template), OF_TEMPLATES)) }
}

function shown(template: Template): Record<string, unknown> {
  const { id, name, language, status, category, components, format, quality } = template
  return {
    id,
    name,
    language,
    status,
    category,
    components,
    parameter_format: format,
    quality_score: { score: quality },
    rejected_reason: status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
  }
}
