import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** A text that may cost an expression more than its length: what it begins with, what is repeated, what it ends with. */
export interface Attack {
  prefix: string
  pump: string
  suffix: string
}

/**
 * Texts that lead an expression as far as possible and then fail: repetitions of what each beginning of it matches, of
 * each pair of its characters, and of what it repeats itself, behind what stands before that.
 */
export function attacksOn(source: string, flags: string): Attack[] {
  const form = /[uv]/.exec(flags)?.[0]
  const parsed = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: form === 'u',
    unicodeSets: form === 'v',
  })
  const pool = poolOf(parsed)
  const words = samples(pool, flags)
  const pumps = new Set([...pool, ...pool.flatMap(one => pool.map(two => one + two))])
  let repeats = false
  const behind = new Map<string, Set<string>>()
  visitRegExpAST(parsed, {
    onAlternativeEnter({ elements }) {
      for (let end = 1; end <= elements.length; end++)
        for (const word of words.sequence(elements.slice(0, end))) pumps.add(word)
    },
    onQuantifierEnter(quantifier) {
      if (quantifier.max < MANY) return
      repeats = true
      const [before = ''] = words.sequence(leadingTo(quantifier))
      behind.set(before, new Set([...(behind.get(before) ?? []), ...words.of(quantifier.element)]))
    },
  })
  pumps.delete('')
  behind.delete('')
  // what repeats nothing reads a few characters at each place
  if (!repeats) return []
  return [['', pumps] as const, ...behind].flatMap(([prefix, repeated]) =>
    [...repeated].flatMap(pump => SUFFIXES.map(suffix => ({ prefix, pump, suffix }))),
  )
}

/** Fewer repetitions cost little. */
const MANY = 20
/** Something that few expressions accept at their end. */
const SUFFIXES = ['\u0001', ' \n@']
const USUAL = ['a', '0', ' ', '\n', '.', '"']
const MOST_IN_POOL = 10
const MOST_WORDS = 6

/** The characters that an expression names, and some that its classes may hold. */
function poolOf(pattern: AST.Pattern): string[] {
  const named = new Set<string>()
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => void named.add(String.fromCodePoint(value)),
  })
  // letters of words are alike: one of them stands for all
  const signs = [...named].filter(sign => !/[a-z0-9]/i.test(sign))
  const letters = [...named].filter(sign => /[a-z0-9]/i.test(sign)).slice(0, 2)
  return [...new Set([...signs, ...USUAL, ...letters])].slice(0, MOST_IN_POOL)
}

/** What is matched before a part of an expression, from the beginning of its pattern. */
function leadingTo(node: AST.Node): AST.Element[] {
  const { parent } = node
  if (!parent) return []
  const above = leadingTo(parent)
  if (parent.type !== 'Alternative') return above
  return [...above, ...parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))]
}

/** Some words that an element, or one element after the other, matches. */
function samples(pool: string[], flags: string) {
  const sequence = (elements: AST.Element[]): string[] =>
    elements.reduce<string[]>(
      (words, element) => {
        const next = of(element)
        return words
          .flatMap((word, at) => (at === 0 ? next : next.slice(0, 1)).map(more => word + more))
          .slice(0, MOST_WORDS)
      },
      [''],
    )

  function of(element: AST.Element): string[] {
    switch (element.type) {
      case 'Character':
        return [String.fromCodePoint(element.value)]
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return matching(element.raw)
      case 'Quantifier':
        return of(element.element).map(word => word.repeat(Math.max(1, Math.min(element.min, MANY))))
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives.flatMap(({ elements }) => sequence(elements)).slice(0, MOST_WORDS)
      default:
        return ['']
    }
  }

  function matching(raw: string): string[] {
    const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''))
    return [...pool, 'A', '-', '\u00e9', '\u{1f600}', '\u0002']
      .filter(sign => one.test(sign))
      .slice(0, MOST_WORDS)
  }

  return { sequence, of }
}
