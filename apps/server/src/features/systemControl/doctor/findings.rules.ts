/** `ok`; `warn`: goes on, and is to be looked at; `bad`: something does not work, or soon will not. */
export type Level = 'ok' | 'warn' | 'bad'

/** One line of `npm run doctor`. No names, numbers or texts of people: ids, counts and codes. */
export interface Finding {
  /** What it is about, such as `database`. */
  area: string
  level: Level
  what: string
  /** What the operator does; empty where nothing is to be done. */
  todo: string
}

export const finding = (area: string, level: Level, what: string, todo = ''): Finding => ({
  area,
  level,
  what,
  todo: level === 'ok' ? '' : todo,
})

const WORSE: Level[] = ['ok', 'warn', 'bad']

/** 0, 1 or 2, as the worst of them. */
export const exitCodeOf = (findings: Finding[]): number =>
  Math.max(0, ...findings.map(({ level }) => WORSE.indexOf(level)))

/** For a terminal, a line each; what is to be done on a line of its own. */
export const linesOf = (findings: Finding[]): string[] =>
  findings.flatMap(({ area, level, what, todo }) => [
    `${level.padEnd(4)}  ${area}: ${what}`,
    ...(todo ? [`      -> ${todo}`] : []),
  ])

/** A level by a figure that is worse the higher it is. */
export const byLimits = (value: number, warn: number, bad: number): Level =>
  value >= bad ? 'bad' : value >= warn ? 'warn' : 'ok'

/** Such as `3 h`. */
export function spanOf(seconds: number): string {
  const [unit, size] = seconds >= 172_800 ? ['days', 86_400] : seconds >= 7_200 ? ['h', 3_600] : ['min', 60]
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / (size as number))} ${unit}`
}

/** Such as `1.5 GB`. */
export const sizeOf = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`
