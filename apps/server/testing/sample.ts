import { createHash } from 'node:crypto'
import { seeded } from '@balcao/contract/campaigns.words.rules.ts'

/** `npm run soak` tries every point in every round; `npm test` draws some of them anew each run. */
const isWhole = process.env.EVERY_POINT === '1'

/** What a suite draws by: the run prints it (SAMPLE_SEED), and the soak counts it up (SOAK_SEED). */
export const SEED = Number(process.env.SOAK_SEED ?? process.env.SAMPLE_SEED ?? 1)

/** So many of the points, drawn by the seed of the run, in the order of the list: over the runs every point comes round. */
export function sample<Point>(points: readonly Point[], many: number): Point[] {
  if (isWhole || many >= points.length) return [...points]
  // each list draws by itself: whichever files run, its points are the same
  const draw = seeded(hash(`${SEED} ${JSON.stringify(points)}`))
  const left = points.map((_, at) => at)
  const drawn = Array.from({ length: many }, () => left.splice(Math.floor(draw() * left.length), 1)[0]!)
  return drawn.toSorted((one, other) => one - other).map(at => points[at]!)
}

/** Number of runs: a few, or as many as needed. */
export const rounds = (few: number, all: number): number => (isWhole ? all : few)

/** Chooses the seed of a run, once for all its workers, unless SAMPLE_SEED names one. */
export function chooseSeed(env: NodeJS.ProcessEnv): string {
  env.SAMPLE_SEED ??= String(Math.floor(Math.random() * 1_000_000))
  return env.SAMPLE_SEED
}

const hash = (text: string) => createHash('sha256').update(text).digest().readUInt32LE()
