import { joined, type Language, languages, type Words } from './words.ts'

export const kinds = ['text', 'number', 'date', 'boolean'] as const
type Kind = (typeof kinds)[number]

/** A field of a row, by how its parts of the feature are written. */
export interface Field {
  name: string
  kind: Kind
  isOptional: boolean
  label: Record<Language, string>
}

/** The first field names a row: the list is in its order, and dialogs and buttons call the row by it. */
export const USUAL = 'name:text, description:text'

/** What fields are often called; others come with the list's own words. */
const known: Record<string, [pt: string, en: string, es: string]> = {
  name: ['Nome', 'Name', 'Nombre'],
  title: ['Título', 'Title', 'Título'],
  description: ['Descrição', 'Description', 'Descripción'],
  note: ['Observação', 'Note', 'Observación'],
  code: ['Código', 'Code', 'Código'],
  date: ['Data', 'Date', 'Fecha'],
  day: ['Dia', 'Day', 'Día'],
  amount: ['Quantidade', 'Amount', 'Cantidad'],
  number: ['Número', 'Number', 'Número'],
  active: ['Ativo', 'Active', 'Activo'],
}

/** Names that the copied files use for something else. */
const taken = new Set(
  'id companyId add edit removeTitle removeHint none noneHint yes no actions rest'.split(' '),
)

/**
 * Reads `name:text, date:date, note:text?`; `labels` are the labels of all of them in each language, or none. Throws an
 * Error for what cannot be fields.
 */
export function fieldsOf(text: string, labels: Record<Language, string[]>): Field[] {
  const parts = text.split(',').map(part => part.trim())
  for (const language of languages)
    if (labels[language].length > 0 && labels[language].length !== parts.length)
      throw new Error(`--${language} names ${labels[language].length} fields, and there are ${parts.length}`)
  const fields = parts.map((part, at) => fieldOf(part, language => labels[language][at]))
  const [first] = fields
  if (first?.kind !== 'text' || first.isOptional)
    throw new Error('The first field names a row: it is a text that may not be left out, such as name:text')
  const twice = fields.find(({ name }, at) => fields.findIndex(one => one.name === name) < at)
  if (twice) throw new Error(`${twice.name} is a field twice`)
  return fields
}

function fieldOf(part: string, given: (language: Language) => string | undefined): Field {
  const [, name, kind, optional] = /^([a-z][a-zA-Z]*)\s*:\s*(\w+)(\??)$/.exec(part) ?? []
  if (!name || !isKind(kind))
    throw new Error(`A field is written such as note:text?, of ${kinds.join(', ')}: not "${part}"`)
  if (taken.has(name)) throw new Error(`A field cannot be called ${name}`)
  const label = (language: Language, at: number) => {
    const word = given(language) ?? known[name]?.[at]
    if (!word)
      throw new Error(
        `Say what the fields are called, such as --${language} "holiday, holidays: name, ${name}"`,
      )
    return word.charAt(0).toUpperCase() + word.slice(1)
  }
  const [pt, en, es] = languages.map(label) as [string, string, string]
  return { name, kind, isOptional: optional === '?', label: { pt, en, es } }
}

const isKind = (kind: string | undefined): kind is Kind =>
  (kinds as readonly (string | undefined)[]).includes(kind)

const TITLE = 50
const LONG = '1_000'
const MOST = '1_000_000_000'

export const isText = ({ kind }: Field) => kind === 'text'

/** What a reader gets. */
export function shapeOf({ kind, isOptional }: Field): string {
  const orNull = isOptional ? '.nullable()' : ''
  return { text: 'z.string()', number: `z.int()${orNull}`, date: `day${orNull}`, boolean: 'z.boolean()' }[
    kind
  ]
}

/** What a form and a call may give. */
export function inputOf({ kind, isOptional }: Field, isFirst: boolean): string {
  if (isFirst) return `text(2, ${TITLE})`
  if (isOptional)
    return {
      text: `z.string().trim().max(${LONG}, 'Too Long!').optional()`,
      number: `countOrNone(${MOST}).optional()`,
      date: `z.union([z.literal('').transform(() => null), day]).nullable().optional()`,
      boolean: 'flag.optional()',
    }[kind]
  return {
    text: `text(2, ${LONG})`,
    number: `z.int({ error: 'Required' }).min(0).max(${MOST})`,
    date: `z.string({ error: 'Required' }).min(1, 'Required').pipe(day)`,
    boolean: 'flag',
  }[kind]
}

/** What of the contract's kit the shapes need. */
export const kitOf = (fields: Field[]) => [
  ...(fields.some(({ kind }) => kind === 'date') ? ['day'] : []),
  ...(fields.some(({ kind }) => kind === 'boolean') ? ['flag'] : []),
  ...(fields.some(({ kind, isOptional }) => kind === 'number' && isOptional) ? ['countOrNone'] : []),
]

