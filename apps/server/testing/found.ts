import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** What a test file found that kills or disturbs again and again. */
export interface Found {
  /** The path of its test file. */
  file: string
  /** How often it killed or disturbed. */
  rounds: number
  lost: number
  doubled: number
}

/** For the table at the end of a soak, which names the file in SOAK_FOUND: figures are counted by their names. */
export function reportFound(rounds: number, figures: Record<string, number>): void {
  if (!process.env.SOAK_FOUND) return
  const sum = (word: string) =>
    Object.entries(figures).reduce((total, [name, many]) => (name.includes(word) ? total + many : total), 0)
  const found = { file: expect.getState().testPath!, rounds, lost: sum('lost'), doubled: sum('doubled') }
  appendFileSync(process.env.SOAK_FOUND, `${JSON.stringify(found satisfies Found)}\n`)
}
