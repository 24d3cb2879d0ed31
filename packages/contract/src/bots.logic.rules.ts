import { z } from 'zod'
import { chosen, plain } from './bots.choice.rules.ts'
import { commandTypes } from './bots.commands.ts'
import { BotLogic, type Comparison, type Condition } from './bots.logic.ts'
import type { Script, ScriptCommand } from './bots.script.rules.ts'
import { currentCommand, decides } from './bots.script.rules.ts'
import type { BotState } from './bots.talk.ts'
import { documentProblem, plainDocument, shownDocument } from './companies.rules.ts'
import { cut } from './cut.rules.ts'

const none = BotLogic.parse({})

export const logicOf = ({ logic }: Pick<ScriptCommand, 'logic'>): BotLogic => logic ?? none

/** What conditions are about, as it is now. */
export interface BotFacts {
  isOpen: boolean | null
  /** On the company's clock: `31/12/2026`, `21:47`. */
  day: string
  time: string
  tagIds: number[]
  categoryIds: number[]
  variables: Record<string, string>
  answer: string
}

/** Whether the conditions of a command hold; without any they do. */
export function holds({ conditions, match }: BotLogic, facts: BotFacts): boolean {
  const hold = (one: Condition) => holdsOne(one, facts)
  return conditions.length === 0 || (match === 'all' ? conditions.every(hold) : conditions.some(hold))
}

function holdsOne(one: Condition, facts: BotFacts): boolean {
  switch (one.kind) {
    case 'hours':
      return (facts.isOpen ?? true) === one.open
    case 'time':
      return isWithin(one, facts)
    case 'tag':
      return facts.tagIds.includes(one.id) === one.has
    case 'category':
      return facts.categoryIds.includes(one.id) === one.has
    case 'variable':
      return compares(facts.variables[one.name] ?? '', one.how, one.value)
    case 'answer':
      return compares(facts.answer, one.how, one.value)
  }
}

/** A span past midnight belongs to the day on which it begins. */
function isWithin({ weekdays, from, to }: Condition & { kind: 'time' }, { day, time }: BotFacts): boolean {
  const [date, month, year] = day.split('/').map(Number)
  const [hour, minute] = time.split(':').map(Number)
  const weekday = new Date(Date.UTC(year!, month! - 1, date)).getUTCDay()
  const at = hour! * 60 + minute!
  if (from <= to) return weekdays.includes(weekday) && at >= from && at < to
  return (weekdays.includes(weekday) && at >= from) || (weekdays.includes((weekday + 6) % 7) && at < to)
}

function compares(actual: string, how: Comparison, wanted: string): boolean {
  const [given, value] = [plain(actual), plain(wanted)]
  switch (how) {
    case 'equals':
      return given === value
    case 'differs':
      return given !== value
    case 'contains':
      return given.includes(value)
    case 'empty':
      return given === ''
    case 'filled':
      return given !== ''
  }
}

/** The answer as it is kept; null where it is not what the question asks for. */
export function checkedAnswer({ check, choices }: BotLogic, text: string): string | null {
  const given = text.trim().replace(/\s+/g, ' ')
  switch (check) {
    case 'name':
      return /^[\p{L}\p{M}][\p{L}\p{M}'’.\- ]{1,49}$/u.test(given) ? given : null
    case 'email':
      return z.email().max(254).safeParse(given.toLowerCase()).data ?? null
    case 'cpf':
      return isCpf(given) ? shownDocument(given) : null
    case 'date':
      return dateIn(given)
    case 'number':
      return numberIn(given)
    case 'oneOf':
      return chosen(given, numbered(choices), '')?.descriptionBot ?? null
    default:
      return text
  }
}

const isCpf = (given: string) =>
  /^[\d.\-/ ]+$/.test(given) && plainDocument(given).length === 11 && documentProblem(given) === null

/** A day of the calendar as `31/12/2026`, from what people write: `31.12.26`, `31-12-2026`, `2026-12-31`. */
function dateIn(given: string): string | null {
  const [, ...iso] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(given) ?? []
  const [, ...written] = /^(\d{1,2})[./\- ](\d{1,2})[./\- ](\d{4}|\d{2})$/.exec(given) ?? []
  const [day, month, year] = (iso.length > 0 ? iso.reverse() : written).map(Number)
  if (day === undefined || month === undefined || year === undefined) return null
  const whole = year < 100 ? year + (year < 50 ? 2_000 : 1_900) : year
  const date = new Date(Date.UTC(whole, month - 1, day))
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) return null
  return [day, month, whole].map(part => String(part).padStart(2, '0')).join('/')
}

