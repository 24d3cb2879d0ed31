import { createHash } from 'node:crypto'

/** Milliseconds of the processor that the sample takes where the budgets of the layers were set. */
const REFERENCE_MS = 16
const EVERY_MS = 15_000

/** What the tests mostly do: JSON, text, objects and hashes. */
function sample(): number {
  const start = process.cpuUsage()
  let text = ''
  for (let at = 0; at < 40; at++) {
    const rows = Array.from({ length: 500 }, (_, id) => ({
      id,
      name: `linha ${id}`,
      at,
      tags: [text.length, id],
    }))
    text = JSON.stringify(JSON.parse(JSON.stringify(rows)))
    text = `${createHash('sha256').update(text).digest('hex')} ${text.replaceAll(/\d{3,}/g, found => `<${found}>`).length}`
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/** The first runs after a pause find cold caches. */
const warm = () => Math.min(...Array.from({ length: 5 }, sample))

/**
 * Measures again and again how much slower the processor is than where the budgets were set: a busy host, or another
 * processor, makes all tests cost more. `factor` is the mean so far, and never below 1.
 */
export function watchSpeed(): { factor(): number } {
  const samples = [warm()]
  setInterval(() => samples.push(warm()), EVERY_MS).unref()
  const mean = () => samples.reduce((sum, one) => sum + one, 0) / samples.length
  return { factor: () => Math.max(1, mean() / REFERENCE_MS) }
}
