import { finished } from '../prepare/run.js'

/** Lives of one turn, and their steps. */
const [WALKS, STEPS] = ['60', '80']

/** Random lives of a company, turn by turn with the next seed, until the time is over. False where one fails. */
export async function soakMoney(minutes: number, first: number): Promise<boolean> {
  const end = performance.now() + minutes * 60_000
  for (let seed = first; performance.now() < end; seed++) {
    const { code } = await finished(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'billing.money', '-t', 'random lives'],
      { env: { ...process.env, MONEY_WALKS: WALKS, MONEY_STEPS: STEPS, SOAK_SEED: String(seed) } },
    )
    if (code === 0) continue
    console.log(`a life failed: npm run soak -- money --seed ${seed}`)
    return false
  }
  return true
}
