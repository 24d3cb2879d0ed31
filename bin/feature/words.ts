/** The names that a feature's code speaks of: notes, Notes, note, Note. */
export interface Words {
  many: string
  Many: string
  one: string
  One: string
  /** In file names and paths: quick-answers. */
  file: string
  /** In the database: quick_answers. */
  table: string
}

/** Takes a plural such as `notes` or `quick-answers`. Throws an Error for anything that cannot be a name. */
export function wordsOf(name: string): Words {
  if (!/^[a-z]+(-[a-z]+)*s$/.test(name))
    throw new Error(
      `A feature is named in the plural, in small letters, such as notes or quick-answers: not ${name}`,
    )
  const many = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const one = many
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/s$/, '')
  return { many, Many: capital(many), one, One: capital(one), file: name, table: name.replaceAll('-', '_') }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