/** As `1234,5`, from `R$ 1.234,50` or `1234.5`; a single point before three digits divides thousands. */
function numberIn(given: string): string | null {
  const bare = given.replace(/^R\$\s*/i, '')
  const grouped = /^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(bare)
  const plainNumber = (grouped ? bare.replaceAll('.', '') : bare).replace(',', '.')
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(plainNumber) ? String(Number(plainNumber)).replace('.', ',') : null
}

const numbered = (choices: string[], id = 0) =>
  choices.map((descriptionBot, at) => ({ id, commandBot: String(at + 1), descriptionBot }))

/** What a tap on an answer to a question brings back: the id of the question alone is its choice in the menu before it. */
export const answerTo = (questionId: number) => -questionId

/** The choices that a question offers with its text. */
export const offeredBy = (command: ScriptCommand) => {
  const { check, choices } = logicOf(command)
  return command.commandType === commandTypes.question && check === 'oneOf'
    ? numbered(choices, answerTo(command.id))
    : []
}

/** How long another system is waited for, in all, and what of a variable is kept. */
const CALL_MINUTES = 2
const MOST_VARIABLES = 50
const LONGEST_VALUE = 1_000

/** The time-out of a question of its own, or of a call (minutes); null where that of the setup applies. */
export function ownWait(script: Script, state: BotState): number | null {
  if (state.mode === 'calling') return CALL_MINUTES
  const command = state.mode === 'question' ? currentCommand(script, state) : null
  if (!command || command.commandType !== commandTypes.question) return null
  const { waitMinutes, silent } = logicOf(command)
  return waitMinutes > 0 && script.byNumber.has(silent) ? waitMinutes : null
}

/** The variables with some more, within bounds. */
export function withVariables(state: BotState, more: Record<string, string>): BotState['variables'] {
  const all = Object.entries({ ...state.variables, ...more }).map(
    ([name, value]) => [name, cut(value, LONGEST_VALUE)] as const,
  )
  return Object.fromEntries(all.slice(-MOST_VARIABLES))
}

/** The variables that an answer of another system fills: texts, numbers and truth values at their paths, else nothing. */
export function filledBy({ fills }: BotLogic, answer: unknown): Record<string, string> {
  return Object.fromEntries(
    // PostgreSQL keeps no NUL
    fills.map(({ variable, path }) => [
      variable,
      cut(valueAt(answer, path).replaceAll('\0', ''), LONGEST_VALUE),
    ]),
  )
}

function valueAt(answer: unknown, path: string): string {
  let at = answer
  for (const part of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return ''
    at = (at as Record<string, unknown>)[part]
  }
  return ['string', 'number', 'boolean'].includes(typeof at) ? String(at) : ''
}

/** An address with its placeholders filled, each as one part of it; those of the host stay. */
export function filledUrl(url: string, values: Record<string, string>): string {
  const [host] = /^\w+:\/\/[^/?#]*/.exec(url) ?? []
  if (host === undefined) return url
  const filled = url.slice(host.length).replace(/\{\{\s*(\w+)\s*\}\}/g, (_written, name: string) =>
    // a part of dots would lead up
    encodeURIComponent(values[name.toLowerCase()] ?? '').replace(/^\.+$/, ''),
  )
  return host + filled
}

/** What conditions of these commands ask for. */
export function askedBy(commands: Pick<ScriptCommand, 'logic'>[]) {
  const kinds = new Set(commands.flatMap(one => logicOf(one).conditions.map(({ kind }) => kind)))
  return { hours: kinds.has('hours'), categories: kinds.has('category') }
}

/** The next command of one that decides: the named one, else the first (it holds) or second (it does not) below it. */
export function nextOf(script: Script, command: ScriptCommand, isHolding: boolean): ScriptCommand | null {
  const named = isHolding ? command.forceNextFlow : logicOf(command).otherwise
  if (named !== '') return script.byNumber.get(named) ?? null
  return decides(command) ? (script.below.get(command.commandBot)?.[isHolding ? 0 : 1] ?? null) : null
}
