/** A text of any length: what it begins with, what is repeated, what it ends with. */
export interface Family {
  prefix: string
  pump: string
  suffix: string
}

const repeated = (pump: string): Family => ({ prefix: '', pump, suffix: '\u0001' })

/** What readers stumble over: openings without an end, marks, signs that combine, halves of characters, ends that are not. */
export const FAMILIES: Family[] = [
  ...['"', '"\\', '"\\"', '\\', '{', '[', '{{', '{a|', '{"a":[', '\\{', '(', '<', '<meta ', '&', '`', '```'],
  ...[
    '.',
    '..a',
    ' ',
    '\n',
    '\r\n',
    '\t',
    ' a',
    '@',
    '@a',
    'a@',
    '@1',
    '#',
    '/',
    ':',
    ';',
    ',',
    '|',
    '-',
    '+',
    '%',
  ],
  ...['*', '*a', '_a', '~a ', '*_~', '**a', '__a', '![](http://[', '[i](tel:', '- ', '?', '!', "'", '='],
  ...[
    'a',
    'A',
    'a ',
    'é',
    'e\u0301',
    '\u0301',
    '\ud83d',
    '\udc4d',
    '👍',
    '👍🏽',
    '\u200d',
    '👩‍',
    '🇧',
    '\u202e',
  ],
  ...['0', '1', '0 ', '00', '5511', 'http://a', 'http://a.', 'www.', 'TEL:1\n', 'BEGIN:VCARD\n', 'a=b&'],
]
  .map(repeated)
  .concat([
    { prefix: 'http://a', pump: '.', suffix: 'x' },
    { prefix: 'http://a', pump: '.', suffix: ' ' },
    { prefix: 'https://', pump: 'a.', suffix: '' },
    { prefix: '1', pump: ' ', suffix: 'x' },
    { prefix: '{"a":"', pump: '"\\"', suffix: '' },
    { prefix: '["', pump: '\\', suffix: '' },
    { prefix: '@', pump: 'a', suffix: '@' },
    { prefix: 'a@a', pump: '.', suffix: '@' },
    { prefix: '{', pump: 'a|', suffix: '}' },
  ])

export const textOf = ({ prefix, pump, suffix }: Family, length: number): string =>
  prefix + pump.repeat(Math.max(1, Math.floor(length / pump.length))) + suffix

/** So much time is no harm whatever it grows like, and too little to measure where a kernel counts in steps of four. */
const FLOOR_MS = 20
const MOST_GROWTH = 2.5
const TRIES = 4

/**
 * What is wrong with the cost of reading a text of so many letters: the milliseconds of a quarter, half and all of it where
 * they more than double at a doubling in every try; null where they do not. What refuses a text has read it too.
 */
export function growth(read: (text: string) => unknown, family: Family, letters: number): string | null {
  // the first reading compiles, and is enough where it is quick
  if (costOf(read, textOf(family, letters)) < FLOOR_MS) return null
  let seen = ''
  for (let tries = 0; tries < TRIES; tries++) {
    const costs = [letters / 4, letters / 2, letters].map(length => leastOf(read, textOf(family, length)))
    const [one = 0, two = 0, four = 0] = costs
    const isSteep = (short: number, long: number) => long > FLOOR_MS && long > short * MOST_GROWTH
    if (!isSteep(one, two) && !isSteep(two, four)) return null
    seen = costs.map(cost => cost.toFixed(1)).join(', ')
  }
  return `${seen} ms for ${letters / 4}, ${letters / 2}, ${letters} letters of ${JSON.stringify(family.prefix + family.pump)}…`
}

/** What a collection of garbage adds is not in the least of three. */
const leastOf = (read: (text: string) => unknown, text: string) =>
  Math.min(...[1, 2, 3].map(() => costOf(read, text)))

/** Milliseconds of the processor in this thread: other work of the machine is not in them. */
function costOf(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage()
  try {
    read(text)
  } catch {
    // a refusal
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Families that are the same for the same seed, without end. */
export function* drawnTexts(seed: number): Generator<Family, never> {
  let state = seed >>> 0
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * most)
  }
  const words = [...new Set(FAMILIES.flatMap(({ prefix, pump }) => [prefix, pump]))]
  const some = (most: number) =>
    Array.from({ length: below(most + 1) }, () => words[below(words.length)]).join('')
  while (true) yield { prefix: some(2), pump: some(3) || '{', suffix: some(1) }
}
