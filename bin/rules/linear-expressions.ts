import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import { type Attack, attacksOn } from './attacks.ts'
import { isTest, type Rule, type Source } from './codebase.ts'
import { BUILT, READS_LITTLE } from './short-texts.ts'

/**
 * A text of a stranger costs as much as its length: an expression that reads it twice for each character stops the process
 * with some ten thousand of them. Each is analysed (scslre), and, since the analyser overlooks what begins again at many
 * places, run on texts of twice the length that are made from it.
 */
export const linearExpressions: Rule = {
  name: 'expressions read a text in the time of its length',
  find: ({ sources }) => {
    const known = new Map<string, string | null>()
    return sources
      .filter(({ path }) => /^(apps|packages)\/\w+\/src\//.test(path) && !isTest(path))
      .flatMap(source => {
        const { literals, built } = expressionsIn(source)
        return [
          ...literals.flatMap(one => faultOf(source, one, known)),
          ...built.flatMap(one => unnamed(source, one)),
        ]
      })
  },
}

interface Expression {
  line: number
  source: string
  flags: string
}

interface Built {
  line: number
  text: string
}

function faultOf(
  { path }: Source,
  { line, source, flags }: Expression,
  known: Map<string, string | null>,
): string[] {
  if (READS_LITTLE[path]?.[source]) return []
  const key = `/${source}/${flags}`
  const fault = known.has(key) ? known.get(key) : superLinear(source, flags)
  known.set(key, fault ?? null)
  return fault
    ? [
        `${path}:${line}: /${source}/ ${fault}: anchor it, bound it or loop; or bound its text (short-texts.ts)`,
      ]
    : []
}

const unnamed = ({ path }: Source, { line, text }: Built) =>
  BUILT[path]
    ? []
    : [`${path}:${line}: ${text} is built: from what? Use a literal, or name it in short-texts.ts`]

// biome-ignore lint/suspicious/noExplicitAny: an ESTree node; each use checks `type`
type Node = any

/** The literals of a file, and what it builds of texts. */
function expressionsIn({ path, text }: Source): { literals: Expression[]; built: Built[] } {
  const literals: Expression[] = []
  const built: Built[] = []
  const lineOf = ({ start }: Node) => text.slice(0, start).split('\n').length
  const visit = (node: Node) => {
    if (!node || typeof node !== 'object') return
    if (node.regex) literals.push({ line: lineOf(node), source: node.regex.pattern, flags: node.regex.flags })
    if (node.callee?.name === 'RegExp')
      built.push({ line: lineOf(node), text: text.slice(node.start, node.end) })
    for (const child of Object.values(node)) visit(child)
  }
  if (/\/|RegExp/.test(text)) visit(parseSync(path, text).program)
  return { literals, built }
}

/** What is wrong with an expression; null where nothing is. */
export function superLinear(source: string, flags: string): string | null {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports
  if (report) return report.exponential ? 'is exponential' : `is quadratic (${report.type})`
  const everywhere = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)
  const attack = attacksOn(source, flags).find(one => isSlow(everywhere, one))
  return attack ? `is quadratic on ${JSON.stringify(attack.prefix + attack.pump)}…` : null
}

/** Short texts first, so that one which costs the cube or more is found before it is long. */
function isSlow(expression: RegExp, attack: Attack): boolean {
  if (!FIRST.some(length => took(expression, attack, length) > SUSPECT_MS)) return false
  // other work of the machine makes one measurement long, hardly three
  for (let time = 0; time < 3; time++) {
    const short = took(expression, attack, LONG)
    const long = took(expression, attack, 2 * LONG)
    if (long < MOST_MS && (long < FLOOR_MS || long < short * MOST_GROWTH)) return false
  }
  return true
}

const FIRST = [24, 2_000]
const SUSPECT_MS = 0.3
const LONG = 8_000
const FLOOR_MS = 10
const MOST_GROWTH = 2.6
/** However it grows: so much for 16,000 characters is too much. */
const MOST_MS = 150

function took(expression: RegExp, { prefix, pump, suffix }: Attack, length: number): number {
  const text = prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
  // of this thread: other work of the machine is not in it
  const before = process.threadCpuUsage()
  text.replace(expression, '')
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
