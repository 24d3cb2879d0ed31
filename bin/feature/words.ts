/** What a list is called: in code, in the database, and by people. */
export interface Words {
  /** As code names it, in the plural: `quickAnswers`. */
  many: string
  one: string
  /** Of the API and of the screen. */
  path: string
  said: Record<Language, Said>
}

export const languages = ['pt', 'en', 'es'] as const
export type Language = (typeof languages)[number]
interface Said {
  one: string
  many: string
  /** Labels of the fields; none where they are those that everybody knows. */
  fields: string[]
}

/** Accepts a plural such as `quickAnswers`. Throws an Error for anything that cannot be a name. */
export function wordsOf(many: string, said: Record<Language, string>, path = `/${many}`): Words {
  if (!/^[a-z][a-zA-Z]*s$/.test(many))
    throw new Error(`A list is named in the plural, such as notes or quickAnswers: not ${many}`)
  if (!/^\/\w+(\/\w+)*$/.test(path)) throw new Error(`A path is written such as /quickAnswers: not ${path}`)
  return {
    many,
    one: singular(many),
    path,
    said: { pt: pair('pt', said.pt), en: pair('en', said.en), es: pair('es', said.es) },
  }
}

const singular = (many: string) =>
  many
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/s$/, '')

/** `holiday, holidays` or `holiday, holidays: name, date` */
function pair(language: Language, text: string): Said {
  if (/['"`\\]/.test(text))
    throw new Error(`Write ’ for an apostrophe, and no quotes, in --${language} "${text}"`)
  const [names = '', labels = '', ...beyond] = text.split(':')
  const [one, many, ...more] = wordsIn(names)
  if (!one || !many || more.length > 0 || beyond.length > 0)
    throw new Error(`Say one and many, such as --${language} "holiday, holidays": not "${text}"`)
  return { one, many, fields: wordsIn(labels) }
}

const wordsIn = (text: string) =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')

export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** `quickAnswers` with another sign between its words: `quick-answers`, `quick_answers`. */
export const joined = (name: string, sign: string) =>
  name.replace(/[A-Z]/g, letter => sign + letter.toLowerCase())
