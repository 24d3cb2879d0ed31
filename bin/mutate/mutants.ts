/** One small error in a file, as a careless author could make. */
export interface Mutant {
  /** From 1. */
  line: number
  before: string
  after: string
  /** The whole file with it. */
  text: string
}

/** Replacements, wherever they match. */
const swaps: [RegExp, string][] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ \+ 1\b/g, ' - 1'],
  [/ \?\? /g, ' && '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\bdesc\(/g, 'asc('],
  [/\basc\(/g, 'desc('],
  [/^(\s*)(?:if \(.*\) )?(?:return )?refuse\(.*\)$/g, '$1// nothing is refused'],
  [/^(\s*)await (?!.*[={]\s*$).*\)$/g, '$1// nothing is done'],
]

/** Every mutant of a file. Comments, imports and types are left alone: no test could detect them. */
export function mutantsOf(source: string): Mutant[] {
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    if (/^\s*(\/\/|\*|\/\*|import\b|export (type|interface)\b|type\b|interface\b)/.test(line)) return []
    return swaps.flatMap(([found, instead]) =>
      [...line.matchAll(found)].map(match => {
        const after =
          line.slice(0, match.index) +
          match[0].replace(new RegExp(found.source), instead) +
          line.slice(match.index + match[0].length)
        const text = lines.with(at, after).join('\n')
        return { line: at + 1, before: line.trim(), after: after.trim(), text }
      }),
    )
  })
}

/** So many of them, spread by a seed: the same for the same seed. */
export function drawn<T>(all: T[], most: number, seed: number): T[] {
  let state = seed
  const roll = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return all
    .map(one => ({ one, at: roll() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one)
}