export function columnOf({ name, kind, isOptional }: Field): string {
  const column = `'${joined(name, '_')}'`
  return {
    text: `text(${column}).notNull()${isOptional ? ".default('')" : ''}`,
    number: `integer(${column})${isOptional ? '' : '.notNull()'}`,
    date: `date(${column}, { mode: 'string' })${isOptional ? '' : '.notNull()'}`,
    boolean: `boolean(${column}).notNull()${isOptional ? '.default(false)' : ''}`,
  }[kind]
}

export const columnTypes = (fields: Field[]) => [
  ...new Set(
    fields.map(({ kind }) => ({ text: 'text', number: 'integer', date: 'date', boolean: 'boolean' })[kind]),
  ),
]

/** The value in a form before anything is entered. */
export const emptyOf = ({ kind }: Field) => (kind === 'boolean' ? 'false' : "''")

/** Forms have texts where a row has a number, a day or nothing. */
export const isParsed = ({ kind, isOptional }: Field) => kind === 'number' || (kind === 'date' && isOptional)

export function controlOf({ name, kind }: Field, isFirst: boolean): string {
  const label = `label={t('${name}')}`
  const props = `{...form.getInputProps('${name}')}`
  if (isFirst) return `<TextInput data-autofocus ${label} maxLength={${TITLE}} ${props} />`
  return {
    text: `<Textarea ${label} autosize minRows={2} maxRows={12} maxLength={${LONG}} ${props} />`,
    number: `<NumberInput ${label} min={0} max={${MOST}} allowDecimal={false} ${props} />`,
    date: `<TextInput type="date" ${label} ${props} />`,
    boolean: `<Switch ${label} {...form.getInputProps('${name}', { type: 'checkbox' })} />`,
  }[kind]
}

export const controlTypes = (fields: Field[]) => [
  ...new Set([
    'TextInput',
    ...fields
      .slice(1)
      .map(
        ({ kind }) =>
          ({ text: 'Textarea', number: 'NumberInput', date: 'TextInput', boolean: 'Switch' })[kind],
      ),
  ]),
]

/** A column of the list. */
export function headOf({ name, kind, isOptional }: Field, isFirst: boolean): string {
  const value = `one.${name}`
  const shown = {
    text: value,
    number: isOptional ? `${value} === null ? '' : whole(${value})` : `whole(${value})`,
    date: isOptional ? `${value} && shownTime(${value}).format('L')` : `shownTime(${value}).format('L')`,
    boolean: `t(${value} ? 'yes' : 'no')`,
  }[kind]
  const how = kind === 'number' ? `kind: 'number', ` : kind === 'text' && !isFirst ? `kind: 'long', ` : ''
  return `{ key: '${name}', head: t('${name}'), ${how}cell: one => ${shown} },`
}

/** Values for tests: the first is given by its caller. */
const sampleOf = ({ kind }: Field, which: 0 | 1): string =>
  ({
    text: ["'A lua nova nasce cedo.'", "'O sol nasce cedo.'"],
    number: ['12', '13'],
    date: ["'2026-12-25'", "'2027-01-01'"],
    boolean: ['true', 'false'],
  })[kind][which]!

/** Values that are refused. */
export function wrongOf({ kind, isOptional }: Field, isFirst: boolean): string[] {
  const long = `'a'.repeat(${isFirst ? TITLE + 1 : '1_001'})`
  if (kind === 'text') return isOptional ? [long] : [`''`, `'a'`, long]
  return { number: ['-1', '1.5'], date: [`'2026-13-01'`], boolean: [] }[kind]
}

/** What a row has where an optional field was left out. */
export const emptyInRow = ({ kind }: Field) =>
  ({ text: "''", number: 'null', date: 'null', boolean: 'false' })[kind]

/** Values of fields for a test, after what is given. */
export const objectOf = (fields: Field[], which: 0 | 1, ...given: string[]) =>
  [...given, ...fields.map(field => `${field.name}: ${sampleOf(field, which)}`)].join(', ')

/** A row's values for a call. */
export const bodyOf = ([first, ...rest]: Field[]) => `{ ${objectOf(rest, 0, `${first!.name}: 'prazo'`)} }`

export const lines = (all: string[]) => all.map(line => `${line}\n`).join('')
export const each = (fields: Field[], write: (field: Field, isFirst: boolean) => string) =>
  fields.map((field, at) => write(field, at === 0))

/** A passage, all from one text to another, or each of a pattern, and what stands there instead. */
export type Passage = [from: string | [begin: string, end: string] | RegExp, to: string]

export interface List {
  words: Words
  fields: Field[]
  right: Right | null
}

/** Who may change a list, beyond having a session. */
export interface Right {
  name: string
  /** False: the product has it, and admins have it. */
  isNew: boolean
}
