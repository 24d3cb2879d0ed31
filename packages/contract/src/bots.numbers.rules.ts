/** The dotted numbers of a bot's commands: `1.2` is below `1`, after `1.1`. */

interface Numbered {
  id: number
  commandBot: string
  forceNextFlow: string
}

const parts = (number: string) => number.split('.').map(Number)

/** `2` before `10`, `1` before `1.1`. */
export function inNumberOrder(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  for (let at = 0; at < Math.min(left.length, right.length); at++)
    if (left[at] !== right[at]) return left[at]! - right[at]!
  return left.length - right.length
}

/** The number above; '' above the first level. */
export const numberAbove = (number: string): string => number.slice(0, Math.max(number.lastIndexOf('.'), 0))

export const isBelow = (number: string, above: string): boolean =>
  above === '' ? number !== '' : number.startsWith(`${above}.`)

const joined = (above: string, last: number) => (above === '' ? String(last) : `${above}.${last}`)

/** The next free number directly below another; '' is the root. */
export function nextNumber(numbers: string[], above: string): string {
  const used = numbers.filter(number => numberAbove(number) === above).map(number => parts(number).at(-1)!)
  return joined(above, Math.max(0, ...used) + 1)
}

/**
 * New numbers of commands when a branch is moved below `above` ('': the root) to the 0-based position `at`. Commands
 * after it are shifted, but no further than the next gap, so that a conventional number such as 9 keeps its meaning.
 * `forceNextFlow` follows the commands. Returns only the changes; null where the branch would be below itself.
 */
export function movedBranch(
  commands: Numbered[],
  branch: string,
  above: string,
  at: number,
): Map<number, { commandBot: string; forceNextFlow: string }> | null {
  if (above === branch || isBelow(above, branch)) return null
  const left = numberAbove(branch)
  const lasts = (level: string) =>
    commands
      .map(({ commandBot }) => commandBot)
      .filter(number => numberAbove(number) === level && number !== branch)
      .map(number => ({ number, last: parts(number).at(-1)! }))
      .sort((a, b) => a.last - b.last)
  const closed = closedUp(lasts(left), parts(branch).at(-1)!)
  const there = left === above ? closed : lasts(above)
  const room = (there[at - 1]?.last ?? (at > 0 ? there.at(-1)?.last : 0) ?? 0) + 1
  const renamed = new Map(
    [
      ...closed.map(one => ({ ...one, level: left })),
      ...withRoom(there, room).map(one => ({ ...one, level: above })),
    ].map(({ number, last, level }) => [number, joined(level, last)]),
  )
  return changesOf(commands, renamed.set(branch, joined(above, room)))
}

type Last = { number: string; last: number }

function closedUp(lasts: Last[], gap: number): Last[] {
  let next = gap + 1
  return lasts.map(one => (one.last === next ? { ...one, last: next++ - 1 } : one))
}

function withRoom(lasts: Last[], room: number): Last[] {
  let next = room
  return lasts.map(one => (one.last === next ? { ...one, last: ++next } : one))
}

function changesOf(commands: Numbered[], renamed: Map<string, string>) {
  const after = (number: string) => renumbered(renamed, number)
  const changes = new Map<number, { commandBot: string; forceNextFlow: string }>()
  for (const { id, commandBot, forceNextFlow } of commands) {
    const next = { commandBot: after(commandBot), forceNextFlow: forceNextFlow && after(forceNextFlow) }
    if (next.commandBot !== commandBot || next.forceNextFlow !== forceNextFlow) changes.set(id, next)
  }
  return changes
}

/** The branch may land below one that closes up, so what was renamed is renamed above again. */
function renumbered(renamed: Map<string, string>, number: string): string {
  let above = number
  while (above !== '' && !renamed.has(above)) above = numberAbove(above)
  if (above === '') return number
  const next = renamed.get(above)!
  const lifted = numberAbove(next)
  const raised = lifted === '' ? '' : renumbered(renamed, lifted)
  return joined(raised, parts(next).at(-1)!) + number.slice(above.length)
}
